import { api, unwrapResponse } from '../../api/api.ts';
import { write } from '../../api/changes.ts';
import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { moment } from '../../format/dates.ts';
import { Button } from '../../parts/button.tsx';
import { OwnBooks } from '../../parts/own-books.tsx';
import { Card } from '../../parts/page.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { Table } from '../../parts/tables/table.tsx';
import { say, sayProblem } from '../../parts/toasts.tsx';

type MappingItem = Awaited<ReturnType<typeof readMappings>>['data'][number];

const readMappings = () => unwrapResponse(api.imports.mappings.get({ query: { limit: 1000 } }));

/** Column mappings for files of unknown format, saved by their columns. */
export function Mappings() {
  return (
    <ResourceView reading={useResource('mappings', readMappings)}>
      {({ data }) =>
        data.length === 0 ? (
          <Card title="None yet">
            <p>
              <a href={to('/import')}>Import</a> a file we don't recognize and match its columns once. The next file
              with these columns is imported the same way.
            </p>
          </Card>
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
    <Card title={`${header.slice(0, 4).join(', ')}…`}>
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
          <Button icon="remove" label="Delete" onClick={() => forget().catch(sayProblem)} />
        </OwnBooks>
      </p>
    </Card>
  );
}
