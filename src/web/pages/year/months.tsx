import { api, unwrapResponse } from '../../api/api.ts';
import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { month } from '../../format/dates.ts';
import { Money } from '../../parts/amount.tsx';
import { MonthsChart } from '../../parts/bar-chart.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import type { ColumnSpec } from '../../parts/tables/column.tsx';
import { Table } from '../../parts/tables/table.tsx';

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
          const months = Array.from({ length: 12 }, (_, at) => {
            const key = `${year}-${String(at + 1).padStart(2, '0')}`;
            const gain = data.find((each) => each.key === key);
            return {
              ...{ key, count: gain?.total.count ?? 0, net: gain?.total.gain ?? '0' },
              ...{ short: gain?.shortTerm.gain ?? '0', long: gain?.longTerm.gain ?? '0' },
            };
          });
          return (
            <>
              <MonthsChart
                {...{ year, months }}
                hrefOf={(key, term) => to('/forms/8949', { year, month: key.slice(5), term })}
              />
              <details>
                <summary>View as table</summary>
                <Table
                  label={`${year} gains by month`}
                  rows={months}
                  keyOf={({ key }) => key}
                  columns={[
                    { head: 'Month', cell: ({ key }) => month(key), foot: 'Year' },
                    { head: 'Entries', kind: 'number', cell: ({ count }) => count, foot: sum.total.count },
                    gainColumn('Short-term', 'short', sum.shortTerm.gain),
                    gainColumn('Long-term', 'long', sum.longTerm.gain),
                    gainColumn('Net', 'net', sum.total.gain),
                  ]}
                />
              </details>
            </>
          );
        }}
      </ResourceView>
    </section>
  );
}

type Part = 'short' | 'long' | 'net';

function gainColumn(head: string, part: Part, sum: string): ColumnSpec<Readonly<Record<Part, string>>> {
  return { head, kind: 'gain', cell: (row) => row[part], foot: <Money amount={sum} signed /> };
}
