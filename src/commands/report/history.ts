import type { Day, Instant } from '../../base/day.ts';
import { isContract1256, resolveAssetClass } from '../../engine/events/classes.ts';
import { assetKeyOf, cashKey } from '../../engine/events/keys.ts';
import type { Ledger } from '../../engine/events/ledger.ts';
import type { AssetClass, Rules, Transaction } from '../../engine/model.ts';
import type { Draft } from '../../formats/format.ts';
import type { ReadingEnd } from '../../formats/read.ts';
import type { ColumnState } from './cells.ts';
import { StatementColumns } from './statements.ts';

/** A file as it was read: its rows stand together. */
export interface HistoryFile {
  readonly name: string;
  readonly firstRow: number;
  endRow: number;
  /** What its assets are where neither row nor account says so. */
  readonly sourceClass: AssetClass | null;
  /** It runs newest first: places count from its end. */
  descending: boolean;
  lastLine: number;
}

/** What of a history crosses from thread to thread; the cells of its columns are shared. */
export interface HistoryState {
  readonly files: readonly HistoryFile[];
  readonly rows: number;
  readonly columns: readonly ColumnState[];
}

/** All that the files tell, by columns: a row becomes a transaction when its book is replayed, and is forgotten again. */
export class History {
  readonly files: HistoryFile[] = [];
  private rows = 0;
  private readonly columns = new StatementColumns();
  /** Classes of assets as resolved for the file being read. */
  private readonly resolved = new Map<number, AssetClass>();
  /** Keys of assets, by the number of the class, then of the asset. */
  private readonly keys: (string | undefined)[][] = [];
  private lastFile: HistoryFile | undefined;

  constructor(private readonly ofAccounts: Rules['accounts']) {}

  /** A history that another thread has read. */
  static of({ files, rows, columns }: HistoryState): History {
    const history = new History({});
    history.files.push(...files);
    history.rows = rows;
    history.columns.adopt(columns);
    return history;
  }

  get state(): HistoryState {
    return { files: this.files, rows: this.rows, columns: this.columns.state };
  }

  get length(): number {
    return this.rows;
  }

  begin(name: string, sourceClass: AssetClass | null): HistoryFile {
    const file = { name, firstRow: this.rows, endRow: this.rows, sourceClass, descending: false, lastLine: 0 };
    this.files.push(file);
    this.resolved.clear();
    return file;
  }

  add(draft: Draft, file: HistoryFile): void {
    const row = this.rows++;
    file.endRow = this.rows;
    this.columns.set(row, draft);
    this.columns.assetClasses.set(row, draft.assetClass ?? this.resolveClass(row, draft, file));
  }

  /** Rows of a later part of the file, whose lines count from there. */
  append({ rows, columns }: HistoryState, file: HistoryFile, linesBefore: number): void {
    const first = this.rows;
    this.columns.append(columns, first, rows);
    this.rows += rows;
    file.endRow = this.rows;
    const { lines } = this.columns;
    for (let row = first; row < this.rows; row++) lines.set(row, lines.get(row) + linesBefore);
  }

  end(file: HistoryFile, { descending, lastLine }: Pick<ReadingEnd, 'descending' | 'lastLine'>): void {
    file.descending = descending;
    file.lastLine = lastLine;
  }

  /** `id` is the transaction's own. */
  transaction(row: number, id: string): Transaction {
    return this.columns.transaction(row, id, this.placeOf(row));
  }

  /** A plain trade goes into the ledger as the numbers it is; false for any other row. */
  addTrade(ledger: Ledger, row: number, id: string): boolean {
    const { columns } = this;
    const type = columns.types.get(row);
    if ((type !== 'buy' && type !== 'sell') || !this.isPlain(row)) return false;
    const high = columns.quantities.highLimb(row);
    const low = columns.quantities.lowLimb(row);
    const amount = columns.amounts.near(row);
    const fee = columns.fees.isStated(row) ? columns.fees.near(row) : 0;
    if (!(high > 0 || (high === 0 && low > 0)) || !(amount >= 0) || Number.isNaN(fee)) return false;
    return ledger.addTrade({
      id,
      externalId: columns.externalIds.get(row),
      line: this.placeOf(row),
      on: columns.ons.get(row) as Day,
      at: columns.ats.get(row),
      isSale: type === 'sell',
      account: columns.accounts.get(row),
      asset: columns.assets.get(row),
      assetClass: columns.assetClasses.get(row) as AssetClass,
      high,
      low,
      amount,
      fee,
    });
  }

  /** Whether a row states no more than a plain trade may (`Ledger`). */
  private isPlain(row: number): boolean {
    const { columns } = this;
    const assetClass = columns.assetClasses.get(row) as AssetClass;
    if (assetClass === 'option' || isContract1256(assetClass)) return false;
    if (columns.currencies.number(row) + columns.receivedAssets.number(row) + columns.feeAssets.number(row) > 0)
      return false;
    if (columns.feeOwns.isStated(row) || columns.lots.get(row).length > 0) return false;
    return this.keyOf(row) !== cashKey;
  }

  fileOf(row: number): HistoryFile {
    const known = this.lastFile;
    if (known !== undefined && row >= known.firstRow && row < known.endRow) return known;
    const file = this.files.find(({ firstRow, endRow }) => row >= firstRow && row < endRow);
    if (file === undefined) throw new Error('A row of no file.');
    this.lastFile = file;
    return file;
  }

  lineOf(row: number): number {
    return this.columns.lines.get(row);
  }

  /** Where it stands in its file, the same in whatever order files are read. */
  placeOf(row: number): number {
    const { descending, lastLine } = this.fileOf(row);
    return descending ? lastLine + 1 - this.columns.lines.get(row) : this.columns.lines.get(row);
  }

  onOf(row: number): Day {
    return this.columns.ons.get(row) as Day;
  }

  atOf(row: number): Instant | null {
    return this.columns.ats.get(row);
  }

  /** Whether a row moves no other asset than its own, as nearly every one. */
  isAlone(row: number): boolean {
    const { columns } = this;
    const type = columns.types.get(row);
    if (columns.assetClasses.get(row) === 'option' || type === 'exercise' || type === 'assign') return false;
    return columns.receivedAssets.number(row) + columns.feeAssets.number(row) === 0;
  }

  /** The key of a row's own asset. */
  keyOf(row: number): string {
    const { assets, assetClasses } = this.columns;
    const keys = this.keys[assetClasses.number(row)] ?? [];
    const known = keys[assets.number(row)];
    if (known !== undefined) return known;
    const key = assetKeyOf(assets.get(row), assetClasses.get(row) as AssetClass);
    keys[assets.number(row)] = key;
    this.keys[assetClasses.number(row)] = keys;
    return key;
  }

  /** As resolveAssetClass says, which is asked once for all rows of a type on an asset in an account. */
  private resolveClass(row: number, draft: Draft, file: HistoryFile): AssetClass {
    const account = this.columns.accounts.number(row);
    const combination =
      (this.columns.assets.number(row) * accountsMax + account) * typesMax + this.columns.types.number(row);
    const known = account < accountsMax ? this.resolved.get(combination) : undefined;
    if (known !== undefined) return known;
    const resolved = resolveAssetClass(draft, this.ofAccounts[draft.account]?.assetClass ?? null, file.sourceClass);
    if (account < accountsMax) this.resolved.set(combination, resolved);
    return resolved;
  }
}

const accountsMax = 2 ** 16;
const typesMax = 64;
