import { tradeFee } from './acquire.ts';
import { rebase } from './corporate.ts';
import { cover } from './cover.ts';
import { sell } from './dispose.ts';
import type { OracleEvent } from './events.ts';
import { heldLots, sorted, takeLots } from './lots.ts';
import { cents, dollars, type Exact, isLongTerm, least, most, nothing, spread, sum, units } from './numbers.ts';
import { optionOf } from './option.ts';
import { closeWritten, endWritten } from './shorts.ts';
import {
  basisLeft,
  dropEmpty,
  isContract,
  isRetirement,
  isSame,
  type OracleLine,
  raise,
  remaining,
  type State,
} from './state.ts';
import { sharesDelivered } from './wash.ts';

/** What closes positions or lets lots go. */
export function dispose(state: State, event: OracleEvent): void {
  const { transaction } = event;
  const { type, asset, assetClass, account } = transaction;
  const quantity = units(transaction.quantity);
  if (type === 'fee' && (asset === '' || quantity.lte(0))) return;
  if (type === 'reported_sale') {
    reportAsTold(state, event);
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
    endWritten(state, event, quantity, dollars(transaction.amount).plus(tradeFee(event)), false);
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
  if (type === 'gift_out' || type === 'donate' || type === 'lost') {
    const slices = takeLots(state, event, { asset, assetClass, account, quantity, named });
    dropEmpty(state);
    if (slices.some((slice) => slice.lot === null)) raise(state, transaction.id, 'oversold');
    if (type === 'lost') raise(state, transaction.id, 'loss_event');
    return;
  }
  if (transaction.amount === null && type !== 'worthless') raise(state, transaction.id, 'value_missing');
  sell(state, event, { asset, assetClass, account, quantity, proceeds: proceedsOf(event), named });
}

/** Amount less fee. A fee withheld from the units given is in neither: their value never arrived. */
function proceedsOf(event: OracleEvent): Exact {
  const { transaction } = event;
  if (transaction.type === 'worthless') return nothing;
  const amount = dollars(transaction.amount);
  if (transaction.type === 'trade' && transaction.feeAsset === transaction.asset) return amount;
  return amount.minus(tradeFee(event));
}

/** Held options first, then written ones; either way the loss or gain falls on the day of expiry. */
function expire(state: State, event: OracleEvent, quantity: Exact): void {
  const { transaction } = event;
  const { asset, assetClass, account } = transaction;
  const held = sum(heldLots(state, account, asset, assetClass, event.on).map(remaining));
  const own = least(held, quantity);
  if (own.gt(0)) sell(state, event, { asset, assetClass, account, quantity: own, proceeds: nothing, expired: true });
  const rest = quantity.minus(own);
  if (rest.gt(0)) endWritten(state, event, rest, nothing, true);
}

/** An assigned call's premium joins the proceeds, an exercised put's cost leaves them (Pub. 550, Table 4-3). */
function deliverStock(state: State, event: OracleEvent, contracts: Exact): void {
  const { transaction } = event;
  const { asset, assetClass, account } = transaction;
  let proceeds = dollars(transaction.amount).minus(tradeFee(event));
  if (transaction.type === 'exercise') {
    const slices = takeLots(state, event, { asset, assetClass, account, quantity: contracts, named: [] });
    dropEmpty(state);
    if (slices.some((slice) => slice.lot === null)) raise(state, transaction.id, 'option_not_open');
    proceeds = proceeds.minus(sum(slices.map((slice) => slice.basis)));
  } else {
    proceeds = proceeds.plus(closeWritten(state, event, contracts).premium);
  }
  sell(state, event, {
    asset: optionOf(transaction).underlying,
    assetClass: 'stock',
    account,
    quantity: sharesDelivered(transaction),
    proceeds,
    named: transaction.lots,
  });
}

/** A broker's own line stands as the broker told it; it moves no lot. */
function reportAsTold(state: State, event: OracleEvent): void {
  const { transaction, on } = event;
  if (isRetirement(state, transaction.account)) return;
  if (transaction.basis === null) raise(state, transaction.id, 'basis_missing');
  if (transaction.amount === null) raise(state, transaction.id, 'value_missing');
  const acquired = transaction.acquired ?? on;
  state.lines.push({
    ...lineBase(event),
    acquired,
    heldSince: acquired,
    quantity: units(transaction.quantity),
    proceeds: cents(dollars(transaction.amount).minus(tradeFee(event))),
    basis: cents(dollars(transaction.basis)),
    adjustment: cents(dollars(transaction.wash)),
    term: transaction.term ?? (isLongTerm(acquired, on) ? 'long' : 'short'),
    basisUnknown: transaction.basis === null,
  });
}

/** So much a share off the basis of each lot; what goes beyond is gain on that lot (Pub. 550, Nondividend Distributions). */
function returnCapital(state: State, event: OracleEvent): void {
  const { transaction, on } = event;
  const { account, asset, assetClass } = transaction;
  const lots = sorted(
    state.lots.filter((lot) => isSame(lot, asset, assetClass) && (account === '' || lot.account === account)),
    'FIFO',
  );
  if (lots.length === 0) {
    raise(state, transaction.id, 'oversold');
    return;
  }
  const shares = spread(cents(dollars(transaction.amount)), lots.map(remaining), sum(lots.map(remaining)));
  lots.forEach((lot, index) => {
    const share = shares[index] ?? nothing;
    const before = basisLeft(lot);
    const excess = most(nothing, share.minus(before));
    const { gift } = lot;
    const lossLeft = gift === null ? nothing : cents(gift.lossBasis.times(remaining(lot)).div(lot.whole));
    rebase(lot, most(nothing, before.minus(share)));
    if (gift !== null) lot.gift = { ...gift, lossBasis: most(nothing, lossLeft.minus(share)) };
    if (excess.lte(0) || isRetirement(state, lot.account) || isContract(assetClass)) return;
    state.lines.push({
      ...lineBase(event),
      account: lot.account,
      acquired: lot.acquired,
      heldSince: lot.heldSince,
      inherited: lot.inherited,
      proceeds: excess,
      term: lot.inherited || isLongTerm(lot.heldSince, on) ? 'long' : 'short',
      basisUnknown: lot.basisUnknown,
    });
  });
}

function lineBase(event: OracleEvent): OracleLine {
  const { transaction, on } = event;
  return {
    saleId: transaction.id,
    asset: transaction.asset,
    assetClass: transaction.assetClass,
    account: transaction.account,
    quantity: nothing,
    acquired: on,
    heldSince: on,
    inherited: false,
    sold: on,
    on,
    proceeds: nothing,
    basis: nothing,
    adjustment: nothing,
    permanent: nothing,
    term: 'short',
    shortSale: false,
    expired: null,
    basisUnknown: false,
  };
}

/** A section 1256 contract is taken as sold for its value on the last business day of the year (IRC 1256(a)(1)). */
export function mark(state: State, event: OracleEvent): void {
  const { transaction, on } = event;
  const { account, asset, assetClass } = transaction;
  const value = cents(dollars(transaction.fmv ?? transaction.amount));
  const lots = sorted(
    state.lots.filter((lot) => isSame(lot, asset, assetClass) && lot.account === account),
    'FIFO',
  );
  const values = spread(value, lots.map(remaining), sum(lots.map(remaining)));
  lots.forEach((lot, index) => {
    const fmv = values[index] ?? nothing;
    if (!isRetirement(state, account)) state.contracts.push({ on, gain: fmv.minus(basisLeft(lot)) });
    rebase(lot, fmv);
  });
}
