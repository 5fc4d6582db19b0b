import { useLocation } from 'preact-iso';
import { transitAccount } from '../../../engine/book/own-accounts.ts';
import type { AssetClass } from '../../../engine/model.ts';
import { api, type DataOf, type ItemOf, useList } from '../../api/api.ts';
import { to } from '../../api/page-url.ts';
import { formatCount, formatShare, isZero, scaled } from '../../format/amounts.ts';
import { acquiredDay, day, daysBetween } from '../../format/dates.ts';
import { accountName } from '../../format/methods.ts';
import { Money, MoneyOrUnknown, Quantity } from '../../parts/amount.tsx';
import { Button, LinkButton } from '../../parts/button.tsx';
import { ListView } from '../../parts/page.tsx';
import { PriceForm, UnitPrice } from '../../parts/prices/unit-value.tsx';
import { Table } from '../../parts/tables/table.tsx';

interface HoldingsTableProps {
  readonly answer: HoldingsResponse;
  /** The holdings to list, in order. */
  readonly shown: readonly HeldAsset[];
  readonly asOf: string | null;
  /** A single asset is expanded at first, until the user collapses it. */
  readonly isOpened: boolean;
}

/** The holdings. Each row expands into its lots. */
export function HoldingsTable({ answer, shown, asOf, isOpened }: HoldingsTableProps) {
  const { query, route } = useLocation();
  const { asOf: today, sum } = answer;
  const isOpen = (holding: HeldAsset) => query.open === holdingKey(holding) || (query.open === undefined && isOpened);
  const toggle = (holding: HeldAsset) => {
    const open = isOpen(holding) ? (isOpened ? '-' : null) : holdingKey(holding);
    route(to('/holdings', { ...query, open }), true);
  };
  return (
    <Table
      label="Holdings"
      class="holdings"
      rows={shown}
      keyOf={holdingKey}
      most={200}
      empty={<p>No matching holdings. Try another search.</p>}
      sorted={{ path: '/holdings', usual: usualSort }}
      details={(holding) => (isOpen(holding) ? <OpenedHolding {...{ holding, asOf, today }} /> : null)}
      columns={[
        {
          head: 'Asset',
          sort: 'asset',
          cell: (holding) => (
            <>
              <Button
                icon="forward"
                label={holding.asset}
                class="plain opener"
                aria-expanded={isOpen(holding)}
                onClick={() => toggle(holding)}
              />
              {holding.assetName !== undefined && (
                <p class="held-name" title={holding.assetName}>
                  {holding.assetName}
                </p>
              )}
              <p class="fine">
                <Quantity amount={holding.quantity} /> in {formatCount(holding.lots, 'lot')}
                {holding.account !== null && `, ${accountName(holding.account)}`}
              </p>
            </>
          ),
        },
        { head: 'Cost basis', kind: 'money', sort: 'basis', isSpare: true, cell: ({ basis }) => basis },
        {
          head: 'Price',
          kind: 'number',
          sort: 'price',
          isSpare: true,
          cell: ({ valuedBy }) => <UnitPrice by={valuedBy} asOf={today} />,
        },
        {
          head: 'Value',
          kind: 'number',
          sort: 'value',
          cell: ({ value }) => (
            <>
              <MoneyOrUnknown amount={value} />
              {value !== null && <Allocation value={value} total={sum.value} />}
            </>
          ),
        },
        {
          head: 'Unrealized',
          kind: 'number',
          sort: 'gain',
          cell: (holding) => (
            <>
              <MoneyOrUnknown amount={holding.unrealized?.total ?? null} signed />
              <Terms holding={holding} />
            </>
          ),
        },
        {
          head: 'Return',
          kind: 'number',
          sort: 'return',
          isSpare: true,
          cell: ({ unrealized, basis }) => unrealized && formatShare(unrealized.total, basis),
        },
      ]}
    />
  );
}

function OpenedHolding({ holding, asOf, today }: Readonly<{ holding: HeldAsset; asOf: string | null; today: string }>) {
  const { asset, assetClass, account } = holding;
  return (
    <>
      {holding.valuedBy === null && <p>No price or recent trade for {asset}. Enter a price to see its value.</p>}
      <OpenLots holding={holding} asOf={asOf} today={today} />
      <div class="opened-acts">
        <PriceForm asset={asset} date={today} />
        {account !== transitAccount && (
          <LinkButton icon="plan" label="Plan a sale" href={to('/planning', { asset, class: assetClass, account })} />
        )}
      </div>
    </>
  );
}

/** The parts of an unrealized gain, and when more of it becomes long-term. */
function Terms({ holding: { unrealized, daysToLongTerm } }: { readonly holding: HeldAsset }) {
  if (unrealized === null) return null;
  const parts = partNames.filter(({ part }) => !isZero(unrealized[part]));
  return (
    <p class="fine">
      {parts.map(({ part, name }) => (
        <span key={part} class="part">
          {parts.length > 1 && <Money amount={unrealized[part]} />} {name}
        </span>
      ))}
      {daysToLongTerm !== null && daysToLongTerm > 0 && (
        <span class="part">next lot long-term in {formatCount(daysToLongTerm, 'day')}</span>
      )}
    </p>
  );
}

/** The share of a holding in the value of all holdings. */
function Allocation({ value, total }: { readonly value: string; readonly total: string }) {
  const share = formatShare(value, total);
  if (share === null) return null;
  return (
    <p class="fine allocation">
      <span class="allocation-bar" aria-hidden="true">
        <span style={{ width: share }} />
      </span>
      {share} <span class="visually-hidden">of the value of all holdings</span>
    </p>
  );
}

