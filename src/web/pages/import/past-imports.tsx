import { useState } from 'preact/hooks';
import { api, unwrapResponse } from '../../api/api.ts';
import { clientId, to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import type { ImportedFile } from '../../api/upload-request.ts';
import { undoImport } from '../../api/uploads.ts';
import { count } from '../../format/amounts.ts';
import { moment } from '../../format/dates.ts';
import { OwnBooks } from '../../parts/own-books.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { StackedTable } from '../../parts/tables/stacked-table.tsx';
import { say, sayProblem } from '../../parts/toasts.tsx';
import { useFormatName } from './import-facts.tsx';

const pageSize = 10;

/** All imports, newest first, each with its undo. */
export function PastImports() {
  const [limit, setLimit] = useState(pageSize);
  const imports = useResource(`imports ${limit}`, () => unwrapResponse(api.imports.get({ query: { limit } })));
  return (
    <section class="card">
      <h2>Your imports</h2>
      <ResourceView reading={imports}>
        {({ data, hasMore }) =>
          data.length === 0 ? (
            <p class="fine">No imports yet. You can undo any import at any time.</p>
          ) : (
            <>
              <StackedTable
                label="Your imports"
                columns={[
                  'File',
                  'When',
                  { number: 'Imported' },
                  { number: 'Duplicates' },
                  { number: 'Not taxable' },
                  { number: "Couldn't read" },
                  { unseen: 'Undo' },
                ]}
                rows={data.map((result) => ({
                  key: result.id,
                  name: <ImportName result={result} />,
                  cells: [
                    <span class="whole">{moment(result.createdAt)}</span>,
                    ...[result.imported, result.duplicates, result.skipped, result.rejected].map((number) =>
                      result.status === 'completed' ? count(number) : null,
                    ),
                    result.status === 'running' ? null : <UndoButton result={result} />,
                  ],
                }))}
              />
              {hasMore && (
                <button type="button" class="plain" onClick={() => setLimit(limit + 40)}>
                  Show more
                </button>
              )}
            </>
          )
        }
      </ResourceView>
    </section>
  );
}

interface ImportCellProps {
  readonly result: ImportedFile;
}

function ImportName({ result }: ImportCellProps) {
  const { id, format, status, problem } = result;
  const source = useFormatName(format);
  return (
    <>
      <a href={to(`/import/${id}`)}>{nameOf(result)}</a>
      {format !== null && <p class="fine">{source}</p>}
      {status === 'failed' && <p class="fine loss">Not imported. {problem?.detail}</p>}
      {status === 'running' && <p class="fine">Saving…</p>}
    </>
  );
}

function UndoButton({ result }: ImportCellProps) {
  const name = nameOf(result);
  const isFailed = result.status === 'failed';
  const undo = async () => {
    await undoImport(result.id, clientId.value);
    say(isFailed ? `${name} removed.` : `Import of ${name} undone.`);
  };
  return (
    <OwnBooks>
      <button type="button" class="plain" onClick={() => undo().catch(sayProblem)}>
        {isFailed ? 'Remove' : 'Undo'}
        <span class="visually-hidden"> {name}</span>
      </button>
    </OwnBooks>
  );
}

function nameOf({ fileName }: ImportedFile): string {
  return fileName ?? 'Rows without a file';
}
