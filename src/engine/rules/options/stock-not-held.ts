import { formatDay, lastDayOf, yearMax } from '../../../base/day.ts';
import {
  type Cents,
  centsToMoney,
  divideRounded,
  formatQuantity,
  type Money,
  proportion,
  type Quantity,
  roundToCents,
} from '../../../base/decimal.ts';
import { least } from '../../book/amounts.ts';
import { type Fold, isRetirement, roundCarrying } from '../../book/fold.ts';
import type { Slice } from '../../book/lots.ts';
import { notOnFormPart } from '../../book/not-on-form-1099.ts';
import type { TransactionEvent } from '../../events/event.ts';
import { raiseUnreadable } from '../lots/sale-issues.ts';
import type { TakenLots } from '../lots/take.ts';
import { boughtLot } from '../short-sales/delivery.ts';
import { closeWithBought, sellShort, shortsToClose } from '../short-sales/shorts.ts';

/**
 * Options and stock that is owed. An assigned call or an exercised put sells stock. Stock that the account does not
 * hold is sold short, and the premium is part of the proceeds. An exercised call or an assigned put buys stock. If the
 * account is short the stock, the purchase is delivered at once and closes the short (IRC 1233(a), 26 CFR 1.1233-1(a)).
 */

/**
 * The cost of an option's stock: the strike amount (null if unknown), the premium, and the calls that were exercised.
 */
export interface PriceOfStock {
  readonly strike: Money | null;
  readonly premium: Money;
  readonly calls: readonly Slice[];
}

/**
 * Sells short the units that were not held, and returns the units that were held. In an IRA, which cannot be short,
 * nothing changes.
 */
export function shortWhatIsMissing(
  fold: Fold,
  event: TransactionEvent,
  taken: TakenLots,
  proceeds: bigint,
): { readonly taken: TakenLots; readonly proceeds: bigint } {
  if (taken.missing === 0n || isRetirement(fold, event.account)) return { taken, proceeds };
  const held = taken.slices.reduce((units, { quantity }) => units + quantity, 0n);
  const ofHeld = divideRounded(proceeds * held, held + taken.missing);
  sellShort(fold, event, taken.missing, { proceeds: proceeds - ofHeld, byOption: true });
  return { taken: { slices: taken.slices, missing: 0n }, proceeds: ofHeld };
}

/**
 * Closes shorts of the account with stock that an option bought. The strike amount and the premium are divided among
 * the shares. Returns the remaining shares to hold, or null if the account was not short.
 */
export function coverWithStock(
  fold: Fold,
  event: TransactionEvent & { readonly quantity: Quantity },
  { strike, premium, calls }: PriceOfStock,
): (PriceOfStock & { readonly quantity: Quantity }) | null {
  const closing = shortsToClose(fold, event, event.quantity);
  const closed = closing.reduce((units, { quantity }) => units + quantity, 0n);
  if (closed === 0n) return null;
  const left = (event.quantity - closed) as Quantity;
  const ofLeft = (cents: bigint): bigint => proportion(cents, left, event.quantity);
  const strikeCents = strike === null ? 0n : roundCarrying(fold, `basis ${event.key}`, strike);
  const strikeLeft = ofLeft(strikeCents);
  const callsLeft = calls.map((call) => partOfCall(call, left, event.quantity));
  // The premium of a call is the basis of its slices. A put has no slices.
  const premiumCents = roundToCents(premium);
  const premiumLeft = calls.length === 0 ? ofLeft(premiumCents) : callsLeft.reduce((sum, call) => sum + call.basis, 0n);
  const basis = strike === null ? 0n : strikeCents - strikeLeft + premiumCents - premiumLeft;
  if (strike === null && left === 0n) raiseUnreadable(fold, event, 'strike');
  const lot = { ...boughtLot(event, closed, basis), basisUnknown: strike === null };
  const stepUp = calls.reduce(
    (sum, call, at) => sum + (call.notOnForm?.stepUp ?? 0n) - (callsLeft[at]?.notOnForm?.stepUp ?? 0n),
    0n,
  );
  closeWithBought(fold, event, closing, {
    quantity: closed,
    basis,
    lossBasis: null,
    notOnForm: stepUp === 0n || strike === null ? undefined : { stepUp, heldSince: event.on },
    lot,
    owned: false,
    identified: 'default',
  });
  return {
    quantity: left,
    strike: strike === null ? null : centsToMoney(strikeLeft as Cents),
    premium: centsToMoney(premiumLeft as Cents),
    calls: callsLeft,
  };
}

function partOfCall(call: Slice, left: bigint, of: bigint): Slice {
  const used = least(call.used, call.quantity);
  return {
    ...call,
    basis: proportion(call.basis, left, of),
    used: divideRounded(used * left, of),
    notOnForm: notOnFormPart(call.notOnForm, 0n, left, of),
  };
}

/**
 * Raises issues about shorts that an option opened and that are still open at the end of the history. The row that
 * acquired the stock may be missing. The issues count as caused after every day, so that a resumed replay drops them
 * and decides again.
 */
export function raiseOpenByOption(fold: Fold): void {
  for (const short of [...fold.shorts.values()].flat()) {
    if (short.byOption !== true) continue;
    const units = `${formatQuantity(short.quantity as Quantity)} ${short.asset}`;
    fold.facts.push({
      kind: 'issue',
      causedOn: endOfDays,
      id: `${short.id}/unreconciled/${short.account}/short`,
      issue: 'unreconciled',
      on: short.on,
      asset: short.asset,
      account: short.account,
      transactions: [short.openedBy],
      dollars: (short.wholeProceeds - short.proceedsTaken) as Cents,
      detail:
        `An option sold ${units} in ${short.account} on ${formatDay(short.on)} that the account did not hold. They count as sold ` +
        'short, and no row covers them yet. If you bought them later, add a cover. If you held them, add the row that acquired them.',
    });
  }
}

const endOfDays = lastDayOf(yearMax);
