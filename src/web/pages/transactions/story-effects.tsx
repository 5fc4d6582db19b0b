import { to } from '../../api/page-url.ts';
import { formatCount } from '../../format/amounts.ts';
import { acquiredDay } from '../../format/dates.ts';
import { termName } from '../../format/terms.ts';
import { typeName } from '../../format/words.ts';
import { Money } from '../../parts/amount.tsx';
import type { ColumnSpec } from '../../parts/tables/column.tsx';
import { Table } from '../../parts/tables/table.tsx';
import type { TransactionStory } from './filter.ts';

/** The effects of a transaction: income, opened lots and Form 8949 entries. */
export function StoryEffects({ story }: { readonly story: TransactionStory }) {
  const { income, openLots, disposals, laterDisposals } = story;
  const isNothing = income.length + openLots.length + disposals.count + laterDisposals.count === 0;
  return (
    <section>
      <h3>Tax effect</h3>
      {isNothing && <p>No Form 8949 entries, income or open lots.</p>}
      {income.map(({ type, amount }) => (
        <p key={type}>
          Income: {typeName(type)} of <Money amount={amount} />.
        </p>
      ))}
      <Lines title="Form 8949 entries" lines={disposals} />
      {openLots.length > 0 && (
        <>
          <h4>Open lots</h4>
          <Table
            label="Open lots"
            rows={openLots}
            keyOf={({ id }) => id}
            hrefOf={({ asset }) => to('/holdings', { asset })}
            columns={[
              { head: 'Acquired', cell: ({ acquired }) => acquiredDay(acquired) },
              { head: 'Quantity', kind: 'quantity', cell: ({ quantity }) => quantity },
              { head: 'Cost basis', kind: 'money', cell: ({ basis }) => basis },
              { head: 'Long-term on', cell: ({ longTermOn }) => acquiredDay(longTermOn) },
            ]}
          />
        </>
      )}
      <Lines title="Sales of these lots" lines={laterDisposals} />
    </section>
  );
}

function Lines({
  title,
  lines: { count, data },
}: {
  readonly title: string;
  readonly lines: TransactionStory['disposals'];
}) {
  if (data.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <Table
        label={title}
        rows={data}
        keyOf={({ id }) => id}
        hrefOf={({ sold, asset }) => to('/forms/8949', { year: sold.slice(0, 4), asset })}
        columns={columns}
      />
      {count > data.length && <p class="fine">And {formatCount(count - data.length, 'more entry', 'more entries')}.</p>}
    </>
  );
}

const columns: readonly ColumnSpec<TransactionStory['disposals']['data'][number]>[] = [
  { head: 'Sold', kind: 'day', cell: ({ sold }) => sold },
  { head: 'Quantity', kind: 'quantity', cell: ({ quantity }) => quantity },
  { head: 'Proceeds', kind: 'money', cell: ({ proceeds }) => proceeds },
  { head: 'Cost basis', kind: 'money', cell: ({ basis }) => basis },
  { head: 'Gain', kind: 'gain', cell: ({ gain }) => gain },
  { head: 'Term', cell: ({ term }) => termName(term) },
  { head: 'Box', cell: ({ box, code }) => (code === '' ? box : `${box}, ${code}`) },
];
