import type { Day } from '../../../../src/base/day.ts';
import { yearOfDay } from '../../numbers.ts';
import { raise, type State } from '../../state.ts';

const hour = 3_600_000_000;

/**
 * A year is that of the place where the taxpayer lives. If nobody has stated it, a row of an hour that is in another year
 * somewhere on earth, from twelve hours behind UTC to fourteen ahead, leaves the year of what it taxes open. It is one
 * question with one answer, which names every such row.
 */
export function raiseYearOfZone(state: State, today: Day, taxed: readonly { readonly transactionId: string }[]): void {
  if (state.rules.timeZone !== undefined) return;
  for (const { transactionId } of taxed) {
    const { transaction: row } = state.events.find(({ transaction }) => transaction.id === transactionId) ?? {};
    if (row === undefined || row.on !== today || row.at === null || row.zoned === true) continue;
    if (yearAt(row.at - 12 * hour) !== yearAt(row.at + 14 * hour)) raise(state, row.id, 'tax_year_by_zone');
  }
}

function yearAt(microseconds: number): number {
  return yearOfDay(Math.floor(microseconds / (24 * hour)) as Day);
}
