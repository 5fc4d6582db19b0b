import { csvRecord, startsFormula } from '../../base/csv.ts';
import { formatDay, formatInstant } from '../../base/day.ts';
import { formatMoney, formatQuantity } from '../../base/decimal.ts';
import type { Ratio, Statement } from '../../engine/model.ts';
import { type MemberKind, type MemberValues, memberNames, statementMembers } from '../../engine/statement-members.ts';
import type { Draft } from '../format.ts';
import { type LotbookColumn, lotbookColumns, zoneColumn } from '../lotbook-columns.ts';

/**
 * Writes transactions as Lotbook CSV. Reading it back gives the same statements, to the microsecond and the last
 * decimal.
 */
export function* writeLotbook(transactions: readonly WrittenStatement[]): Generator<string> {
  const zones = transactions.some(({ timeZone }) => timeZone !== undefined);
  yield writeHeader(zones);
  for (const transaction of transactions) {
    yield zones ? writeLine(transaction, transaction.timeZone ?? '') : writeLine(transaction);
  }
}

type WrittenStatement = Statement & Pick<Draft, 'timeZone'>;

/** The header line. With `zones`, it has a column for the zone of the row's day if that differs from the reader's. */
export function writeHeader(zones: boolean): string {
  return csvRecord([...lotbookColumns, ...(zones ? [zoneColumn] : [])]);
}

/** One line, for streaming transactions from a database. `zone` is only for a header with zones. */
export function writeLine(transaction: Statement, zone?: string): string {
  const cells = lotbookColumns.map((column) => cellOf[column](transaction));
  return csvRecord([...cells, ...(zone === undefined ? [] : [zone])]);
}

/** The cells of one transaction by column, before `writeLine` quotes them. */
export function toLotbookCells(transaction: Statement): Record<LotbookColumn, string> {
  const cells = lotbookColumns.map((column) => [column, cellOf[column](transaction)] as const);
  return Object.fromEntries(cells) as Record<LotbookColumn, string>;
}

type Write<Kind extends MemberKind> = (value: MemberValues[Kind]) => string;

/** The cell for each kind of member. */
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

/** `3:1`. A decimal if the denominator is a power of ten, so `0.7` round-trips. */
function formatRatio({ numerator, denominator }: Ratio): string {
  const zeros = /^10+$/.test(denominator.toString()) ? denominator.toString().length - 1 : 0;
  if (zeros === 0) return `${numerator}:${denominator}`;
  const digits = numerator.toString().padStart(zeros + 1, '0');
  return `${digits.slice(0, -zeros)}.${digits.slice(-zeros)}`;
}

/**
 * Adds an apostrophe to text that a spreadsheet would run as a formula, even if it already has one, because reading
 * removes one.
 */
export function escapeFormula(text: string): string {
  return startsFormula(text.replace(/^'+/, '')) ? `'${text}` : text;
}
