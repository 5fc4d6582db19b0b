import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, useApi } from '../api/api.ts';
import { hasClients, isOverPlan } from '../api/books.ts';
import { to } from '../api/page-url.ts';
import { account } from '../api/session.ts';
import { chosenYear, useTaxYear } from '../api/tax-year.ts';
import { formatCount, money } from '../format/amounts.ts';
import { reviewWords } from '../format/roles.ts';
import { Button, LinkButton } from '../parts/button.tsx';
import { Field, toOptions } from '../parts/field.tsx';
import { FilterChoice } from '../parts/filters.tsx';
import { InviteForm, OpenInvitations } from '../parts/invitations/invite-form.tsx';
import { Card, Notice, Page, ResourceView } from '../parts/page.tsx';
import { ClientForm, type ClientStatusRow } from './clients/client-form.tsx';
import { ClientsTable } from './clients/clients-table.tsx';

/** A CPA's clients, each with its tax year, review status and items to review. */
export default function Clients() {
  return hasClients() ? <ClientList /> : <AboutClients />;
}

function ClientList() {
  const { query, route } = useLocation();
  const [opened, setOpened] = useState<'new' | 'invite' | null>(null);
  const reading = useApi('client status', () => api.status.clients.get({ query: { limit: 1000 } }));
  const clients = reading.data?.data ?? [];
  const year = useTaxYear() ?? undefined;
  const newest = Math.max(...clients.flatMap((client) => client.years.map((each) => each.year)));
  useEffect(() => {
    // The CPA's own books have other years than those of the clients.
    if (chosenYear() === null && newest > 0) route(to('/clients', { ...query, year: newest }), true);
  }, [newest]);
  const limit = account.value?.usage.clientLimit ?? 0;
  const isFull = clients.length >= limit;
  const close = () => setOpened(null);
  return (
    <Page
      title="Clients"
      lead={reading.data && `${formatCount(clients.length, 'client')} of ${limit}`}
      actions={
        <>
          <Button icon="add" label="Invite a client" disabled={isFull} onClick={() => setOpened('invite')} />
          <Button icon="add" label="New client" class="primary" disabled={isFull} onClick={() => setOpened('new')} />
        </>
      }
    >
      {isOverPlan() && (
        <Notice>
          Your plan allows fewer clients than you have. Their records are safe: you can view and download them, but not
          change them. <a href={to('/account/plan')}>See plans</a>
        </Notice>
      )}
      <ResourceView reading={reading}>
        {({ data }) =>
          data.length === 0 ? (
            <Card title="No clients yet">
              <p>Add a client and import their files, or invite someone who already uses Lotbook.</p>
            </Card>
          ) : (
            <FilteredClients clients={data} year={year} />
          )
        }
      </ResourceView>
      <OpenInvitations />
      {opened === 'new' && <ClientForm client={null} onClose={close} />}
      {opened === 'invite' && <InviteForm purpose={{ kind: 'request' }} onClose={close} />}
    </Page>
  );
}

interface FilteredClientsProps {
  readonly clients: readonly ClientStatusRow[];
  readonly year: number | undefined;
}

const choices = toOptions({
  '': 'All clients',
  ...reviewWords,
  questions: 'Has items to review',
  stale: 'Has out-of-date reports',
});

/** Filters clients by review status or pending work. */
function FilteredClients({ clients, year }: FilteredClientsProps) {
  const { query } = useLocation();
  const show = choices.find(({ value }) => value === query.show)?.value ?? '';
  const [search, setSearch] = useState('');
  const shown = clients.filter((client) => isShown(client, year, show) && isNamed(client, search));
  return (
    <>
      <div class="filters">
        <Field label="Search clients" type="search" value={search} onInput={setSearch} />
        <FilterChoice name="show" label="Show" options={choices} />
      </div>
      {shown.length === 0 ? (
        <section class="card">
          <p>
            No matching clients.{' '}
            <a href={to('/clients', { ...query, show: '' })} onClick={() => setSearch('')}>
              Show all
            </a>
          </p>
        </section>
      ) : (
        <ClientsTable clients={shown} year={year} />
      )}
    </>
  );
}

/** Whether the name or email contains the text. */
function isNamed({ name, email = '' }: ClientStatusRow, text: string): boolean {
  return `${name} ${email}`.toLowerCase().includes(text.trim().toLowerCase());
}

function isShown(client: ClientStatusRow, year: number | undefined, show: string): boolean {
  if (show === '') return true;
  if (show === 'questions') return client.issues.count > 0;
  if (show === 'stale') return client.staleReports > 0;
  return client.years.find((each) => each.year === year)?.review.state === show;
}

/** Describes the CPA plan to users on another plan. */
function AboutClients() {
  const plans = useApi('plans', () => api.plans.get());
  return (
    <Page title="Clients" lead="Built for tax preparers.">
      <ResourceView reading={plans}>
        {({ data }) => {
          const offer = data.find(({ plan }) => plan === 'CPA');
          return (
            <Card title="The CPA plan">
              <p>
                Up to {offer?.clientLimit} clients, each with separate records, settings and reports, in one list that
                shows what needs attention. A banner on every page names the client whose account you're in.
              </p>
              {offer?.price && (
                <p>
                  {money(offer.price.amount)} a {offer.price.interval}.
                </p>
              )}
              <p class="actions">
                <LinkButton label="See your plan and upgrade" isPrimary href={to('/account/plan')} />
              </p>
            </Card>
          );
        }}
      </ResourceView>
    </Page>
  );
}
