import { useLocation } from 'preact-iso';
import { to } from '../../api/page-url.ts';
import { formatCount, isZero } from '../../format/amounts.ts';
import { Money, MoneyOrUnknown, Quantity } from '../../parts/amount.tsx';
import { Icon } from '../../parts/icon.tsx';
import { PriceForm } from '../../parts/prices/price-form.tsx';
import { UnitPrice } from '../../parts/prices/unit-value.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import { type HeldAsset, type HoldingsResponse, holdingKey } from './holdings.ts';
import { OpenLots } from './open-lots.tsx';

interface HoldingsTableProps {
  readonly answer: HoldingsResponse;
  readonly asOf: string | null;
  /** A single asset is expanded at first, until the user collapses it. */
  readonly isOpened: boolean;
}

/** The holdings. Each row expands into its lots. */
export function HoldingsTable({ answer, asOf, isOpened }: HoldingsTableProps) {
  return (
    <Scroll label="Holdings">
      <table class="holdings">
        <TableHead
          columns={[
            'Asset',
            { spareNumber: 'Cost basis' },
            { spareNumber: 'Price' },
            { number: 'Value' },
            { number: 'Unrealized' },
          ]}
        />
        {inOrder(answer).map((holding) => (
          <HoldingRows key={holdingKey(holding)} holding={holding} today={answer.asOf} {...{ asOf, isOpened }} />
        ))}
      </table>
    </Scroll>
  );
}

/** Keeps the rows of an account together when grouped by account. */
function inOrder({ by, data }: HoldingsResponse): readonly HeldAsset[] {
  if (by === 'asset') return data;
  return [...data].sort((a, b) => (a.account ?? '').localeCompare(b.account ?? ''));
}

interface HoldingRowsProps extends Pick<HoldingsTableProps, 'asOf' | 'isOpened'> {
  readonly holding: HeldAsset;
  readonly today: string;
}

function HoldingRows({ holding, today, asOf, isOpened }: HoldingRowsProps) {
  const { query, route } = useLocation();
  const key = holdingKey(holding);
  const isOpen = query.open === key || (query.open === undefined && isOpened);
  const { asset, assetClass, account, lots } = holding;
  return (
    <tbody>
      <tr>
        <th scope="row">
          <button
            type="button"
            class="plain opener"
            aria-expanded={isOpen}
            onClick={() => route(to('/holdings', { ...query, open: isOpen ? (isOpened ? '-' : null) : key }), true)}
          >
            <Icon name="forward" />
            {asset}
          </button>
          <p class="fine">
            <Quantity amount={holding.quantity} /> in {formatCount(lots, 'lot')}
            {account !== null && `, ${account}`}
          </p>
        </th>
        <td class="number spare">
          <Money amount={holding.basis} />
        </td>
        <td class="number spare">
          <UnitPrice by={holding.valuedBy} />
        </td>
        <td class="number">
          <MoneyOrUnknown amount={holding.value} />
        </td>
        <td class="number">
          <MoneyOrUnknown amount={holding.unrealized?.total ?? null} signed />
          <Terms holding={holding} />
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={5} class="opened">
            {holding.valuedBy === null && <p>No price or recent trade for {asset}. Enter a price to see its value.</p>}
            <OpenLots holding={holding} asOf={asOf} today={today} />
            <div class="opened-acts">
              <PriceForm asset={asset} date={today} />
              <a class="button" href={to('/planning', { asset, class: assetClass, account })}>
                <Icon name="plan" /> Plan a sale
              </a>
            </div>
          </td>
        </tr>
      )}
    </tbody>
  );
}

/** The parts of an unrealized gain, and when more of it becomes long-term. */
function Terms({ holding: { unrealized, daysToLongTerm } }: { readonly holding: HeldAsset }) {
  if (unrealized === null) return null;
  const parts = (Object.keys(partNames) as (keyof typeof partNames)[]).filter((name) => !isZero(unrealized[name]));
  return (
    <p class="fine">
      {parts.map((name) => (
        <span key={name} class="part">
          {parts.length > 1 && <Money amount={unrealized[name]} />} {partNames[name]}
        </span>
      ))}
      {daysToLongTerm !== null && daysToLongTerm > 0 && (
        <span class="part">more becomes long-term in {formatCount(daysToLongTerm, 'day')}</span>
      )}
    </p>
  );
}

const partNames = {
  short: 'short-term',
  long: 'long-term',
  contracts1256: 'section 1256',
  ordinary: 'ordinary',
  taxFree: 'not taxed',
} as const;
