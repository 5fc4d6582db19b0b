import { addDays, type Day } from '../../base/day.ts';
import type { Book } from '../book/book.ts';
import { isReversal, reversalsAmong, takesBackEarlier } from '../events/corrections.ts';
import { countsOn } from '../events/events.ts';
import type { Transaction } from '../model.ts';
import { washDays } from '../rules/wash-sales/window.ts';

/**
 * Some rows change what was known on days before them: one that takes a trade back, and the first short sale of a book,
 * whose loss falls on stock sold up to thirty days before (IRC 1091(e)(1)): until then no sale was remembered. A book is
 * neither kept on those days nor resumed from one of them.
 */
export function changesEarlierDays(tx: Transaction): boolean {
  return isReversal(tx) || tx.type === 'short_sell';
}

/** Whether a row says of some days what is not on them, so that `unsettledDays` is to be asked. */
export function leavesUnsettled(tx: Transaction): boolean {
  return changesEarlierDays(tx) || countsOn(tx) !== tx.on;
}

/** Whether a book can go on with these transactions, all those after its day. */
export function canGoOn(book: Pick<Book, 'asOf' | 'shorted'>, transactions: readonly Transaction[]): boolean {
  if (takesBackEarlier(transactions)) return false;
  const first = book.shorted || book.asOf === null ? null : firstShortOf(transactions);
  return first === null || book.asOf === null || book.asOf < addDays(first, -washDays);
}

/**
 * Answers for days after which a book cannot be stopped and gone on with: what comes after would not have the row that
 * was taken back, or counts later.
 */
export function unsettledDays(transactions: readonly Transaction[]): (on: Day) => boolean {
  const spans = reversalsAmong(transactions).map(({ reversed, by }) => [reversed.on, by.on] as const);
  const first = firstShortOf(transactions);
  if (first !== null) spans.push([addDays(first, -washDays), first]);
  for (const tx of transactions) if (countsOn(tx) !== tx.on) spans.push([tx.on, countsOn(tx)]);
  return (on) => spans.some(([from, before]) => from <= on && on < before);
}

function firstShortOf(transactions: readonly Transaction[]): Day | null {
  let first: Day | null = null;
  for (const { type, on } of transactions) if (type === 'short_sell' && (first === null || on < first)) first = on;
  return first;
}
