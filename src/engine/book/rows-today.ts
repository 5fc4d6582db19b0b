import type { Day } from '../../base/day.ts';
import { countsOn } from '../events/events.ts';
import type { Ledger } from '../events/ledger.ts';
import type { Transaction } from '../model.ts';
import type { Fold } from './fold.ts';

/** The transactions of the day by id. They are collected only on the few days with a row of a form. */
export function rowsToday(fold: Fold): ReadonlyMap<string, Transaction> {
  if (fold.rowsToday !== null) return fold.rowsToday;
  fold.rowsToday = rowsOn(fold.ledger, fold.day);
  return fold.rowsToday;
}

/** The transactions that count on a day, by id. */
export function rowsOn(ledger: Ledger | null, day: Day): Map<string, Transaction> {
  const rows = new Map<string, Transaction>();
  for (const row of ledger?.others ?? []) if (countsOn(row) === day) rows.set(row.id, row);
  for (let trade = 0; trade < (ledger?.trades ?? 0); trade++) {
    if (ledger?.ons[trade] !== day) continue;
    const row = ledger.trade(trade);
    rows.set(row.id, row);
  }
  return rows;
}
