import type { Day } from '../../../base/day.ts';
import { type Cents, proportion, type Quantity } from '../../../base/decimal.ts';
import { least } from '../../book/amounts.ts';
import type { OpenLoss, OpenLot } from '../../book/book.ts';
import { type Fold, isRetirement, type SliceLoss } from '../../book/fold.ts';
import { dropPassed, dropUsedUp, getOrCreateQueue, type Queue } from '../../book/keyed.ts';
import { comparePurchases } from '../../book/lots.ts';
import { notOnFormPart } from '../../book/not-on-form-1099.ts';
import { isOnOtherReturn } from '../../book/separate-returns.ts';
import { washDays } from '../../events/wash-window.ts';
import { cutFragment } from './fragments.ts';
import { isReplacedBy } from './owners.ts';
import { addLossToSold, soldReplacements } from './replacements.ts';
import { matchEarlierSales } from './short-losses.ts';

/**
 * Wash sales (IRC 1091). A loss is first matched to lots bought in the 30 days before it that are still held, oldest
 * first. The rest of the loss stays in the book as an open loss for 30 days. A later purchase is matched to open losses
 * in the order of their sales. One forward pass is therefore enough, even if it starts at a checkpoint within those 30
 * days. The matched shares become a separate lot, with the loss in its basis (1091(d)) and the sold lot's holding
 * period added to its own (1223(3)).
 */
const unit = 10n ** 18n;

/**
 * Registers the losses of one event. If the sale has a time, its losses are matched immediately. Otherwise, they are
 * matched at the end of the day, together with the other losses of that day. One sale disposes of all its lots at once,
 * so its losses are also matched in the order in which the lots were purchased.
 */
export function registerLosses(fold: Fold, pieces: readonly SliceLoss[], timed: boolean): void {
  if (timed) matchPieces(fold, pieces);
  else fold.pending.push(...pieces);
}

/**
 * Matches the losses of a day whose sales have no time. They are matched in the order in which the sold shares were
 * acquired (26 CFR 1.1091-1(b)). Shares bought in the window and sold on the same day are no longer held and replace
 * nothing (Rev. Rul. 56-602).
 */
export function matchPending(fold: Fold): void {
  const pieces = fold.pending;
  if (pieces.length === 0) return;
  fold.pending = [];
  matchPieces(fold, pieces);
}

/**
 * Matches losses in the order in which the sold shares were purchased. Losses on shares of the same purchase keep the
 * order of their sales.
 */
function matchPieces(fold: Fold, pieces: readonly SliceLoss[]): void {
  const inOrder =
    pieces.length === 1 ? pieces : pieces.toSorted((a, b) => a.acquired - b.acquired || a.lotSequence - b.lotSequence);
  const earliest = pieces.reduce((on, piece) => Math.min(on, piece.on), Number(fold.day));
  for (const piece of inOrder) matchPiece(fold, piece, earliest);
}

/** Matches a purchase to open losses. The lot may be split. */
export function matchPurchase(fold: Fold, lot: OpenLot): void {
  if (lot.purchasedOn === null) return;
  const losses = fold.losses.get(lot.key);
  const underlying =
    lot.right === 'call' && lot.underlyingKey !== null ? fold.losses.get(lot.underlyingKey) : undefined;
  if (losses !== undefined && underlying !== undefined) {
    matchBoth(fold, lot, losses, underlying);
    return;
  }
  const waiting = losses ?? underlying;
  if (waiting !== undefined) matchWaiting(fold, lot, waiting);
}

function matchWaiting(fold: Fold, lot: OpenLot, losses: Queue<OpenLoss>): void {
  for (let at = losses.head; at < losses.members.length && lot.quantity > lot.used; at++) {
    const loss = losses.members[at] as OpenLoss;
    if (isOver(loss, lot)) {
      if (at === losses.head) losses.head++;
      else losses.passed++;
    } else if (isWaitingFor(fold, loss, lot)) {
      match(fold, loss, lot);
    }
  }
  dropPassed(losses);
  dropUsedUp(losses, isMatched);
}

/** Matches a call to losses on the call itself and on its stock. The earliest sale comes first. */
function matchBoth(fold: Fold, lot: OpenLot, losses: Queue<OpenLoss>, underlying: Queue<OpenLoss>): void {
  const waiting = [losses, underlying].flatMap(({ members, head }) => members.slice(head));
  waiting.sort((a, b) => a.sequence - b.sequence);
  for (const loss of waiting) {
    if (lot.quantity <= lot.used) return;
    if (!isOver(loss, lot) && isWaitingFor(fold, loss, lot)) match(fold, loss, lot);
  }
}

/** Returns whether all units of a loss are matched. They stay so. */
function isMatched(loss: OpenLoss): boolean {
  return loss.matched >= loss.quantity;
}

/** Returns whether a lot has no units left that may replace a loss. It never gets more. */
function isUsedUp(lot: OpenLot): boolean {
  return lot.quantity <= lot.used;
}

function isOver(loss: OpenLoss, lot: OpenLot): boolean {
  return isMatched(loss) || (lot.purchasedOn ?? 0) - loss.on > washDays;
}

function isWaitingFor(fold: Fold, loss: OpenLoss, lot: OpenLot): boolean {
  const near = loss.on - (lot.purchasedOn ?? 0) <= washDays;
  return near && loss.origin !== lot.origin && isReplacedBy(fold.rules, loss.account, lot.account);
}

