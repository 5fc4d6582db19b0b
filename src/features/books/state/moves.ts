import { type Day, formatDay } from '../../../base/day.ts';
import { lapseDayOf } from '../../../engine/book/expiry.ts';
import { eventsOf } from '../../../engine/events/events.ts';
import type { Ledger, Place } from '../../../engine/events/ledger.ts';
import { isQuiet } from '../../../engine/rest.ts';
import { yearIn } from './choice.ts';

/** What the rows of a book say of the states to keep. */
export interface Moves {
  /** The last day on which any of them moves it; null where none does. */
  readonly last: Day | null;
  /** Days of rows that are no plain trades, ascending. */
  readonly others: readonly Day[];
}

export function movesOf(ledger: Ledger, keys: ReadonlySet<string>): Moves {
  let last: Day | null = null;
  const others: Day[] = [];
  for (const row of ledger.others) {
    const events = eventsOf(row);
    if (!isQuiet(row)) others.push(row.on, ...events.map(({ on }) => on));
    for (const { key, on } of events) if (keys.has(key) && (last === null || on > last)) last = on;
  }
  const counts = ledger.places.map(({ key }: Place) => keys.has(key));
  for (let trade = 0; trade < ledger.trades; trade++) {
    const on = ledger.ons[trade] as Day;
    if ((last === null || on > last) && counts[ledger.placeOf[trade] as number]) last = on;
  }
  return { last, others: others.sort((a, b) => a - b) };
}

/** The year of a book's last day. Books of options have none: they may end on a day of no row. */
export function lastYearOf(keys: readonly string[], moves: Moves, keptDay: string | null): string | null {
  if (keys.some((key) => lapseDayOf(key.slice(key.indexOf(':') + 1)) !== null)) return null;
  if (moves.last !== null) return yearIn(formatDay(moves.last));
  return keptDay === null ? null : yearIn(keptDay);
}
