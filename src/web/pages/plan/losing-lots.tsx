import { to } from '../../api/page-url.ts';
import { formatCount, isZero } from '../../format/amounts.ts';
import { day } from '../../format/dates.ts';
import { termNames } from '../../format/terms.ts';
import { Money, MoneyOrUnknown, Quantity } from '../../parts/amount.tsx';
import { UnitPrice } from '../../parts/prices/unit-value.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import type { HarvestResponse, LosingLot } from './sale.ts';

/** Lots with a loss, largest first, each with its wash sale risk. */
export function LosingLots({ answer: { data, asOf } }: { readonly answer: HarvestResponse }) {
  return (
    <Scroll label="Lots below cost">
      <table class="losing">
        <TableHead
          columns={['Lot', { spareNumber: 'Cost basis' }, { spareNumber: 'Price' }, { number: 'Loss' }, 'Wash sale']}
        />
        <tbody>
          {data
            .filter(({ value }) => value !== null)
            .map((lot) => (
              <LosingLotRow key={lot.lotId} lot={lot} asOf={asOf} />
            ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function LosingLotRow({ lot, asOf }: { readonly lot: LosingLot; readonly asOf: string }) {
  const { asset, assetClass, account, quantity, basis, acquired, gain, term, daysToLongTerm, valuedBy } = lot;
  const plan = { asset, class: assetClass, account, quantity, price: valuedBy?.unit, date: asOf };
  return (
    <tr>
      <th scope="row">
        <a href={to('/planning', plan)}>
          <Quantity amount={quantity} /> {asset}
        </a>
        <p class="fine">
          {lot.assetName !== undefined && `${lot.assetName}, `}
          {account}, acquired {acquired === null ? 'on an unknown date' : day(acquired)}
        </p>
        <p class="fine">
          {term === null ? 'term unknown' : termNames[term]}
          {daysToLongTerm !== null && daysToLongTerm > 0 && `, long-term in ${formatCount(daysToLongTerm, 'day')}`}
        </p>
      </th>
      <td class="number spare">
        <Money amount={basis} />
      </td>
      <td class="number spare">
        <UnitPrice by={valuedBy} />
      </td>
      <td class="number">
        <MoneyOrUnknown amount={gain} signed />
      </td>
      <td class="wash">
        <WashRisk wash={lot.wash} />
      </td>
    </tr>
  );
}

/** Earlier purchases that would disallow the loss, and the date until which not to buy again. */
function WashRisk({ wash }: Pick<LosingLot, 'wash'>) {
  if (!wash.applies) return <p class="fine">The wash sale rule does not apply.</p>;
  return (
    <>
      {isZero(wash.denied) ? (
        <p>No purchase in the last 30 days affects this loss.</p>
      ) : (
        <>
          <p>
            <strong>
              <Money amount={wash.denied} /> would be disallowed
            </strong>{' '}
            today, because of <Quantity amount={wash.washed} /> bought recently:
          </p>
          <ul class="fine">
            {wash.purchases.map(({ transactionId, date, account, quantity, asset }) => (
              <li key={transactionId}>
                <a href={to('/transactions', { ids: transactionId })}>
                  <Quantity amount={quantity} /> {asset}
                </a>{' '}
                on {day(date)}, {account}
              </li>
            ))}
          </ul>
          {wash.safeToSellOn !== null && (
            <p class="fine">Sell on {day(wash.safeToSellOn)} or later to keep the loss.</p>
          )}
        </>
      )}
      {wash.safeToRebuyOn !== null && (
        <p class="fine">If you sell today, buy again on {day(wash.safeToRebuyOn)} or later.</p>
      )}
    </>
  );
}
