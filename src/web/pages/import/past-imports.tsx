import { useState } from 'preact/hooks';
import { clientId, to } from '../../api/acting.ts';
import { api, got } from '../../api/api.ts';
import { useResource } from '../../api/resource.ts';
import type { ImportedFile } from '../../api/upload-request.ts';
import { undoImportOf } from '../../api/uploads.ts';
import { count } from '../../format/amounts.ts';
import { moment } from '../../format/dates.ts';
import { OwnBooks } from '../../parts/own-books.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import { say, sayProblem } from '../../parts/toasts.tsx';
import { useFormatName } from './import-facts.tsx';

const pageSize = 10;

/** All imports, the newest first, each with its undo. */
export function PastImports() {
  const [limit, setLimit] = useState(pageSize);
  const imports = useResource(`imports ${limit}`, () => got(api.imports.get({ query: { limit } })));
  return (
    <section class="card">
      <h2>Your imports</h2>
      <ResourceView reading={imports}>
        {({ data, hasMore }) =>
          data.length === 0 ? (
            <p class="fine">None yet. What you import stands here, and can be undone at any time.</p>
          ) : (
            <>
              <div class="scroll">
                <table>
                  <TableHead
                    columns={[
                      'File',
                      'When',
                      { number: 'Imported' },
                      { number: 'There already' },
                      { number: 'Nothing taxable' },
                      { number: 'Not read' },
                      { unseen: 'Undo' },
                    ]}
                  />
                  <tbody>
                    {data.map((result) => (
                      <PastImport key={result.id} result={result} />
                    ))}
                  </tbody>
                </table>
              </div>
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

function PastImport({ result }: { readonly result: ImportedFile }) {
  const { id, fileName, format, createdAt, status, problem, imported, duplicates, skipped, rejected } = result;
  const source = useFormatName(format);
  const name = fileName ?? 'Rows without a file';
  const undo = async () => {
    await undoImportOf(id, clientId.value);
    say(status === 'failed' ? `${name} is removed.` : `${name} is undone: its rows are gone.`);
  };
  return (
    <tr>
      <th scope="row">
        <a href={to(`/import/${id}`)}>{name}</a>
        {format !== null && <p class="fine">{source}</p>}
        {status === 'failed' && <p class="fine loss">Not imported. {problem?.detail}</p>}
        {status === 'running' && <p class="fine">Its rows are stored…</p>}
      </th>
      <td class="when">{moment(createdAt)}</td>
      {[imported, duplicates, skipped, rejected].map((number, at) => (
        <td key={at} class="number">
          {status === 'completed' && count(number)}
        </td>
      ))}
      <td class="number">
        {status !== 'running' && (
          <OwnBooks>
            <button type="button" class="plain" onClick={() => undo().catch(sayProblem)}>
              {status === 'failed' ? 'Remove' : 'Undo'}
              <span class="visually-hidden"> {name}</span>
            </button>
          </OwnBooks>
        )}
      </td>
    </tr>
  );
}
