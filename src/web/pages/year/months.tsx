import { api, unwrapResponse } from '../../api/api.ts';
import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { money } from '../../format/amounts.ts';
import { month } from '../../format/dates.ts';
import { Money } from '../../parts/amount.tsx';
import { BarChart } from '../../parts/bar-chart.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { type StackedRow, StackedTable } from '../../parts/tables/stacked-table.tsx';

/** Short-term and long-term gains by month, as a chart and as a table. */
export function Months({ year }: { readonly year: number }) {
  const gains = useResource(`gains by month ${year}`, () =>
    unwrapResponse(api.tax.gains.get({ query: { by: 'month', year, limit: 12 } })),
  );
  return (
    <section class="card months">
      <h2>By month</h2>
      <ResourceView reading={gains}>
        {({ data, sum }) => {
          if (sum.total.count === 0) return <p class="fine">No sales in {year}.</p>;
          const gainByMonth = new Map(data.map((each) => [each.key, each]));
          const months = Array.from({ length: 12 }, (_, at) => `${year}-${String(at + 1).padStart(2, '0')}`).map(
            (key) => ({
              key,
              short: gainByMonth.get(key)?.shortTerm.gain ?? '0',
              long: gainByMonth.get(key)?.longTerm.gain ?? '0',
              net: gainByMonth.get(key)?.total.gain ?? '0',
              count: gainByMonth.get(key)?.total.count ?? 0,
            }),
          );
          return (
            <>
              <BarChart
                title={`${year} gains by month`}
                series={['Short-term', 'Long-term']}
                groups={months.map(({ key, short, long }) => ({
                  label: month(key),
                  bars: [
                    {
                      amount: short,
                      says: `${month(key)}, short-term: ${money(short)}`,
                      href: buildLinesLink(key, 'short'),
                    },
                    {
                      amount: long,
                      says: `${month(key)}, long-term: ${money(long)}`,
                      href: buildLinesLink(key, 'long'),
                    },
                  ],
                }))}
              />
              <details>
                <summary>View as table</summary>
                <StackedTable
                  label={`${year} gains by month`}
                  columns={[
                    'Month',
                    { number: 'Entries' },
                    { number: 'Short-term' },
                    { number: 'Long-term' },
                    { number: 'Net' },
                  ]}
                  rows={months.map(({ key, short, long, net, count }) =>
                    monthRow(key, month(key), count, [short, long, net]),
                  )}
                  foot={monthRow('year', 'Year', sum.total.count, [
                    sum.shortTerm.gain,
                    sum.longTerm.gain,
                    sum.total.gain,
                  ])}
                />
              </details>
            </>
          );
        }}
      </ResourceView>
    </section>
  );
}

function monthRow(key: string, name: string, count: number, amounts: readonly string[]): StackedRow {
  const cells = amounts.map((amount) => <Money amount={amount} signed />);
  return { key, name, cells: [count, ...cells] };
}

function buildLinesLink(key: string, term: 'short' | 'long'): string {
  return to('/forms/8949', { year: key.slice(0, 4), month: key.slice(5), term });
}
