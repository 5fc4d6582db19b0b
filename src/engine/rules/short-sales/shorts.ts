import { formatDay, parseDay } from '../../../base/day.ts';
import { type Cents, formatCents, type Money, proportion } from '../../../base/decimal.ts';
import { least } from '../../book/amounts.ts';
import { averageShares } from '../../book/averages.ts';
import type { OpenLot, OpenShort } from '../../book/book.ts';
import { type Fold, getOrCreatePool, noteTransaction, raise, roundCarrying } from '../../book/fold.ts';
import { getOrCreateList } from '../../book/keyed.ts';
import { notOnFormPart } from '../../book/not-on-form-1099.ts';
import { remainingBasis } from '../../book/remaining.ts';
import { isCoin } from '../../events/classes.ts';
import { dollars, type TransactionEvent, tradeFee } from '../../events/event.ts';
import { isLong, listHeldLots, listLotsAgainstShort, restartPeriods, sum } from '../lots/holding-periods.ts';
import { raiseUnreadable } from '../lots/sale-issues.ts';
import { matchShortLoss, matchShortLosses } from '../wash-sales/short-losses.ts';
import { registerLosses } from '../wash-sales/wash.ts';
import { closeUnits, type ShortClosing, type ShortDelivery } from './closing.ts';
import { deliver } from './delivery.ts';
import { noteClosedShorts } from './in-lieu.ts';

/**
 * Opens a short sale. It is not realized until it is closed (26 CFR 1.1233-1(a)(1)). Its term depends on units held on
 * the day of the sale.
 */
export function openShort(fold: Fold, event: TransactionEvent): void {
  const { tx } = event;
  if (tx.quantity === null || tx.quantity <= 0n) {
    raiseUnreadable(fold, event, 'quantity');
    return;
  }
  const amount = dollars(tx, tx.amount);
  if (amount === null) raiseUnreadable(fold, event, 'amount');
  const proceeds = roundCarrying(fold, `proceeds ${event.key}`, ((amount ?? 0n) - tradeFee(tx)) as Money);
  sellShort(fold, event, tx.quantity, { proceeds });
}

/** Opens a short of this many units. `byOption` is set if an option sold units that the account did not hold. */
export function sellShort(
  fold: Fold,
  event: TransactionEvent,
  quantity: bigint,
  terms: { readonly proceeds: bigint; readonly byOption?: true },
): void {
  const { tx } = event;
  const { proceeds, ...marks } = terms;
  fold.shorted = true;
  const held = listLotsAgainstShort(fold, event.key, event.assetClass);
  const [longUnits, shortUnits] = [
    sum(held.filter((lot) => isLong(lot, tx.on))),
    sum(held.filter((lot) => !isLong(lot, tx.on))),
  ];
  const short: OpenShort = {
    id: `${tx.id}/${event.ordinal}`,
    openedBy: tx.id,
    label: tx.externalId,
    key: event.key,
    asset: event.asset,
    assetClass: event.assetClass,
    account: event.account,
    on: tx.on,
    sequence: fold.sequence++,
    quantity,
    wholeQuantity: quantity,
    wholeProceeds: proceeds,
    proceedsTaken: 0n,
    heldLong: least(longUnits, quantity),
    heldShort: least(shortUnits, quantity),
    used: 0n,
    claimed: 0n,
    ...marks,
  };
  getOrCreateList(fold.shorts, event.key).push(short);
  noteTransaction(getOrCreatePool(fold, event.key, event.account), tx.id);
  warnOfConstructiveSale(fold, event, short, reachesCoins(fold, event) ? listHeldLots(fold, event.key) : held);
  matchShortLosses(fold, short);
}

/** Closes shorts with units bought to cover, or with owned lots that the row names after the short. */
export function cover(fold: Fold, event: TransactionEvent): void {
  const { tx } = event;
  if (tx.quantity === null || tx.quantity <= 0n) {
    raiseUnreadable(fold, event, 'quantity');
    return;
  }
  const closing = shortsToClose(fold, event, tx.quantity);
  const open = closing.reduce((units, { quantity }) => units + quantity, 0n);
  const before = listLotsAgainstShort(fold, event.key, event.assetClass).map((lot) => ({
    lot,
    quantity: lot.quantity,
  }));
  const excess = tx.quantity - open;
  const delivered = deliver(fold, event, open, excess);
  const property = before.map(({ lot, quantity }) => ({ lot, delivered: quantity - lot.quantity }));
  if (excess > 0n) raiseExcess(fold, event);
  close(fold, event, closing, delivered, property);
}

/** Closes shorts with units that an option just bought, so that they were never lots. */
export function closeWithBought(
  fold: Fold,
  event: TransactionEvent,
  closing: readonly ClosedShort[],
  bought: ShortDelivery,
): void {
  const property = listLotsAgainstShort(fold, event.key, event.assetClass).map((lot) => ({ lot, delivered: 0n }));
  noteTransaction(getOrCreatePool(fold, event.key, event.account), event.tx.id);
  close(fold, event, closing, [bought], property);
}

