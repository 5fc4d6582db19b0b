import type { Day } from '../../../../src/base/day.ts';
import { yearOfDay } from '../../numbers.ts';
import { raise, type State } from '../../state.ts';

const hour = 3_600_000_000;

/**
 * Asks for the time zone. A year follows the taxpayer's local time. If the taxpayer's time zone is not stated, a row
 * with a time that is in another year somewhere on earth, from twelve hours behind UTC to fourteen ahead, leaves the
 * tax year open. One question names all such rows.
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
