import { csvRecord, startsFormula } from '../../base/csv.ts';
import { formatDay, formatInstant } from '../../base/day.ts';
import { formatMoney, formatQuantity } from '../../base/decimal.ts';
import type { Ratio, Statement } from '../../engine/model.ts';
import { type MemberKind, type MemberValues, memberNames, statementMembers } from '../../engine/statement-members.ts';
import type { Draft } from '../format.ts';
import { type LotbookColumn, lotbookColumns, zoneColumn } from '../lotbook-columns.ts';

/**
 * Writes transactions as Lotbook CSV. Importing the output restores identical statements, to the microsecond and the
 * last decimal.
 */
export function* writeLotbook(transactions: readonly WrittenStatement[]): Generator<string> {
  const zones = transactions.some(({ timeZone }) => timeZone !== undefined);
  yield writeHeader(zones);
  for (const transaction of transactions) {
    yield zones ? writeLine(transaction, transaction.timeZone ?? '') : writeLine(transaction);
  }
}

type WrittenStatement = Statement & Pick<Draft, 'timeZone'>;

/**
 * Writes the header line. With `zones`, adds a column for the zone of a row's day, used if it differs from the
 * importer's zone.
 */
export function writeHeader(zones: boolean): string {
  return csvRecord([...lotbookColumns, ...(zones ? [zoneColumn] : [])]);
}

/**
 * Writes one line, so that callers can stream transactions from a database. Pass `zone` only if the header has the zone
 * column.
 */
export function writeLine(transaction: Statement, zone?: string): string {
  const cells = lotbookColumns.map((column) => cellOf[column](transaction));
  return csvRecord([...cells, ...(zone === undefined ? [] : [zone])]);
}

/** Returns a transaction's cells by column, before `writeLine` quotes them. */
export function toLotbookCells(transaction: Statement): Record<LotbookColumn, string> {
  const cells = lotbookColumns.map((column) => [column, cellOf[column](transaction)] as const);
  return Object.fromEntries(cells) as Record<LotbookColumn, string>;
}

type Write<Kind extends MemberKind> = (value: MemberValues[Kind]) => string;

/** Writes the cell for each kind of field. */
const writeKind: { readonly [Kind in MemberKind]: Write<Kind> } = {
  instant: (instant) => (instant === null ? '' : formatInstant(instant)),
  day: (day) => (day === null ? '' : formatDay(day)),
  type: (type) => type,
  name: escapeFormula,
  note: escapeFormula,
  currency: (currency) => (currency === 'USD' ? '' : currency),
  class: (assetClass) => assetClass ?? '',
  quantity: (quantity) => (quantity === null ? '' : formatQuantity(quantity)),
  money: (money) => (money === null ? '' : formatMoney(money)),
  ratio: (ratio) => (ratio === null ? '' : formatRatio(ratio)),
  lots: (lots) => escapeFormula(lots.map((lot) => `${lot.label}:${formatQuantity(lot.quantity)}`).join(';')),
  right: (right) => right ?? '',
  box: (box) => box ?? '',
  term: (term) => term ?? '',
};

function createMemberWriter(name: keyof Statement): (transaction: Statement) => string {
  const write = writeKind[statementMembers[name].kind] as (value: unknown) => string;
  return (transaction) => write(transaction[name]);
}

const cellOf = {
  ...Object.fromEntries(memberNames.map((name) => [statementMembers[name].column, createMemberWriter(name)])),
  date: ({ at, on }: Statement) => (at === null ? formatDay(on) : formatInstant(at)),
} as Readonly<Record<LotbookColumn, (transaction: Statement) => string>>;

/** Writes `3:1`, or a decimal if the denominator is a power of ten, so that `0.7` round-trips. */
function formatRatio({ numerator, denominator }: Ratio): string {
  const zeros = /^10+$/.test(denominator.toString()) ? denominator.toString().length - 1 : 0;
  if (zeros === 0) return `${numerator}:${denominator}`;
  const digits = numerator.toString().padStart(zeros + 1, '0');
  return `${digits.slice(0, -zeros)}.${digits.slice(-zeros)}`;
}

/**
 * Adds an apostrophe to text that a spreadsheet would run as a formula. Text that already starts with one gets another,
 * because reading removes one.
 */
export function escapeFormula(text: string): string {
  return startsFormula(text.replace(/^'+/, '')) ? `'${text}` : text;
}
