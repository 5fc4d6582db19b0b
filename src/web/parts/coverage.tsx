import { api, unwrapResponse } from '../api/api.ts';
import { to } from '../api/page-url.ts';
import { useResource } from '../api/resource.ts';
import { useTaxYear } from '../api/tax-year.ts';
import { count, formatCount } from '../format/amounts.ts';
import { askForRest } from '../format/covered.ts';
import { day } from '../format/dates.ts';
import { StackedTable } from './tables/stacked-table.tsx';

type Account = Awaited<ReturnType<typeof readAccounts>>['data'][number];

function readAccounts() {
  return unwrapResponse(api.tax.accounts.get({ query: { limit: 1000 } }));
}

/** Returns the accounts whose transactions may not cover the whole tax year. */
export function usePartialAccounts(year: number): readonly string[] {
  const accounts = useResource('accounts', readAccounts).data?.data ?? [];
  return accounts.filter((each) => restOf(each, year) !== null).map(({ account }) => account);
}

function restOf({ firstDate, lastDate }: Account, year: number | null): string | null {
  return year === null || firstDate === null || lastDate === null
    ? null
    : askForRest(year, { first: firstDate, last: lastDate });
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

function Missing({ account }: { readonly account: Account }) {
  const { firstDate, missingPurchases, gaps } = account;
  const rest = restOf(account, useTaxYear());
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
      {rest !== null && <p class="old-price">{rest}</p>}
      {missingPurchases + gaps.length === 0 && rest === null && <span class="fine">Nothing that we know of</span>}
    </>
  );
}
