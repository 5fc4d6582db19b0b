import type { Day } from '../../base/day.ts';
import type { Money } from '../../base/decimal.ts';
import { classifyAssets, resolveAssetClass } from '../../engine/events/classes.ts';
import { toAssetKey } from '../../engine/events/keys.ts';
import { Ledger } from '../../engine/events/ledger.ts';
import { exchangesItself, renameToBookNames } from '../../engine/events/same-assets.ts';
import type { AssetClass, ClassRules, Statement, Transaction } from '../../engine/model.ts';
import { memberNames } from '../../engine/statement-members.ts';
import { unstatedMembers } from '../../engine/unstated-members.ts';
import { type AccountSource, collectEvidence, type Evidence } from '../../features/ledger/transactions/evidence.ts';
import { computeRowFingerprint } from '../../features/ledger/transactions/staging.ts';
import { type ClassifiedRow, findTickers, isOpenName } from '../../features/ledger/transactions/tickers.ts';
import type { Draft, Format } from '../../formats/format.ts';
import type { ReadingEnd } from '../../formats/read.ts';
import type { SecurityNumber } from '../../formats/security-numbers.ts';

/** A file that was read. Its rows are consecutive. */
export interface HistoryFile {
  readonly name: string;
  readonly firstRow: number;
  endRow: number;
  /** The class of the file's assets if neither the row nor the account has one. */
  readonly sourceClass: AssetClass | null;
  readonly format: string;
  readonly layout: string;
  /** Whether the file is in newest-first order, so positions count from its end. */
  descending: boolean;
  lastLine: number;
}

/** Plain trades of one asset, in columns. */
export interface AssetTrades {
  readonly key: string;
  /** Contains neither id nor position. */
  readonly ledger: Ledger;
  /** The row number of each trade. */
  readonly rows: number[];
}

/**
 * A row that is not a plain trade, with only the fields it contains. A million such rows take 0.6 GB, compared with 1.2
 * GB as whole transactions.
 */
export interface OtherRow {
  readonly row: number;
  readonly stated: StatedMembers;
}

type StatedMembers = Pick<Statement, 'type' | 'at' | 'on'> & Partial<Statement> & { readonly assetClass: AssetClass };

/** The rows of all files: plain trades in columns by asset, and other rows with the fields they contain. */
export class FileHistory {
  readonly files: HistoryFile[] = [];
  /** Whether any row has a time of day, in which case its tax year may depend on the time zone. */
  hasTimes = false;
  readonly others: OtherRow[] = [];
  /** The security numbers in the files. */
  readonly numbers: SecurityNumber[] = [];
  /** The gains that sales report, by row. A plain trade in columns has none. */
  readonly statedGains = new Map<number, Money>();
  /** Evidence from the other rows of an account about an ambiguous name. Complete after all files are read. */
  tickers: ClassRules['tickers'] | undefined;
  /** The files that have rows for each account, keyed by all three fields. */
  readonly #sources = new Map<string, AccountSource>();
  /** The source of the last row, which nearly all rows share. */
  #lastSource: AccountSource | undefined;
  /** The rows that determine the class of their assets. Equal rows are stored once. */
  readonly #uses = new Map<string, ClassifiedRow[]>();
  /** The positions of rows without a class among the other rows. */
  readonly #unclassified: number[] = [];
  readonly #trades = new Map<AssetClass, Map<string, AssetTrades>>();
  readonly #ons: Day[] = [];
  readonly #lines: number[] = [];
  /** For rows that may need a comparison: those in several files, and those created from one line. */
  readonly #fingerprints = new Map<number, string>();
  /** For rows in several files. */
  readonly #marks: RowMark[] = [];
  #lastFile: HistoryFile | undefined;

  /** `severalFiles` means that the files may contain the same rows, so every row needs its fingerprint. */
  constructor(
    private readonly classes: ClassRules,
    private readonly severalFiles = false,
  ) {}

  get length(): number {
    return this.#lines.length;
  }

