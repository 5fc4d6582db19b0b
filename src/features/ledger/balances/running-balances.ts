import { formatDay, parseDay } from '../../../base/day.ts';
import { formatQuantity, parseQuantity, type Quantity } from '../../../base/decimal.ts';
import { isCurrency } from '../../../formats/cells/currencies.ts';
import { readTime } from '../../../formats/cells/times.ts';
import type { Row } from '../../../formats/format.ts';
import { krakenAsset } from '../../../formats/sources/kraken.ts';
import type { NewBalance } from './balances.queries.ts';

/** The column positions in a ledger that contains a balance after each row. */
export interface LedgerColumns {
  readonly time: number;
  readonly asset: number;
  readonly balance: number;
  /** The column that names the wallet, or −1 if there is none. Each wallet has a separate balance. */
  readonly wallet: number;
  readonly isKraken: boolean;
}

/**
 * Finds the columns of a ledger, which has an amount and a balance but no account column. Returns undefined for any
 * other header.
 */
export function findLedgerColumns(names: readonly string[]): LedgerColumns | undefined {
  const findColumn = (...words: string[]): number => names.findIndex((name) => words.includes(name));
  const [time, asset, balance] = [findColumn('time', 'date'), findColumn('asset', 'currency'), findColumn('balance')];
  if (time === -1 || asset === -1 || balance === -1 || findColumn('amount') === -1 || findColumn('account') !== -1)
    return undefined;
  return {
    time,
    asset,
    balance,
    wallet: findColumn('wallet'),
    isKraken: findColumn('refid') !== -1 && findColumn('txid') !== -1,
  };
}

export interface LedgerRow {
  readonly time: string;
  /** The day of `time` in the taxpayer's time zone. */
  readonly day: string;
  readonly asset: string;
  readonly part: string;
  readonly balance: Quantity;
}

/** Parses a ledger row. Returns null if it has no balance in units, or the column and the reason if it is invalid. */
export function parseLedgerRow(
  { cells }: Row,
  columns: LedgerColumns,
  timeZone: string,
): LedgerRow | null | { readonly column: string; readonly reason: string } {
  const cell = (at: number): string => (cells[at] ?? '').trim();
  const [time, name, text] = [cell(columns.time), cell(columns.asset), cell(columns.balance)];
  const asset = columns.isKraken ? krakenAsset(name) : name;
  if (text === '' || asset === '' || isCurrency(asset)) return null;
  // Exchanges report times in UTC.
  const on = readTime(time, 'UTC', timeZone)?.on ?? parseDay(time.slice(0, 10));
  if (on === undefined || parseDay(time.slice(0, 10)) === undefined)
    return { column: 'time', reason: 'the line must begin with a date like 2025-12-31' };
  const balance = parseQuantity(text);
  if (balance === undefined) return { column: 'balance', reason: 'the balance must be a plain decimal' };
  return {
    time: time.replace('T', ' '),
    day: formatDay(on),
    asset,
    part: JSON.stringify([name, cell(columns.wallet)]),
    balance,
  };
}

/**
 * Returns the balance of each asset at the end of each day that has a row. Adds up the last balances of all wallets.
 */
export function computeDayEnds(rows: readonly LedgerRow[], account: string): NewBalance[] {
  const [first, last] = [rows[0], rows.at(-1)];
  const isDescending = first !== undefined && last !== undefined && first.time > last.time;
  const ordered = (isDescending ? rows.toReversed() : [...rows]).sort((a, b) =>
    a.time < b.time ? -1 : a.time > b.time ? 1 : 0,
  );
  const parts = new Map<string, Map<string, Quantity>>();
  const ends = new Map<string, NewBalance>();
  for (const { day, asset, part, balance } of ordered) {
    const unitsByPart = parts.get(asset) ?? new Map<string, Quantity>();
    unitsByPart.set(part, balance);
    parts.set(asset, unitsByPart);
    const quantity = formatQuantity([...unitsByPart.values()].reduce((sum, one) => sum + one, 0n) as Quantity);
    ends.set(JSON.stringify([asset, day]), { account, asset, day, quantity });
  }
  return [...ends.values()];
}
