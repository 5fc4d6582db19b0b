import { useState } from 'preact/hooks';
import { useResource } from '../../api/resource.ts';
import { accountName } from '../../format/account-names.ts';
import { formatCount } from '../../format/amounts.ts';
import { acquiredDay, day, daysBetween } from '../../format/dates.ts';
import { Money, MoneyOrUnknown, Quantity } from '../../parts/amount.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { type StackedRow, StackedTable } from '../../parts/tables/stacked-table.tsx';
import { fetchLots, type HeldAsset, holdingKey, type OpenLotRow } from './holdings.ts';

interface OpenLotsProps {
  readonly holding: HeldAsset;
  readonly asOf: string | null;
  /** The day from which terms are calculated. */
  readonly today: string;
}

/** The open lots of a holding, oldest first. */
export function OpenLots({ holding, asOf, today }: OpenLotsProps) {
  const [limit, setLimit] = useState(100);
  const lots = useResource(`lots ${holdingKey(holding)} ${asOf} ${limit}`, () => fetchLots(holding, asOf, limit));
  return (
    <ResourceView reading={lots}>
      {({ lots: open, hasMore }) => (
        <>
          <StackedTable
            label={`Open lots of ${holding.asset}`}
            columns={[
              'Acquired',
              { number: 'Quantity' },
              { number: 'Cost basis' },
              { number: 'Value' },
              { number: 'Unrealized' },
              'Term',
            ]}
            rows={open.map((lot) => buildLotRow(lot, today))}
          />
          {hasMore && limit < limitMax && (
            <button type="button" onClick={() => setLimit(limitMax)}>
              Show more lots
            </button>
          )}
        </>
      )}
    </ResourceView>
  );
}

/** The API's maximum. */
const limitMax = 1000;

function buildLotRow(lot: OpenLotRow, today: string): StackedRow {
  return {
    key: lot.id,
    name: (
      <>
        {acquiredDay(lot.acquired)}
        <p class="fine">
          {accountName(lot.account)}
          {lot.heldSince !== null && lot.heldSince !== lot.acquired && `, held since ${day(lot.heldSince)}`}
        </p>
      </>
    ),
    cells: [
      <Quantity amount={lot.quantity} />,
      <Money amount={lot.basis} />,
      <MoneyOrUnknown amount={lot.value} />,
      <MoneyOrUnknown amount={lot.unrealized} signed />,
      <Term longTermOn={lot.longTermOn} today={today} />,
    ],
  };
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