  get trades(): AssetTrades[] {
    return [...this.#trades.values()].flatMap((ofClass) => [...ofClass.values()]);
  }

  begin(name: string, { id, assetClass }: Pick<Format, 'id' | 'assetClass'>, layout: string): HistoryFile {
    const [firstRow, endRow] = [this.length, this.length];
    const file = {
      name,
      firstRow,
      endRow,
      sourceClass: assetClass,
      format: id,
      layout,
      descending: false,
      lastLine: 0,
    };
    this.files.push(file);
    return file;
  }

  /** Adds the rows created from one line of the file, or from several lines that belong together. */
  add(drafts: readonly Draft[], file: HistoryFile): void {
    for (const stated of drafts) {
      const row = this.length;
      const draft = renameToBookNames(stated, this.classes.assets);
      this.#noteSource(draft, file);
      const assetClass = resolveAssetClass(draft, this.classes, file.sourceClass);
      if (this.severalFiles || drafts.length > 1)
        this.#fingerprints.set(row, toContentFingerprint(stated, draft, assetClass));
      if (this.severalFiles) this.#marks.push(toRowMark(draft));
      this.#note(draft, assetClass, file.sourceClass);
      const isUnclassified = draft.assetClass === null && file.sourceClass === null;
      const isOpen = isUnclassified && isOpenName(draft, this.classes, null);
      const { ledger, rows } = this.#tradesOf(draft.asset, assetClass);
      if (!isOpen && ledger.addStated(draft, { id: '', line: 0, assetClass })) rows.push(row);
      else {
        if (isUnclassified) this.#unclassified.push(this.others.length);
        this.others.push({ row, stated: pickStatedMembers(draft, assetClass) });
      }
      if (draft.statedGain !== null) this.statedGains.set(row, draft.statedGain);
      this.#ons.push(draft.on);
      if (draft.at !== null) this.hasTimes = true;
      this.#lines.push(draft.line);
    }
    file.endRow = this.length;
  }

  /** Returns whether a row exchanges a security for itself under the names in the settings. */
  exchangesItself(draft: Draft): boolean {
    return exchangesItself(draft, renameToBookNames(draft, this.classes.assets));
  }

  #noteSource({ type, account, box }: Draft, { format }: HistoryFile): void {
    const shown = type === 'reported_sale' ? box : null;
    const last = this.#lastSource;
    if (last?.account === account && last.format === format && last.box === shown) return;
    this.#lastSource = { account, format, box: shown };
    const key = `${format} ${shown} ${account}`;
    if (!this.#sources.has(key)) this.#sources.set(key, { account, format, box: shown });
  }

  /** The names of the accounts in the files. */
  get accounts(): ReadonlySet<string> {
    return new Set([...this.#sources.values()].map(({ account }) => account));
  }

  /** The forms that report the sales of the accounts, according to the rows. */
  get evidence(): Evidence | undefined {
    return collectEvidence([...this.#sources.values()]);
  }

  end(
    file: HistoryFile,
    { descending, lastLine, numbers }: Pick<ReadingEnd, 'descending' | 'lastLine' | 'numbers'>,
  ): void {
    this.numbers.push(...numbers);
    file.descending = descending;
    file.lastLine = lastLine;
  }

  /** Resolves ambiguous names from the other rows of their accounts. */
  settleTickers(): void {
    const tickers = findTickers([...this.#uses.values()].flat(), this.classes);
    this.tickers = tickers;
    if (tickers === undefined) return;
    const classes = { ...this.classes, tickers };
    for (const at of this.#unclassified) {
      const { row, stated } = this.others[at] as OtherRow;
      const assetClass = resolveAssetClass({ ...unstatedMembers, ...stated, assetClass: null }, classes, null);
      this.others[at] = { row, stated: { ...stated, assetClass } };
    }
    for (const [account, readings] of Object.entries(tickers))
      for (const [asset, reading] of Object.entries(readings))
        if (reading === 'crypto') this.#moveToCoins(account, asset);
  }

  /** Moves plain trades of an unlisted name that the account identifies as a coin to the other rows, as crypto. */
  #moveToCoins(account: string, asset: string): void {
    const stocks = this.#trades.get('stock');
    const trades = stocks?.get(asset);
    if (stocks === undefined || trades === undefined) return;
    const rest: AssetTrades = { key: trades.key, ledger: new Ledger(), rows: [] };
    for (const [at, row] of trades.rows.entries()) {
      const trade = trades.ledger.trade(at);
      if (trade.account !== account) {
        rest.ledger.add(trade);
        rest.rows.push(row);
      } else this.others.push({ row, stated: pickStatedMembers(trade, 'crypto') });
    }
    stocks.set(asset, rest);
  }

  #note(draft: Draft, resolvedClass: AssetClass, sourceClass: AssetClass | null): void {
    const ofAsset = this.#uses.get(draft.asset) ?? [];
    if (ofAsset.length === 0) this.#uses.set(draft.asset, ofAsset);
    const { type, account, asset, assetClass, underlying, receivedAsset, feeAsset } = draft;
    const isKnown = ofAsset.some(
      (use) =>
        use.type === type &&
        use.account === account &&
        use.assetClass === assetClass &&
        use.sourceClass === sourceClass &&
        use.receivedAsset === receivedAsset &&
        use.underlying === underlying &&
        use.feeAsset === feeAsset,
    );
    if (isKnown) return;
    ofAsset.push({ type, account, asset, assetClass, underlying, receivedAsset, feeAsset, resolvedClass, sourceClass });
  }

  findFileOfRow(row: number): HistoryFile {
    const known = this.#lastFile;
    if (known !== undefined && row >= known.firstRow && row < known.endRow) return known;
    const file = this.files.find(({ firstRow, endRow }) => row >= firstRow && row < endRow);
    if (file === undefined) throw new Error('A row without a file.');
    this.#lastFile = file;
    return file;
  }

  getLine(row: number): number {
    return this.#lines[row] as number;
  }

  /** Returns the position in the row's file, regardless of the order in which files are read. */
  getPosition(row: number): number {
    const { descending, lastLine } = this.findFileOfRow(row);
    return descending ? lastLine + 1 - this.getLine(row) : this.getLine(row);
  }

  getDay(row: number): Day {
    return this.#ons[row] as Day;
  }

  /** The last day of any row. */
  get lastDay(): Day {
    return this.#ons.reduce((last, on) => Math.max(last, on) as Day);
  }

  /** Returns the first and the last day of a file's rows. */
  getDaySpan({ firstRow, endRow }: HistoryFile): readonly [first: number, last: number] {
    let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let row = firstRow; row < endRow; row++) {
      first = Math.min(first, this.getDay(row));
      last = Math.max(last, this.getDay(row));
    }
    return [first, last];
  }

  /** Returns the meaning of the row. Only for rows that may need a comparison. */
  toContentFingerprint(row: number): string {
    const content = this.#fingerprints.get(row);
    if (content === undefined) throw new Error('A row without a fingerprint.');
    return content;
  }

  /** Returns the identity that a row and its correction share. Only for rows in several files. */
  toRowMark(row: number): RowMark {
    const mark = this.#marks[row];
    if (mark === undefined) throw new Error('A row without a mark.');
    return mark;
  }

  /** Returns the row at that number, with this id. */
  transactionAt(row: number, id: string): Transaction {
    const other = this.others.find((one) => one.row === row);
    if (other !== undefined) return toTransaction(other, id, this.getLine(row));
    const of = this.trades.find(({ rows }) => rows.includes(row));
    if (of === undefined) throw new Error('A row without an asset.');
    return { ...of.ledger.trade(of.rows.indexOf(row)), id, line: this.getLine(row) };
  }

  #tradesOf(asset: string, assetClass: AssetClass): AssetTrades {
    const ofClass = this.#trades.get(assetClass) ?? new Map<string, AssetTrades>();
    const known = ofClass.get(asset);
    if (known !== undefined) return known;
    const trades = { key: toAssetKey(asset, assetClass), ledger: new Ledger(), rows: [] };
    ofClass.set(asset, trades);
    this.#trades.set(assetClass, ofClass);
    return trades;
  }
}

/**
 * The identity that a row and its correction share: account, type, asset, and the source's id, or otherwise the day.
 */
interface RowMark {
  readonly key: string;
  /** Whether the source has an id for the row. */
  readonly isNamed: boolean;
  readonly at: Statement['at'];
  /** False for lines of Form 1099, which only a corrected form corrects. */
  readonly isProposable: boolean;
}

function toRowMark({ account, type, asset, externalId, on, at }: Statement): RowMark {
  return {
    key: JSON.stringify([account, type, asset, externalId, externalId === '' ? on : null]),
    isNamed: externalId !== '',
    at,
    isProposable: type !== 'reported_sale' && type !== 'reported_total',
  };
}

/** Returns the row with that id, at that position. */
export function toTransaction({ stated }: OtherRow, id: string, line: number): Transaction {
  return { ...unstatedMembers, ...stated, id, line };
}

function pickStatedMembers(draft: Draft, assetClass: AssetClass): StatedMembers {
  const stated: Writable<StatedMembers> = { type: draft.type, at: draft.at, on: draft.on, assetClass };
  for (const name of printedMembers) if (draft[name] !== unstatedMembers[name]) copyMember(name, draft, stated);
  return stated;
}

function copyMember<Name extends PrintedMember>(name: Name, from: Draft, to: Writable<Partial<Statement>>): void {
  to[name] = from[name];
}

type Writable<Members> = { -readonly [Name in keyof Members]: Members[Name] };
type PrintedMember = Exclude<keyof typeof unstatedMembers, 'note' | 'assetClass'>;

/** Fields that a row may omit, except the note, which no report prints, and the class, which is resolved. */
const printedMembers = memberNames.filter(
  (name): name is PrintedMember => name in unstatedMembers && name !== 'note' && name !== 'assetClass',
);

function toContentFingerprint(stated: Statement, booked: Statement, assetClass: AssetClass): string {
  const { asset } = classifyAssets({ ...booked, assetClass });
  return computeRowFingerprint(stated, toAssetKey(stated.asset, asset));
}
