import type { OracleEvent } from '../../events/events.ts';
import { dollars, type Exact, least, nothing, spread, sum, units } from '../../numbers.ts';
import {
  dropEmpty,
  familyOf,
  isDigital,
  isRetirement,
  isSame,
  lotOf,
  type OracleLot,
  placeOf,
  raise,
  remaining,
  type State,
  type Transit,
  takeFrom,
  universal,
} from '../../state.ts';
import { heldLots, sorted } from '../lots/lots.ts';
import { takeLots } from '../lots/take.ts';
import { openLot, tradeFee } from '../sales/acquire.ts';
import { isMoney, moveMoney, payFeeInMoney } from '../sales/currency.ts';
import { sell } from '../sales/dispose.ts';
import { allocate, isAllocation } from './allocation.ts';

/** The number of days after a withdrawal in which its deposit may arrive. */
const pairingDays = 7;

/**
 * Moves units between the taxpayer's accounts with their dates and basis (1.1012-1(j): the day of arrival does not
 * matter).
 */
export function move(state: State, event: OracleEvent): void {
  const { transaction } = event;
  if (isMoney(event)) {
    moveMoney(state, event);
    return;
  }
  if (transaction.type === 'deposit') {
    arrive(state, event);
    return;
  }
  const transit: Transit = { withdrawal: transaction, on: event.on, account: `IN TRANSIT ${transaction.id}` };
  carry(state, event, transaction.type === 'transfer' ? transaction.toAccount : transit.account);
  if (transaction.type === 'withdrawal' && !meetArrival(state, event, transit)) state.transits.push(transit);
}

/**
 * Matches a withdrawal with an earlier deposit on the same day that was not sold since, because the clocks of two
 * exchanges differ.
 */
function meetArrival(state: State, event: OracleEvent, transit: Transit): boolean {
  const { withdrawal } = transit;
  const met = state.arrivals.find(
    ({ transaction, lot }) =>
      isSame(transaction, withdrawal.asset, withdrawal.assetClass) &&
      state.lots.includes(lot) &&
      remaining(lot).equals(units(transaction.quantity)) &&
      (transaction.quantity === withdrawal.quantity || lessFee(withdrawal).equals(units(transaction.quantity))),
  );
  if (met === undefined) return false;
  state.arrivals = state.arrivals.filter((one) => one !== met);
  state.lots = state.lots.filter((lot) => lot !== met.lot);
  landOrDistribute(state, transit, event, met.lot.account, units(met.transaction.quantity));
  land(state, transit, event, withdrawal.account, null);
  return true;
}

function carry(state: State, event: OracleEvent, to: string): void {
  const { asset, assetClass, account, quantity, lots } = event.transaction;
  const place = placeOf(state, to, assetClass, event.on);
  if (place === placeOf(state, account, assetClass, event.on)) return;
  if (isAllocation(event)) {
    allocate(state, event, place);
    return;
  }
  let unexplained = nothing;
  const moved: OracleLot[] = [];
  for (const slice of takeLots(state, event, { asset, assetClass, account, quantity: units(quantity), named: lots })) {
    if (slice.source === null) unexplained = unexplained.plus(slice.quantity);
    else moved.push(lotOf(slice, slice.source, { account: place, covered: goesAlong(slice.source) }));
  }
  dropEmpty(state);
  if (feeJoins(state, event)) joinFee(state, event, moved);
  if (isDistribution(state, account, to)) {
    distribute(state, event, units(quantity), to);
    return;
  }
  askByNames(state, event, account, to);
  if (isContribution(state, account, to)) raise(state, event.transaction.id, 'contribution_in_kind');
  state.lots.push(...moved);
  dropEmpty(state);
  if (unexplained.lte(0)) return;
  raise(state, event.transaction.id, 'oversold');
  openUnexplained(state, event, unexplained, to);
}

