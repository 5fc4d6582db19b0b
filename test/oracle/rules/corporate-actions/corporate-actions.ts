import type { OracleEvent } from '../../events/events.ts';
import {
  cents,
  dollars,
  type Exact,
  isUnvalued,
  nothing,
  portion,
  spread,
  spreadUnits,
  sum,
  units,
  wholeUnits,
} from '../../numbers.ts';
import {
  familyOf,
  isContract,
  isRetirement,
  isSame,
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
import { splitPuts } from '../short-sales/puts.ts';
import { convertShortLosses } from '../wash-sales/short-losses.ts';
import {
  affectedLots,
  affectedShorts,
  firstToday,
  lowerBasis,
  makeWhole,
  multiply,
  raiseTooManyUnits,
} from './affected-lots.ts';
import { merge } from './merger.ts';

/** Applies an issuer's action to the account that the row names, or else to all accounts that hold the asset. */
export function applyAction(state: State, event: OracleEvent): void {
  switch (event.transaction.type) {
    case 'split':
      split(state, event);
      return;
    case 'rename':
      rename(state, event);
      return;
    case 'spinoff':
      spinOff(state, event);
      return;
    default:
      merge(state, event);
  }
}

/**
 * Multiplies the quantity of each lot by the ratio and keeps its basis and dates. If the row has an amount, the
 * fraction is sold for it.
 */
function split(state: State, event: OracleEvent): void {
  const { transaction } = event;
  const { asset, assetClass, account, quantity, amount } = transaction;
  const lots = affectedLots(state, event);
  const byShares = transaction.ratio === null;
  // The rows of an account state the ratio or the shares received. The first statement of a day counts.
  const family = familyOf(assetClass);
  const actionKey = (how: string, by: string): string => JSON.stringify(['split by', how, family, asset, by]);
  const other = byShares ? 'ratio' : 'shares';
  const notStatedOtherwise = <T extends { account: string }>(all: readonly T[]): T[] =>
    all.filter((one) => !state.actionsToday.has(actionKey(other, one.account)));
  const [ownLots, ownShorts] = [notStatedOtherwise(lots), notStatedOtherwise(affectedShorts(state, event))];
  const ratio = transaction.ratio ?? ratioOfShares(state, event, ownLots, ownShorts, lots.length > ownLots.length);
  if (ratio === null) return;
  if (raiseTooManyUnits(state, event, [...ownLots, ...ownShorts].map(remaining), ratio)) return;
  for (const one of [...ownLots, ...ownShorts])
    state.actionsToday.add(actionKey(byShares ? 'shares' : 'ratio', one.account));
  const times = (value: Exact): Exact => value.times(ratio.numerator.toString()).div(ratio.denominator.toString());
  const fresh = byShares ? ownLots : firstToday(state, event, ownLots);
  makeWhole(state, fresh);
  for (const one of new Set(fresh.map((lot) => lot.account))) {
    const lots = fresh.filter((lot) => lot.account === one);
    const dealt = spreadUnits(wholeUnits(times(sum(lots.map(remaining)))), lots.map(remaining));
    lots.forEach((lot, index) => {
      const quantity = dealt[index] ?? nothing;
      lot.used = lot.used.equals(lot.whole) ? quantity : wholeUnits(times(lot.used));
      lot.whole = quantity;
      lot.unit = {
        basis: lot.unit.basis.times(ratio.denominator.toString()),
        quantity: lot.unit.quantity.times(ratio.numerator.toString()),
      };
    });
  }
  for (const one of state.distributions.filter((paid) =>
    isSame({ asset: paid.asset, assetClass: 'fund' }, asset, assetClass),
  )) {
    if (fresh.some((lot) => lot.account === one.account)) one.shares = wholeUnits(times(one.shares));
  }
  for (const short of byShares ? ownShorts : firstToday(state, event, ownShorts, 'short')) multiply(short, ratio);
  const isStatedAlike = (one: string): boolean => !state.actionsToday.has(actionKey(other, one));
  splitPuts(state, event, (one) => (account === '' || one === account) && isStatedAlike(one), times);
  convertShortLosses(state, event, ratio);
  const from = account !== '' ? account : lots[0]?.account;
  if (quantity === null || amount === null || from === undefined) return;
  const isUnknown = isUnvalued(transaction);
  if (isUnknown && !isRetirement(state, from)) raise(state, transaction.id, 'value_missing');
  const proceeds = isUnknown ? nothing : dollars(amount).minus(dollars(transaction.fee));
  sell(state, event, { asset, assetClass, account: from, quantity: units(quantity), proceeds });
}

/**
 * Returns the ratio of shares received to the account's holdings at that time (negative if shares were removed), or to
 * its short shares if it has no lots.
 */
function ratioOfShares(
  state: State,
  event: OracleEvent,
  lots: readonly OracleLot[],
  shorts: readonly OracleShort[],
  counted: boolean,
): { numerator: Exact; denominator: Exact } | null {
  const { id, quantity, amount } = event.transaction;
  if (quantity === null || quantity === 0n || amount !== null) {
    raise(state, id, 'value_missing');
    return null;
  }
  const owned = sum(lots.map(remaining));
  const held = owned.gt(0) ? owned : sum(shorts.map(remaining));
  const now = held.plus(units(quantity));
  if (held.gt(0) && now.gt(0)) {
    state.impliedThisPass.set(`split ${id}`, now.div(held));
    return { numerator: now, denominator: held };
  }
  if (held.gt(0) || !counted) raise(state, id, 'unreconciled');
  return null;
}

/** Renames an asset and changes nothing else about it. */
function rename(state: State, event: OracleEvent): void {
  const lots = affectedLots(state, event);
  makeWhole(state, lots);
  const { asset, assetClass, receivedAsset } = event.transaction;
  const waiting = [...state.shortLosses, ...state.sales, ...state.soldPurchases].filter((loss) =>
    isSame({ asset: loss.asset, assetClass: loss.line.assetClass }, asset, assetClass),
  );
  const paid = state.distributions.filter(
    (one) =>
      isSame({ asset: one.asset, assetClass: 'fund' }, asset, assetClass) &&
      lots.some((lot) => lot.account === one.account),
  );
  for (const call of state.coveredCalls.filter((one) =>
    isSame({ asset: one.stock, assetClass: 'stock' }, asset, assetClass),
  ))
    call.stock = receivedAsset;
  const closed = state.closedShorts.filter((one) => isSame(one, asset, assetClass));
  for (const named of [...lots, ...affectedShorts(state, event), ...waiting, ...paid, ...closed])
    named.asset = receivedAsset;
  renameUnderlying(state, event);
}

/** Moves the issuer's fraction of each lot's basis to that lot's share of the new units, which keep the lot's dates. */
function spinOff(state: State, event: OracleEvent): void {
  const { transaction } = event;
  const { ratio, receivedAsset } = transaction;
  if (ratio === null) return;
  const share = (basis: Exact): Exact =>
    cents(basis.times(ratio.numerator.toString()).div(ratio.denominator.toString()));
  const [part, kept] = [ratio.numerator, ratio.denominator - ratio.numerator].map((of) => of.toString());
  const whole = ratio.denominator.toString();
  const holders = affectedLots(state, event);
  const lots = firstToday(state, event, holders);
  makeWhole(state, lots);
  const isCounted = holders.length > 0 && lots.length === 0;
  const owed = isCounted
    ? []
    : firstToday(state, event, affectedShorts(state, event), 'short').filter((short) => !short.written);
  if (lots.length + owed.length === 0) raise(state, transaction.id, 'unreconciled');
  if (owed.length > 0) oweBoth(state, event, owed, sum((lots.length > 0 ? lots : owed).map(remaining)));
  const received = spreadUnits(units(transaction.receivedQuantity), lots.map(remaining));
  lots.forEach((lot, index) => {
    const quantity = received[index] ?? nothing;
    const moved = share(lot.basis);
    const hidden = share(lot.hidden);
    const lossMoved = lot.gift === null ? nothing : share(lot.gift.lossBasis);
    const { unit } = lot;
    if (quantity.gt(0)) {
      state.lots.push({
        ...lot,
        id: `${transaction.id}/0:${lot.id}`,
        children: 0,
        origin: `${transaction.id}/0:${lot.id}`,
        transactionId: transaction.id,
        label: lot.label,
        asset: receivedAsset,
        whole: quantity,
        used: nothing,
        basis: moved,
        hidden,
        maturity: null,
        accretes: false,
        interestPaid: nothing,
        plan: undefined,
        unit: {
          basis: unit.basis.times(part ?? '0').times(lot.whole),
          quantity: unit.quantity.times(whole).times(quantity),
        },
        gift: lot.gift === null ? null : { ...lot.gift, lossBasis: lossMoved },
        purchasedOn: null,
      });
    }
    lot.basis = lot.basis.minus(moved);
    lot.hidden = lot.hidden.minus(hidden);
    lot.unit = { basis: unit.basis.times(kept ?? '0'), quantity: unit.quantity.times(whole) };
    if (lot.gift !== null) lot.gift = { ...lot.gift, lossBasis: lot.gift.lossBasis.minus(lossMoved) };
  });
}

/**
 * Adds the new shares to a short. The lender would hold the shares of both companies, so both are owed (Rev. Rul.
 * 72-521). The proceeds of the short sale are divided between them like a holder's basis. There was only one sale, so
 * the additional shares owed do not count as replacements.
 */
function oweBoth(state: State, event: OracleEvent, owed: readonly OracleShort[], received: Exact): void {
  const { ratio, receivedAsset, receivedQuantity } = event.transaction;
  if (ratio === null) return;
  const perUnit = { numerator: units(receivedQuantity), denominator: received };
  if (raiseTooManyUnits(state, event, owed.map(remaining), perUnit)) return;
  const times = (value: Exact): Exact => wholeUnits(value.times(perUnit.numerator).div(perUnit.denominator));
  const byAccount = [...owed].sort((a, b) =>
    a.account < b.account ? -1 : a.account > b.account ? 1 : a.order - b.order,
  );
  for (const short of byAccount) {
    const whole = times(remaining(short));
    if (whole.lte(0)) continue;
    const proceeds = portion(short.proceeds, short.taken, remaining(short), short.whole);
    const moved = cents(proceeds.times(ratio.numerator.toString()).div(ratio.denominator.toString()));
    state.shorts.push({
      ...short,
      origin: `${event.transaction.id}/0:${short.origin}`,
      order: state.position,
      byOption: false,
      asset: receivedAsset,
      whole,
      taken: nothing,
      proceeds: moved,
      longHeld: times(short.longHeld),
      shortHeld: times(short.shortHeld),
      usedAsReplacement: whole,
      claimed: times(short.claimed),
      answered: times(short.answered),
      inLieu: [],
    });
    Object.assign(short, { whole: remaining(short), taken: nothing, proceeds: proceeds.minus(moved) });
  }
}

/**
 * Reduces the basis of each lot by an amount per share. The excess is gain on that lot (Pub. 550, Nondividend
 * Distributions).
 */
export function returnCapital(state: State, event: OracleEvent): void {
  const { transaction } = event;
  if (transaction.amount === null) {
    raise(state, transaction.id, 'value_missing');
    return;
  }
  const lots = affectedLots(state, event);
  makeWhole(state, lots);
  const amount = settle(state, 'capital', transaction, dollars(transaction.amount));
  if (lots.length === 0) {
    raise(state, transaction.id, 'unreconciled');
    return;
  }
  const held = lots.map(remaining);
  const shares = spread(amount, held, sum(held));
  lots.forEach((lot, index) => {
    const excess = lowerBasis(lot, shares[index] ?? nothing);
    if (excess.lte(0) || isRetirement(state, lot.account) || isContract(lot.assetClass)) return;
    state.lines.push({ ...lineOfLot(event, lot), proceeds: excess });
  });
}
