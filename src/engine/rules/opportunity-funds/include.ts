import { addDays, type Day, formatDay, lastDayOf, yearOf } from '../../../base/day.ts';
import { type Cents, divideRounded, formatCents, proportion } from '../../../base/decimal.ts';
import { dealer, least, most } from '../../book/amounts.ts';
import { freezeAverage } from '../../book/averages.ts';
import type { OpenLot } from '../../book/book.ts';
import type { Deferral } from '../../book/deferral.ts';
import { type Fold, noteTransaction, type Pool, raise, reorder, roundCarrying } from '../../book/fold.ts';
import { isOnOtherReturn } from '../../book/separate-returns.ts';
import { type DisposeEvent, dollars, type Event, type TransactionEvent } from '../../events/event.ts';
import { inOrder } from '../corporate-actions/corporate-actions.ts';
import { lotAccountOf, type TakenLots } from '../lots/take.ts';
import { yearEndOrdinal } from '../year/year-end.ts';
import { deferralLine, lastYearOfDeferral } from './defer.ts';

/**
 * The inclusion of a deferred gain: when the interest is disposed of, or on 31 December 2026 (IRC 1400Z-2(b)(1)). Included
 * is the lesser of the gain and the value of the interest, less 10 % of the gain after five years and 15 % after seven
 * (1400Z-2(b)(2)). The basis of the interest rises by both.
 */
const inclusionDay = lastDayOf(lastYearOfDeferral);

/** Ends the deferrals of what a disposal took. `value`: the proceeds or the value in cents, null where it is unknown. */
export function endDeferrals(fold: Fold, event: DisposeEvent, taken: TakenLots, value: bigint | null): TakenLots {
  if (fold.deferrals.length === 0) return taken;
  const total = taken.slices.reduce((units, slice) => units + slice.quantity, taken.missing);
  const left = new Map<string, bigint>();
  for (const { lot, quantity } of taken.slices) left.set(lot.origin, (left.get(lot.origin) ?? 0n) + quantity);
  for (const { lot } of lotsOf(fold, event.key)) {
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
    const { included, basis } = inclusionOf(deferral, ended.gain, worth, event.on);
    const id = `${event.tx.id}/${event.ordinal}.fund${row}`;
    const cells = {
      id,
      saleId: event.tx.id,
      on: event.on,
      sold: event.on,
      quantity: ended.units,
      account: event.account,
    };
    fold.facts.push(deferralLine(fold, deferral, { ...cells, code: 'Y', adjustment: included }));
    return { ...slice, basis: slice.basis + basis };
  });
  if (value === null && slices.some((slice, at) => slice !== taken.slices[at])) raiseValue(fold, event);
  dropEnded(fold);
  return { ...taken, slices };
}

/** Whether a value is stated of a fund with deferred gains. */
export function isOfFund(fold: Fold, event: TransactionEvent): boolean {
  return fold.deferrals.length > 0 && deferredLots(fold, event).length > 0;
}

/** The value of an interest on 31 December 2026, as a `mark` states it. */
export function includeAtValue(fold: Fold, event: TransactionEvent): void {
  const { tx } = event;
  const value = dollars(tx, tx.fmv);
  if (value === null || event.on !== inclusionDay) {
    const detail = `Of ${event.asset} the value in dollars on ${formatDay(inclusionDay)} counts, and no other.`;
    raise(fold, event, 'unreconciled', detail);
    return;
  }
  const cents = roundCarrying(fold, `mark ${event.key}`, value);
  const units = unitsOf(lotsInScope(fold, event));
  let row = 0;
  for (const { deferral, lots } of deferredLots(fold, event)) {
    const open = unitsOf(lotsOfOrigin(fold, deferral));
    const ended = endPart(deferral, unitsOf(lots), open);
    const worth = divideRounded(cents * unitsOf(lots), units);
    const { included, basis } = inclusionOf(deferral, ended.gain, worth, inclusionDay);
    const account = lots[0]?.pool.account ?? deferral.account;
    const id = `${tx.id}/${event.ordinal}.${yearEnd}${row++}`;
    const cells = { id, saleId: tx.id, on: inclusionDay, sold: inclusionDay, quantity: ended.units, account };
    fold.facts.push(deferralLine(fold, deferral, { ...cells, code: 'Y', adjustment: included }));
    raiseBasis(lots, basis, tx.id);
  }
  dropEnded(fold);
}

/** Whether a line includes a deferred gain because its year ended, and not because the interest was disposed of. */
export function isYearEndInclusion(lineId: string): boolean {
  return lineId.slice(lineId.lastIndexOf('.') + 1).startsWith(yearEnd);
}

const yearEnd = 'included';

/** The day after the last one on which a value may be stated. */
export const inclusionEnd = addDays(inclusionDay, 1);

/** The day on which the books must include what is still deferred; null where nothing is. */
export function nextInclusion({ deferrals }: Fold): Day | null {
  return deferrals.length === 0 ? null : inclusionEnd;
}

/** Once 2026 is over: what no value was stated for is included in full, and asked about. */
export function includeUnvalued(fold: Fold, day: Day): void {
  if (fold.deferrals.length === 0 || day < inclusionEnd) return;
  for (const deferral of fold.deferrals) {
    const { basis } = writeUnvalued(fold, deferral);
    raiseBasis(lotsOfOrigin(fold, deferral), basis, deferral.openedBy);
  }
  fold.deferrals.length = 0;
}

