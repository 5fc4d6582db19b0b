import { type Cents, proportion } from '../../base/decimal.ts';
import { lotMethodTable } from '../lot-methods.ts';
import type { Disposal, Lot, LotMethod } from '../model.ts';
import { least } from './amounts.ts';
import { averageShares, freezeAverage, isAveraged, joinAverage, startAverage, takeAverage } from './averages.ts';
import type { Book, LotDebt, LotPlan, NotOnForm1099, OpenLot } from './book.ts';
import { awaitLapse } from './expiry.ts';
import { type Fold, mayLapse, type Pool, reorder } from './fold.ts';
import { getOrCreateList } from './keyed.ts';
import { debtPart } from './lot-debt.ts';
import { planPart } from './lot-plan.ts';
import { LotQueue } from './lot-queue.ts';
import { resolveLotMethod } from './method-in-force.ts';
import { notOnFormPart, toNotOnForm } from './not-on-form-1099.ts';
import { noteSymbol } from './option-symbols.ts';
import { transitAccount, transitPrefix } from './own-accounts.ts';
import { remainingBasis, shareUpTo } from './remaining.ts';

/** Units taken from one lot, with their share of its basis (cents). The lot keeps the remaining units and basis. */
export interface Slice {
  /** The lot that the units were taken from. Its quantity is the remaining quantity. */
  readonly lot: OpenLot;
  readonly quantity: bigint;
  readonly basis: bigint;
  readonly lossBasis: bigint | null;
  readonly used: bigint;
  readonly whole: boolean;
  readonly notOnForm: NotOnForm1099 | undefined;
  readonly debt: LotDebt | undefined;
  readonly plan: LotPlan | undefined;
  /** How the lot was identified. */
  readonly identified: Disposal['identified'];
}

/** Returns the open lots of a book, oldest first within an asset and account. */
export function openLots(book: Book): Lot[] {
  return book.pools.flatMap((pool) => {
    const shares = averageShares(pool);
    return pool.lots.map((lot) => ({
      id: lot.id,
      asset: lot.asset,
      assetClass: lot.assetClass,
      account: lot.account.startsWith(transitPrefix) ? transitAccount : lot.account,
      quantity: lot.quantity as Lot['quantity'],
      basis: (shares?.get(lot.id) ?? remainingBasis(lot)) as Cents,
      acquired: lot.acquired,
      heldSince: lot.heldSince,
      inherited: lot.inherited,
      ...(lot.purchaseUnknown ? { purchaseUnknown: lot.purchaseUnknown } : {}),
    }));
  });
}

export function addLot(fold: Fold, pool: Pool, lot: OpenLot): void {
  if (lot.quantity <= 0n) return;
  endAverage(fold, pool, lot);
  if (pool.average !== null && isAveraged(lot)) joinAverage(pool, lot);
  pool.lots.add(lot);
  pool.queue?.add(lot);
  if (mayLapse(lot)) awaitLapse(fold, lot);
  if (lot.underlyingKey !== null) noteSymbol(fold, lot);
  if (pool.byLabel !== null) getOrCreateList(pool.byLabel, lot.label).push(lot);
  if (lot.purchasedOn === null || lot.used >= lot.quantity) return;
  addToRecent(fold, lot.key, lot);
  if (lot.right === 'call' && lot.underlyingKey !== null) addToRecent(fold, lot.underlyingKey, lot);
}

/** Ends average basis if the method in force is no longer AVERAGE. Runs before anything else happens to the shares. */
export function endAverage(fold: Fold, pool: Pool, { assetClass }: OpenLot): void {
  if (pool.average === null) return;
  const method = resolveLotMethod(fold.rules, pool.account, assetClass, fold.day);
  if (!lotMethodTable[method].isAveraged) freezeAverage(pool);
}

/** Takes up to `quantity` units in the order of a method. The caller handles missing units. */
export function takeByMethod(
  pool: Pool,
  quantity: bigint,
  method: LotMethod,
  identified: Disposal['identified'] = 'default',
): Slice[] {
  const taken = { slices: [], missing: quantity };
  takeMissing(pool, taken, method, identified);
  return taken.slices;
}

/** The slices that an event took so far, and the units that it still needs. */
export interface Taking {
  readonly slices: Slice[];
  missing: bigint;
}

/** Takes the missing units in the order of a method. */
export function takeMissing(pool: Pool, taking: Taking, method: LotMethod, identified: Disposal['identified']): void {
  const queue = prepareLotQueue(pool, method);
  while (taking.missing > 0n) {
    const lot = queue.first();
    if (lot === undefined) return;
    const { quantity } = lot;
    if (taking.missing < quantity) {
      taking.slices.push(takeFromLot(pool, lot, taking.missing, identified));
      taking.missing = 0n;
      return;
    }
    taking.slices.push(takeFromLot(pool, lot, quantity, identified));
    taking.missing -= quantity;
  }
}

