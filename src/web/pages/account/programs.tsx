import { api, type ItemOf, useApi, write } from '../../api/api.ts';
import { ActionButton } from '../../parts/button.tsx';
import { Card, ResourceView } from '../../parts/page.tsx';
import { Table } from '../../parts/tables/table.tsx';

interface ProgramConnectionsProps {
  readonly nameOf: (client: string) => string;
}

/** The programs that the user connected by OAuth, each with a button that disconnects it. */
export function ProgramConnections({ nameOf }: ProgramConnectionsProps) {
  const reading = useApi('programs', () => api.auth.programs.get());
  return (
    <ResourceView reading={reading} waiting={null}>
      {({ data }) => (data.length === 0 ? null : <ProgramConnectionList connections={data} nameOf={nameOf} />)}
    </ResourceView>
  );
}

type ListedProgramConnection = ItemOf<typeof api.auth.programs.get>;

function ProgramConnectionList({
  connections,
  nameOf,
}: ProgramConnectionsProps & { connections: readonly ListedProgramConnection[] }) {
  return (
    <Card title="Connected programs">
      <Table
        label="Connected programs"
        rows={connections}
        columns={[
          { head: 'Program', cell: ({ name }) => name },
          { head: 'Address', cell: ({ redirectHost }) => redirectHost },
          { head: 'Permissions', cell: ({ scopes }) => scopes.join(', ') },
          { head: 'Books', cell: ({ client }) => (client === null ? 'Your own' : nameOf(client)) },
          { head: 'Last used', kind: 'minute', cell: ({ lastUsedAt }) => lastUsedAt },
          {
            head: 'Disconnect it',
            kind: 'buttons',
            cell: ({ id, name }) => (
              <ActionButton
                label="Disconnect"
                aria-label={`Disconnect ${name}`}
                act={() => write(api.auth.programs({ id }).delete())}
                said={`“${name}” no longer has access.`}
              />
            ),
          },
        ]}
      />
    </Card>
  );
}
