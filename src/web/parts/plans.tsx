import { api, unwrapResponse } from '../api/api.ts';
import { useResource } from '../api/resource.ts';
import { useServerConfig } from '../api/server-config.ts';
import { formatCount, money } from '../format/amounts.ts';
import { ResourceView } from './resource-view.tsx';
import { TableHead } from './table-head.tsx';

/** The price and contents of each plan, from the API. */
export function Plans({ mine = null }: { readonly mine?: string | null }) {
  const plans = useResource('plans', readPlans);
  const sells = useServerConfig().data?.billing;
  return (
    <section class="card">
      <h2>Plans</h2>
      <ResourceView reading={plans}>
        {({ data }) => (
          <table>
            <TableHead columns={['Plan', 'Price', 'Includes']} />
            <tbody>
              {data.map((offer) => (
                <tr key={offer.plan}>
                  <th scope="row">
                    {offer.plan}
                    {offer.plan === mine && <div class="fine">your plan</div>}
                  </th>
                  <td>{offer.price === null ? 'Free' : `${money(offer.price.amount)} a ${offer.price.interval}`}</td>
                  <td>{held(offer)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </ResourceView>
      <p class="fine">
        All plans calculate the same and download the same forms.
        {sells === false && " Payments aren't set up on this server. Its administrator assigns plans."}
      </p>
    </section>
  );
}

function readPlans() {
  return unwrapResponse(api.plans.get());
}

type PlanOffer = Awaited<ReturnType<typeof readPlans>>['data'][number];

function held({ transactionLimit, aiMessagesPerDay, clientLimit }: PlanOffer): string {
  const amounts =
    transactionLimit === null && aiMessagesPerDay === null
      ? 'Unlimited transactions and questions'
      : [
          transactionLimit === null ? 'Unlimited transactions' : formatCount(transactionLimit, 'transaction'),
          aiMessagesPerDay === null
            ? 'unlimited assistant questions'
            : `${formatCount(aiMessagesPerDay, 'assistant question')} a day`,
        ].join(', ');
  return clientLimit === 0 ? amounts : `${amounts}, ${formatCount(clientLimit, 'client')}`;
}
