import type { Day, Instant } from '../base/day.ts';
import type { Money, Quantity } from '../base/decimal.ts';
import { isContract1256, resolveAssetClass } from '../engine/classes.ts';
import { assetKeyOf, cashKey } from '../engine/keys.ts';
import type { Ledger } from '../engine/ledger.ts';
import type { AssetClass, Box, LotChoice, Ratio, Rules, Term, Transaction, TransactionType } from '../engine/model.ts';
import type { Draft } from '../formats/format.ts';
import type { ReadingEnd } from '../formats/read.ts';
import type { Column, ColumnState } from './report-cells.ts';
import { DayColumn, InstantColumn, ValueColumn, WholeColumn, WordColumn } from './report-columns.ts';
import { IntegerColumn } from './report-integers.ts';

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
  private readonly lines = new WholeColumn();
  private readonly types = new WordColumn<TransactionType | null>(null);
  private readonly ats = new InstantColumn();
  private readonly ons = new DayColumn();
  private readonly accounts = new WordColumn<string>('');
  private readonly assets = new WordColumn<string>('');
  private readonly assetClasses = new WordColumn<AssetClass | null>(null);
  private readonly quantities = new IntegerColumn<Quantity>();
  private readonly amounts = new IntegerColumn<Money>();
  private readonly fees = new IntegerColumn<Money>();
  private readonly currencies = new WordColumn<string>('USD');
  private readonly receivedAssets = new WordColumn<string>('');
  private readonly receivedQuantities = new IntegerColumn<Quantity>();
  private readonly feeAssets = new WordColumn<string>('');
  private readonly feeQuantities = new IntegerColumn<Quantity>();
  private readonly feeOwns = new IntegerColumn<Money>();
  private readonly toAccounts = new WordColumn<string>('');
  private readonly acquireds = new DayColumn();
  private readonly bases = new IntegerColumn<Money>();
  private readonly fmvs = new IntegerColumn<Money>();
  private readonly ratios = new ValueColumn<Ratio | null>(null);
  private readonly lots = new ValueColumn<readonly LotChoice[]>(noLots);
  private readonly identifiedAts = new InstantColumn();
  private readonly shares = new IntegerColumn<Quantity>();
  private readonly underlyings = new WordColumn<string>('');
  private readonly rights = new WordColumn<'call' | 'put' | null>(null);
  private readonly boxes = new WordColumn<Box | null>(null);
  private readonly washes = new IntegerColumn<Money>();
  private readonly terms = new WordColumn<Term | null>(null);
  private readonly externalIds = new ValueColumn('');
  private readonly columns: readonly Column[] = [
    this.lines,
    this.types,
    this.ats,
    this.ons,
    this.accounts,
    this.assets,
    this.assetClasses,
    this.quantities,
    this.amounts,
    this.fees,
    this.currencies,
    this.receivedAssets,
    this.receivedQuantities,
    this.feeAssets,
    this.feeQuantities,
    this.feeOwns,
    this.toAccounts,
    this.acquireds,
    this.bases,
    this.fmvs,
    this.ratios,
    this.lots,
    this.identifiedAts,
    this.shares,
    this.underlyings,
    this.rights,
    this.boxes,
    this.washes,
    this.terms,
    this.externalIds,
  ];
  /** Classes of assets as resolved for the file being read. */
  private readonly resolved = new Map<number, AssetClass>();
  private lastFile: HistoryFile | undefined;

  constructor(private readonly ofAccounts: Rules['accounts']) {}

  /** A history that another thread has read. */
  static of({ files, rows, columns }: HistoryState): History {
    const history = new History({});
    history.files.push(...files);
    history.rows = rows;
    for (const [at, column] of history.columns.entries()) column.adopt(columns[at] as ColumnState);
    return history;
  }

  get state(): HistoryState {
    return { files: this.files, rows: this.rows, columns: this.columns.map((column) => column.state) };
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

  /** Notes are for their writer: no report prints them. */
  add(draft: Draft, file: HistoryFile): void {
    const row = this.rows++;
    file.endRow = this.rows;
    this.lines.set(row, draft.line);
    this.types.set(row, draft.type);
    this.ats.set(row, draft.at);
    this.ons.set(row, draft.on);
    this.accounts.set(row, draft.account);
    this.assets.set(row, draft.asset);
    this.assetClasses.set(row, draft.assetClass ?? this.resolveClass(row, draft, file));
    this.quantities.set(row, draft.quantity);
    this.amounts.set(row, draft.amount);
    this.fees.set(row, draft.fee);
    this.currencies.set(row, draft.currency);
    this.receivedAssets.set(row, draft.receivedAsset);
    this.receivedQuantities.set(row, draft.receivedQuantity);
    this.feeAssets.set(row, draft.feeAsset);
    this.feeQuantities.set(row, draft.feeQuantity);
    this.feeOwns.set(row, draft.feeOwn);
    this.toAccounts.set(row, draft.toAccount);
    this.acquireds.set(row, draft.acquired);
    this.bases.set(row, draft.basis);
    this.fmvs.set(row, draft.fmv);
    this.ratios.set(row, draft.ratio);
    this.lots.set(row, draft.lots.length === 0 ? noLots : draft.lots);
    this.identifiedAts.set(row, draft.identifiedAt);
    this.shares.set(row, draft.shares);
    this.underlyings.set(row, draft.underlying);
    this.rights.set(row, draft.right);
    this.boxes.set(row, draft.box);
    this.washes.set(row, draft.wash);
    this.terms.set(row, draft.term);
    this.externalIds.set(row, draft.externalId);
  }

  /** Rows of a later part of the file, whose lines count from there. */
  append({ rows, columns }: HistoryState, file: HistoryFile, linesBefore: number): void {
    const first = this.rows;
    for (const [at, column] of this.columns.entries()) column.append(columns[at] as ColumnState, first, rows);
    this.rows += rows;
    file.endRow = this.rows;
    for (let row = first; row < this.rows; row++) this.lines.set(row, this.lines.get(row) + linesBefore);
  }

  end(file: HistoryFile, { descending, lastLine }: Pick<ReadingEnd, 'descending' | 'lastLine'>): void {
    file.descending = descending;
    file.lastLine = lastLine;
  }

  /** `id` is the transaction's own. */
  transaction(row: number, id: string): Transaction {
    return {
      id,
      line: this.placeOf(row),
      type: this.types.get(row) as TransactionType,
      at: this.ats.get(row),
      on: this.ons.get(row) as Day,
      account: this.accounts.get(row),
      asset: this.assets.get(row),
      assetClass: this.assetClasses.get(row) as AssetClass,
      quantity: this.quantities.get(row),
      amount: this.amounts.get(row),
      fee: this.fees.get(row),
      currency: this.currencies.get(row),
      receivedAsset: this.receivedAssets.get(row),
      receivedQuantity: this.receivedQuantities.get(row),
      feeAsset: this.feeAssets.get(row),
      feeQuantity: this.feeQuantities.get(row),
      feeOwn: this.feeOwns.get(row),
      toAccount: this.toAccounts.get(row),
      acquired: this.acquireds.get(row),
      basis: this.bases.get(row),
      fmv: this.fmvs.get(row),
      ratio: this.ratios.get(row),
      lots: this.lots.get(row),
      identifiedAt: this.identifiedAts.get(row),
      shares: this.shares.get(row),
      underlying: this.underlyings.get(row),
      right: this.rights.get(row),
      box: this.boxes.get(row),
      wash: this.washes.get(row),
      term: this.terms.get(row),
      externalId: this.externalIds.get(row),
      note: '',
    };
  }

  /** A plain trade goes into the ledger as the numbers it is; false for any other row. */
  addTrade(ledger: Ledger, row: number, id: string): boolean {
    const type = this.types.get(row);
    if ((type !== 'buy' && type !== 'sell') || !this.isPlain(row)) return false;
    const high = this.quantities.highLimb(row);
    const low = this.quantities.lowLimb(row);
    const amount = this.amounts.near(row);
    const fee = this.fees.isStated(row) ? this.fees.near(row) : 0;
    if (!(high > 0 || (high === 0 && low > 0)) || !(amount >= 0) || Number.isNaN(fee)) return false;
    return ledger.addTrade({
      id,
      externalId: this.externalIds.get(row),
      line: this.placeOf(row),
      on: this.ons.get(row) as Day,
      at: this.ats.get(row),
      isSale: type === 'sell',
      account: this.accounts.get(row),
      asset: this.assets.get(row),
      assetClass: this.assetClasses.get(row) as AssetClass,
      high,
      low,
      amount,
      fee,
    });
  }

  /** Whether a row states no more than a plain trade may (`Ledger`). */
  private isPlain(row: number): boolean {
    const assetClass = this.assetClasses.get(row) as AssetClass;
    if (assetClass === 'option' || isContract1256(assetClass)) return false;
    if (this.currencies.number(row) + this.receivedAssets.number(row) + this.feeAssets.number(row) > 0) return false;
    if (this.feeOwns.isStated(row) || this.lots.get(row).length > 0) return false;
    return assetKeyOf(this.assets.get(row), assetClass) !== cashKey;
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
    return this.lines.get(row);
  }

  /** Where it stands in its file, the same in whatever order files are read. */
  placeOf(row: number): number {
    const { descending, lastLine } = this.fileOf(row);
    return descending ? lastLine + 1 - this.lines.get(row) : this.lines.get(row);
  }

  onOf(row: number): Day {
    return this.ons.get(row) as Day;
  }

  atOf(row: number): Instant | null {
    return this.ats.get(row);
  }

  /** The book of a row that moves no other asset than its own, which is nearly every one; undefined for any other. */
  onlyKeyOf(row: number): string | undefined {
    const type = this.types.get(row);
    const assetClass = this.assetClasses.get(row) as AssetClass;
    if (assetClass === 'option' || type === 'exercise' || type === 'assign') return undefined;
    if (this.receivedAssets.get(row) !== '' || this.feeAssets.get(row) !== '') return undefined;
    return assetKeyOf(this.assets.get(row), assetClass);
  }

  /** As resolveAssetClass says, which is asked once for all rows of a type on an asset in an account. */
  private resolveClass(row: number, draft: Draft, file: HistoryFile): AssetClass {
    const account = this.accounts.number(row);
    const combination = (this.assets.number(row) * accountsMax + account) * typesMax + this.types.number(row);
    const known = account < accountsMax ? this.resolved.get(combination) : undefined;
    if (known !== undefined) return known;
    const resolved = resolveAssetClass(draft, this.ofAccounts[draft.account]?.assetClass ?? null, file.sourceClass);
    if (account < accountsMax) this.resolved.set(combination, resolved);
    return resolved;
  }
}

const noLots: readonly LotChoice[] = [];
const accountsMax = 2 ** 16;
const typesMax = 64;
