import { to } from '../../api/acting.ts';
import { api, got } from '../../api/api.ts';
import { booksChanged } from '../../api/changes.ts';
import { useResource } from '../../api/resource.ts';
import { moment } from '../../format/dates.ts';
import { Icon } from '../../parts/icon.tsx';
import { OwnBooks } from '../../parts/own-books.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import { say, sayProblem } from '../../parts/toasts.tsx';

type MappingItem = Awaited<ReturnType<typeof readMappings>>['data'][number];

function readMappings() {
  return got(api.imports.mappings.get({ query: { limit: 1000 } }));
}

/** How files are read that no format knows: stated once, remembered by their columns. */
export function Mappings() {
  return (
    <ResourceView reading={useResource('mappings', readMappings)}>
      {({ data }) =>
        data.length === 0 ? (
          <section class="card">
            <h2>None yet</h2>
            <p>
              <a href={to('/import')}>Import</a> a file that no format knows, say what its columns are, and the next
              file with these columns is read alike.
            </p>
          </section>
        ) : (
          data.map((mapping) => <MappingCard key={mapping.id} mapping={mapping} />)
        )
      }
    </ResourceView>
  );
}

function MappingCard({ mapping: { id, header, mapping, usedAt } }: { readonly mapping: MappingItem }) {
  const forget = async () => {
    await got(api.imports.mappings({ id }).delete());
    booksChanged();
    say('The mapping is forgotten. The next file with these columns asks what they are.');
  };
  return (
    <section class="card">
      <h2>{header.slice(0, 4).join(', ')}…</h2>
      <p class="fine">Last used {moment(usedAt)}.</p>
      <Scroll label={`The columns of ${header[0]}`}>
        <table>
          <TableHead columns={['Column of the file', 'Read as']} />
          <tbody>
            {header.map((column) => (
              <tr key={column}>
                <th scope="row">{column}</th>
                <td>{mapping.columns[column] ?? <span class="muted">not read</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p class="actions">
        <OwnBooks>
          <button type="button" onClick={() => forget().catch(sayProblem)}>
            <Icon name="remove" /> Forget it
          </button>
        </OwnBooks>
      </p>
    </section>
  );
}
