import { useLocation } from 'preact-iso';
import { api, got } from '../../api/api.ts';
import { booksChanged } from '../../api/changes.ts';
import { useResource } from '../../api/resource.ts';
import { signOutEverywhere } from '../../api/session.ts';
import { moment } from '../../format/dates.ts';
import { deviceName } from '../../format/devices.ts';
import { ResourceView } from '../../parts/resource-view.tsx';
import { StackedTable } from '../../parts/tables/stacked-table.tsx';
import { say, sayProblem } from '../../parts/toasts.tsx';

/** Where one is signed in, each with its end. */
export function Sessions() {
  const { route } = useLocation();
  const reading = useResource('sessions', () => got(api.auth.sessions.get({ query: { limit: 100 } })));
  const end = async (id: string) => {
    await got(api.auth.sessions({ id }).delete());
    booksChanged();
    say('That session is ended.');
  };
  const endAll = async () => {
    await signOutEverywhere();
    say('You are signed out everywhere.');
    route('/sign-in', true);
  };
  return (
    <section class="card">
      <h2>Where you are signed in</h2>
      <ResourceView reading={reading}>
        {({ data }) => (
          <StackedTable
            label="Where you are signed in"
            columns={['Device', 'Since', 'Last used', 'Until', { unseen: 'End it' }]}
            rows={data.map((session) => ({
              key: session.id,
              name: deviceName(session.device),
              cells: [
                <span class="whole">{moment(session.createdAt)}</span>,
                <span class="whole">{moment(session.lastUsedAt)}</span>,
                <span class="whole">{moment(session.expiresAt)}</span>,
                session.current ? (
                  <span class="muted">this one</span>
                ) : (
                  <button
                    type="button"
                    aria-label={`End the session of ${deviceName(session.device)} since ${moment(session.createdAt)}`}
                    onClick={() => end(session.id).catch(sayProblem)}
                  >
                    End
                  </button>
                ),
              ],
            }))}
          />
        )}
      </ResourceView>
      <p class="actions">
        <button type="button" onClick={() => endAll().catch(sayProblem)}>
          End all sessions
        </button>
        <span class="fine">
          This one, too: you are signed out everywhere. Do so if you do not know a device, and set a new password.
        </span>
      </p>
    </section>
  );
}
