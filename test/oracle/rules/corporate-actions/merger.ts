import type { OracleEvent } from '../../events/events.ts';
import {
  cents,
  dollars,
  Exact,
  isUnvalued,
  least,
  most,
  nothing,
  portion,
  spread,
  spreadUnits,
  sum,
  units,
  wholeUnits,
} from '../../numbers.ts';
import {
  dropEmpty,
  isRetirement,
  lineOfLot,
  type OracleLot,
  type OracleShort,
  raise,
  remaining,
  type State,
  settle,
} from '../../state.ts';
import { renameUnderlying } from '../options/symbol-changes.ts';
import { sell } from '../sales/dispose.ts';
import { deliverStock } from '../short-sales/cover.ts';
import { chooseShorts } from '../short-sales/shorts.ts';
import { affectedLots, affectedShorts, firstToday, makeWhole, multiply, raiseTooManyUnits } from './affected-lots.ts';

/**
 * Exchanges the shares of a merger. In a stock-for-stock merger, basis and dates carry over (IRC 354, 358). Cash is
 * taxed lot by lot up to the gain (356). Shares received in a tax-free exchange were not purchased (1.1091-1(f)).
 */
export function merge(state: State, stated: OracleEvent): void {
  const isUnknown = isUnvalued(stated.transaction);
  const transaction = isUnknown ? { ...stated.transaction, amount: null, fee: null } : stated.transaction;
  const event = { ...stated, transaction };
  const { ratio, receivedAsset } = transaction;
  const lots = firstToday(state, event, affectedLots(state, event));
  const owed = affectedShorts(state, event).filter((short) => !short.written);
  // The units and cash in a row refer to the shares held or, if no shares were held, to the shares owed.
  const perUnit = ratio ?? {
    numerator: units(transaction.receivedQuantity),
    denominator: sum((lots.length > 0 ? lots : owed).map(remaining)),
  };
  if (receivedAsset !== '' && lots.length + owed.length > 0) {
    if (raiseTooManyUnits(state, event, [...lots, ...owed].map(remaining), perUnit)) return;
  }
  makeWhole(state, lots);
  if (lots.length === 0 && owed.length === 0) raise(state, transaction.id, 'unreconciled');
  if (receivedAsset === '') {
    const held = sum(lots.map(remaining));
    sellOut(state, event, lots);
    payOff(state, event, owed, held);
    return;
  }
  if (lots.length + owed.length === 0) return;
  if (isUnknown) raise(state, transaction.id, 'value_missing');
  payInCash(event, owed, sum(lots.map(remaining)));
  if (lots.length > 0) boot(state, event, lots);
  const held = lots.map(remaining);
  const total =
    ratio === null
      ? units(transaction.receivedQuantity)
      : wholeUnits(sum(held).times(ratio.numerator.toString()).div(ratio.denominator.toString()));
  const received = spreadUnits(total, held);
  lots.forEach((lot, index) => {
    const quantity = received[index] ?? nothing;
    const { unit } = lot;
    lot.unit = { basis: unit.basis.times(lot.whole), quantity: unit.quantity.times(quantity) };
    const before = lot.whole;
    lot.whole = quantity;
    // Shares that have replaced a loss remain replacements (1.1091-1(e)).
    lot.used = lot.used.equals(before)
      ? quantity
      : lot.used.times(quantity).div(before).toDecimalPlaces(18, Exact.ROUND_DOWN);
    lot.asset = receivedAsset;
  });
  for (const short of affectedShorts(state, event)) {
    multiply(short, perUnit);
    short.asset = receivedAsset;
  }
  if (lots.length > 0) renameUnderlying(state, event);
  dropEmpty(state);
}

/** Sells all holdings in a merger for cash alone, account by account. */
function sellOut(state: State, event: OracleEvent, lots: readonly OracleLot[]): void {
  const { id, asset, assetClass, amount, fee } = event.transaction;
  if (amount === null && lots.some((lot) => !isRetirement(state, lot.account))) raise(state, id, 'value_missing');
  const total = amount === null ? nothing : dollars(amount).minus(dollars(fee));
  const whole = sum(lots.map(remaining));
  let before = nothing;
  // A loss in one account may split the lots in the next, so the holdings of all accounts are collected before any are
  // sold.
  const holdings = [...new Set(lots.map((lot) => lot.account))].map(
    (account) => [account, sum(lots.filter((lot) => lot.account === account).map(remaining))] as const,
  );
  for (const [account, quantity] of holdings) {
    const upTo = (units: Exact): Exact => total.times(units).div(whole).toDecimalPlaces(8, Exact.ROUND_HALF_UP);
    const proceeds = upTo(before.plus(quantity)).minus(upTo(before));
    before = before.plus(quantity);
    sell(state, event, { asset, assetClass, account, quantity, proceeds });
  }
}

