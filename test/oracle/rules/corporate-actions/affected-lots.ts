import type { OracleEvent } from '../../events/events.ts';
import { type Exact, most, nothing, portion, sum, wholeUnits } from '../../numbers.ts';
import {
  basisLeft,
  familyOf,
  isSame,
  type OracleLot,
  type OracleShort,
  placeOf,
  raise,
  rebase,
  remaining,
  type State,
} from '../../state.ts';
import { settleAverages, sorted } from '../lots/lots.ts';

/** Returns the lots that an action affects, sorted by account and then from oldest to newest. */
export function affectedLots(state: State, event: OracleEvent): OracleLot[] {
  const { account, asset, assetClass } = event.transaction;
  const place = placeOf(state, account, assetClass, event.on);
  const lots = state.lots.filter((lot) => isSame(lot, asset, assetClass) && (account === '' || lot.account === place));
  const accounts = [...new Set(lots.map((lot) => lot.account))].sort();
  const inOrder = accounts.flatMap((one) =>
    sorted(
      lots.filter((lot) => lot.account === one),
      'FIFO',
    ),
  );
  return inOrder;
}

/**
 * Ends averaging only for the shares that an action changes. The remaining quantity of each lot becomes its whole
 * quantity.
 */
export function makeWhole(state: State, lots: readonly OracleLot[]): void {
  settleAverages(state, (account, asset) => !lots.some((lot) => lot.account === account && lot.asset === asset));
  for (const lot of lots) rebase(lot);
}

/**
 * Returns the positions to which this action has not been applied today. An action that several accounts report is
 * applied once to each account.
 */
export function firstToday<T extends { account: string }>(
  state: State,
  event: OracleEvent,
  positions: readonly T[],
  what = '',
): T[] {
  const { type, asset, assetClass, receivedAsset, ratio } = event.transaction;
  const nameOf = (account: string): string =>
    JSON.stringify([
      what,
      type,
      familyOf(assetClass),
      asset,
      receivedAsset,
      `${ratio?.numerator}:${ratio?.denominator}`,
      account,
    ]);
  const fresh = positions.filter((position) => !state.actionsToday.has(nameOf(position.account)));
  for (const position of fresh) state.actionsToday.add(nameOf(position.account));
  return fresh;
}

/** Reduces the basis of a lot, but not below zero, and returns the excess. */
export function lowerBasis(lot: OracleLot, share: Exact): Exact {
  const beyond = share.minus(basisLeft(lot));
  const { unit } = lot;
  lot.unit = {
    basis: most(nothing, unit.basis.times(lot.whole).minus(share.times(unit.quantity))),
    quantity: unit.quantity.times(lot.whole),
  };
  lot.basis = most(nothing, lot.basis.minus(share));
  if (lot.gift !== null) lot.gift = { ...lot.gift, lossBasis: most(nothing, lot.gift.lossBasis.minus(share)) };
  return most(nothing, beyond);
}

export function affectedShorts(state: State, event: OracleEvent): OracleShort[] {
  const { account, asset, assetClass } = event.transaction;
  return state.shorts.filter(
    (short) => isSame(short, asset, assetClass) && (account === '' || short.account === account),
  );
}

/**
 * Returns true if an action would result in 10³⁰ units or more, long and short together. In that case the row must be a
 * mistake: the action changes nothing, and the row gets an issue.
 */
export function raiseTooManyUnits(
  state: State,
  event: OracleEvent,
  before: readonly Exact[],
  ratio: { numerator: bigint | Exact; denominator: bigint | Exact },
): boolean {
  const after = sum(before).times(ratio.numerator.toString()).div(ratio.denominator.toString());
  if (wholeUnits(after).lt('1e30')) return false;
  raise(state, event.transaction.id, 'unreconciled');
  return true;
}

export function multiply(short: OracleShort, ratio: { numerator: bigint | Exact; denominator: bigint | Exact }): void {
  const times = (value: Exact): Exact =>
    wholeUnits(value.times(ratio.numerator.toString()).div(ratio.denominator.toString()));
  short.proceeds = portion(short.proceeds, short.taken, remaining(short), short.whole);
  short.whole = times(remaining(short));
  short.taken = nothing;
  short.longHeld = times(short.longHeld);
  short.shortHeld = times(short.shortHeld);
  short.usedAsReplacement = times(short.usedAsReplacement);
  short.claimed = times(short.claimed);
  short.answered = times(short.answered);
}
