import { api, unwrapResponse } from '../../api/api.ts';
import { useList } from '../../api/list.ts';
import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import type { ImportedFile } from '../../api/upload-request.ts';
import { count } from '../../format/amounts.ts';
import { moment } from '../../format/dates.ts';
import { ListView } from '../../parts/list-view.tsx';
import type { ColumnSpec } from '../../parts/tables/column.tsx';
import { Table } from '../../parts/tables/table.tsx';
import { useFormatName } from './import-facts.tsx';
import { RestoreImport, UndoImport } from './undo-import.tsx';

/** All imports, newest first, each with its undo. */
export function PastImports() {
  const list = useList('past imports', (cursor) =>
    unwrapResponse(api.imports.get({ query: { limit: 10, ...cursor } })),
  );
  const undone = useResource('imports undone', () => unwrapResponse(api.imports.get({ query: { undone: true } })));
  return (
    <section class="card">
      <h2>Your imports</h2>
      <ListView list={list}>
        {({ data }) => (
          <Table
            label="Your imports"
            columns={columns}
            rows={[...(undone.data?.data ?? []), ...data]}
            keyOf={({ id }) => id}
            empty={<p class="fine">No imports yet. You can undo any import at any time.</p>}
          />
        )}
      </ListView>
    </section>
  );
}

function countColumn(
  head: string,
  name: 'transactions' | 'duplicates' | 'skipped' | 'rejected',
): ColumnSpec<ImportedFile> {
  const isCounted = ({ status, undoneAt }: ImportedFile) => status === 'completed' && undoneAt === undefined;
  return { head, kind: 'number', cell: (result) => (isCounted(result) ? count(result[name]) : null) };
}

const columns: readonly ColumnSpec<ImportedFile>[] = [
  { head: 'File', cell: (result) => <ImportName result={result} /> },
  countColumn('Transactions', 'transactions'),
  countColumn('Duplicates', 'duplicates'),
  countColumn('Not taxable', 'skipped'),
  countColumn("Couldn't read", 'rejected'),
  {
    head: 'Undo',
    kind: 'buttons',
    cell: (result) => {
      if (result.status === 'running') return null;
      const file = { id: result.id, name: nameOf(result) };
      if (result.undoneAt !== undefined) return <RestoreImport {...file} />;
      return <UndoImport {...file} isFailed={result.status === 'failed'} />;
    },
  },
];

function ImportName({ result }: { readonly result: ImportedFile }) {
  const { id, format, status, problem, createdAt, undoneAt } = result;
  const source = useFormatName(format);
  return (
    <div class="file-name">
      {undoneAt === undefined ? <a href={to(`/import/${id}`)}>{nameOf(result)}</a> : nameOf(result)}
      <p class="fine">
        {format !== null && `${source}, `}
        {moment(createdAt)}
      </p>
      {undoneAt !== undefined && (
        <p class="fine">Undone {moment(undoneAt)}. You can restore it, with your edits, for a day.</p>
      )}
      {status === 'failed' && <p class="fine loss">Not imported. {problem?.detail}</p>}
      {status === 'running' && <p class="fine">Saving…</p>}
    </div>
  );
}

function nameOf({ fileName }: ImportedFile): string {
  return fileName ?? 'Rows without a file';
}
