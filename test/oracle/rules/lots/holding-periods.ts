import type { Day } from '../../../../src/base/day.ts';
import type { OracleEvent } from '../../events/events.ts';
import type { OracleLot, OracleShort, Slice, State } from '../../model.ts';
import { type Exact, isLongTerm, least, nothing, portion } from '../../numbers.ts';
import { familyOf, isRetirement, isSame, lotOf, remaining, takeFrom } from '../../state.ts';
import { partOfPlan, restOfPlan } from '../sales/plans.ts';

/** A short sale, or a put that counts as one. */
export type Against = Pick<OracleShort, 'asset' | 'assetClass' | 'opened' | 'whole' | 'taken'> & { claimed: Exact };

/**
 * Returns true for stocks and securities, to which the special rules apply (IRC 1233(e)(2)(A); Pub. 550, "Special
 * rules"). A coin is neither.
 */
export function isUnder1233(assetClass: OracleLot['assetClass']): boolean {
  return ['security', 'token'].includes(familyOf(assetClass));
}

export function identicalHeld(state: State, short: Against): OracleLot[] {
  return state.lots.filter(
    (lot) => isSame(lot, short.asset, short.assetClass) && !isRetirement(state, lot.account) && remaining(lot).gt(0),
  );
}

export function taintedLots(state: State, short: Against): OracleLot[] {
  return identicalHeld(state, short).filter((lot) => isTainted(lot, short.opened));
}

function isTainted(lot: OracleLot, opened: Day): boolean {
  // Acquired since then, regardless of any tacked period: (b)(2) applies "notwithstanding section 1223".
  return lot.cameOn > opened || (!lot.inherited && !isLongTerm(lot.heldSince, opened));
}

/**
 * Returns true for units that an earlier closing restarted. They were that closing's share of the quantity sold short.
 */
function isClaimed(lot: OracleLot, short: Against): boolean {
  return lot.restartedOn !== null && lot.restartedOn >= short.opened;
}

/**
 * Restarts the holding period of the property at the closing, in the order of acquisition and for no more than was sold
 * short (IRC 1233(b)(2)). Delivered units count toward that limit although they have no period left, and units sold
 * while the short was open have already counted.
 */
export function restartHolding(
  state: State,
  event: OracleEvent,
  closed: { readonly short: Against; readonly quantity: Exact; readonly of: Exact },
  handedOver: { readonly lot: OracleLot | null; quantity: Exact }[],
): void {
  const { short } = closed;
  if (isRetirement(state, event.transaction.account) || !isUnder1233(short.assetClass)) return;
  let left = least(closed.quantity, closed.of.minus(short.claimed));
  short.claimed = short.claimed.minus(closed.quantity.minus(left));
  const gone = handedOver.flatMap((one) =>
    one.lot !== null && isTainted(one.lot, short.opened) && !isClaimed(one.lot, short)
      ? [{ lot: one.lot, quantity: one.quantity, open: null, gone: one }]
      : [],
  );
  const open = taintedLots(state, short)
    .filter((lot) => !isClaimed(lot, short) && lot.cameOn <= event.on)
    .map((lot) => ({ lot, quantity: remaining(lot), open: lot, gone: null }));
  for (const one of inOrder([...gone, ...open], event.transaction.account)) {
    const part = least(left, one.quantity);
    if (part.lte(0)) continue;
    left = left.minus(part);
    if (one.gone !== null) one.gone.quantity = one.gone.quantity.minus(part);
    if (one.open === null || one.open.heldSince > event.on) continue;
    const restarted = { heldSince: event.on, brokerSince: event.on, restartedOn: event.on };
    if (part.equals(remaining(one.open))) Object.assign(one.open, restarted);
    else state.lots.push(lotOf(takeFrom(one.open, part), one.open, restarted));
  }
}

/**
 * Restarts the holding period of units that are disposed of before the closing, beginning with the disposal
 * (1233(b)(2), "whichever date occurs first"; Pub. 550, "Short Sales", Rule 2). Returns the affected quantity of each
 * slice. Units that remain held are handled at the closing.
 */
export function restartedBySale(
  state: State,
  of: {
    readonly asset: string;
    readonly assetClass: OracleLot['assetClass'];
    readonly account: string;
    readonly on: Day;
  },
  slices: readonly Slice[],
): Map<Slice, Exact> {
  const restarted = new Map<Slice, Exact>();
  if (isRetirement(state, of.account) || !isUnder1233(of.assetClass)) return restarted;
  const left = new Map<Slice | OracleLot, Exact>();
  const sold = slices.flatMap((slice) =>
    slice.lot === null ? [] : [{ lot: slice.lot, of: slice as Slice | OracleLot }],
  );
  for (const slice of slices) left.set(slice, slice.quantity);
  const shorts = state.shorts.filter((short) => !short.written && isSame(short, of.asset, of.assetClass));
  const puts: Against[] = state.puts
    .filter((put) => isSame({ asset: put.asset, assetClass: 'stock' }, of.asset, of.assetClass))
    .map((put) => Object.assign(put, { assetClass: 'stock' as const }));
  for (const short of [...[...shorts].sort((a, b) => a.order - b.order), ...puts]) {
    let free = remaining(short).minus(short.claimed);
    const held = taintedLots(state, short).map((lot) => ({ lot, of: lot as Slice | OracleLot }));
    for (const { lot, of: part } of inOrder([...sold, ...held], of.account)) {
      const most = left.get(part) ?? remaining(lot);
      const units = least(free, most);
      if (units.lte(0) || !isTainted(lot, short.opened) || isClaimed(lot, short)) continue;
      left.set(part, most.minus(units));
      free = free.minus(units);
      const slice = slices.find((one) => one === part);
      if (slice === undefined) continue;
      short.claimed = short.claimed.plus(units);
      restarted.set(slice, (restarted.get(slice) ?? nothing).plus(units));
    }
  }
  return restarted;
}

/** Splits a slice in two: the units whose period restarts, and all other units. */
export function divide(slice: Slice, units: Exact): Slice[] {
  if (units.lte(0) || units.equals(slice.quantity)) return [slice];
  const basis = portion(slice.basis, nothing, units, slice.quantity);
  const lossBasis = slice.lossBasis === null ? null : portion(slice.lossBasis, nothing, units, slice.quantity);
  const lossRemainder = lossBasis === null ? null : (slice.lossBasis?.minus(lossBasis) ?? null);
  const hidden = portion(slice.hidden, nothing, units, slice.quantity);
  const paid = slice.interestPaid ?? nothing;
  const interestPaid = portion(paid, nothing, units, slice.quantity);
  const plan = partOfPlan(slice.plan, nothing, units, slice.quantity);
  const others = {
    plan: restOfPlan(slice.plan, plan),
    interestPaid: paid.minus(interestPaid),
    basis: slice.basis.minus(basis),
    hidden: slice.hidden.minus(hidden),
    lossBasis: lossRemainder,
  };
  return [
    { ...slice, quantity: units, basis, hidden, interestPaid, plan, lossBasis },
    { ...slice, quantity: slice.quantity.minus(units), ...others },
  ];
}

/** Sorts by acquisition. Within one purchase, lots in the closing account come first. */
function inOrder<T extends { readonly lot: OracleLot }>(property: readonly T[], account: string): T[] {
  const elsewhere = (lot: OracleLot): number => (lot.account === account ? 0 : 1);
  return [...property].sort(
    ({ lot: a }, { lot: b }) =>
      a.cameOn - b.cameOn ||
      a.order - b.order ||
      elsewhere(a) - elsewhere(b) ||
      (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  );
}
