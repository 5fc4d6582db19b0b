import { addDays, type Day, yearOf } from '../../base/day.ts';
import type { Book } from '../book/book.ts';
import { isReversal, reversalsAmong, takesBackEarlier } from '../events/corrections.ts';
import { countsOn } from '../events/events.ts';
import { daysOfOpenForms, isFormRow } from '../events/form-rows.ts';
import { maySellShort } from '../events/keys.ts';
import { washDays } from '../events/wash-window.ts';
import type { Transaction } from '../model.ts';
import { adjacentDaysMax } from '../rules/lots/settlement.ts';
import { deliversStock } from '../rules/options/double-deliveries.ts';

/**
 * Returns whether a transaction changes earlier days. A reversal cancels an earlier trade. A disallowed loss on the
 * first short sale of a book is added to the basis of stock sold up to thirty days before (IRC 1091(e)(1)), and no
 * sales were stored until then. A book is neither stored on such days nor resumed from one of them.
 */
function changesEarlierDays(tx: Transaction): boolean {
  return isReversal(tx) || maySellShort(tx);
}

/** Returns whether a transaction makes some days unsettled, so that `unsettledDays` is needed. */
export function leavesUnsettled(tx: Transaction): boolean {
  return changesEarlierDays(tx) || countsOn(tx) !== tx.on || isFormRow(tx) || deliversStock(tx);
}

/**
 * Returns the first day whose books depend on a row. For an exercise or assignment that delivers shares, it is some
 * days earlier, because the shares are compared with trades on nearby days.
 */
function reachedFrom(tx: Transaction): Day {
  return deliversStock(tx) ? addDays(countsOn(tx), -adjacentDaysMax) : countsOn(tx);
}

/** Returns whether a replay of these transactions can resume from a book. All of them are after the book's day. */
export function canResume(book: Pick<Book, 'asOf' | 'shorted'>, transactions: readonly Transaction[]): boolean {
  if (takesBackEarlier(transactions)) return false;
  const { asOf } = book;
  if (asOf !== null && transactions.some((tx) => reachedFrom(tx) <= asOf)) return false;
  if (asOf !== null && dependsOnEarlier(transactions, asOf)) return false;
  const first = book.shorted || book.asOf === null ? null : findFirstShortDay(transactions);
  return first === null || book.asOf === null || book.asOf < addDays(first, -washDays);
}

/**
 * Returns whether a form row among these transactions may report a sale up to a day, or one of them may be the sale
 * that a form row up to that day reports. A security that became worthless is sold on the last day of the year.
 */
function dependsOnEarlier(transactions: readonly Transaction[], day: Day): boolean {
  if (transactions.some((tx) => countsOn(tx) > tx.on && yearOf(tx.on) === yearOf(day))) return true;
  return transactions.some(isFormRow) && daysOfOpenForms(transactions)(day);
}

/**
 * Returns a test for unsettled days. A replay cannot resume from a book of such a day, because a later row cancels a
 * trade, a row takes effect on a day other than its own, or a form row and its sale are on different sides of the day.
 */
export function unsettledDays(transactions: readonly Transaction[]): (on: Day) => boolean {
  const spans = reversalsAmong(transactions).map(({ reversed, by }) => [reversed.on, by.on] as const);
  const first = findFirstShortDay(transactions);
  if (first !== null) spans.push([addDays(first, -washDays), first]);
  for (const tx of transactions) {
    const day = countsOn(tx);
    if (day > tx.on) spans.push([tx.on, day]);
    if (day < tx.on) spans.push([day, tx.on]);
    if (deliversStock(tx)) spans.push([reachedFrom(tx), addDays(tx.on, adjacentDaysMax)]);
  }
  const isOfForms = transactions.some(isFormRow) ? daysOfOpenForms(transactions) : () => false;
  return (on) => spans.some(([from, before]) => from <= on && on < before) || isOfForms(on);
}

function findFirstShortDay(transactions: readonly Transaction[]): Day | null {
  let first: Day | null = null;
  for (const tx of transactions) {
    const on = maySellShort(tx) ? countsOn(tx) : null;
    if (on !== null && (first === null || on < first)) first = on;
  }
  return first;
}
