import { formatDay, formatInstant } from '../../../../base/day.ts';
import { moneyText, quantityText } from '../../../../base/decimal.ts';
import { ArrayColumn, type ArrayText } from '../../../../db/array.ts';
import { GrowingText } from '../../../../db/growing-text.ts';
import type { Statement } from '../../../../engine/model.ts';
import { RowIds } from '../rows/rows.ts';
import { derivedColumns, extraColumns, type StatementColumn, sqlColumns } from '../rows/statement-sql.ts';
import type { PreparedRow } from './prepare.ts';

type ColumnName = StatementColumn | keyof typeof derivedColumns | keyof typeof ownColumns;

/** Columns that only staged rows have. */
const ownColumns = {
  line: 'integer',
  lines: 'integer',
  id: 'uuid',
  repeated: 'text[]::boolean',
  earlier: 'text',
} as const;

/** The columns of a staged row. Each is sent as an array of its type. */
export const stagedColumns = [
  ...sqlColumns,
  ...Object.entries({ ...derivedColumns, ...ownColumns }).map(([name, type]) => ({ name, type })),
] as readonly { readonly name: ColumnName; readonly type: string }[];

/** Rows in the form in which they are sent to the database. */
export interface StagedColumns {
  readonly rows: number;
  /** One array per column. Null if all its values are null. */
  readonly columns: Readonly<Record<ColumnName, ArrayText | null>>;
  /** The fingerprints of all rows as one text. Reading them as an array of texts would take several times as long. */
  readonly fingerprints: string;
}

const keysMax = 4;

/** Converts prepared rows to columns, one row at a time, without keeping the rows. */
export class Staging {
  private count = 0;
  private readonly fingerprints = new GrowingText();
  private readonly columns = Object.fromEntries(stagedColumns.map(({ name }) => [name, new ArrayColumn()])) as Record<
    ColumnName,
    ArrayColumn
  >;

  private readonly ids: RowIds | null;

  /** `idKey` is the taxpayer's secret key for row ids. Null if every row is added with its id. */
  constructor(idKey: Uint8Array | null) {
    this.ids = idKey === null ? null : new RowIds(idKey);
  }

  get rows(): number {
    return this.count;
  }

  /** Adds a row. `repeated` means that the file may contain an equal row before this one. */
  add(row: PreparedRow, repeated: boolean, id = this.ids?.computeDigits(row.fingerprint, 1)): void {
    const { columns, count: at } = this;
    const { keys, fingerprint } = row;
    if (id === undefined) throw new Error('A row has no id.');
    if (keys.length > keysMax) throw new Error('A row affects more books than there are columns for.');
    this.fingerprints.add(fingerprint);
    columns.id.plain(at, id);
    this.addTrade(at, row);
    if (!row.isTradeOnly) this.addExtras(at, row.statement);
    columns.source_class.plain(at, row.sourceClass);
    if (row.timeZone !== null) columns.time_zone.name(at, row.timeZone);
    columns.line.plain(at, `${row.line}`);
    if (row.lines !== 1) columns.lines.plain(at, `${row.lines}`);
    columns.asset_key.name(at, keys[0] ?? '');
    if (keys[1] !== undefined) columns.second_key.name(at, keys[1]);
    if (keys[2] !== undefined) columns.third_key.name(at, keys[2]);
    if (keys[3] !== undefined) columns.fourth_key.name(at, keys[3]);
    columns.links.free(at, row.links);
    columns.stated_names.free(at, row.statedNames);
    if (repeated) columns.repeated.plain(at, 't');
    if (row.earlier !== null) columns.earlier.plain(at, row.earlier);
    this.count += 1;
  }

  /** Returns the rows added since the last call. */
  take(): StagedColumns {
    const rows = this.count;
    this.count = 0;
    const arrays = stagedColumns.map(({ name }) => [name, this.columns[name].take(rows)] as const);
    const columns = Object.fromEntries(arrays) as Record<ColumnName, ArrayText | null>;
    return { rows, columns, fingerprints: this.fingerprints.take() };
  }

  private addTrade(at: number, { statement: s, assetClass, digits }: PreparedRow): void {
    const { columns } = this;
    columns.type.plain(at, s.type);
    if (s.at !== null) columns.at.plain(at, formatInstant(s.at));
    columns.on_day.plain(at, formatDay(s.on));
    columns.account.name(at, s.account);
    columns.asset.name(at, s.asset);
    columns.asset_class.plain(at, assetClass);
    columns.stated_class.plain(at, s.assetClass);
    if (digits.quantity !== null) columns.quantity.plain(at, quantityText(digits.quantity));
    if (digits.amount !== null) columns.amount.plain(at, moneyText(digits.amount));
    if (digits.fee !== null) columns.fee.plain(at, moneyText(digits.fee));
    columns.currency.name(at, s.currency);
    columns.external_id.free(at, s.externalId || null);
    columns.note.free(at, s.note || null);
  }

  private addExtras(at: number, statement: Statement): void {
    for (const { name, isNotNull, write } of extraColumns) {
      const text = write(statement);
      if (text === null || text === '') continue;
      if (isNotNull) this.columns[name].free(at, text);
      else this.columns[name].plain(at, text);
    }
  }
}
