import { api, unwrapResponse } from '../../api/api.ts';
import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { count } from '../../format/amounts.ts';
import { moment } from '../../format/dates.ts';
import { ResourceView } from '../../parts/resource-view.tsx';
import { RowsTable } from './rows-table.tsx';

type ImportDifferences = Awaited<ReturnType<typeof readDifferences>>;
type ComparedRow = ImportDifferences['added'][number];

function readDifferences(id: string) {
  return unwrapResponse(api.imports({ id }).changes.get());
}

/** Shows how a file differs from the previous one from the same source. */
export function ImportChangesView({ id }: { readonly id: string }) {
  const changes = useResource(`changes of ${id}`, () => readDifferences(id));
  return (
    <section class="card">
      <h2>Changes since the previous file</h2>
      <ResourceView reading={changes}>
        {(changes) =>
          changes.against === null ? <FirstFile /> : <Differences found={changes} against={changes.against} />
        }
      </ResourceView>
    </section>
  );
}

function FirstFile() {
  return (
    <p class="fine">
      This is the first file from this source and account for these dates. After you import a newer one, this page shows
      the differences.
    </p>
  );
}

function Differences({ found, against }: { readonly found: ImportDifferences; readonly against: string }) {
  const { added, changed, gone, truncated } = found;
  const before = useResource(`import ${against}`, () => unwrapResponse(api.imports({ id: against }).get())).data;
  return (
    <>
      <p>
        Compared with <a href={to(`/import/${against}`)}>{before?.fileName ?? 'the previous file'}</a>
        {before !== undefined && ` of ${moment(before.createdAt)}`}.
      </p>
      {added.length + changed.length + gone.length === 0 && <p class="fine">No differences for the same dates.</p>}
      <ComparedRows title={`Added: ${count(added.length)}`} rows={added.map((row) => ({ row }))} />
      <ComparedRows
        title={`Changed: ${count(changed.length)}`}
        explanation="Both rows of each pair are in your records. Delete the wrong one."
        rows={changed.flatMap(({ before: old, after, members }) => [
          { row: old, note: 'before' },
          { row: after, note: members.length === 0 ? 'after' : `after: different ${members.join(', ')}` },
        ])}
      />
      <ComparedRows
        title={`Removed: ${count(gone.length)}`}
        explanation="The new file covers these dates but no longer contains these rows. They are still in your records."
        rows={gone.map((row) => ({ row }))}
      />
      {truncated && <p class="fine">There are more than shown.</p>}
    </>
  );
}

interface ComparedRowsProps {
  readonly title: string;
  readonly explanation?: string;
  /** Rows, each with a note. */
  readonly rows: readonly {
    readonly row: ComparedRow;
    readonly note?: string;
    /** The row is not in the books yet, so there is no page to open. */
    readonly isNew?: boolean;
  }[];
}

export function ComparedRows({ title, explanation, rows }: ComparedRowsProps) {
  if (rows.length === 0) return null;
  return (
    <details open={rows.length <= 20}>
      <summary>{title}</summary>
      {explanation !== undefined && <p class="fine">{explanation}</p>}
      <RowsTable
        label={title}
        rows={rows.map(({ row, note, isNew = false }) => ({
          ...row,
          key: row.transactionId,
          line: (
            <>
              {isNew ? row.line : <a href={to('/transactions', { ids: row.transactionId })}>{row.line}</a>}
              {note !== undefined && <p class="fine">{note}</p>}
            </>
          ),
        }))}
      />
    </details>
  );
}