/** Takes up to `quantity` units from the lots opened by the row with this id, even if those lots have moved since. */
export function takeByLabel(
  pool: Pool,
  label: string,
  quantity: bigint,
  method: LotMethod,
  identified: Disposal['identified'] = 'identified',
): Slice[] {
  prepareLotQueue(pool, method);
  if (pool.byLabel === null) {
    pool.byLabel = new Map();
    for (const lot of pool.lots.values()) getOrCreateList(pool.byLabel, lot.label).push(lot);
  }
  const slices: Slice[] = [];
  let missing = quantity;
  const named = getOrCreateList(pool.byLabel, label).filter((lot) => lot.quantity > 0n);
  pool.byLabel.set(label, named);
  for (const lot of [...named].sort(lotMethodTable.FIFO.order)) {
    if (missing === 0n) break;
    const slice = takeFromLot(pool, lot, least(missing, lot.quantity), identified);
    slices.push(slice);
    missing -= slice.quantity;
  }
  return slices;
}

/**
 * Takes units from one lot. With average basis, the basis comes from the pool, and only the dates come from the lot.
 */
export function takeFromLot(
  pool: Pool,
  lot: OpenLot,
  quantity: bigint,
  identified: Disposal['identified'] = 'default',
): Slice {
  const whole = quantity === lot.quantity;
  const left = whole ? 0n : lot.quantity - quantity;
  const taken = whole ? lot.wholeQuantity : lot.wholeQuantity - left;
  const share = shareUpTo(lot, taken);
  const average = pool.average !== null && isAveraged(lot) ? takeAverage(pool, lot, quantity) : null;
  const basis = average?.basis ?? share;
  const lossUpTo = lot.lossBasis === null ? null : proportion(lot.lossBasis, taken, lot.wholeQuantity);
  const lossBasis = lossUpTo === null ? null : lossUpTo - lot.lossTaken;
  const { notOnForm: notShown, debt: terms } = lot;
  const shown =
    notShown === undefined ? undefined : notOnFormPart(notShown, taken - quantity, quantity, lot.wholeQuantity);
  const notOnForm = average === null ? shown : toNotOnForm(lot, average.stepUp);
  const debt = terms === undefined ? undefined : debtPart(terms, taken - quantity, quantity, lot.wholeQuantity);
  const plan = planPart(lot.plan, taken - quantity, quantity, lot.wholeQuantity);
  // Units that already replaced a loss are taken first, like fragments in a taxable account.
  const used = lot.used < quantity ? lot.used : quantity;
  lot.quantity = left;
  if (used > 0n) lot.used -= used;
  lot.basisTaken += share;
  if (lossUpTo !== null) lot.lossTaken = lossUpTo;
  if (whole) pool.lots.countOut();
  else if (pool.queue !== null && lotMethodTable[pool.queue.method].dependsOnUnits) reorder(pool);
  return { lot, quantity, basis, lossBasis, used, whole, notOnForm, debt, plan, identified };
}

/**
 * Turns a slice into a lot. If the slice is the whole lot, the id stays the same. Otherwise the slice becomes a
 * fragment with an id derived from that lot.
 */
export function lotOfSlice(slice: Slice, changes?: Partial<OpenLot>): OpenLot {
  const { lot, quantity, basis } = slice;
  // Rare fields are added afterwards, because a spread after other fields takes longer than everything else here.
  const part: OpenLot = {
    ...lot,
    id: slice.whole ? lot.id : fragmentId(lot),
    quantity,
    used: slice.used,
    wholeQuantity: quantity,
    wholeBasis: basis,
    basisTaken: 0n,
    lossBasis: slice.lossBasis,
    lossTaken: 0n,
    children: slice.whole ? lot.children : 0,
  };
  if (slice.notOnForm !== undefined) part.notOnForm = slice.notOnForm;
  if (slice.debt !== undefined) part.debt = slice.debt;
  if (slice.plan !== undefined) part.plan = slice.plan;
  return changes === undefined ? part : Object.assign(part, changes);
}

function prepareLotQueue(pool: Pool, method: LotMethod): LotQueue {
  const { isAveraged: averages } = lotMethodTable[method];
  if (averages && pool.average === null) startAverage(pool);
  if (!averages) freezeAverage(pool);
  if (pool.queue?.method !== method) pool.queue = new LotQueue(method, pool.lots.values());
  return pool.queue;
}

function fragmentId(lot: OpenLot): string {
  const child = lot.children++;
  return child < 26 ? lot.id + String.fromCharCode(97 + child) : `${lot.id}~${child}`;
}

/**
 * Adds a lot, in the order of purchase, to the lots that may replace a loss. The newest lot almost always arrives last.
 */
function addToRecent(fold: Fold, key: string, lot: OpenLot): void {
  const recent = fold.recent.get(key);
  if (recent === undefined) return;
  let at = recent.members.length;
  while (at > recent.head && comparePurchases(recent.members[at - 1] as OpenLot, lot) > 0) at--;
  if (at === recent.members.length) recent.members.push(lot);
  else recent.members.splice(at, 0, lot);
}

/** Compares purchases by the order in which they are matched to a loss (26 CFR 1.1091-1(c), (d)). */
export function comparePurchases(a: OpenLot, b: OpenLot): number {
  return (
    (a.purchasedOn ?? 0) - (b.purchasedOn ?? 0) || a.sequence - b.sequence || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  );
}
