import type { Day } from '../../base/day.ts';
import { classesOf, resolveAssetClass } from '../../engine/events/classes.ts';
import { assetKeyOf } from '../../engine/events/keys.ts';
import { Ledger } from '../../engine/events/ledger.ts';
import type { AssetClass, Rules, Statement, Transaction } from '../../engine/model.ts';
import { fingerprintOf } from '../../features/transactions/staged/prepare.ts';
import type { Draft } from '../../formats/format.ts';
import type { ReadingEnd } from '../../formats/read.ts';

/** A file as it was read: its rows stand together. */
export interface HistoryFile {
  readonly name: string;
  readonly firstRow: number;
  endRow: number;
  /** The class of its assets where neither row nor account states one. */
  readonly sourceClass: AssetClass | null;
  /** Its dates run newest first: places count from its end. */
  descending: boolean;
  lastLine: number;
}

/** Plain trades of one asset, in columns. */
export interface AssetTrades {
  readonly key: string;
  /** Neither id nor place is in it. */
  readonly ledger: Ledger;
  /** The row of each trade. */
  readonly rows: number[];
}

export interface OtherRow {
  readonly row: number;
  /** Without id and place. */
  readonly transaction: Transaction;
}

/** The rows of all files: plain trades by their assets in columns, other rows as transactions. */
export class FileHistory {
  readonly files: HistoryFile[] = [];
  readonly others: OtherRow[] = [];
  readonly #trades = new Map<AssetClass, Map<string, AssetTrades>>();
  readonly #ons: Day[] = [];
  readonly #lines: number[] = [];
  /** Of rows that may have to be compared: those of several files, and those made of one line. */
  readonly #fingerprints = new Map<number, string>();
  #lastFile: HistoryFile | undefined;

  /** `severalFiles`: they may hold the same rows, so that every row needs its fingerprint. */
  constructor(
    private readonly accounts: Rules['accounts'],
    private readonly severalFiles = false,
  ) {}

  get length(): number {
    return this.#lines.length;
  }

  get trades(): AssetTrades[] {
    return [...this.#trades.values()].flatMap((ofClass) => [...ofClass.values()]);
  }

  begin(name: string, sourceClass: AssetClass | null): HistoryFile {
    const file = { name, firstRow: this.length, endRow: this.length, sourceClass, descending: false, lastLine: 0 };
    this.files.push(file);
    return file;
  }

  /** What one line of the file makes, or several lines that belong together. */
  add(drafts: readonly Draft[], file: HistoryFile): void {
    for (const draft of drafts) {
      const row = this.length;
      const assetClass = resolveAssetClass(draft, this.accounts[draft.account]?.assetClass, file.sourceClass);
      if (this.severalFiles || drafts.length > 1) this.#fingerprints.set(row, contentOf(draft, assetClass));
      const { ledger, rows } = this.#tradesOf(draft.asset, assetClass);
      if (ledger.addStated(draft, { id: '', line: 0, assetClass })) rows.push(row);
      else this.others.push({ row, transaction: transactionOf(draft, assetClass) });
      this.#ons.push(draft.on);
      this.#lines.push(draft.line);
    }
    file.endRow = this.length;
  }

  end(file: HistoryFile, { descending, lastLine }: Pick<ReadingEnd, 'descending' | 'lastLine'>): void {
    file.descending = descending;
    file.lastLine = lastLine;
  }

  fileOf(row: number): HistoryFile {
    const known = this.#lastFile;
    if (known !== undefined && row >= known.firstRow && row < known.endRow) return known;
    const file = this.files.find(({ firstRow, endRow }) => row >= firstRow && row < endRow);
    if (file === undefined) throw new Error('A row of no file.');
    this.#lastFile = file;
    return file;
  }

  lineOf(row: number): number {
    return this.#lines[row] as number;
  }

  /** Where it stands in its file, the same in whatever order files are read. */
  placeOf(row: number): number {
    const { descending, lastLine } = this.fileOf(row);
    return descending ? lastLine + 1 - this.lineOf(row) : this.lineOf(row);
  }

  onOf(row: number): Day {
    return this.#ons[row] as Day;
  }

  /** What the row means; only of rows that may have to be compared. */
  contentOf(row: number): string {
    const content = this.#fingerprints.get(row);
    if (content === undefined) throw new Error('A row that is like no other.');
    return content;
  }

  #tradesOf(asset: string, assetClass: AssetClass): AssetTrades {
    const ofClass = this.#trades.get(assetClass) ?? new Map<string, AssetTrades>();
    const known = ofClass.get(asset);
    if (known !== undefined) return known;
    const trades = { key: assetKeyOf(asset, assetClass), ledger: new Ledger(), rows: [] };
    ofClass.set(asset, trades);
    this.#trades.set(assetClass, ofClass);
    return trades;
  }
}

/** Without its note, which no report prints. */
function transactionOf({ timeZone: _, ...stated }: Draft, assetClass: AssetClass): Transaction {
  return { ...stated, assetClass, id: '', note: '' };
}

function contentOf(statement: Statement, assetClass: AssetClass): string {
  const { asset } = classesOf({ ...statement, id: '', line: 0, assetClass });
  return fingerprintOf(statement, assetKeyOf(statement.asset, asset));
}
