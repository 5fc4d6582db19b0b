import { type BooksAccountRow, useAccounts } from '../api/accounts.ts';
import { to } from '../api/page-url.ts';
import { count, formatCount } from '../format/amounts.ts';
import { day } from '../format/dates.ts';
import { Table } from './tables/table.tsx';

/** What the imported files cover in each account, what seems to be missing, and the next step. */
export function Coverage() {
  const accounts = useAccounts().data?.data.filter(({ firstDate }) => firstDate !== null) ?? [];
  if (accounts.length === 0) return null;
  return (
    <section class="card">
      <h2>What your files cover</h2>
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
          { head: 'Missing', cell: formatMissing },
        ]}
      />
    </section>
  );
}

function formatMissing({ firstDate, missingPurchases, gaps }: BooksAccountRow) {
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
