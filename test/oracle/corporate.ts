import type { Transaction } from '../../src/engine/model.ts';
import { sell } from './dispose.ts';
import type { OracleEvent } from './events.ts';
import { sorted } from './lots.ts';
import {
  cents,
  dollars,
  Exact,
  isLongTerm,
  least,
  most,
  nothing,
  spread,
  spreadUnits,
  sum,
  units,
  wholeUnits,
} from './numbers.ts';
import {
  basisLeft,
  dropEmpty,
  isRetirement,
  isSame,
  type OracleLot,
  type OracleShort,
  raise,
  remaining,
  type State,
} from './state.ts';

/** Splits, new names, mergers and spin-offs: of one account where the row names it, else of all. */
export function act(state: State, event: OracleEvent): void {
  const { type } = event.transaction;
  if (type === 'split') {
    split(state, event);
    return;
  }
  if (type === 'rename') {
    for (const position of [...reached(state, event), ...reachedShorts(state, event)]) {
      position.asset = event.transaction.receivedAsset;
    }
    return;
  }
  if (type === 'spinoff') {
    spinOff(state, event);
    return;
  }
  merge(state, event);
}

function reached(state: State, event: OracleEvent): OracleLot[] {
  const { account, asset, assetClass } = event.transaction;
  const lots = state.lots.filter((lot) => isSame(lot, asset, assetClass));
  return sorted(
    lots.filter((lot) => account === '' || lot.account === account),
    'FIFO',
  );
}

function reachedShorts(state: State, event: OracleEvent): OracleShort[] {
  const { account, asset, assetClass } = event.transaction;
  return state.shorts.filter(
    (short) => isSame(short, asset, assetClass) && (account === '' || short.account === account),
  );
}

/** Quantity × ratio, basis and dates unchanged lot by lot; with an amount, the fraction is sold for it. */
function split(state: State, event: OracleEvent): void {
  const { transaction } = event;
  const { ratio, asset, assetClass, account, quantity, amount } = transaction;
  if (ratio === null) return;
  for (const position of [...reached(state, event), ...reachedShorts(state, event)]) multiply(position, ratio);
  if (quantity === null || amount === null) return;
  const from = account !== '' ? account : (reached(state, event)[0]?.account ?? '');
  sell(state, event, { asset, assetClass, account: from, quantity: units(quantity), proceeds: dollars(amount) });
}

function multiply(position: OracleLot | OracleShort, ratio: NonNullable<Transaction['ratio']>): void {
  const times = (value: Exact): Exact => value.times(ratio.numerator.toString()).div(ratio.denominator.toString());
  const left = wholeUnits(times(remaining(position)));
  position.taken = wholeUnits(times(position.taken));
  position.whole = left.plus(position.taken);
  if ('unit' in position) position.unit = { ...position.unit, quantity: times(position.unit.quantity) };
  else position.longHeld = wholeUnits(times(position.longHeld));
}

/** The issuer's fraction of each lot's basis moves to its share of the new units; the dates go along. */
function spinOff(state: State, event: OracleEvent): void {
  const { transaction } = event;
  const { ratio, receivedAsset } = transaction;
  if (ratio === null) return;
  const fraction = new Exact(ratio.numerator.toString()).div(ratio.denominator.toString());
  const lots = reached(state, event);
  const received = spreadUnits(units(transaction.receivedQuantity), lots.map(remaining));
  lots.forEach((lot, index) => {
    const quantity = received[index] ?? nothing;
    const before = basisLeft(lot);
    const lossBefore = lot.gift === null ? null : cents(lot.gift.lossBasis.times(remaining(lot)).div(lot.whole));
    const moved = cents(before.times(fraction));
    const lossMoved = lossBefore === null ? null : cents(lossBefore.times(fraction));
    const kept = { ...lot };
    rebase(lot, before.minus(moved));
    if (lot.gift !== null && lossBefore !== null && lossMoved !== null) {
      lot.gift = { ...lot.gift, lossBasis: lossBefore.minus(lossMoved) };
    }
    if (quantity.lte(0)) return;
    state.lots.push({
      ...kept,
      origin: `${transaction.id}/${event.ordinal}`,
      transactionId: transaction.id,
      label: transaction.externalId,
      asset: receivedAsset,
      whole: quantity,
      taken: nothing,
      basis: moved,
      unit: { basis: moved, quantity },
      gift: kept.gift === null || lossMoved === null ? null : { ...kept.gift, lossBasis: lossMoved },
      purchased: false,
    });
  });
}

/** What is left becomes the lot's whole, with a new basis. */
export function rebase(lot: OracleLot, basis: Exact): void {
  lot.whole = remaining(lot);
  lot.taken = nothing;
  lot.basis = basis;
  lot.unit = { basis, quantity: lot.whole };
}

/** Stock for stock: basis and dates carry over (IRC 354, 358); cash is taxed block by block up to the gain (356). */
function merge(state: State, event: OracleEvent): void {
  const { transaction } = event;
  const { ratio, receivedAsset } = transaction;
  const lots = reached(state, event);
  const shorts = reachedShorts(state, event);
  if (transaction.amount !== null && transaction.amount !== 0n) boot(state, event, lots);
  if (ratio === null) {
    const received = spreadUnits(units(transaction.receivedQuantity), lots.map(remaining));
    lots.forEach((lot, index) => {
      const quantity = received[index] ?? nothing;
      const perUnit = quantity.div(remaining(lot));
      lot.taken = wholeUnits(lot.taken.times(perUnit));
      lot.whole = lot.taken.plus(quantity);
      lot.unit = { ...lot.unit, quantity: lot.unit.quantity.times(perUnit) };
    });
  }
  for (const position of [...lots, ...shorts]) {
    if (ratio !== null) multiply(position, ratio);
    position.asset = receivedAsset;
  }
  dropEmpty(state);
}

/** Gain up to the cash, never a loss; new basis = old − cash + gain. The line shows d = cash, e = cash − gain. */
function boot(state: State, event: OracleEvent, lots: readonly OracleLot[]): void {
  const { transaction, on } = event;
  if (transaction.fmv === null) raise(state, transaction.id, 'value_missing');
  const whole = sum(lots.map(remaining));
  const cash = spread(cents(dollars(transaction.amount)), lots.map(remaining), whole);
  const values = spread(cents(dollars(transaction.fmv)), lots.map(remaining), whole);
  lots.forEach((lot, index) => {
    const paid = cash[index] ?? nothing;
    const before = basisLeft(lot);
    const quantity = remaining(lot);
    const realized = paid.plus(values[index] ?? nothing).minus(before);
    const gain = most(nothing, least(realized, paid));
    rebase(lot, most(nothing, before.minus(paid).plus(gain)));
    if (gain.lte(0) || isRetirement(state, lot.account)) return;
    state.lines.push({
      saleId: transaction.id,
      asset: transaction.asset,
      assetClass: lot.assetClass,
      account: lot.account,
      quantity,
      acquired: lot.acquired,
      heldSince: lot.heldSince,
      inherited: lot.inherited,
      sold: on,
      on,
      proceeds: paid,
      basis: paid.minus(gain),
      adjustment: nothing,
      permanent: nothing,
      term: lot.inherited || isLongTerm(lot.heldSince, on) ? 'long' : 'short',
      shortSale: false,
      expired: null,
      basisUnknown: lot.basisUnknown,
    });
  });
}
