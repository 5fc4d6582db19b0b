import { isIncome, isSoldForNothing, type OracleEvent } from '../../events/events.ts';
import type { OracleLot, OracleShort, Slice } from '../../model.ts';
import { cents, dollars, Exact, least, most, nothing, portion, spread, sum, units } from '../../numbers.ts';
import {
  basisLeft,
  dropEmpty,
  isContract,
  isRetirement,
  isSame,
  raise,
  rebase,
  remaining,
  type State,
  settle,
} from '../../state.ts';
import { affectedLots } from '../corporate-actions/affected-lots.ts';
import { returnCapital } from '../corporate-actions/corporate-actions.ts';
import { applyForm1099 } from '../form-1099/apply.ts';
import { divide, restartedBySale } from '../lots/holding-periods.ts';
import { heldLots } from '../lots/lots.ts';
import { takeLots } from '../lots/take.ts';
import { includeAtValue, includeSold, isDeferredIn } from '../opportunity-funds/deferred-gains.ts';
import { settleInCash } from '../options/cash-settlement.ts';
import { optionOf } from '../options/option.ts';
import { cover } from '../short-sales/cover.ts';
import { closePuts, joinBasis } from '../short-sales/puts.ts';
import { endWritten, premiumOf } from '../short-sales/shorts.ts';
import { worthlessHeld } from '../short-sales/worthless.ts';
import { sharesDelivered } from '../wash-sales/wash.ts';
import { openLot, tradeFee } from './acquire.ts';
import { disposeOfMoney, isMoney } from './currency.ts';
import { sell } from './dispose.ts';
import { withCompensation } from './plans.ts';
import { takeBack } from './take-back.ts';

/** Applies events that close positions or dispose of lots. */
export function dispose(state: State, event: OracleEvent): void {
  const { transaction } = event;
  const { type, asset, assetClass, account } = transaction;
  if (isMoney(event)) {
    disposeOfMoney(state, event);
    return;
  }
  const quantity = type === 'worthless' ? worthlessHeld(state, event) : units(transaction.quantity);
  if (type === 'worthless' && quantity.lte(0)) return;
  if (type === 'fee' && (asset === '' || quantity.lte(0))) return;
  if (isIncome(type)) {
    takeBack(state, event);
    return;
  }
  if (type === 'reported_sale') {
    applyForm1099(state, event);
    return;
  }
  if (type === 'return_of_capital') {
    returnCapital(state, event);
    return;
  }
  if (type === 'cover') {
    cover(state, event);
    return;
  }
  if (type === 'buy_to_close') {
    buyBack(state, event, quantity);
    return;
  }
  if (isContract(assetClass) && (type === 'expire' || type === 'exercise' || type === 'assign')) {
    settleInCash(state, event);
    return;
  }
  if (type === 'expire') {
    expire(state, event, quantity);
    return;
  }
  if (type === 'exercise' || type === 'assign') {
    deliverStock(state, event, quantity);
    return;
  }
  const named = transaction.lots;
  const isLost = type === 'lost' || (type === 'worthless' && !isSoldForNothing(transaction));
  if (type === 'gift_out' || type === 'donate' || isLost) {
    const value = transaction.fmv === null ? null : cents(dollars(transaction.fmv));
    const slices = includeSold(
      state,
      event,
      takeLots(state, event, { asset, assetClass, account, quantity, named }),
      value,
    );
    const anew = restartedBySale(state, { asset, assetClass, account, on: event.on }, slices);
    closePuts(state, event, slices);
    if (!isLost) give(state, event, slices, anew, value);
    dropEmpty(state);
    if (slices.some((slice) => slice.lot === null)) raise(state, transaction.id, 'oversold');
    if (isLost) raise(state, transaction.id, 'loss_event');
    return;
  }
  const isAmountMissing = transaction.amount === null && type !== 'worthless';
  if (isAmountMissing && !isRetirement(state, account)) raise(state, transaction.id, 'value_missing');
  sell(state, event, { asset, assetClass, account, quantity, proceeds: proceedsOf(event), named });
}

/** Records the facts for Form 8283: each part with its own dates and basis, and its share of the value. */
function give(
  state: State,
  event: OracleEvent,
  slices: readonly Slice[],
  anew: ReadonlyMap<Slice, Exact>,
  value: Exact | null,
): void {
  const { transaction: row, on } = event;
  if (isRetirement(state, row.account)) return;
  const parts = slices.flatMap((slice) => {
    const begun = anew.get(slice) ?? nothing;
    return divide(slice, begun).map((part, at) => ({ part, isBegun: at === 0 && begun.gt(0) }));
  });
  const values = spread(
    value ?? nothing,
    parts.map(({ part }) => part.quantity),
    sum(parts.map(({ part }) => part.quantity)),
  );
  parts.forEach(({ part, isBegun }, at) => {
    const worth = value === null ? null : (values[at] ?? nothing);
    const { lot, quantity, basis } = withCompensation(state, event, part, on, worth);
    state.gifts.push({
      transactionId: row.id,
      type: row.type,
      on,
      asset: row.asset,
      account: row.account,
      acquired: lot?.acquired ?? on,
      heldSince: lot === null || isBegun ? on : lot.heldSince,
      inherited: lot?.inherited ?? false,
      basisUnknown: lot?.basisUnknown ?? true,
      quantity,
      basis,
      value: value === null ? null : (values[at] ?? nothing),
    });
  });
}

