import { useState } from 'preact/hooks';
import { useResource } from '../../api/resource.ts';
import { counted } from '../../format/amounts.ts';
import { day, daysBetween } from '../../format/dates.ts';
import { Money, MoneyOrUnknown, Quantity } from '../../parts/amount.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import { type HeldAsset, holdingKey, type OpenLotRow, readLotsOf } from './holdings.ts';

interface OpenLotsProps {
  readonly holding: HeldAsset;
  readonly asOf: string | null;
  /** The day that terms are counted from. */
  readonly today: string;
}

/** The open lots of a holding, the oldest first. */
export function OpenLots({ holding, asOf, today }: OpenLotsProps) {
  const [limit, setLimit] = useState(100);
  const lots = useResource(`lots ${holdingKey(holding)} ${asOf} ${limit}`, () => readLotsOf(holding, asOf, limit));
  return (
    <ResourceView reading={lots}>
      {({ lots: open, hasMore }) => (
        <>
          <Scroll label={`Open lots of ${holding.asset}`}>
            <table>
              <TableHead
                columns={[
                  'Acquired',
                  { number: 'Quantity' },
                  { number: 'Cost basis' },
                  { number: 'Value' },
                  { number: 'Unrealized' },
                  'Term',
                ]}
              />
              <tbody>
                {open.map((lot) => (
                  <LotRow key={lot.id} lot={lot} today={today} />
                ))}
              </tbody>
            </table>
          </Scroll>
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

/** The API lists so many at most. */
const limitMax = 1000;

function LotRow({ lot, today }: { readonly lot: OpenLotRow; readonly today: string }) {
  const days = daysBetween(today, lot.longTermOn);
  return (
    <tr>
      <th scope="row">
        {day(lot.acquired)}
        <p class="fine">
          {lot.account}
          {lot.heldSince !== lot.acquired && `, held since ${day(lot.heldSince)}`}
        </p>
      </th>
      <td class="number">
        <Quantity amount={lot.quantity} />
      </td>
      <td class="number">
        <Money amount={lot.basis} />
      </td>
      <td class="number">
        <MoneyOrUnknown amount={lot.value} />
      </td>
      <td class="number">
        <MoneyOrUnknown amount={lot.unrealized} signed />
      </td>
      <td>
        {days <= 0 ? (
          'long-term'
        ) : (
          <>
            short-term
            <p class="fine">
              long-term on {day(lot.longTermOn)}, in {counted(days, 'day')}
            </p>
          </>
        )}
      </td>
    </tr>
  );
}
