import type { Day } from '../../src/base/day.ts';
import type { AssetClass, IssueKind } from '../../src/engine/model.ts';
import type { OracleEvent } from './events/events.ts';
import type { OracleLine, OracleLot, Slice, State } from './model.ts';
import { cents, Exact, isLongTerm, newYear2025, nothing, portion } from './numbers.ts';
import { isOnNoForm } from './rules/lines/no-form.ts';
import { partOfPlan } from './rules/sales/plans.ts';

export type * from './model.ts';

export const universal = 'UNIVERSAL';

export function remaining(position: { whole: Exact; taken: Exact }): Exact {
  return position.whole.minus(position.taken);
}

/** Takes `quantity` from a lot and returns the part that left. */
export function takeFrom(lot: OracleLot, quantity: Exact): Slice {
  const basis = portion(lot.basis, lot.taken, quantity, lot.whole);
  const lossBasis = lot.gift === null ? null : portion(lot.gift.lossBasis, lot.taken, quantity, lot.whole);
  const hidden = portion(lot.hidden, lot.taken, quantity, lot.whole);
  const interestPaid = portion(lot.interestPaid, lot.taken, quantity, lot.whole);
  const plan = partOfPlan(lot.plan, lot.taken, quantity, lot.whole);
  const used = Exact.min(lot.used, quantity);
  const slice = { lot: { ...lot }, source: lot, quantity, basis, hidden, interestPaid, plan, lossBasis, used };
  lot.taken = lot.taken.plus(quantity);
  lot.used = lot.used.minus(used);
  return slice;
}

export function basisLeft(lot: OracleLot): Exact {
  return portion(lot.basis, lot.taken, remaining(lot), lot.whole);
}

export function hiddenLeft(lot: OracleLot): Exact {
  return portion(lot.hidden, lot.taken, remaining(lot), lot.whole);
}

export function interestPaidLeft(lot: OracleLot): Exact {
  return portion(lot.interestPaid, lot.taken, remaining(lot), lot.whole);
}

/** Creates a lot for the units taken from a lot: the same lot if all of it was taken, or else a part named after it. */
export function lotOf(slice: Slice, lot: OracleLot, changes: Partial<OracleLot> = {}): OracleLot {
  const gift = lot.gift === null || slice.lossBasis === null ? null : { ...lot.gift, lossBasis: slice.lossBasis };
  const all = remaining(lot).lte(0);
  const id = all ? lot.id : `${lot.id}${'abcdefghijklmnopqrstuvwxyz'[lot.children] ?? `~${lot.children}`}`;
  const children = all ? lot.children : 0;
  if (!all) lot.children += 1;
  const { quantity: whole, basis, hidden, used, interestPaid = nothing, plan } = slice;
  // Uses the lot's state when it left, because the averaged basis has been reallocated since.
  const { unit } = slice.lot ?? lot;
  const amounts = { basis, hidden, interestPaid, plan };
  return { ...lot, id, children, whole, taken: nothing, ...amounts, unit, used, gift, ...changes };
}

/** Makes the remaining quantity the lot's whole, and counts portions from zero. */
export function rebase(lot: OracleLot): void {
  const left = remaining(lot);
  const lossBasis = lot.gift === null ? nothing : portion(lot.gift.lossBasis, lot.taken, left, lot.whole);
  lot.hidden = hiddenLeft(lot);
  lot.interestPaid = interestPaidLeft(lot);
  lot.plan = partOfPlan(lot.plan, lot.taken, left, lot.whole);
  lot.basis = basisLeft(lot);
  if (lot.gift !== null) lot.gift = { ...lot.gift, lossBasis };
  lot.whole = left;
  lot.taken = nothing;
}

/**
 * Returns the whole cents of an amount. Fractions of a cent are added to the next amount with a fraction, so sums are
 * preserved.
 */
export function settle(
  state: State,
  what: string,
  of: { asset: string; assetClass: AssetClass },
  amount: Exact,
): Exact {
  if (cents(amount).equals(amount)) return amount;
  const name = `${what} ${familyOf(of.assetClass)}:${of.asset}`;
  const exact = amount.plus(state.remainders.get(name) ?? nothing);
  const settled = cents(exact);
  state.remainders.set(name, exact.minus(settled));
  return settled;
}

export function dropEmpty(state: State): void {
  state.lots = state.lots.filter((lot) => remaining(lot).gt(0));
  state.shorts = state.shorts.filter((short) => remaining(short).gt(0));
}

export function isRetirement(state: State, account: string): boolean {
  const type = state.rules.accounts[account]?.type;
  return type === 'ira' || type === 'roth_ira' || type === 'hsa' || type === '401k';
}

export function isDigital(assetClass: AssetClass): boolean {
  return assetClass === 'crypto' || assetClass === 'nft' || assetClass === 'tokenized_security';
}

export function isContract(assetClass: AssetClass): boolean {
  return assetClass === 'section_1256' || assetClass === 'future';
}

/**
 * Returns the family of a class. A coin and a stock with one name are two assets, but a stock and a fund with one name
 * are one.
 */
export function familyOf(assetClass: AssetClass): string {
  if (assetClass === 'crypto' || assetClass === 'nft') return 'coin';
  if (assetClass === 'tokenized_security') return 'token';
  if (assetClass === 'currency') return 'currency';
  return isContract(assetClass) ? 'contract' : 'security';
}

export function isSame(a: { asset: string; assetClass: AssetClass }, asset: string, assetClass: AssetClass): boolean {
  return a.asset === asset && familyOf(a.assetClass) === familyOf(assetClass);
}

/**
 * Returns the place that holds a lot. Before 2025, coins may be in one pool (Rev. Proc. 2024-28 section 2). The pool
 * excludes coins in an IRA, which is a separate taxpayer (IRC 408(e)), and tokenized securities, which are kept by
 * account (IRC 1012(c)(1)).
 */
export function placeOf(state: State, account: string, assetClass: AssetClass, on: Day): string {
  const accountRules = state.rules.accounts[account];
  // Accounts that form one wallet pool their coins (P13). Stock is kept by account, and an IRA is separate.
  const wallet = isDigital(assetClass) && !isRetirement(state, account) ? (accountRules?.wallet ?? account) : account;
  const pooled =
    state.rules.digitalAssetScopeBefore2025 === 'universal' &&
    (assetClass === 'crypto' || assetClass === 'nft') &&
    !isRetirement(state, account) &&
    on < newYear2025;
  return pooled ? universal : wallet;
}

export function raise(state: State, transactionId: string, kind: IssueKind): void {
  state.issues.push({ transactionId, kind });
}

/** Returns a line for a day, before its quantity and amounts are known. */
export function lineOfEvent(event: OracleEvent): OracleLine {
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
    hidden: nothing,
    brokerSince: on,
    isReported: false,
    adjustment: nothing,
    code: '',
    permanent: nothing,
    term: 'short',
    shortSale: false,
    expired: null,
    basisUnknown: false,
    covered: false,
    onNoForm: isOnNoForm(transaction),
    stated: null,
  };
}

export function lineOfLot(event: OracleEvent, lot: OracleLot): OracleLine {
  const { acquired, heldSince, inherited, assetClass, account, basisUnknown, covered } = lot;
  const term = inherited || isLongTerm(heldSince, event.on) ? 'long' : 'short';
  const dates = { acquired, heldSince, brokerSince: heldSince };
  return { ...lineOfEvent(event), ...dates, inherited, assetClass, account, basisUnknown, covered, term };
}