function close(
  fold: Fold,
  event: TransactionEvent,
  closing: readonly ClosedShort[],
  delivered: ShortDelivery[],
  property: readonly { readonly lot: OpenLot; delivered: bigint }[],
): void {
  const closed = new Map<OpenShort, bigint>();
  for (const { short, quantity } of closing) {
    const before = closed.get(short) ?? 0n;
    restartPeriods(fold, event, short, { quantity, open: short.quantity - before }, property);
    closed.set(short, before + quantity);
  }
  const run: ShortClosing = { row: 0, losses: [], owned: [] };
  noteClosedShorts(fold, event, closing);
  for (const { short, quantity } of closing) {
    for (let left = quantity; left > 0n; ) {
      const slice = delivered[0];
      if (slice === undefined) break;
      const units = least(slice.quantity, left);
      closeUnits(fold, event, short, splitSlice(delivered, units), run);
      left -= units;
    }
  }
  fold.shorts.set(
    event.key,
    getOrCreateList(fold.shorts, event.key).filter((short) => short.quantity > 0n),
  );
  if (run.owned.length > 0) registerLosses(fold, run.owned, event.tx.at !== null);
  for (const loss of run.losses) matchShortLoss(fold, loss);
}

/** The part of a short that closes now. */
export interface ClosedShort {
  readonly short: OpenShort;
  readonly quantity: bigint;
}

/** Returns the account's shorts that this many units close: those that the row names, then the oldest. */
export function shortsToClose(fold: Fold, event: TransactionEvent, quantity: bigint): ClosedShort[] {
  const accountShorts = getOrCreateList(fold.shorts, event.key).filter((short) => short.account === event.account);
  const closing: ClosedShort[] = [];
  let missing = quantity;
  const add = (short: OpenShort, limit: bigint): void => {
    const already = closing.filter((part) => part.short === short).reduce((units, part) => units + part.quantity, 0n);
    const free = short.quantity - already;
    const units = [free, limit, missing].reduce((a, b) => (a < b ? a : b));
    if (units <= 0n) return;
    closing.push({ short, quantity: units });
    missing -= units;
  };
  for (const choice of event.tx.lots) {
    for (const short of accountShorts)
      if (short.label === choice.label && choice.label !== '') add(short, choice.quantity);
  }
  for (const short of accountShorts) add(short, missing);
  return closing;
}

export const excessHeld = 'The excess counts as bought and held';

function raiseExcess(fold: Fold, event: TransactionEvent): void {
  const kept = dollars(event.tx, event.tx.amount) === 0n ? 'No units were delivered for the excess' : excessHeld;
  const detail = `${event.account} covered more ${event.asset} on ${formatDay(event.on)} than it was short. ${kept}.`;
  raise(fold, event, 'short_exceeded', detail);
}

function splitSlice(delivered: ShortDelivery[], units: bigint): ShortDelivery {
  const first = delivered[0] as ShortDelivery;
  if (first.quantity === units) return delivered.shift() as ShortDelivery;
  const basis = proportion(first.basis, units, first.quantity);
  const lossBasis = first.lossBasis === null ? null : proportion(first.lossBasis, units, first.quantity);
  const left = first.quantity - units;
  const notOnForm = notOnFormPart(first.notOnForm, 0n, units, first.quantity);
  first.notOnForm = notOnFormPart(first.notOnForm, units, left, first.quantity);
  first.quantity = left;
  first.basis -= basis;
  if (first.lossBasis !== null && lossBasis !== null) first.lossBasis -= lossBasis;
  return { ...first, quantity: units, basis, lossBasis, notOnForm };
}

/**
 * Returns whether IRC 1259 applies to shorts of coins. It does from a day in the settings, for the case that a bill
 * becomes law.
 */
function reachesCoins({ rules }: Fold, { assetClass, tx }: TransactionEvent): boolean {
  const from = rules.constructiveSalesOfCoinsFrom;
  const day = from === undefined ? undefined : parseDay(from);
  return isCoin(assetClass) && day !== undefined && day <= tx.on;
}

/**
 * Raises an issue about a short sale against an appreciated holding, which may be a constructive sale (IRC 1259). It
 * does not check whether the short was closed in time.
 */
function warnOfConstructiveSale(fold: Fold, event: TransactionEvent, short: OpenShort, held: readonly OpenLot[]): void {
  let gain = 0n;
  const averages = new Map(
    [...new Set(held.map((lot) => getOrCreatePool(fold, lot.key, lot.account)))].flatMap((pool) => [
      ...(averageShares({ ...pool, lots: [...pool.lots.values()] }) ?? []),
    ]),
  );
  for (const lot of held) {
    const value = proportion(short.wholeProceeds, lot.quantity, short.wholeQuantity);
    const basis = averages.get(lot.id) ?? remainingBasis(lot);
    if (value > basis) gain += value - basis;
  }
  if (gain <= 0n) return;
  const detail = `${event.asset} was sold short on ${formatDay(short.on)} while held with a gain of up to $${formatCents(gain as Cents)}. This may count as a sale of the holding (IRC 1259).`;
  raise(fold, event, 'constructive_sale', detail, { dollars: gain as Cents });
}
