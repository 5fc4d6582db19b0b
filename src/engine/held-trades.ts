import type { Day } from '../base/day.ts';
import { divideRounded } from '../base/decimal.ts';
import type { Till } from './buy-sell.ts';
import { termOf } from './disposal.ts';
import { type Fold, lengthenTrail } from './fold.ts';
import type { Ledger } from './ledger.ts';
import { joined } from './limbs.ts';
import { lineMax } from './line-sums.ts';
import { addLot, type Slice, takeByMethod } from './lots.ts';
import { openLot } from './opening.ts';
import { openerOf } from './purchase.ts';
import { writeSale } from './sale.ts';
import type { TakenSlice } from './take.ts';
import { centsOf } from './trade-cents.ts';
import { tradeEvent } from './trade-event.ts';
import { matchPurchase } from './wash.ts';

/** Plain trades where lots are objects, as `acquire` and `dispose` do them, without a transaction and an event of each. */
export function buyBeside(fold: Fold, { pool, basisRest }: Till, ledger: Ledger, trade: number): void {
  const cost = (ledger.amounts[trade] as number) + (ledger.fees[trade] as number);
  const basis = BigInt(centsOf(fold, basisRest, cost));
  const sequence = fold.sequence++;
  const lot = openLot(openerOf(ledger, trade), { account: pool.account, basis, lossBasis: null, sequence });
  lengthenTrail(pool, lot.openedBy);
  addLot(fold, pool, lot);
  matchPurchase(fold, lot);
}

export function sellHeld(fold: Fold, till: Till, ledger: Ledger, trade: number): void {
  const { pool, method, proceedsRest } = till;
  const on = ledger.ons[trade] as Day;
  const quantity = joined(ledger.quantityHighs[trade] as number, ledger.quantityLows[trade] as number);
  lengthenTrail(pool, ledger.ids[trade] as string);
  const slices = takeByMethod(pool, quantity, method);
  const yielded = (ledger.amounts[trade] as number) - (ledger.fees[trade] as number);
  const proceeds = BigInt(centsOf(fold, proceedsRest, yielded));
  if (isSummed(fold, till, on, quantity, proceeds, slices)) return;
  const taken: TakenSlice[] = [];
  let missing: bigint = quantity;
  for (const { lot, quantity: units, basis, lossBasis, used, whole, unreported } of slices) {
    taken.push({ lot, quantity: units, basis, lossBasis, used, whole, unreported, identified: 'default' });
    missing -= units;
  }
  const event = tradeEvent(ledger.trade(trade));
  writeSale(fold, event, { slices: taken, missing }, { proceeds, sold: on, expired: null });
}

/** Sums lines that nobody asks for one by one; false, and nothing summed, where one of them is more than its numbers. */
function isSummed(
  fold: Fold,
  { place, sums, washable }: Till,
  on: Day,
  quantity: bigint,
  proceeds: bigint,
  slices: readonly Slice[],
): boolean {
  const { lineSums } = fold;
  if (lineSums === null) return false;
  let units = 0n;
  let dealt = 0n;
  for (const slice of slices) {
    const { lot, basis } = slice;
    units += slice.quantity;
    const upTo = units === quantity ? proceeds : divideRounded(proceeds * units, quantity);
    const isLoss = upTo - dealt < basis;
    const sum = sums[lot.covered ? 1 : 0]?.[termOf(lot.inherited, lot.heldSince, on) === 'short' ? 0 : 1];
    const isPlain =
      lot.assetClass === place.assetClass &&
      slice.lossBasis === null &&
      !lot.basisUnknown &&
      slice.unreported === undefined;
    const near = Number(basis);
    if (sum === null || sum === undefined || !isPlain || (isLoss && washable) || Math.abs(near) > lineMax) {
      lineSums.giveBack();
      return false;
    }
    lineSums.add(sum, Number(upTo - dealt), near);
    dealt = upTo;
  }
  if (units < quantity) lineSums.giveBack();
  else lineSums.keep();
  return units === quantity;
}
