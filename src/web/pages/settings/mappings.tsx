import { api, unwrapResponse } from '../../api/api.ts';
import { write } from '../../api/changes.ts';
import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { moment } from '../../format/dates.ts';
import { Icon } from '../../parts/icon.tsx';
import { OwnBooks } from '../../parts/own-books.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { Table } from '../../parts/tables/table.tsx';
import { say, sayProblem } from '../../parts/toasts.tsx';

type MappingItem = Awaited<ReturnType<typeof readMappings>>['data'][number];

function readMappings() {
  return unwrapResponse(api.imports.mappings.get({ query: { limit: 1000 } }));
}

/** Column mappings for files of unknown format, saved by their columns. */
export function Mappings() {
  return (
    <ResourceView reading={useResource('mappings', readMappings)}>
      {({ data }) =>
        data.length === 0 ? (
          <section class="card">
            <h2>None yet</h2>
            <p>
              <a href={to('/import')}>Import</a> a file we don't recognize and match its columns once. The next file
              with these columns is imported the same way.
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
    await write(api.imports.mappings({ id }).delete());
    say('Mapping deleted. The next file with these columns needs a new one.');
  };
  return (
    <section class="card">
      <h2>{header.slice(0, 4).join(', ')}…</h2>
      <p class="fine">Last used {moment(usedAt)}.</p>
      <Table
        label={`Columns of ${header[0]}`}
        rows={header}
        keyOf={(column) => column}
        columns={[
          { head: 'Column', cell: (column) => column },
          { head: 'Maps to', cell: (column) => mapping.columns[column] ?? <span class="muted">ignored</span> },
        ]}
      />
      <p class="actions">
        <OwnBooks>
          <button type="button" onClick={() => forget().catch(sayProblem)}>
            <Icon name="remove" /> Delete
          </button>
        </OwnBooks>
      </p>
    </section>
  );
}
