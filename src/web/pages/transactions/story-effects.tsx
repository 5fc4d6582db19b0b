import type { ComponentChild } from 'preact';
import { to } from '../../api/page-url.ts';
import { formatCount } from '../../format/amounts.ts';
import { acquiredDay, day } from '../../format/dates.ts';
import { termName } from '../../format/terms.ts';
import { typeName } from '../../format/words.ts';
import { Money, Quantity } from '../../parts/amount.tsx';
import { TableHead } from '../../parts/table-head.tsx';
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
        <Table
          title="Open lots"
          head={['Acquired', 'Quantity', 'Cost basis', 'Long-term on']}
          rows={openLots.map((lot) => [
            <a href={to('/holdings', { asset: lot.asset })}>{acquiredDay(lot.acquired)}</a>,
            <Quantity amount={lot.quantity} />,
            <Money amount={lot.basis} />,
            acquiredDay(lot.longTermOn),
          ])}
        />
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
  const [first] = data;
  if (first === undefined) return null;
  return (
    <>
      <Table
        title={title}
        head={['Sold', 'Quantity', 'Proceeds', 'Cost basis', 'Gain', 'Term', 'Box']}
        rows={data.map((line) => [
          <a href={to('/forms/8949', { year: line.sold.slice(0, 4), asset: line.asset })}>{day(line.sold)}</a>,
          <Quantity amount={line.quantity} />,
          <Money amount={line.proceeds} />,
          <Money amount={line.basis} />,
          <Money amount={line.gain} signed />,
          termName(line.term),
          line.code === '' ? line.box : `${line.box}, ${line.code}`,
        ])}
      />
      {count > data.length && <p class="fine">And {formatCount(count - data.length, 'more entry', 'more entries')}.</p>}
    </>
  );
}

interface TableProps {
  readonly title: string;
  readonly head: readonly [string, ...string[]];
  readonly rows: readonly (readonly ComponentChild[])[];
}

function Table({ title, head, rows }: TableProps) {
  const [first, ...numbers] = head;
  return (
    <div class="scroll">
      <table class="small">
        <caption>{title}</caption>
        <TableHead columns={[first, ...numbers.map((number) => ({ number }))]} />
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, at) => (
                <td key={head[at]} class={at === 0 ? '' : 'number'}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
