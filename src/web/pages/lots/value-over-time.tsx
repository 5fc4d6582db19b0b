import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { formatCount, money } from '../../format/amounts.ts';
import { day, month } from '../../format/dates.ts';
import { BarChart } from '../../parts/bar-chart.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { Table } from '../../parts/tables/table.tsx';
import { fetchHistory, type MonthEnd } from './holdings.ts';

/** The value and the cost basis at the ends of months. Months without prices stay empty. */
export function ValueOverTime({ asset }: { readonly asset: string | null }) {
  const history = useResource(`holdings history ${asset}`, () => fetchHistory(asset));
  return (
    <ResourceView reading={history}>
      {(months) =>
        months.length > 0 && (
          <section class="card">
            <h2>Value over time{asset !== null && ` of ${asset}`}</h2>
            <MonthEnds months={months} />
          </section>
        )
      }
    </ResourceView>
  );
}

const monthsDrawn = 12;

function MonthEnds({ months }: { readonly months: readonly MonthEnd[] }) {
  const last = months.findLastIndex(({ value }) => value !== null);
  const first = months.findIndex(({ value }) => value !== null);
  const addPrices = <a href={to('/settings/prices')}>Add prices</a>;
  if (last === -1) {
    return (
      <p>
        No holding had a price within 7 days of the end of a month. {addPrices} for those days to see how the value
        changed.
      </p>
    );
  }
  const drawn = months.slice(Math.max(first, last + 1 - monthsDrawn), last + 1);
  const gaps = drawn.filter(({ value }) => value === null);
  const isPartial = ({ value, unvalued }: MonthEnd) => value !== null && unvalued.holdings > 0;
  return (
    <>
      <BarChart
        title={`Value and cost basis from ${day(drawn[0]?.date ?? '')} to ${day(drawn.at(-1)?.date ?? '')}`}
        series={['Value', 'Cost basis']}
        groups={drawn.map((at) => ({
          label: `${month(at.date)}${isPartial(at) ? '*' : ''}`,
          bars: [
            { amount: at.value ?? '0', says: `${day(at.date)}, value: ${money(at.value ?? '0')}` },
            { amount: at.valuedBasis, says: `${day(at.date)}, cost basis: ${money(at.valuedBasis)}` },
          ],
        }))}
      />
      <p class="fine">
        {drawn.some(isPartial) && '* Holdings without a price within 7 days of that date are in neither bar. '}
        {gaps.length > 0 && `No prices for ${formatCount(gaps.length, 'month')} in between. `}
        {last < months.length - 1 && (
          <>
            No prices after {day(drawn.at(-1)?.date ?? '')}. {addPrices} to continue the chart.
          </>
        )}
      </p>
      <details>
        <summary>View as table</summary>
        <Table
          label="Value over time"
          rows={months.slice(first).toReversed()}
          keyOf={({ date }) => date}
          columns={[
            { head: 'End of', kind: 'day', cell: ({ date }) => date },
            { head: 'Value', kind: 'money', cell: ({ value }) => value },
            { head: 'Cost basis', kind: 'money', cell: ({ valuedBasis }) => valuedBasis },
            { head: 'Unrealized', kind: 'gain', cell: ({ unrealized }) => unrealized },
            { head: 'Without a price', cell: formatUnvalued },
          ]}
        />
      </details>
    </>
  );
}

function formatUnvalued({ unvalued: { assets, holdings } }: MonthEnd): string {
  if (holdings === 0) return 'none';
  const more = holdings - assets.length;
  return `${assets.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