/**
 * Distributes units from an IRA. "Any amount paid or distributed out of an individual retirement plan shall be included
 * in gross income by the payee" (IRC 408(d)(1)): their basis is their taxed value, and their holding period begins on
 * that day.
 */
function distribute(state: State, event: OracleEvent, quantity: Exact, account: string): void {
  const { fmv, id } = event.transaction;
  if (fmv === null) raise(state, id, 'value_missing');
  const opening = { quantity, account, basis: dollars(fmv), basisUnknown: fmv === null };
  openLot(state, event, { ...opening, purchasedOn: null, covered: false });
}

function isDistribution(state: State, from: string, to: string): boolean {
  return isRetirement(state, from) && !isRetirement(state, to) && !to.startsWith('IN TRANSIT');
}

/**
 * Returns true for property moved into an IRA, about which the taxpayer is asked: "No contribution will be accepted
 * unless it is in cash" (IRC 408(a)(1)).
 */
function isContribution(state: State, from: string, to: string): boolean {
  if (isRetirement(state, from)) return false;
  return isRetirement(state, to) || (isOnlyNamed(state, to) && !isOnlyNamed(state, from));
}

/**
 * Asks about units that leave an account that is only named like an IRA. If it is one, the basis is the value on that
 * day (408(d)(1)).
 */
function askByNames(state: State, event: OracleEvent, from: string, to: string): void {
  const isTaxable = !isRetirement(state, to) && !isOnlyNamed(state, to) && !to.startsWith('IN TRANSIT');
  if (isOnlyNamed(state, from) && isTaxable) raise(state, event.transaction.id, 'unreconciled');
}

