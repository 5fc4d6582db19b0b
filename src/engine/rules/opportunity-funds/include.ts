import { addDays, type Day, formatDay, yearMax, yearOf } from '../../../base/day.ts';
import { type Cents, divideRounded, formatCents, proportion } from '../../../base/decimal.ts';
import { createAllocator, least, most } from '../../book/amounts.ts';
import { freezeAverage } from '../../book/averages.ts';
import type { OpenLot } from '../../book/book.ts';
import { computeDueDay, type Deferral, deemedInclusion, followsFirstRules } from '../../book/deferral.ts';
import { type Fold, noteTransaction, type Pool, raise, reorder, roundCarrying } from '../../book/fold.ts';
import { isOnOtherReturn } from '../../book/separate-returns.ts';
import { type DisposeEvent, dollars, type Event, type TransactionEvent } from '../../events/event.ts';
import { listRebasedLots } from '../corporate-actions/corporate-actions.ts';
import { resolveLotAccount, type TakenLots } from '../lots/take.ts';
import { yearEndOrdinal } from '../year/year-end.ts';
import { deferralLine } from './defer.ts';

/**
 * The inclusion of a deferred gain, either when the interest is disposed of or on the due day of the deferral (IRC
 * 1400Z-2(b)(1)). The included amount is the lesser of the gain and the value of the interest, less a part of the gain
 * that depends on the holding period (1400Z-2(b)(2)). The basis of the interest increases by that part and by the
 * included amount.
 */

/**
 * Ends the deferrals of the units that a disposal took. `value` is their proceeds or value in cents, or null if
 * unknown.
 */
export function endDeferrals(fold: Fold, event: DisposeEvent, taken: TakenLots, value: bigint | null): TakenLots {
  if (fold.deferrals.length === 0) return taken;
  const total = taken.slices.reduce((units, slice) => units + slice.quantity, taken.missing);
  const left = new Map<string, bigint>();
  for (const { lot, quantity } of taken.slices) left.set(lot.origin, (left.get(lot.origin) ?? 0n) + quantity);
  for (const { lot } of listHeldLots(fold, event.key)) {
    const units = left.get(lot.origin);
    if (units !== undefined) left.set(lot.origin, units + lot.quantity);
  }
  let [units, dealt] = [0n, 0n];
  const slices = taken.slices.map((slice, row) => {
    units += slice.quantity;
    const upTo = value === null ? 0n : divideRounded(value * units, total);
    const worth = value === null ? null : upTo - dealt;
    dealt = upTo;
    const deferral = fold.deferrals.find(({ origin }) => origin === slice.lot.origin);
    const open = left.get(slice.lot.origin) ?? 0n;
    if (deferral === undefined) return slice;
    left.set(slice.lot.origin, open - slice.quantity);
    const ended = endPart(deferral, slice.quantity, open);
    const { included, basis } = computeInclusion(fold, deferral, ended.gain, worth, event.on);
    const id = `${event.tx.id}/${event.ordinal}.fund${row}`;
    const cells = {
      id,
      saleId: event.tx.id,
      on: event.on,
      sold: event.on,
      quantity: ended.units,
      account: event.account,
      fundValue: worth,
    };
    fold.facts.push(deferralLine(fold, deferral, { ...cells, code: 'Y', adjustment: included }));
    askForRural(fold, event, deferral, ended.gain, row);
    return { ...slice, basis: slice.basis + basis };
  });
  if (value === null && slices.some((slice, at) => slice !== taken.slices[at])) raiseValue(fold, event);
  dropEnded(fold);
  return { ...taken, slices };
}

/** Returns whether a row states the value of a fund with deferred gains. */
export function isOfFund(fold: Fold, event: TransactionEvent): boolean {
  return fold.deferrals.length > 0 && deferredLots(fold, event).length > 0;
}

/** Applies a `mark` that states the value of an interest on the due day of its deferral. */
export function includeAtValue(fold: Fold, event: TransactionEvent): void {
  const { tx } = event;
  const value = dollars(tx, tx.fmv);
  const deferred = deferredLots(fold, event);
  const due = deferred.filter(({ deferral }) => computeDueDay(deferral.invested) === event.on);
  if (value === null || due.length === 0) {
    const days = [...new Set(deferred.map(({ deferral }) => formatDay(computeDueDay(deferral.invested))))].sort();
    const detail = `Only the value of ${event.asset} in dollars on ${days.join(' and ')} counts.`;
    raise(fold, event, 'unreconciled', detail);
    return;
  }
  const cents = roundCarrying(fold, `mark ${event.key}`, value);
  const units = sumUnits(lotsInScope(fold, event));
  let row = 0;
  for (const { deferral, lots } of due) {
    const open = sumUnits(lotsOfOrigin(fold, deferral));
    const ended = endPart(deferral, sumUnits(lots), open);
    const worth = divideRounded(cents * sumUnits(lots), units);
    const { included, basis } = computeInclusion(fold, deferral, ended.gain, worth, event.on);
    const account = lots[0]?.pool.account ?? deferral.account;
    const id = `${tx.id}/${event.ordinal}.${periodEnd}${row++}`;
    const cells = { id, saleId: tx.id, on: event.on, sold: event.on, quantity: ended.units, account, fundValue: worth };
    fold.facts.push(deferralLine(fold, deferral, { ...cells, code: 'Y', adjustment: included }));
    askForRural(fold, event, deferral, ended.gain, row);
    raiseBasis(lots, basis, tx.id);
  }
  dropEnded(fold);
}

