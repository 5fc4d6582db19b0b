import type { Day } from '../../../src/base/day.ts';
import type { Transaction } from '../../../src/engine/model.ts';
import { raise, type State } from '../state.ts';
import { dayOfEvent, type OracleEvent } from './events.ts';
import { isBetweenForms } from './form-sales.ts';

/** Raises an issue for a reversal that matches no row. */
export function reverse(state: State, event: OracleEvent): void {
  raise(state, event.transaction.id, 'unreconciled');
}

/**
 * Removes trades that a broker reversed by repeating the row with a negative amount, together with the reversing rows.
 */
export function corrected(history: readonly Transaction[]): Transaction[] {
  const gone = new Set(pairsIn(history).flat());
  return history.filter((row) => !gone.has(row));
}

/**
 * Returns true if a day is between a trade and the row that reverses it. Books cannot be closed permanently on such a
 * day.
 */
export function isUnsettled(history: readonly Transaction[], on: Day): boolean {
  const first = Math.min(...history.filter((row) => row.type === 'short_sell').map((row) => row.on));
  // The first short sale looks back thirty days, at sales that were not kept before.
  if (first - 30 <= on && on < first) return true;
  if (isBetweenForms(history, on)) return true;
  // Shares that an option delivered are compared with trades on nearby days.
  const ends = history.filter((row) => row.type === 'exercise' || row.type === 'assign');
  if (ends.some((row) => dayOfEvent(row) - 7 <= on && on < row.on + 7)) return true;
  return pairsIn(history).some(([trade, back]) => trade.on <= on && on < back.on);
}

function pairsIn(history: readonly Transaction[]): [Transaction, Transaction][] {
  const inOrder = [...history].sort(compare);
  const pairs: [Transaction, Transaction][] = [];
  for (const back of inOrder.filter((row) => isTrade(row) && (row.amount ?? 0n) < 0n)) {
    const trade = inOrder.findLast(
      (row) => isTrade(row) && mirrors(row, back) && !pairs.some(([known]) => known === row),
    );
    if (trade !== undefined) pairs.push([trade, back]);
  }
  return pairs;
}

const outgoing = ['sell', 'trade', 'short_sell', 'sell_to_open', 'sell_to_close'];
const incoming = ['buy', 'cover', 'buy_to_open', 'buy_to_close', 'reinvest', 'espp_purchase'];

function isTrade({ type }: Transaction): boolean {
  return outgoing.includes(type) || incoming.includes(type);
}

function mirrors(row: Transaction, back: Transaction): boolean {
  if (row.amount === null || row.amount < 0n || row.on > back.on) return false;
  if (row.on === back.on && row.at !== null && back.at !== null && row.at > back.at) return false;
  const same = (
    [
      'type',
      'account',
      'asset',
      'assetClass',
      'quantity',
      'currency',
      'receivedAsset',
      'receivedQuantity',
      'feeAsset',
    ] as const
  ).every((name) => row[name] === back[name]);
  if (!same || row.feeQuantity !== back.feeQuantity) return false;
  const taken = -(back.amount ?? 0n);
  if (back.fee === null && row.amount === taken) return true;
  const sign = outgoing.includes(row.type) ? -1n : 1n;
  return row.amount + sign * (row.fee ?? 0n) === taken + sign * (back.fee ?? 0n);
}

function compare(a: Transaction, b: Transaction): number {
  return a.on - b.on || (a.at ?? 0) - (b.at ?? 0) || a.line - b.line || (a.id < b.id ? -1 : 1);
}