function matchPiece(fold: Fold, piece: SliceLoss, earliest: number): void {
  const recent = getRecentLots(fold, piece.key);
  const dropBefore = earliestLoss(fold, piece.key, earliest) - washDays;
  const sold = soldReplacements(fold, piece);
  for (let at = recent.head; at < recent.members.length && piece.matched < piece.quantity; at++) {
    const lot = recent.members[at] as OpenLot;
    const bought = lot.purchasedOn ?? (0 as Day);
    if (isUsedUp(lot) || bought < dropBefore) {
      if (at === recent.head) recent.head++;
      else recent.passed++;
      continue;
    }
    if (bought > piece.on + washDays) break;
    if (sold.length > 0) addLossToSold(fold, piece, sold, bought);
    if (bought < piece.on - washDays || lot.origin === piece.origin) continue;
    if (isReplacedBy(fold.rules, piece.account, lot.account)) match(fold, piece, lot);
  }
  if (sold.length > 0) addLossToSold(fold, piece, sold, piece.on);
  dropPassed(recent);
  dropUsedUp(recent, isUsedUp);
  if (piece.short !== undefined) matchEarlierSales(fold, piece);
  if (piece.matched >= piece.quantity) return;
  getOrCreateQueue(fold.losses, piece.key).members.push(toOpenLoss(piece, fold.sequence++));
}

/** Returns the rest of a loss that waits for a later purchase. */
function toOpenLoss(piece: SliceLoss, sequence: number): OpenLoss {
  const isCommon = piece.notOnForm === undefined && piece.fragmentOf === undefined && piece.short === undefined;
  if (isCommon) {
    const { disposalId, key, on, disposedOn, heldSince, origin, account, quantity, matched, loss, proceeds } = piece;
    const { disallowed, splits } = piece;
    // Named field by field, because a copy of all but some fields takes longer than the match.
    return {
      disposalId,
      key,
      on,
      disposedOn,
      heldSince,
      origin,
      account,
      quantity,
      matched,
      loss,
      proceeds,
      disallowed,
      splits,
      sequence,
    };
  }
  const { acquired: _acquired, lotSequence: _lotSequence, adjusted: _adjusted, ...loss } = piece;
  return { ...loss, sequence };
}

/** Matches the free shares of a lot to the unmatched shares of a loss. */
function match(fold: Fold, loss: Omit<OpenLoss, 'sequence'>, lot: OpenLot): void {
  const free = lot.used === 0n ? lot.quantity : lot.quantity - lot.used;
  const sharesPerUnit = lot.key === loss.key ? unit : (lot.shares ?? unit);
  const freeShares = sharesPerUnit === unit ? free : (free * sharesPerUnit) / unit;
  const waiting = loss.matched === 0n ? loss.quantity : loss.quantity - loss.matched;
  const shares = least(waiting, freeShares);
  const units = shares === freeShares ? free : sharesPerUnit === unit ? shares : (shares * unit) / sharesPerUnit;
  if (units <= 0n) return;
  loss.matched += shares;
  const upTo = proportion(loss.loss, loss.matched, loss.quantity);
  const disallowed = upTo - loss.disallowed;
  loss.disallowed = upTo;
  const permanent = isRetirement(fold, lot.account);
  const notOnForm = notOnFormPart(loss.notOnForm, loss.matched - shares, shares, loss.quantity)?.stepUp ?? 0n;
  const replacement = permanent ? useUp(lot, units) : cutFragment(fold, loss, lot, units, { disallowed, notOnForm });
  if (isOnOtherReturn(fold.rules, loss.account, loss.disposedOn)) return;
  fold.facts.push({
    kind: 'wash',
    causedOn: fold.day,
    id: `${loss.disposalId}/${replacement.id}`,
    disposalId: loss.disposalId,
    on: loss.disposedOn,
    replacementLotId: replacement.id,
    replacementTransactionId: lot.openedBy,
    quantity: shares as Quantity,
    disallowed: disallowed as Cents,
    permanent,
  });
}

/**
 * Marks units of a lot in an IRA as used. The loss is disallowed permanently and the lot does not change (Rev. Rul.
 * 2008-5).
 */
function useUp(lot: OpenLot, units: bigint): OpenLot {
  lot.used += units;
  return lot;
}

/**
 * Returns the earliest day of a loss that may still have to be matched: `of`, or the day of the oldest open short sale
 * if that is earlier (26 CFR 1.1091-1(g)).
 */
function earliestLoss(fold: Fold, key: string, of: number): number {
  let earliest = of;
  for (const short of fold.shorts.get(key) ?? []) if (short.on < earliest) earliest = short.on;
  return earliest;
}

/**
 * Returns the lots that may replace a loss. The list is built when the first loss needs it. `addLot` adds later lots.
 */
function getRecentLots(fold: Fold, key: string): Queue<OpenLot> {
  const known = fold.recent.get(key);
  if (known !== undefined) return known;
  const lots: OpenLot[] = [];
  for (const accounts of fold.pools.values()) {
    for (const pool of accounts.values()) {
      for (const lot of pool.lots.values()) {
        if (pool.key !== key && (lot.underlyingKey !== key || lot.right !== 'call')) break;
        if (lot.purchasedOn !== null && lot.used < lot.quantity) lots.push(lot);
      }
    }
  }
  const recent = { members: lots.sort(comparePurchases), head: 0, passed: 0 };
  fold.recent.set(key, recent);
  return recent;
}
