import { api, type ItemOf, useApi } from '../api/api.ts';
import { account } from '../api/session.ts';
import { useServerConfig } from '../api/status.ts';
import { bytes, formatCount, money } from '../format/amounts.ts';
import { Card, ResourceView } from './page.tsx';
import { Table } from './tables/table.tsx';

/** The price and contents of each plan, from the API. */
export function Plans({ mine = null }: { readonly mine?: string | null }) {
  const plans = useApi('plans', () => api.plans.get());
  const sells = useServerConfig().data?.billing;
  return (
    <Card title="Plans">
      <ResourceView reading={plans}>
        {({ data }) => (
          <Table
            label="Plans"
            rows={data}
            keyOf={({ plan }) => plan}
            columns={[
              {
                head: 'Plan',
                cell: ({ plan }) => (
                  <>
                    {plan}
                    {plan === mine && <div class="fine whole">your plan</div>}
                  </>
                ),
              },
              {
                head: 'Price',
                cell: ({ price }) =>
                  price === null ? 'Free' : <span class="whole">{`${money(price.amount)} a ${price.interval}`}</span>,
              },
              { head: 'Includes', cell: held },
            ]}
          />
        )}
      </ResourceView>
      <p class="fine">All plans calculate the same and download the same forms.</p>
      {sells === false && <PlanByAdministrator />}
    </Card>
  );
}

/** How to get a plan on a server without payments: from its administrator, who may be the reader. */
function PlanByAdministrator() {
  const email = account.value?.email ?? 'you@example.com';
  return (
    <p class="fine">
      Payments aren't set up on this server, so its administrator assigns plans with{' '}
      <code>lotbook plan set {email} PRO</code>. The change works at once.
    </p>
  );
}

type PlanOffer = ItemOf<typeof api.plans.get>;

function held({ transactionLimit, aiMessagesPerDay, clientLimit, importBytesLimit }: PlanOffer): string {
  const parts = [
    transactionLimit === null ? 'Unlimited transactions' : formatCount(transactionLimit, 'transaction'),
    aiMessagesPerDay === null
      ? 'unlimited assistant questions'
      : `${formatCount(aiMessagesPerDay, 'assistant question')} a day`,
    `${bytes(importBytesLimit)} of imported files`,
  ];
  return (clientLimit === 0 ? parts : [...parts, formatCount(clientLimit, 'client')]).join(', ');
}
