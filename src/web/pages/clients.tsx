import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { to } from '../api/acting.ts';
import { useResource } from '../api/resource.ts';
import { account } from '../api/session.ts';
import { counted } from '../format/amounts.ts';
import { Icon } from '../parts/icon.tsx';
import { Page } from '../parts/page.tsx';
import { ResourceView } from '../parts/resource-view.tsx';
import { AboutClients } from './clients/about-clients.tsx';
import { ClientForm } from './clients/client-form.tsx';
import { readClientRows } from './clients/client-rows.ts';
import { ClientsTable } from './clients/clients-table.tsx';

/** The clients of a CPA, each with its year and what waits there. */
export default function Clients() {
  if (account.value?.plan !== 'CPA') return <AboutClients />;
  return <ClientList />;
}

function ClientList() {
  const { query, route } = useLocation();
  const [isAdding, setAdding] = useState(false);
  const reading = useResource('client status', readClientRows);
  const clients = reading.data?.data ?? [];
  const years = [...new Set(clients.flatMap((client) => client.years.map(({ year }) => year)))].sort((a, b) => b - a);
  const year = /^\d{4}$/.test(query.year ?? '') ? Number(query.year) : years[0];
  const limit = account.value?.usage.clientLimit ?? 0;
  return (
    <Page
      title="Clients"
      lead={
        reading.data &&
        `${counted(clients.length, 'client')} of ${limit}. Each has books of its own; yours are not among them.`
      }
      actions={
        <>
          {year !== undefined && (
            <label class="year-switch">
              <span class="visually-hidden">Tax year</span>
              <select
                value={year}
                onChange={(event) => route(to('/clients', { year: event.currentTarget.value }), true)}
              >
                {years.map((each) => (
                  <option key={each} value={each}>
                    {each}
                  </option>
                ))}
              </select>
            </label>
          )}
          <button type="button" class="primary" disabled={clients.length >= limit} onClick={() => setAdding(true)}>
            <Icon name="add" /> New client
          </button>
        </>
      }
    >
      <ResourceView reading={reading}>
        {({ data }) =>
          data.length === 0 ? (
            <section class="card">
              <h2>No client yet</h2>
              <p>Make one, then import their files into their books. Nothing of them gets into yours.</p>
            </section>
          ) : (
            <ClientsTable clients={data} year={year} />
          )
        }
      </ResourceView>
      {isAdding && <ClientForm client={null} onClose={() => setAdding(false)} />}
    </Page>
  );
}
