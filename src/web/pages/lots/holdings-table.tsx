import { useLocation } from 'preact-iso';
import { to } from '../../api/page-url.ts';
import { accountName, transitAccount } from '../../format/account-names.ts';
import { formatCount, formatShare, isZero } from '../../format/amounts.ts';
import { Money, MoneyOrUnknown, Quantity } from '../../parts/amount.tsx';
import { Icon } from '../../parts/icon.tsx';
import { PriceForm } from '../../parts/prices/price-form.tsx';
import { UnitPrice } from '../../parts/prices/unit-value.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { SortHead } from '../../parts/sort-head.tsx';
import { type HeldAsset, type HoldingsResponse, holdingKey } from './holdings.ts';
import { OpenLots } from './open-lots.tsx';
import { usualSort } from './order.ts';
import { partNames } from './parts.ts';

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
  if (shown.length === 0) return <p>No matching holdings. Try another search.</p>;
  const { asOf: today, sum } = answer;
  return (
    <Scroll label="Holdings">
      <table class="holdings">
        <thead>
          <tr>
            <SortHead {...sorting} name="asset">
              Asset
            </SortHead>
            <SortHead {...sorting} name="basis" isNumber isSpare>
              Cost basis
            </SortHead>
            <SortHead {...sorting} name="price" isNumber isSpare>
              Price
            </SortHead>
            <SortHead {...sorting} name="value" isNumber>
              Value
            </SortHead>
            <SortHead {...sorting} name="gain" isNumber>
              Unrealized
            </SortHead>
            <SortHead {...sorting} name="return" isNumber isSpare>
              Return
            </SortHead>
          </tr>
        </thead>
        {shown.map((holding) => (
          <HoldingRows key={holdingKey(holding)} {...{ holding, today, asOf, isOpened }} total={sum.value} />
        ))}
      </table>
    </Scroll>
  );
}

const sorting = { path: '/holdings', usual: usualSort };

interface HoldingRowsProps extends Pick<HoldingsTableProps, 'asOf' | 'isOpened'> {
  readonly holding: HeldAsset;
  readonly today: string;
  /** The value of all holdings. */
  readonly total: string;
}

function HoldingRows({ holding, today, total, asOf, isOpened }: HoldingRowsProps) {
  const { query, route } = useLocation();
  const key = holdingKey(holding);
  const isOpen = query.open === key || (query.open === undefined && isOpened);
  const { asset, assetName, assetClass, account, lots, value, unrealized } = holding;
  const gained = unrealized === null ? null : formatShare(unrealized.total, holding.basis);
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
          {assetName !== undefined && (
            <p class="held-name" title={assetName}>
              {assetName}
            </p>
          )}
          <p class="fine">
            <Quantity amount={holding.quantity} /> in {formatCount(lots, 'lot')}
            {account !== null && `, ${accountName(account)}`}
          </p>
        </th>
        <td class="number spare">
          <Money amount={holding.basis} />
        </td>
        <td class="number spare">
          <UnitPrice by={holding.valuedBy} asOf={today} />
        </td>
        <td class="number">
          <MoneyOrUnknown amount={value} />
          {value !== null && <Allocation value={value} total={total} />}
        </td>
        <td class="number">
          <MoneyOrUnknown amount={unrealized?.total ?? null} signed />
          <Terms holding={holding} />
        </td>
        <td class="number spare">{gained}</td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={6} class="opened">
            {holding.valuedBy === null && <p>No price or recent trade for {asset}. Enter a price to see its value.</p>}
            <OpenLots holding={holding} asOf={asOf} today={today} />
            <div class="opened-acts">
              <PriceForm asset={asset} date={today} />
              {account !== transitAccount && (
                <a class="button" href={to('/planning', { asset, class: assetClass, account })}>
                  <Icon name="plan" /> Plan a sale
                </a>
              )}
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
