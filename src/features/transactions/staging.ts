import { formatDay, formatInstant } from '../../base/day.ts';
import { formatMoney, formatQuantity, type Money, moneyText, type Quantity, quantityText } from '../../base/decimal.ts';
import { ArrayColumn, type ArrayText } from '../../db/array.ts';
import { GrowingText } from '../../db/growing-text.ts';
import type { Statement } from '../../engine/model.ts';
import { idDigits, lotsText, type Prepared } from './prepare.ts';

const columnNames = [
  'type',
  'at',
  'onDay',
  'timeZone',
  'account',
  'asset',
  'assetClass',
  'statedClass',
  'sourceClass',
  'quantity',
  'amount',
  'fee',
  'currency',
  'receivedAsset',
  'receivedQuantity',
  'feeAsset',
  'feeQuantity',
  'feeOwn',
  'toAccount',
  'acquired',
  'basis',
  'fmv',
  'ratioNumerator',
  'ratioDenominator',
  'lots',
  'identifiedAt',
  'shares',
  'underlying',
  'right',
  'box',
  'wash',
  'term',
  'externalId',
  'note',
  'line',
  'lines',
  'assetKey',
  'secondKey',
  'thirdKey',
  'fourthKey',
  'links',
  'id',
  'repeated',
] as const;
type ColumnName = (typeof columnNames)[number];

/** Rows as the database takes them: an array a column, null where all of it is. */
export interface StagedColumns extends Readonly<Record<ColumnName, ArrayText | null>> {
  readonly rows: number;
  /** Those of all rows in one text: as an array of texts they cost several times as much to read. */
  readonly fingerprints: string;
}

const keysMax = 4;

/** Prepared rows become columns as they come: of a row nothing else is kept. */
export class Staging {
  private count = 0;
  private readonly fingerprints = new GrowingText();
  private readonly columns = Object.fromEntries(columnNames.map((name) => [name, new ArrayColumn()])) as Record<
    ColumnName,
    ArrayColumn
  >;

  get rows(): number {
    return this.count;
  }

  /** `repeated`: an equal row may stand before it in its file. */
  add(row: Prepared, repeated: boolean): void {
    const { columns, count: at } = this;
    const { keys, fingerprint } = row;
    if (keys.length > keysMax) throw new Error('A row moves more books than it has columns for.');
    this.fingerprints.add(fingerprint);
    columns.id.plain(at, idDigits(fingerprint, 1));
    this.addTrade(at, row);
    if (!row.isTradeOnly) this.addRest(at, row.statement);
    columns.sourceClass.plain(at, row.sourceClass);
    if (row.timeZone !== null) columns.timeZone.name(at, row.timeZone);
    columns.line.plain(at, `${row.line}`);
    if (row.lines !== 1) columns.lines.plain(at, `${row.lines}`);
    columns.assetKey.name(at, keys[0] ?? '');
    if (keys[1] !== undefined) columns.secondKey.name(at, keys[1]);
    if (keys[2] !== undefined) columns.thirdKey.name(at, keys[2]);
    if (keys[3] !== undefined) columns.fourthKey.name(at, keys[3]);
    columns.links.free(at, row.links);
    if (repeated) columns.repeated.plain(at, 't');
    this.count += 1;
  }

  /** What was added since the last time. */
  take(): StagedColumns {
    const rows = this.count;
    this.count = 0;
    const entries = columnNames.map((name) => [name, this.columns[name].take(rows)] as const);
    const columns = Object.fromEntries(entries) as Record<ColumnName, ArrayText | null>;
    return { ...columns, rows, fingerprints: this.fingerprints.take() };
  }

  private addTrade(at: number, { statement: s, assetClass, digits }: Prepared): void {
    const { columns } = this;
    columns.type.plain(at, s.type);
    if (s.at !== null) columns.at.plain(at, formatInstant(s.at));
    columns.onDay.plain(at, formatDay(s.on));
    columns.account.name(at, s.account);
    columns.asset.name(at, s.asset);
    columns.assetClass.plain(at, assetClass);
    columns.statedClass.plain(at, s.assetClass);
    if (digits.quantity !== null) columns.quantity.plain(at, quantityText(digits.quantity));
    if (digits.amount !== null) columns.amount.plain(at, moneyText(digits.amount));
    if (digits.fee !== null) columns.fee.plain(at, moneyText(digits.fee));
    columns.currency.name(at, s.currency);
    columns.externalId.free(at, s.externalId || null);
    columns.note.free(at, s.note || null);
  }

  private addRest(at: number, s: Statement): void {
    const { columns } = this;
    const quantity = (name: ColumnName, value: Quantity | null) => {
      if (value !== null) columns[name].plain(at, formatQuantity(value));
    };
    const money = (name: ColumnName, value: Money | null) => {
      if (value !== null) columns[name].plain(at, formatMoney(value));
    };
    columns.receivedAsset.free(at, s.receivedAsset || null);
    quantity('receivedQuantity', s.receivedQuantity);
    columns.feeAsset.free(at, s.feeAsset || null);
    quantity('feeQuantity', s.feeQuantity);
    money('feeOwn', s.feeOwn);
    columns.toAccount.free(at, s.toAccount || null);
    if (s.acquired !== null) columns.acquired.plain(at, formatDay(s.acquired));
    money('basis', s.basis);
    money('fmv', s.fmv);
    if (s.ratio !== null) {
      columns.ratioNumerator.plain(at, s.ratio.numerator.toString());
      columns.ratioDenominator.plain(at, s.ratio.denominator.toString());
    }
    columns.lots.free(at, lotsText(s.lots) || null);
    if (s.identifiedAt !== null) columns.identifiedAt.plain(at, formatInstant(s.identifiedAt));
    quantity('shares', s.shares);
    columns.underlying.free(at, s.underlying || null);
    columns.right.plain(at, s.right);
    columns.box.plain(at, s.box);
    money('wash', s.wash);
    columns.term.plain(at, s.term);
  }
}