/** Returns true if an account is named like a retirement or health account but its type is not stated. */
function isOnlyNamed({ rules }: State, account: string): boolean {
  return rules.accounts[account] === undefined && /\b(?:IRA|Roth|HSA|401\(?k\)?)(?!['’])/i.test(account);
}

/**
 * Matches a deposit with its withdrawal: same asset and quantity (or less by the fee), within a week, earliest first.
 */
function arrive(state: State, event: OracleEvent): void {
  const { transaction, on } = event;
  const { asset, assetClass, account, quantity } = transaction;
  const open = state.transits.filter(
    ({ withdrawal, on: left }) =>
      withdrawal.asset === asset &&
      familyOf(withdrawal.assetClass) === familyOf(assetClass) &&
      on - left <= pairingDays &&
      (withdrawal.at === null || transaction.at === null || withdrawal.at <= transaction.at),
  );
  const transit =
    open.find(({ withdrawal }) => withdrawal.quantity === quantity) ??
    open.find(({ withdrawal }) => withdrawal.feeAsset === asset && lessFee(withdrawal).equals(units(quantity)));
  if (transit === undefined) {
    const lot = openUnexplained(state, event, units(quantity), account);
    if (lot !== null) state.arrivals.push({ transaction, lot });
    return;
  }
  state.transits = state.transits.filter((one) => one !== transit);
  landOrDistribute(state, transit, event, account, units(quantity));
  land(state, transit, event, transit.withdrawal.account, null);
}

function lessFee(withdrawal: Transit['withdrawal']): Exact {
  const inKind = withdrawal.feeAsset === withdrawal.asset ? units(withdrawal.feeQuantity) : nothing;
  return units(withdrawal.quantity).minus(inKind);
}

function landOrDistribute(state: State, transit: Transit, event: OracleEvent, to: string, quantity: Exact): void {
  if (!isDistribution(state, transit.withdrawal.account, to)) {
    askByNames(state, event, transit.withdrawal.account, to);
    if (isContribution(state, transit.withdrawal.account, to)) {
      raise(state, event.transaction.id, 'contribution_in_kind');
    }
    land(state, transit, event, to, quantity);
    return;
  }
  const { asset, assetClass } = event.transaction;
  takeLots(state, event, { asset, assetClass, account: transit.account, quantity, named: [] });
  dropEmpty(state);
  distribute(state, event, quantity, to);
}

function land(state: State, transit: Transit, event: OracleEvent, to: string, quantity: Exact | null): void {
  const { asset, assetClass } = event.transaction;
  let left = quantity;
  for (const lot of sorted(heldLots(state, transit.account, asset, assetClass), 'FIFO')) {
    const part = left === null ? remaining(lot) : least(left, remaining(lot));
    if (part.lte(0)) continue;
    state.lots.push(
      lotOf(takeFrom(lot, part), lot, { account: placeOf(state, to, assetClass, event.on), covered: goesAlong(lot) }),
    );
    if (left !== null) left = left.minus(part);
  }
  dropEmpty(state);
}

/**
 * Returns true if, by election, the cost of the fee's own units is added to the units moved. It is not added if nothing
 * is moved (P8).
 */
function feeJoins(state: State, event: OracleEvent): boolean {
  const { type, asset, assetClass, account, toAccount, feeAsset } = event.transaction;
  if (state.rules.transferFees !== 'joins_basis' || feeAsset !== asset) return false;
  const from = placeOf(state, account, assetClass, event.on);
  if (type === 'withdrawal') return from !== universal;
  return type === 'transfer' && from !== placeOf(state, toAccount, assetClass, event.on);
}

function joinFee(state: State, event: OracleEvent, moved: readonly OracleLot[]): void {
  const { asset, assetClass, account, feeQuantity, id } = event.transaction;
  const paid = takeLots(state, event, { asset, assetClass, account, quantity: units(feeQuantity), named: [] });
  if (paid.some((slice) => slice.lot === null)) raise(state, id, 'oversold');
  const parts = moved.map(remaining);
  const shares = spread(sum(paid.map((slice) => slice.basis)), parts, sum(parts));
  moved.forEach((lot, index) => {
    const share = shares[index] ?? nothing;
    const { unit, whole } = lot;
    if (share.isZero()) return;
    lot.basis = lot.basis.plus(share);
    if (lot.gift !== null) lot.gift = { ...lot.gift, lossBasis: lot.gift.lossBasis.plus(share) };
    lot.unit = {
      basis: unit.basis.times(whole).plus(share.times(unit.quantity)),
      quantity: unit.quantity.times(whole),
    };
  });
}

function openUnexplained(state: State, event: OracleEvent, quantity: Exact, account: string): OracleLot | null {
  return openLot(state, event, {
    quantity,
    account,
    basis: nothing,
    basisUnknown: true,
    purchasedOn: null,
    covered: false,
  });
}

/** Raises issues for withdrawals without a deposit: the taxpayer still owns those units, in transit. */
export function raiseUnpaired(state: State): void {
  for (const transit of state.transits) raise(state, transit.withdrawal.id, 'transfer_unpaired');
}

/** Disposes of the units that pay a fee at their value (1.1001-7(b)(1)(ii)), reduced by the cost of that disposal. */
export function payFee(state: State, event: OracleEvent): void {
  const { transaction } = event;
  const { type, asset, assetClass, account } = transaction;
  const feeAsset = transaction.feeAsset === '' ? asset : transaction.feeAsset;
  // If the fee is withheld from the units given, all given units are sold together. If it is withheld from the units
  // received, they are sold at the receipt.
  if (type === 'trade' && (feeAsset === asset || feeAsset === transaction.receivedAsset)) return;
  const quantity = units(transaction.feeQuantity);
  if (isMoney(event) && quantity.gt(0)) {
    payFeeInMoney(state, event, feeAsset);
    return;
  }
  if (quantity.lte(0) || feeJoins(state, event)) return;
  if (transaction.fee === null && !isRetirement(state, account)) raise(state, transaction.id, 'value_missing');
  sell(state, event, { asset: feeAsset, assetClass, account, quantity, proceeds: tradeFee(event) });
}

/** Returns true for securities, whose cost a transfer statement reports (IRC 6045A(a)). */
function goesAlong(lot: OracleLot): boolean {
  return lot.covered && !isDigital(lot.assetClass);
}
