import { api, unwrapResponse } from '../api/api.ts';
import { to } from '../api/page-url.ts';
import { useResource } from '../api/resource.ts';
import { count, formatCount } from '../format/amounts.ts';
import { day } from '../format/dates.ts';
import { StackedTable } from './tables/stacked-table.tsx';

type Account = Awaited<ReturnType<typeof readAccounts>>['data'][number];

function readAccounts() {
  return unwrapResponse(api.tax.accounts.get({ query: { limit: 1000 } }));
}

/** What the imported files cover in each account, what seems to be missing, and the next step. */
export function Coverage() {
  const accounts = useResource('accounts', readAccounts).data?.data.filter(({ firstDate }) => firstDate !== null) ?? [];
  if (accounts.length === 0) return null;
  return (
    <section class="card">
      <h2>What your files cover</h2>
      <StackedTable
        label="What your files cover"
        columns={['Account', 'First and last day', { number: 'Transactions' }, 'Missing']}
        rows={accounts.map((one) => ({
          key: one.account,
          name: one.account,
          cells: [
            one.firstDate !== null && one.lastDate !== null && `${day(one.firstDate)} to ${day(one.lastDate)}`,
            count(one.transactions),
            <Missing key="missing" account={one} />,
          ],
        }))}
      />
    </section>
  );
}

function Missing({ account: { firstDate, missingPurchases, gaps } }: { readonly account: Account }) {
  const [pronoun, costs] = missingPurchases === 1 ? ['its', 'cost'] : ['their', 'costs'];
  return (
    <>
      {missingPurchases > 0 && firstDate !== null && (
        <p>
          <a href={to('/review', { years: 'all', kind: 'oversold' })}>
            {formatCount(missingPurchases, 'sale')} without {pronoun} purchase
          </a>
          . Import the history before {day(firstDate)}, or enter {pronoun} {costs}.
        </p>
      )}
      {gaps.map((gap) => (
        <p key={gap.firstDate}>
          No file covers {day(gap.firstDate)} to {day(gap.lastDate)}. Import one if you traded then.
        </p>
      ))}
      {missingPurchases + gaps.length === 0 && <span class="fine">Nothing that we know of</span>}
    </>
  );
}
