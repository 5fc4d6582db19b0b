import type { Day } from '../../base/day.ts';
import { type Money, type Quantity, zeroQuantity } from '../../base/decimal.ts';
import type { OpeningEvent } from '../book/opening.ts';
import { daysCoveredFrom } from '../events/event.ts';
import type { AccountAsset, Ledger } from '../events/ledger.ts';
import { joinLimbs, limb } from '../events/limbs.ts';
import type { LotMethod } from '../model.ts';

/** Returns the fields that a lot takes from its purchase in the ledger. */
export function toOpeningEvent(ledger: Ledger, purchase: number): OpeningEvent {
  const { ids, externalIds, ons, placeOf, places } = ledger;
  const { key, asset, assetClass } = places[placeOf[purchase] as number] as AccountAsset;
  const on = ons[purchase] as Day;
  return {
    tx: { id: ids[purchase] as string, externalId: externalIds[purchase] as string },
    ordinal: 0,
    on,
    key,
    asset,
    assetClass,
    quantity: quantityOf(ledger, purchase),
    cost: BigInt(costOf(ledger, purchase)) as Money,
    acquired: on,
    heldSince: on,
    inherited: false,
    purchasedOn: on,
    used: zeroQuantity,
    coveredFrom: daysCoveredFrom[assetClass],
    shares: null,
    underlyingKey: null,
    right: null,
  };
}

/** Returns a double near the unit price, as the `rank` of a lot method does. */
export function computeLotRank(ledger: Ledger, method: LotMethod, purchase: number): number {
  const { quantityHighs, quantityLows } = ledger;
  const units = (quantityHighs[purchase] as number) * limb + (quantityLows[purchase] as number);
  const price = costOf(ledger, purchase) / units;
  return method === 'HIFO' ? -price : price;
}

/** Compares unit prices as fractions. */
export function comparePrices(ledger: Ledger, a: number, b: number): number {
  const left = BigInt(costOf(ledger, a)) * quantityOf(ledger, b);
  const right = BigInt(costOf(ledger, b)) * quantityOf(ledger, a);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Returns the cost including the fee, in 10⁻⁸ dollars. */
function costOf(ledger: Ledger, purchase: number): number {
  return (ledger.amounts[purchase] as number) + (ledger.fees[purchase] as number);
}

function quantityOf(ledger: Ledger, purchase: number): Quantity {
  return joinLimbs(ledger.quantityHighs[purchase] as number, ledger.quantityLows[purchase] as number);
}