/**
 * Closes shorts of stock that can no longer be delivered. The cash paid per share is owed instead. If no shares are
 * held, the row's amount is the cash paid.
 */
function payOff(state: State, event: OracleEvent, owed: readonly OracleShort[], held: Exact): void {
  const { transaction } = event;
  const { amount, fee } = transaction;
  if (amount === null && owed.length > 0) raise(state, transaction.id, 'value_missing');
  const isHeld = held.gt(0);
  const paid = cents(amount === null ? nothing : dollars(amount).plus(isHeld ? nothing : dollars(fee)));
  const whole = isHeld ? held : sum(owed.map(remaining));
  let before = nothing;
  for (const account of [...new Set(owed.map((short) => short.account))].sort()) {
    const own = { ...event, transaction: { ...transaction, account } };
    const quantity = sum(owed.filter((short) => short.account === account).map(remaining));
    const basis = portion(paid, before, quantity, whole);
    before = before.plus(quantity);
    const { closings } = chooseShorts(state, own, quantity);
    deliverStock(state, own, closings, { quantity, basis, hidden: nothing, basisUnknown: amount === null });
  }
}

/**
 * Adds cash to the cost of a short. The lender is owed whatever replaced the shares, including cash. A payment in lieu
 * of a shareholder's capital is not an expense but part of the cost of the short (Rev. Rul. 72-521).
 */
function payInCash({ transaction }: OracleEvent, owed: readonly OracleShort[], held: Exact): void {
  const { amount, fee } = transaction;
  const isHeld = held.gt(0);
  const paid = cents(dollars(amount).plus(isHeld ? nothing : dollars(fee)));
  const whole = isHeld ? held : sum(owed.map(remaining));
  let before = nothing;
  for (const short of [...owed].sort((a, b) =>
    a.account === b.account ? a.order - b.order : a.account < b.account ? -1 : 1,
  )) {
    const quantity = remaining(short);
    const brought = portion(short.proceeds, short.taken, quantity, short.whole);
    short.proceeds = brought.minus(portion(paid, before, quantity, whole));
    short.whole = quantity;
    short.taken = nothing;
    before = before.plus(quantity);
  }
}

/**
 * Recognizes gain up to the cash, and never a loss. New basis = old − cash + gain. On the line, (d) = cash and (e) =
 * cash − gain. The cost of the exchange reduces the cash, and the excess is a cost of the new shares (IRC 263(a); 26
 * CFR 1.263(a)-2(f)).
 */
function boot(state: State, event: OracleEvent, lots: readonly OracleLot[]): void {
  const { transaction } = event;
  const net = settle(state, 'proceeds', transaction, dollars(transaction.amount).minus(dollars(transaction.fee)));
  if (net.isZero()) return;
  if (net.gt(0) && transaction.fmv === null) raise(state, transaction.id, 'value_missing');
  const held = lots.map(remaining);
  const cash = spread(net, held, sum(held));
  const values = spread(cents(dollars(transaction.fmv)), held, sum(held));
  lots.forEach((lot, index) => {
    const paid = cash[index] ?? nothing;
    const realized = paid.plus(values[index] ?? nothing).minus(lot.basis);
    const gain = most(nothing, least(realized, paid));
    const quantity = remaining(lot);
    if (gain.gt(0) && !isRetirement(state, lot.account)) {
      // Everything received, or only the cash, depending on the election (P15).
      const all = { proceeds: paid.plus(values[index] ?? nothing), basis: lot.basis };
      const postponed = gain.minus(realized);
      const code = postponed.isZero() ? ('' as const) : ('O' as const);
      const cells =
        state.rules.mergerRows === 'all_received'
          ? { ...all, adjustment: postponed, code }
          : { proceeds: paid, basis: paid.minus(gain) };
      state.lines.push({ ...lineOfLot(event, lot), quantity, ...cells });
    }
    if (!gain.equals(paid)) lot.unit = { basis: lot.basis.minus(paid).plus(gain), quantity };
    lot.basis = lot.basis.minus(paid).plus(gain);
    if (lot.gift !== null) {
      lot.gift = { ...lot.gift, lossBasis: most(nothing, lot.gift.lossBasis.minus(paid).plus(gain)) };
    }
  });
}
