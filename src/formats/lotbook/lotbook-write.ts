import { csvRecord } from '../../base/csv.ts';
import { formatDay, formatInstant } from '../../base/day.ts';
import { formatMoney, formatQuantity, type Money, type Quantity } from '../../base/decimal.ts';
import type { Ratio, Statement } from '../../engine/model.ts';
import { type LotbookColumn, lotbookColumns, zoneColumn } from '../lotbook-columns.ts';

/** Transactions as Lotbook CSV: reading it again gives the same statements, to the microsecond and the last decimal. */
export function* writeLotbook(transactions: Iterable<Statement>): Generator<string> {
  yield writeHeader(false);
  for (const transaction of transactions) yield writeLine(transaction);
}

/** With `zones` one column more: the zone that a row's day was read in, where that is not the reader's own. */
export function writeHeader(zones: boolean): string {
  return csvRecord([...lotbookColumns, ...(zones ? [zoneColumn] : [])]);
}

/** One line, for whoever streams transactions from a database; `zone` only under a header with zones. */
export function writeLine(transaction: Statement, zone?: string): string {
  const cells = lotbookColumns.map((column) => cellOf[column](transaction));
  return csvRecord([...cells, ...(zone === undefined ? [] : [zone])]);
}

/** The cells of one transaction by column, as `writeLine` has them before quoting. */
export function cellsOf(transaction: Statement): Record<LotbookColumn, string> {
  const cells = lotbookColumns.map((column) => [column, cellOf[column](transaction)] as const);
  return Object.fromEntries(cells) as Record<LotbookColumn, string>;
}

const cellOf: Readonly<Record<LotbookColumn, (transaction: Statement) => string>> = {
  date: ({ at, on }) => (at === null ? formatDay(on) : formatInstant(at)),
  type: ({ type }) => type,
  account: ({ account }) => escaped(account),
  asset: ({ asset }) => escaped(asset),
  quantity: ({ quantity }) => units(quantity),
  amount: ({ amount }) => dollars(amount),
  fee: ({ fee }) => dollars(fee),
  currency: ({ currency }) => (currency === 'USD' ? '' : currency),
  received_asset: ({ receivedAsset }) => escaped(receivedAsset),
  received_quantity: ({ receivedQuantity }) => units(receivedQuantity),
  fee_asset: ({ feeAsset }) => escaped(feeAsset),
  fee_quantity: ({ feeQuantity }) => units(feeQuantity),
  fee_own: ({ feeOwn }) => dollars(feeOwn),
  to_account: ({ toAccount }) => escaped(toAccount),
  acquired: ({ acquired }) => (acquired === null ? '' : formatDay(acquired)),
  basis: ({ basis }) => dollars(basis),
  fmv: ({ fmv }) => dollars(fmv),
  ratio: ({ ratio }) => (ratio === null ? '' : formatRatio(ratio)),
  lots: ({ lots }) => escaped(lots.map((lot) => `${lot.label}:${formatQuantity(lot.quantity)}`).join(';')),
  identified_at: ({ identifiedAt }) => (identifiedAt === null ? '' : formatInstant(identifiedAt)),
  shares: ({ shares }) => units(shares),
  underlying: ({ underlying }) => escaped(underlying),
  right: ({ right }) => right ?? '',
  box: ({ box }) => box ?? '',
  wash: ({ wash }) => dollars(wash),
  term: ({ term }) => term ?? '',
  asset_class: ({ assetClass }) => assetClass ?? '',
  id: ({ externalId }) => escaped(externalId),
  note: ({ note }) => escaped(note),
};

function units(quantity: Quantity | null): string {
  return quantity === null ? '' : formatQuantity(quantity);
}

function dollars(money: Money | null): string {
  return money === null ? '' : formatMoney(money);
}

/** `3:1`; a decimal where the second part is a power of ten, as `0.7` was read. */
function formatRatio({ numerator, denominator }: Ratio): string {
  const zeros = /^10+$/.test(denominator.toString()) ? denominator.toString().length - 1 : 0;
  if (zeros === 0) return `${numerator}:${denominator}`;
  const digits = numerator.toString().padStart(zeros + 1, '0');
  return `${digits.slice(0, -zeros)}.${digits.slice(-zeros)}`;
}

/** A spreadsheet runs text that begins so as a formula. One more apostrophe where one stands already: reading takes one off. */
export function escaped(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
