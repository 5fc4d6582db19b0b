import { formatDay, parseDay } from '../../../base/day.ts';
import { formatQuantity, parseQuantity, type Quantity } from '../../../base/decimal.ts';
import { invalidMember, Refusal } from '../../../base/refusal.ts';
import { isCurrency } from '../../../formats/cells/currencies.ts';
import { readTime } from '../../../formats/cells/times.ts';
import type { Row } from '../../../formats/format.ts';
import { readRows, rowLimits } from '../../../formats/rows/rows.ts';
import { krakenAsset } from '../../../formats/sources/kraken.ts';
import {
  invalidDay,
  invalidDecimal,
  ListedValues,
  openQuote,
  parseColumnNames,
  type RejectedValue,
} from '../../../http/csv-list.ts';
import type { NewBalance } from './balances.queries.ts';

export interface BalancesRead {
  readonly balances: readonly NewBalance[];
  readonly rows: number;
  /** The number of lines that repeat an earlier line. */
  readonly repeated: number;
  readonly rejected: number;
  readonly rejects: readonly RejectedValue[];
}

/** Values for files without these columns. */
interface BalanceDefaults {
  readonly account: string | null;
  readonly on: string | null;
  /** The taxpayer's time zone. */
  readonly timeZone: string;
}

const fileBytesMax = 16 * 1024 ** 2;
export const nameLengthMax = 200;
/** Broker files may have a few lines before the header. */
const headerLinesMax = 20;

/** The accepted names of each column, the most specific first. */
const columnWords = {
  account: ['account', 'account name', 'account number', 'wallet', 'portfolio'],
  asset: ['asset', 'symbol', 'ticker', 'instrument', 'coin', 'currency'],
  on: ['on', 'date', 'as of', 'as of date'],
  quantity: ['quantity', 'qty', 'qty (quantity)', 'shares', 'units', 'balance', 'total balance'],
} as const;
type BalanceColumn = keyof typeof columnWords;
type BalanceColumns = Readonly<Record<BalanceColumn, number>>;

/**
 * Reads stated balances from one of two kinds of file. A file of positions has one position per line and the columns
 * asset and quantity. It also needs account and date columns unless the request contains these values. A ledger has the
 * balance after each row. Rejects lines without a valid balance, and throws if no line has one.
 */
export async function readBalances(
  content: ReadableStream<Uint8Array>,
  defaults: BalanceDefaults,
): Promise<BalancesRead> {
  const list = new ListedValues<NewBalance>('balance', 'quantity');
  const ledgerRows: LedgerRow[] = [];
  let columns: BalanceColumns | undefined;
  let ledger: LedgerColumns | undefined;
  let seen = 0;
  for await (const batch of readRows(content, { ...rowLimits, fileBytesMax })) {
    for (const row of batch) {
      if (columns === undefined && ledger === undefined) {
        ledger = findLedgerColumns(parseColumnNames(row));
        columns = ledger === undefined ? findBalanceColumns(row) : undefined;
        seen += 1;
        if (columns === undefined && ledger === undefined && seen >= headerLinesMax) throw noHeader();
        if (ledger !== undefined && defaults.account === null) throw missingColumn('account');
        if (columns !== undefined) refuseUnstated(columns, defaults);
        continue;
      }
      list.rows += 1;
      if (ledger !== undefined) {
        const stated = parseLedgerRow(row, ledger, defaults.timeZone);
        if (stated !== null && 'reason' in stated) list.reject({ line: row.line, ...stated });
        else if (stated !== null) ledgerRows.push(stated);
      } else if (columns !== undefined) {
        const read = parseBalance(row, columns, defaults);
        if ('reason' in read) list.reject(read);
        else list.add(row.line, nameOf(read), read);
      }
    }
  }
  if (columns === undefined && ledger === undefined) throw noHeader();
  const listed = list.end();
  const balances = ledger === undefined ? listed : computeDayEnds(ledgerRows, defaults.account ?? '');
  const { rows, repeated, rejected, rejects } = list;
  return { balances, rows, repeated, rejected, rejects };
}

