import { useLocation } from 'preact-iso';
import { useApi, useResource } from '../api/api.ts';
import { to } from '../api/page-url.ts';
import { formatCount, formatShare, isZero, money } from '../format/amounts.ts';
import { day, month } from '../format/dates.ts';
import { Money, Totals } from '../parts/amount.tsx';
import { BarChart } from '../parts/bar-chart.tsx';
import { toOptions } from '../parts/field.tsx';
import { FilterChip, FilterChoice, FilterField } from '../parts/filters.tsx';
import { HelpTerm } from '../parts/help-term.tsx';
import { Card, Empty, Notice, Page, ResourceView } from '../parts/page.tsx';
import { PriceDates, readNeededPrices } from '../parts/prices/unit-value.tsx';
import { Table } from '../parts/tables/table.tsx';
import {
  type HeldBy,
  type HoldingsResponse,
  HoldingsTable,
  type MonthEnd,
  partNames,
  readHistory,
  readHoldings,
  selectShown,
  usualSort,
} from './lots/holdings-table.tsx';

/** The holdings by asset or account, with the open lots of each. */
export default function LotsPage() {
  const { query } = useLocation();
  const by: HeldBy = query.by === 'account' ? 'account' : 'asset';
  const asOf = /^\d{4}-\d\d-\d\d$/.test(query.asOf ?? '') ? (query.asOf ?? null) : null;
  const asset = query.asset || null;
  const text = query.q ?? '';
  const request = { by, asset, asOf, limit: holdingsMax };
  const holdings = useApi(`holdings ${JSON.stringify(request)}`, () => readHoldings(request));
  return (
    <Page
      title="Holdings"
      lead={
        holdings.data && (
          <>
            {asOf === null ? 'Current holdings' : `Holdings at the end of ${day(asOf)}`}.{' '}
            <PriceDates data={holdings.data.data} asOf={holdings.data.asOf} />
          </>
        )
      }
    >
      <div class="filters compact">
        <FilterField name="q" label="Find" type="search" placeholder="Symbol or name" />
        <FilterChoice name="by" label="By" options={toOptions({ asset: 'Asset', account: 'Account' })} />
        <FilterField name="asOf" label="As of" type="date" />
        <FilterChip name="asset" />
      </div>
      <ResourceView reading={holdings}>
        {(holdings) =>
          holdings.data.length === 0 ? (
            <NothingHeld asset={asset} asOf={asOf} />
          ) : (
            <>
              <HeldTotals answer={holdings} />
              {asOf === null && <ValueOverTime asset={asset} />}
              <section class="card">
                <HoldingsTable
                  answer={holdings}
                  shown={selectShown(holdings, text, query.sort ?? usualSort)}
                  asOf={asOf}
                  isOpened={asset !== null && holdings.data.length === 1}
                />
                {holdings.hasMore && (
                  <p class="fine">Only the first {holdingsMax} holdings are listed. The totals include all.</p>
                )}
              </section>
            </>
          )
        }
      </ResourceView>
    </Page>
  );
}

/** The API's maximum. All holdings are loaded to search and sort them. */
const holdingsMax = 1000;

function NothingHeld({ asset, asOf }: { readonly asset: string | null; readonly asOf: string | null }) {
  const isNarrowed = asset !== null || asOf !== null;
  return (
    <Empty title={`No ${asset === null ? '' : `${asset} `}holdings${asOf === null ? '' : ` on ${day(asOf)}`}`}>
      What you own appears here, with the <HelpTerm entry="lot">lots</HelpTerm> that your purchases open
      {isNarrowed && (
        <>
          . See <a href={to('/holdings')}>all current holdings</a>
        </>
      )}
      .
    </Empty>
  );
}

/** The totals of holdings with a price, so that the value minus the cost is the gain. */
function HeldTotals({ answer: { sum } }: { readonly answer: HoldingsResponse }) {
  const { unvalued, unrealized, valuedBasis } = sum;
  const parts = partNames.filter(({ part }) => !isZero(unrealized[part]));
  const share = formatShare(unrealized.total, valuedBasis);
  const basisName = (
    <>
      <HelpTerm entry="cost-basis">Cost basis</HelpTerm>
      {unvalued.holdings > 0 && ' with a price'}
    </>
  );
  const gain = (
    <>
      <Money amount={unrealized.total} signed /> {share !== null && <small class="muted">{share}</small>}
    </>
  );
  return (
    <>
      <Totals
        class="held-totals"
        items={[
          { name: 'Value', value: <Money amount={sum.value} /> },
          { name: basisName, value: <Money amount={valuedBasis} /> },
          { name: 'Unrealized gain', value: gain },
          parts.length < 2
            ? null
            : {
                name: 'Of which',
                value: parts.map(({ part, name }) => (
                  <span key={part} class="fine part">
                    <Money amount={unrealized[part]} signed />{' '}
                    {part === 'short' || part === 'long' ? <HelpTerm entry={name}>{name}</HelpTerm> : name}
                  </span>
                )),
              },
        ]}
      />
      <MissingPrices unvalued={unvalued} />
    </>
  );
}

function MissingPrices({ unvalued }: Pick<HoldingsResponse['sum'], 'unvalued'>) {
  const needed = useResource('prices needed', readNeededPrices).data?.length ?? 0;
  if (unvalued.holdings === 0 && needed === 0) return null;
  return (
    <Notice>
      {unvalued.holdings > 0 && (
        <p>
          {formatCount(unvalued.holdings, 'holding')} with a cost basis of <Money amount={unvalued.basis} />{' '}
          {unvalued.holdings === 1 ? "has no price and isn't" : "have no price and aren't"} included in the value. Open{' '}
          {unvalued.holdings === 1 ? 'it' : 'one'} below to add its price.
        </p>
      )}
      <p>
        <a href={to('/settings/prices')}>{needed > 0 ? `Prices needed (${needed})` : 'Enter or upload prices'}</a>
      </p>
    </Notice>
  );
}

/** The value and the cost basis at the ends of months. Months without prices stay empty. */
function ValueOverTime({ asset }: { readonly asset: string | null }) {
  const history = useApi(`holdings history ${asset}`, () => readHistory(asset));
  return (
    <ResourceView reading={history}>
      {({ data: months }) =>
        months.length > 0 && (
          <Card title={`Value over time${asset === null ? '' : ` of ${asset}`}`}>
            <MonthEnds months={months} />
          </Card>
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