interface OpenLotsProps {
  readonly holding: HeldAsset;
  readonly asOf: string | null;
  /** The day from which terms are calculated. */
  readonly today: string;
}

/** The open lots of a holding, oldest first. */
function OpenLots({ holding, asOf, today }: OpenLotsProps) {
  const { asset, account, assetClass } = holding;
  const query = { asset, limit: 100, ...on(asOf), ...(account === null ? {} : { account }) };
  const lots = useList(`lots ${holdingKey(holding)} ${asOf}`, (cursor) =>
    api.tax.lots.get({ query: { ...query, ...cursor } }),
  );
  return (
    <ListView list={lots} more="Show more lots">
      {({ data }) => (
        <Table
          label={`Open lots of ${asset}`}
          // A coin and a stock can share a name.
          rows={data.filter((lot) => lot.assetClass === assetClass)}
          columns={[
            {
              head: 'Acquired',
              cell: ({ acquired }) => acquiredDay(acquired),
              note: ({ acquired, account, heldSince }) =>
                `${accountName(account)}${heldSince === null || heldSince === acquired ? '' : `, held since ${day(heldSince)}`}`,
            },
            { head: 'Quantity', kind: 'quantity', cell: ({ quantity }) => quantity },
            { head: 'Cost basis', kind: 'money', cell: ({ basis }) => basis },
            { head: 'Value', kind: 'money', cell: ({ value }) => value },
            { head: 'Unrealized', kind: 'gain', cell: ({ unrealized }) => unrealized },
            { head: 'Term', cell: ({ longTermOn }) => <Term longTermOn={longTermOn} today={today} /> },
          ]}
        />
      )}
    </ListView>
  );
}

function Term({ longTermOn, today }: { readonly longTermOn: string | null; readonly today: string }) {
  if (longTermOn === null) return <span class="muted">unknown</span>;
  const days = daysBetween(today, longTermOn);
  if (days <= 0) return <>long-term</>;
  return (
    <>
      short-term
      <p class="fine">
        long-term on {day(longTermOn)}, in {formatCount(days, 'day')}
      </p>
    </>
  );
}

export const usualSort = 'asset';

/** The value of each sortable column. Null sorts last. */
const sortValues: Readonly<Record<string, (holding: HeldAsset) => bigint | string | null>> = {
  asset: ({ asset }) => asset,
  basis: ({ basis }) => scaled(basis),
  price: ({ valuedBy }) => valuedBy?.date ?? null,
  value: ({ value }) => (value === null ? null : scaled(value)),
  gain: ({ unrealized }) => (unrealized === null ? null : scaled(unrealized.total)),
  return: ({ unrealized, basis }) =>
    unrealized === null || scaled(basis) === 0n ? null : (scaled(unrealized.total) * precision) / scaled(basis),
};
const precision = 10n ** 12n;

/** Returns the holdings that contain the text, in the order of the URL's `sort`, account by account if grouped. */
export function selectShown({ by, data }: HoldingsResponse, text: string, sort: string): readonly HeldAsset[] {
  const wanted = text.trim().toLowerCase();
  const found = data.filter(({ asset, assetName = '', account }) =>
    [asset, assetName, account ?? ''].some((one) => one.toLowerCase().includes(wanted)),
  );
  const [name, sign] = sort.startsWith('-') ? [sort.slice(1), -1] : [sort, 1];
  const sortValue = sortValues[name] ?? (({ asset }: HeldAsset) => asset);
  const compare = (a: HeldAsset, b: HeldAsset): number => {
    const [one, other] = [sortValue(a), sortValue(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return one === other ? 0 : one < other ? -sign : sign;
  };
  const byAccount = (a: HeldAsset, b: HeldAsset): number =>
    by === 'asset' ? 0 : (a.account ?? '').localeCompare(b.account ?? '');
  return found.toSorted((a, b) => byAccount(a, b) || compare(a, b));
}

export type HeldBy = 'asset' | 'account';

/** The end of this day. Null means after the last transaction. */
type AsOf = string | null;

/** Which holdings to show. Shows all if there is no asset. */
interface HoldingsQuery {
  readonly by: HeldBy;
  readonly asset: string | null;
  readonly asOf: AsOf;
  readonly limit: number;
}

export function readHoldings({ by, asset, asOf, limit }: HoldingsQuery) {
  return api.tax.holdings.get({ query: { by, limit, ...(asset === null ? {} : { asset }), ...on(asOf) } });
}

export type HoldingsResponse = DataOf<typeof readHoldings>;
type HeldAsset = HoldingsResponse['data'][number];

/** Enough years to show a chart of books whose last prices are old. */
const historyMonths = 36;

/** Returns the value at the end of each month, of all holdings or of one asset. */
export function readHistory(asset: string | null) {
  return api.tax.holdings.history.get({ query: { months: historyMonths, ...(asset === null ? {} : { asset }) } });
}

export type MonthEnd = ItemOf<typeof readHistory>;

interface LotsQuery {
  readonly asset: string;
  readonly assetClass: AssetClass;
  readonly account: string | null;
}

const on = (asOf: AsOf): { asOf?: string } => (asOf === null ? {} : { asOf });

/** Identifies a holding in the URL. */
function holdingKey({ asset, assetClass, account }: LotsQuery): string {
  return [asset, assetClass, account ?? ''].join('|');
}

/** The parts of an unrealized gain, in the order in which they are shown. */
export const partNames = [
  { part: 'short', name: 'short-term' },
  { part: 'long', name: 'long-term' },
  { part: 'contracts1256', name: 'section 1256' },
  { part: 'ordinary', name: 'ordinary' },
  { part: 'taxFree', name: 'not taxed' },
] as const;
