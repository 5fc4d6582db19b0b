import { to } from '../api/page-url.ts';
import { type BooksAccountRow, useAccounts } from '../api/status.ts';
import { useTaxYear } from '../api/tax-year.ts';
import { count, formatCount } from '../format/amounts.ts';
import { askForRest } from '../format/covered.ts';
import { day } from '../format/dates.ts';
import { Card } from './page.tsx';
import { Table } from './tables/table.tsx';

/** Returns the accounts whose transactions may not cover the whole tax year. */
export function findPartialAccounts(accounts: readonly BooksAccountRow[], year: number): readonly string[] {
  return accounts.filter((each) => restOf(each, year) !== null).map(({ account }) => account);
}

function restOf({ firstDate, lastDate }: BooksAccountRow, year: number | null): string | null {
  return year === null || firstDate === null || lastDate === null
    ? null
    : askForRest(year, { first: firstDate, last: lastDate });
}

/** What the imported files cover in each account, what seems to be missing, and the next step. */
export function Coverage() {
  const accounts = useAccounts().data?.data.filter(({ firstDate }) => firstDate !== null) ?? [];
  if (accounts.length === 0) return null;
  return (
    <Card title="What your files cover">
      <Table
        label="What your files cover"
        rows={accounts}
        keyOf={({ account }) => account}
        columns={[
          { head: 'Account', cell: ({ account }) => account },
          {
            head: 'First and last day',
            cell: ({ firstDate, lastDate }) => `${day(firstDate ?? '')} to ${day(lastDate ?? '')}`,
          },
          { head: 'Transactions', kind: 'number', cell: ({ transactions }) => count(transactions) },
          { head: 'Missing', cell: (account) => <Missing account={account} /> },
        ]}
      />
    </Card>
  );
}

function Missing({ account }: { readonly account: BooksAccountRow }) {
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