/**
 * Returns whether a line includes a deferred gain because the deferral was due, and not because the interest was
 * disposed of.
 */
export function isDueInclusion(lineId: string): boolean {
  return lineId.slice(lineId.lastIndexOf('.') + 1).startsWith(periodEnd);
}

const periodEnd = 'included';

/** Returns the day after the due day. From then on, it is too late to state a value. */
export function inclusionEndOf(invested: Day): Day {
  return addDays(computeDueDay(invested), 1);
}

/** Returns whether any deferral may end after one day and by another, so that the investments must be looked up. */
export function mayEndDeferral(after: Day, to: Day): boolean {
  const firstEnd = addDays(deemedInclusion, 1);
  return (after < firstEnd && to >= firstEnd) || to >= inclusionEndOf(firstEnd);
}

/** Returns the first day that the books must include a deferred gain, or null if no gain is deferred. */
export function nextInclusion({ deferrals }: Fold): Day | null {
  if (deferrals.length === 0) return null;
  return Math.min(...deferrals.map(({ invested }) => inclusionEndOf(invested))) as Day;
}

/** Includes gain in full if its due day is past and no value was stated, and raises an issue. */
export function includeUnvalued(fold: Fold, day: Day): void {
  const due = fold.deferrals.filter(({ invested }) => day >= inclusionEndOf(invested));
  if (due.length === 0) return;
  for (const deferral of due) {
    const { basis } = writeUnvalued(fold, deferral);
    raiseBasis(lotsOfOrigin(fold, deferral), basis, deferral.openedBy);
    deferral.ended = deferral.quantity;
  }
  dropEnded(fold);
}

/**
 * Writes the same inclusion for each deferral that is still open when the rows end. The books do not change, because a
 * value may still arrive. The facts count as caused on the day after the due day, so that a replay resumed before then
 * decides again. Inclusions beyond the supported years are not written.
 */
export function expectInclusion(fold: Fold): void {
  for (const deferral of fold.deferrals)
    if (yearOf(computeDueDay(deferral.invested)) <= yearMax) writeUnvalued(fold, deferral);
}

function writeUnvalued(fold: Fold, deferral: Deferral): { readonly basis: bigint } {
  const { openedBy, account, asset, gain, quantity, ended, invested } = deferral;
  const due = computeDueDay(invested);
  const rest = gain - proportion(gain, ended, quantity);
  const { included, basis } = computeInclusion(fold, deferral, rest, null, due);
  if (isOnOtherReturn(fold.rules, account, due)) return { basis };
  const causedOn = inclusionEndOf(invested);
  const id = `${openedBy}/${yearEndOrdinal}.${periodEnd}`;
  const cells = { id, saleId: openedBy, on: due, sold: due, quantity: quantity - ended, causedOn };
  fold.facts.push(deferralLine(fold, deferral, { ...cells, code: 'Y', adjustment: included }));
  const issue = (kind: 'value_missing' | 'deferral_in_doubt') => {
    const key = `${openedBy}/${yearEndOrdinal}/${kind}/${account}/${yearOf(due)}`;
    const of = { on: due, asset, account, transactions: [openedBy] };
    return { kind: 'issue', issue: kind, causedOn, id: key, ...of } as const;
  };
  const detail =
    `A gain of $${formatCents(rest as Cents)} deferred in ${asset} is included on ${formatDay(due)}: the gain, or the value of ` +
    'the interest on that day if less (IRC 1400Z-2(b)(2)). The gain is used. Add a mark with the value on that day.';
  fold.facts.push({ ...issue('value_missing'), dollars: included as Cents, detail });
  const rural = ruralQuestion(fold, deferral, rest, due);
  if (rural !== null) fold.facts.push({ ...issue('deferral_in_doubt'), ...rural });
  return { basis };
}

/**
 * Returns the data of an issue about whether a fund is a qualified rural one, if the basis increases: by 30% of the
 * gain instead of 10% (IRC 1400Z-2(b)(2)(B)(iii), as amended by Pub. L. 119-21).
 */
function ruralQuestion(fold: Fold, { invested, asset }: Deferral, gain: bigint, on: Day) {
  if (followsFirstRules(invested) || !isHeldFor(invested, 5, on)) return null;
  if (fold.rules.assets?.[asset]?.ruralFund !== undefined) return null;
  const dollars = proportion(gain, 20n, 100n) as Cents;
  const detail =
    `${asset} was held for five years. The basis rises by 10% of the deferred gain, or by 30% in a qualified rural opportunity fund, ` +
    `which would include $${formatCents(dollars)} less (IRC 1400Z-2(b)(2)(B)). 10% is used until you select in the asset settings whether it is one.`;
  return { dollars, detail };
}