/** Buys back written contracts. Any contracts beyond those written are a purchase of the option. */
function buyBack(state: State, event: OracleEvent, quantity: Exact): void {
  const { transaction } = event;
  const open = sum(openWritten(state, event).map(remaining));
  const excess = most(nothing, quantity.minus(open));
  if (transaction.amount === null) raise(state, transaction.id, 'value_missing');
  const cost = dollars(transaction.amount).plus(tradeFee(event));
  const excessCost = cost.times(excess).div(quantity).toDecimalPlaces(8, Exact.ROUND_HALF_UP);
  const basis = settle(state, 'basis', transaction, cost.minus(excessCost));
  endWritten(state, event, quantity, basis, false);
  if (excess.lte(0)) return;
  state.impliedThisPass.set(`${transaction.id}/${event.ordinal}`, excess);
  openLot(state, event, { quantity: excess, basis: excessCost });
}

function openWritten(state: State, event: OracleEvent): State['shorts'] {
  const { asset, assetClass, account } = event.transaction;
  return state.shorts.filter((short) => isSame(short, asset, assetClass) && short.account === account);
}

/** Returns amount less fee. Neither includes a fee withheld from the units given, because their value never arrived. */
function proceedsOf(event: OracleEvent): Exact {
  const { transaction } = event;
  if (transaction.type === 'worthless' || transaction.amount === null) return nothing;
  const amount = dollars(transaction.amount);
  if (transaction.type === 'trade' && transaction.feeAsset === transaction.asset) return amount;
  return amount.minus(tradeFee(event));
}

/** Expires held options first, then written ones. In both cases the gain or loss falls on the expiration day. */
function expire(state: State, event: OracleEvent, quantity: Exact): void {
  const { transaction } = event;
  const { asset, assetClass, account, lots: named } = transaction;
  const held = sum(heldLots(state, account, asset, assetClass).map(remaining));
  const own = least(held, quantity);
  if (own.gt(0)) {
    const lots = takeLots(state, event, { asset, assetClass, account, quantity: own, named });
    const from = joinBasis(state, account, lots);
    const lost = sum(from.map((slice) => slice.quantity));
    dropEmpty(state);
    if (lost.gt(0))
      sell(state, event, { asset, assetClass, account, quantity: lost, proceeds: nothing, expired: true, from });
  }
  // Nothing is paid when stock options expire, so an amount in the row means something else.
  if ((transaction.amount ?? 0n) !== 0n) raise(state, transaction.id, 'unreconciled');
  const written = quantity.minus(own);
  if (written.gt(0)) endWritten(state, event, written, nothing, true);
}

/**
 * Sells the stock that an option delivers. An assigned call's premium is added to the proceeds, and an exercised put's
 * cost is subtracted (Pub. 550, Table 4-3).
 */
function deliverStock(state: State, event: OracleEvent, contracts: Exact): void {
  const { transaction } = event;
  const { asset, assetClass, account } = transaction;
  if (transaction.amount === null) raise(state, transaction.id, 'value_missing');
  let proceeds = dollars(transaction.amount).minus(tradeFee(event));
  const exercised: Slice[] = [];
  if (transaction.type === 'exercise') {
    const slices = takeLots(state, event, { asset, assetClass, account, quantity: contracts, named: [] });
    exercised.push(...slices);
    dropEmpty(state);
    if (slices.some((slice) => slice.lot === null)) raise(state, transaction.id, 'option_not_open');
    proceeds = proceeds.minus(sum(slices.map((slice) => slice.basis)));
  } else {
    proceeds = proceeds.plus(premiumOf(state, event, contracts));
  }
  sell(state, event, {
    asset: optionOf(transaction).underlying,
    assetClass: 'stock',
    account,
    quantity: sharesDelivered(transaction),
    proceeds,
    named: transaction.lots,
    shortsRest: true,
  });
  closePuts(state, event, exercised);
}

/**
 * Marks a section 1256 contract: it counts as sold for its value on the last business day of the year (IRC 1256(a)(1)),
 * or as bought back if it was sold first. Either position continues at that value.
 */
export function mark(state: State, event: OracleEvent): void {
  const { transaction, on } = event;
  const { account, asset, assetClass } = transaction;
  if (isDeferredIn(state, event)) {
    includeAtValue(state, event);
    return;
  }
  if (transaction.fmv === null || !isContract(assetClass)) {
    raise(state, transaction.id, transaction.fmv === null ? 'value_missing' : 'unreconciled');
    return;
  }
  const value = settle(state, 'mark', transaction, dollars(transaction.fmv));
  const inScope = (one: OracleLot | OracleShort): boolean =>
    isSame(one, asset, assetClass) && (account === '' || one.account === account);
  const lots = affectedLots(state, event);
  const sold = state.shorts.filter(inScope).sort((a, b) => Number(a.written) - Number(b.written) || a.order - b.order);
  const positions = [...lots, ...sold];
  if (positions.length === 0) raise(state, transaction.id, 'unreconciled');
  const values = spread(value, positions.map(remaining), sum(positions.map(remaining)));
  const gain = (of: string, amount: Exact): void => {
    if (!isRetirement(state, of))
      state.contracts.push({ transactionId: transaction.id, on, account: of, gain: amount });
  };
  lots.forEach((lot, index) => {
    const fmv = values[index] ?? nothing;
    gain(lot.account, fmv.minus(basisLeft(lot)));
    rebase(lot);
    lot.basis = fmv;
    lot.unit = { basis: fmv, quantity: lot.whole };
    lot.markedOn = on;
  });
  sold.forEach((short, index) => {
    const fmv = values[lots.length + index] ?? nothing;
    gain(short.account, portion(short.proceeds, short.taken, remaining(short), short.whole).minus(fmv));
    short.whole = remaining(short);
    short.taken = nothing;
    short.proceeds = fmv;
    short.markedOn = on;
  });
}