/** Returns the number of decimals in a stated quantity. */
export function countDecimals(quantity: string): number {
  return quantity.split('.')[1]?.length ?? 0;
}

function nameOf({ account, asset, day }: NewBalance): string {
  return JSON.stringify([account, asset, day]);
}

function findBalanceColumns(row: Row): BalanceColumns | undefined {
  const names = parseColumnNames(row);
  const findColumn = (column: BalanceColumn): number => {
    const word = columnWords[column].find((one) => names.includes(one));
    return word === undefined ? -1 : names.indexOf(word);
  };
  const columns = {
    account: findColumn('account'),
    asset: findColumn('asset'),
    on: findColumn('on'),
    quantity: findColumn('quantity'),
  };
  return columns.asset === -1 || columns.quantity === -1 ? undefined : columns;
}

function parseBalance(row: Row, columns: BalanceColumns, defaults: BalanceDefaults): NewBalance | RejectedValue {
  const createReject = (column: string | null, reason: string): RejectedValue => ({ line: row.line, column, reason });
  if (row.flaw !== undefined) return createReject(null, openQuote);
  const cell = (column: BalanceColumn): string => (row.cells[columns[column]] ?? '').trim();
  const balance = {
    account: cell('account') || (defaults.account ?? ''),
    asset: cell('asset'),
    day: cell('on') || (defaults.on ?? ''),
    quantity: cell('quantity').replaceAll(/(?<=\d),(?=\d{3}\b)/g, ''),
  };
  const fault = findBalanceFault(balance);
  return fault === undefined ? balance : createReject(fault.column, fault.detail);
}

/** Returns the reason why a balance is invalid, or undefined if it is valid. */
export function findBalanceFault(
  balance: NewBalance,
): { readonly column: BalanceColumn; readonly detail: string } | undefined {
  const fault = (column: BalanceColumn, detail: string) => ({ column, detail });
  for (const name of ['account', 'asset'] as const) {
    if (balance[name].trim() === '') return fault(name, `the ${name} is missing`);
    if (balance[name].length > nameLengthMax) return fault(name, `the name has more than ${nameLengthMax} characters`);
  }
  if (isCurrency(balance.asset)) return fault('asset', 'balances of money are not tracked');
  if (parseDay(balance.day) === undefined) return fault('on', invalidDay);
  if (parseQuantity(balance.quantity) === undefined) return fault('quantity', invalidDecimal('quantity'));
  return undefined;
}

function refuseUnstated(columns: BalanceColumns, defaults: BalanceDefaults): void {
  for (const name of ['account', 'on'] as const) {
    if (columns[name] === -1 && defaults[name] === null) throw missingColumn(name);
  }
}

function missingColumn(name: 'account' | 'on'): Refusal {
  return invalidMember(
    `/${name}`,
    `The file has no column for the ${name === 'on' ? 'day' : 'account'}. Send it as ?${name}=.`,
  );
}

function noHeader(): Refusal {
  const detail = `A file of positions needs a header with the columns ${columnWords.asset.join(' or ')}, and ${columnWords.quantity.join(' or ')}.`;
  return new Refusal('unknown_format', detail, { errors: [{ code: 'unknown_format', detail, line: 1 }] });
}

/** The column positions in a ledger that contains a balance after each row. */
interface LedgerColumns {
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
function findLedgerColumns(names: readonly string[]): LedgerColumns | undefined {
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

interface LedgerRow {
  readonly time: string;
  /** The day of `time` in the taxpayer's time zone. */
  readonly day: string;
  readonly asset: string;
  readonly part: string;
  readonly balance: Quantity;
}

/** Parses a ledger row. Returns null if it has no balance in units, or the column and the reason if it is invalid. */
function parseLedgerRow(
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
function computeDayEnds(rows: readonly LedgerRow[], account: string): NewBalance[] {
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