function askForRural(fold: Fold, event: Event, deferral: Deferral, gain: bigint, row: number): void {
  const question = ruralQuestion(fold, deferral, gain, event.on);
  if (question === null) return;
  const { detail, dollars } = question;
  raise(fold, event, 'deferral_in_doubt', detail, { dollars, suffix: `rural${row}` });
}

/**
 * Ends the deferral for `units` of its `open` units. Returns their part of the gain, and their part of the units
 * invested.
 */
function endPart(deferral: Deferral, units: bigint, open: bigint): { readonly gain: bigint; readonly units: bigint } {
  const { gain, quantity, ended } = deferral;
  const left = quantity - ended;
  // The units of a lot may have been split in the meantime.
  const part = units >= open ? left : (left * units) / open;
  deferral.ended += part;
  return { gain: proportion(gain, ended + part, quantity) - proportion(gain, ended, quantity), units: part };
}

/** Computes, in cents, the included gain and the increase in the basis of the interest. */
function computeInclusion(
  { rules }: Fold,
  { invested, asset }: Deferral,
  gain: bigint,
  worth: bigint | null,
  on: Day,
): { readonly included: bigint; readonly basis: bigint } {
  const stepUp = proportion(gain, stepUpPercent(invested, on, rules.assets?.[asset]?.ruralFund === true), 100n);
  const included = most(0n, (worth === null ? gain : least(gain, worth)) - stepUp);
  return { included, basis: stepUp + included };
}

/**
 * Returns how much of the deferred gain, in percent, is added to the basis because of the holding period: 10% after
 * five years and 15% after seven. For an investment in 2027 or later it is 10% after five years, or 30% in a qualified
 * rural opportunity fund (IRC 1400Z-2(b)(2)(B)).
 */
export function stepUpPercent(invested: Day, on: Day, isRural: boolean): bigint {
  if (!isHeldFor(invested, 5, on)) return 0n;
  if (!followsFirstRules(invested)) return isRural ? 30n : 10n;
  return isHeldFor(invested, 7, on) ? 15n : 10n;
}

/** Returns whether an interest was "held by the taxpayer for at least" this many years. */
export function isHeldFor(since: Day, years: number, on: Day): boolean {
  return `${yearOf(since) + years}${formatDay(since).slice(4)}` <= formatDay(on);
}

interface HeldLot {
  readonly pool: Pool;
  readonly lot: OpenLot;
}

function listHeldLots(fold: Fold, key: string): HeldLot[] {
  const pools = [...(fold.pools.get(key)?.values() ?? [])].sort((a, b) => (a.account < b.account ? -1 : 1));
  return pools.flatMap((pool) => [...pool.lots.values()].map((lot) => ({ pool, lot })));
}

function lotsOfOrigin(fold: Fold, { origin }: Deferral): HeldLot[] {
  return [...fold.pools.keys()].flatMap((key) => listHeldLots(fold, key)).filter(({ lot }) => lot.origin === origin);
}

function deferredLots(fold: Fold, event: Event): { deferral: Deferral; lots: HeldLot[] }[] {
  const all = lotsInScope(fold, event);
  return fold.deferrals.flatMap((deferral) => {
    const lots = all.filter(({ lot }) => lot.origin === deferral.origin && lot.quantity > 0n);
    return lots.length === 0 ? [] : [{ deferral, lots }];
  });
}

/** Returns the lots in the account that the row names, or in all accounts. */
function lotsInScope(fold: Fold, { key, account, assetClass, on }: Event): HeldLot[] {
  const named = account === '' ? null : resolveLotAccount(fold.rules, assetClass, account, on);
  return listHeldLots(fold, key).filter(({ pool }) => named === null || pool.account === named);
}

function sumUnits(lots: readonly HeldLot[]): bigint {
  return lots.reduce((units, { lot }) => units + lot.quantity, 0n);
}

/** Adds an amount to the basis of lots, by their units. */
function raiseBasis(lots: readonly HeldLot[], cents: bigint, by: string): void {
  const deal = createAllocator(cents, sumUnits(lots));
  const raised = new Set(lots.map(({ lot }) => lot));
  for (const pool of new Set(lots.map((held) => held.pool))) {
    if (pool.average !== null) freezeAverage(pool);
    noteTransaction(pool, by);
    for (const lot of listRebasedLots(pool)) {
      if (!raised.has(lot)) continue;
      lot.wholeBasis += deal(lot.quantity);
      Object.assign(lot, { unitBasis: lot.wholeBasis * 1_000_000n, unitQuantity: lot.quantity });
    }
    reorder(pool);
  }
}

function dropEnded(fold: Fold): void {
  const open = fold.deferrals.filter(({ quantity, ended }) => ended < quantity);
  fold.deferrals.splice(0, fold.deferrals.length, ...open);
}

function raiseValue(fold: Fold, event: DisposeEvent): void {
  const detail = `The value of ${event.asset} on ${formatDay(event.on)} is not stated. The gain deferred in it is included in full.`;
  raise(fold, event, 'value_missing', detail, { suffix: 'fund' });
}