/**
 * The same while the rows do not reach beyond 2026: the books stay as they are, and a value may still come. It is caused on
 * 1 January, so that a replay that resumes before decides again.
 */
export function expectInclusion(fold: Fold): void {
  for (const deferral of fold.deferrals) writeUnvalued(fold, deferral);
}

function writeUnvalued(fold: Fold, deferral: Deferral): { readonly basis: bigint } {
  const { openedBy, account, asset, gain, quantity, ended } = deferral;
  const rest = gain - proportion(gain, ended, quantity);
  const { included, basis } = inclusionOf(deferral, rest, null, inclusionDay);
  if (isOnOtherReturn(fold.rules, account, inclusionDay)) return { basis };
  const causedOn = inclusionEnd;
  const id = `${openedBy}/${yearEndOrdinal}.${yearEnd}`;
  const cells = { id, saleId: openedBy, on: inclusionDay, sold: inclusionDay, quantity: quantity - ended, causedOn };
  fold.facts.push(deferralLine(fold, deferral, { ...cells, code: 'Y', adjustment: included }));
  fold.facts.push({
    kind: 'issue',
    causedOn,
    id: `${openedBy}/${yearEndOrdinal}/value_missing/${account}/${lastYearOfDeferral}`,
    issue: 'value_missing',
    on: inclusionDay,
    asset,
    account,
    transactions: [openedBy],
    dollars: included as Cents,
    detail:
      `A gain of $${formatCents(rest as Cents)} deferred in ${asset} is included on ${formatDay(inclusionDay)}: the gain, or the value of ` +
      'the interest on that day where it is less (IRC 1400Z-2(b)(2)). The gain is used. Add a mark of that day with the value.',
  });
  return { basis };
}

/** `units` of `open` units leave the deferral: their part of its gain, and of the units that were invested. */
function endPart(deferral: Deferral, units: bigint, open: bigint): { readonly gain: bigint; readonly units: bigint } {
  const { gain, quantity, ended } = deferral;
  const left = quantity - ended;
  // The units of a lot may have been split since.
  const own = units >= open ? left : (left * units) / open;
  deferral.ended += own;
  return { gain: proportion(gain, ended + own, quantity) - proportion(gain, ended, quantity), units: own };
}

/** In cents: what is included, and what the basis of the interest rises by. */
function inclusionOf(
  { invested }: Deferral,
  gain: bigint,
  worth: bigint | null,
  on: Day,
): { readonly included: bigint; readonly basis: bigint } {
  const percent = isHeldFor(invested, 7, on) ? 15n : isHeldFor(invested, 5, on) ? 10n : 0n;
  const stepUp = proportion(gain, percent, 100n);
  const included = most(0n, (worth === null ? gain : least(gain, worth)) - stepUp);
  return { included, basis: stepUp + included };
}

/** "Held by the taxpayer for at least" so many years. */
export function isHeldFor(since: Day, years: number, on: Day): boolean {
  return `${yearOf(since) + years}${formatDay(since).slice(4)}` <= formatDay(on);
}

interface HeldLot {
  readonly pool: Pool;
  readonly lot: OpenLot;
}

function lotsOf(fold: Fold, key: string): HeldLot[] {
  const pools = [...(fold.pools.get(key)?.values() ?? [])].sort((a, b) => (a.account < b.account ? -1 : 1));
  return pools.flatMap((pool) => [...pool.lots.values()].map((lot) => ({ pool, lot })));
}

function lotsOfOrigin(fold: Fold, { origin }: Deferral): HeldLot[] {
  return [...fold.pools.keys()].flatMap((key) => lotsOf(fold, key)).filter(({ lot }) => lot.origin === origin);
}

function deferredLots(fold: Fold, event: Event): { deferral: Deferral; lots: HeldLot[] }[] {
  const all = lotsInScope(fold, event);
  return fold.deferrals.flatMap((deferral) => {
    const lots = all.filter(({ lot }) => lot.origin === deferral.origin && lot.quantity > 0n);
    return lots.length === 0 ? [] : [{ deferral, lots }];
  });
}

/** Those of the account that the row names, or of all. */
function lotsInScope(fold: Fold, { key, account, assetClass, on }: Event): HeldLot[] {
  const named = account === '' ? null : lotAccountOf(fold.rules, assetClass, account, on);
  return lotsOf(fold, key).filter(({ pool }) => named === null || pool.account === named);
}

function unitsOf(lots: readonly HeldLot[]): bigint {
  return lots.reduce((units, { lot }) => units + lot.quantity, 0n);
}

/** Raises the basis of lots by their units. */
function raiseBasis(lots: readonly HeldLot[], cents: bigint, by: string): void {
  const deal = dealer(cents, unitsOf(lots));
  const raised = new Set(lots.map(({ lot }) => lot));
  for (const pool of new Set(lots.map((held) => held.pool))) {
    if (pool.average !== null) freezeAverage(pool);
    noteTransaction(pool, by);
    for (const lot of inOrder(pool)) {
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
