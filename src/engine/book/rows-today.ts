import type { Day } from '../../base/day.ts';
import { countsOn } from '../events/events.ts';
import type { Ledger } from '../events/ledger.ts';
import type { Transaction } from '../model.ts';
import type { Fold } from './fold.ts';

/** Returns today's transactions by id. They are collected only on the few days that have a form row. */
export function rowsToday(fold: Fold): ReadonlyMap<string, Transaction> {
  if (fold.rowsToday !== null) return fold.rowsToday;
  fold.rowsToday = rowsOn(fold.ledger, fold.day);
  return fold.rowsToday;
}

/** Returns the transactions that take effect on a day, by id. */
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
