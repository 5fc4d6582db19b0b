import { parseDay } from '../../../base/day.ts';
import { parseQuantity } from '../../../base/decimal.ts';
import { invalidMember, Refusal } from '../../../base/refusal.ts';
import { isCurrency } from '../../../formats/cells/currencies.ts';
import type { Row } from '../../../formats/format.ts';
import { readRows, rowLimits } from '../../../formats/rows/rows.ts';
import {
  invalidDay,
  invalidDecimal,
  noValidLine,
  openQuote,
  parseColumnNames,
  type RejectedValue,
  rejectsShownMax,
} from '../../../http/csv-list.ts';
import type { NewBalance } from './balances.queries.ts';
import {
  computeDayEnds,
  findLedgerColumns,
  type LedgerColumns,
  type LedgerRow,
  parseLedgerRow,
} from './running-balances.ts';

export interface BalancesRead {
  readonly balances: readonly NewBalance[];
  readonly rows: number;
  /** The number of lines that repeat an earlier line. */
  readonly repeated: number;
  readonly rejected: number;
  readonly rejects: readonly RejectedValue[];
}

/** Values for files without these columns. */
export interface BalanceDefaults {
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
  const balances = new Map<string, NewBalance & { readonly line: number }>();
  const rejects: RejectedValue[] = [];
  const ledgerRows: LedgerRow[] = [];
  let columns: BalanceColumns | undefined;
  let ledger: LedgerColumns | undefined;
  let [seen, rows, rejected, repeated] = [0, 0, 0, 0];
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
      rows += 1;
      if (ledger !== undefined) {
        const stated = parseLedgerRow(row, ledger, defaults.timeZone);
        if (stated !== null && !('reason' in stated)) ledgerRows.push(stated);
        else if (stated !== null) {
          rejected += 1;
          if (rejects.length < rejectsShownMax) rejects.push({ line: row.line, ...stated });
        }
        continue;
      }
      if (columns === undefined) continue;
      const read = parseBalance(row, columns, defaults);
      const known = 'reason' in read ? undefined : balances.get(nameOf(read));
      if (!('reason' in read) && known === undefined) balances.set(nameOf(read), { ...read, line: row.line });
      else if (!('reason' in read) && known?.quantity === read.quantity) repeated += 1;
      else {
        const reason = `line ${known?.line} has a different balance, ${known?.quantity}, for the same day`;
        rejected += 1;
        if (rejects.length < rejectsShownMax)
          rejects.push('reason' in read ? read : { line: row.line, column: 'quantity', reason });
      }
    }
  }
  if (columns === undefined && ledger === undefined) throw noHeader();
  if (rows > 0 && rejected === rows) throw noValidLine('balance', rejects);
  if (ledger !== undefined) {
    return { balances: computeDayEnds(ledgerRows, defaults.account ?? ''), rows, repeated, rejected, rejects };
  }
  const newBalances = [...balances.values()].map(({ account, asset, day, quantity }) => ({
    account,
    asset,
    day,
    quantity,
  }));
  return { balances: newBalances, rows, repeated, rejected, rejects };
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
