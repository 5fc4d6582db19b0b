import { useLocation } from 'preact-iso';
import { deviceName } from '../../../base/device-name.ts';
import { api, unwrapResponse } from '../../api/api.ts';
import { write } from '../../api/changes.ts';
import { useResource } from '../../api/resource.ts';
import { signOutEverywhere } from '../../api/session.ts';
import { moment } from '../../format/dates.ts';
import { ResourceView } from '../../parts/resource-view.tsx';
import { Table } from '../../parts/tables/table.tsx';
import { say, sayProblem } from '../../parts/toasts.tsx';

/** The user's sessions, each with a button to end it. */
export function Sessions() {
  const { route } = useLocation();
  const reading = useResource('sessions', () => unwrapResponse(api.auth.sessions.get({ query: { limit: 100 } })));
  const end = async (id: string) => {
    await write(api.auth.sessions({ id }).delete());
    say('Session ended.');
  };
  const endAll = async () => {
    await signOutEverywhere();
    say("You're signed out everywhere.");
    route('/sign-in', true);
  };
  return (
    <section class="card">
      <h2>Active sessions</h2>
      <ResourceView reading={reading}>
        {({ data }) => (
          <Table
            label="Active sessions"
            rows={data}
            keyOf={({ id }) => id}
            columns={[
              { head: 'Device', cell: ({ device }) => deviceName(device) },
              { head: 'Since', kind: 'minute', cell: ({ createdAt }) => createdAt },
              { head: 'Last used', kind: 'minute', cell: ({ lastUsedAt }) => lastUsedAt },
              { head: 'Until', kind: 'minute', cell: ({ expiresAt }) => expiresAt },
              {
                head: 'End it',
                kind: 'buttons',
                cell: ({ id, device, createdAt, current }) =>
                  current ? (
                    <span class="muted">this one</span>
                  ) : (
                    <button
                      type="button"
                      aria-label={`End the session of ${deviceName(device)} since ${moment(createdAt)}`}
                      onClick={() => end(id).catch(sayProblem)}
                    >
                      End
                    </button>
                  ),
              },
            ]}
          />
        )}
      </ResourceView>
      <p class="actions">
        <button type="button" onClick={() => endAll().catch(sayProblem)}>
          Sign out everywhere
        </button>
        <span class="fine">Includes this browser. If you don't recognize a device, change your password too.</span>
      </p>
    </section>
  );
}
