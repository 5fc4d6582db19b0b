import { type Day, formatDay, yearOf } from '../../../../base/day.ts';
import { formatMoney } from '../../../../base/decimal.ts';
import { exchangesItself, renameToBookNames, sameSecurity } from '../../../../engine/events/same-assets.ts';
import type { AssetClass, ClassRules } from '../../../../engine/model.ts';
import { magnitude } from '../../../../formats/cells/amounts.ts';
import { beyondLimits } from '../../../../formats/cells/beyond-limits.ts';
import type { Draft, Format, RowIssue } from '../../../../formats/format.ts';
import type { Mapping } from '../../../../formats/mapping/mapping.ts';
import type { ReadingOptions } from '../../../../formats/opening.ts';
import { type Batch as FileBatch, type ReadingEnd, readFile } from '../../../../formats/read.ts';
import type { SourceText } from '../../../../formats/rows/source-text.ts';
import type { FileBalance } from '../../../../formats/running-balances.ts';
import type { ComparedResult } from '../../../../formats/stated-results.ts';
import { KeptLines } from '../../transactions/kept-lines.ts';
import type { RejectedLine } from '../../transactions/row-issues.queries.ts';
import { prepare, type StagedColumns, Staging } from '../../transactions/staging.ts';

/** The input for reading a file. It contains only plain data, because it is sent to a Worker. */
export interface ImportReadingOptions extends Omit<ReadingOptions, 'timeZone'> {
  /** The time zone in the import request. `timeZone` is the taxpayer's. */
  readonly statedZone: string | null;
  readonly timeZone: string;
  readonly classes: ClassRules;
  /** The taxpayer's secret key for row ids. */
  readonly idKey: Uint8Array;
}

/**
 * A part of a file that is ready to be staged. It contains only plain data, and a few long texts instead of many small
 * objects, because a Worker sends it.
 */
export type StagingBatch =
  | FormatBatch
  | RowsBatch
  | { readonly kind: 'end'; readonly end: ReadingEnd; readonly summary: FileSummary };

/** How the file is read. Sent before the first row. */
export interface FormatBatch {
  readonly kind: 'format';
  readonly format: string;
  readonly layout: string;
  readonly header: readonly string[];
  /** The name of the table inside a ZIP or workbook. */
  readonly part: string | null;
  /** The mapping, if no format recognizes the file. */
  readonly mapping: Mapping | null;
}

export interface RowsBatch {
  readonly kind: 'rows';
  /**
   * The number of rows to stage. `columns` contains them in the form that the database takes, or is null if there are
   * none.
   */
  readonly drafts: number;
  readonly columns: StagedColumns | null;
  readonly rejects: readonly RejectedLine[];
  /** The text of the file to store. */
  readonly texts: readonly SourceText[];
  /** The lines of each row that was combined from several lines. */
  readonly groups: readonly (readonly number[])[];
  /** The numbers of lines and bytes read so far. */
  readonly lines: number;
  readonly bytesRead: number;
}

/** Totals for all rows of a file. */
export interface FileSummary {
  readonly drafts: number;
  /** The number of lines that contain these rows. */
  readonly lines: number;
  /** The number of lines that the format could not read or that exceed the limits of the database. */
  readonly rejected: number;
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  readonly years: readonly number[];
  /** Whether the file may contain equal rows. */
  readonly repeats: boolean;
  /** The reasons for skipped lines, each with the number of lines. */
  readonly skips: readonly Skips[];
  /** Lines with inconsistent amounts. */
  readonly warnings: LineWarnings;
  /** The account balances in the file. */
  readonly balances: readonly FileBalance[];
}

/** The number of lines with warnings, and the first of them. */
interface LineWarnings {
  readonly count: number;
  readonly lines: readonly { readonly line: number; readonly detail: string }[];
  /** The results in the file that were compared with its rows. */
  readonly results: readonly ComparedResult[];
}

interface Skips {
  readonly reason: string;
  readonly lines: number;
}

/** Large enough that the round trip is negligible, but small enough to limit memory use. */
const rowsPerBatch = 4_000;
/** Makes batches smaller if rows have long notes. */
const bytesPerBatch = 1_000_000;
const rejectsPerBatch = 500;
const skipReasonsMax = 20;
const warningsMax = 100;

export async function* readBatches(
  content: ReadableStream<Uint8Array>,
  options: ImportReadingOptions,
): AsyncGenerator<StagingBatch> {
  const drafting = new Drafting(options);
  const { statedZone, classes: _classes, idKey: _key, ...reading } = options;
  for await (const batch of readFile(content, { ...reading, timeZone: statedZone ?? options.timeZone })) {
    if (batch.kind === 'format') {
      const { format, layout, header, mapping, part } = batch;
      drafting.begin(format, header);
      yield { kind: 'format', format: format.id, layout: layout.id, header, mapping, part };
    } else if (batch.kind === 'outcomes') {
      drafting.take(batch);
      if (drafting.isFull) yield drafting.batch();
    } else {
      yield drafting.lastBatch();
      yield { kind: 'end', end: batch, summary: drafting.summary(batch) };
    }
  }
}

type Outcomes = Extract<FileBatch, { kind: 'outcomes' }>;

class Drafting {
  private sourceClass: AssetClass | null = null;
  private readonly staging: Staging;
  private rejects: RejectedLine[] = [];
  private rejected: KeptLines;
  private texts: SourceText[] = [];
  private groups: (readonly number[])[] = [];
  private lines = 0;
  private bytesRead = 0;
  private bytesBefore = 0;
  private drafts = 0;
  private keptLines = 0;
  private extraRejects = 0;
  private firstDay: Day | null = null;
  private lastDay: Day | null = null;
  private readonly years = new Set<number>();
  private readonly seen = new FingerprintSet();
  private repeats = false;
  private readonly skips = new Map<string, number>();
  private warned = 0;
  private readonly warnings: { line: number; detail: string }[] = [];

  constructor(private readonly options: ImportReadingOptions) {
    this.staging = new Staging(options.idKey);
    this.rejected = new KeptLines('', [], options.idKey);
  }

  get isFull(): boolean {
    return (
      this.staging.rows >= rowsPerBatch ||
      this.rejects.length >= rejectsPerBatch ||
      this.bytesRead - this.bytesBefore >= bytesPerBatch
    );
  }

  begin({ id, assetClass }: Format, header: readonly string[]): void {
    this.sourceClass = assetClass;
    this.rejected = new KeptLines(id, header, this.options.idKey);
  }

  take({ outcomes, bytesRead, texts }: Outcomes): void {
    this.bytesRead = bytesRead;
    this.texts.push(...texts);
    for (const outcome of outcomes) {
      this.lines += outcome.lines.length;
      if (outcome.kind === 'rejected') this.refuse(outcome.issue);
      else if (outcome.kind === 'skipped') this.countSkips(outcome.reason, outcome.lines.length);
      else {
        if (outcome.lines.length > 1 && this.options.keepText === true) this.groups.push(outcome.lines);
        // A line is counted once, with its first result.
        let lines = outcome.lines.length;
        this.warn(outcome.drafts);
        for (const draft of outcome.drafts) {
          this.keep(draft, lines);
          lines = 0;
        }
      }
    }
  }

  batch(): RowsBatch {
    const { staging, rejects, lines, bytesRead, texts, groups } = this;
    const columns = staging.rows === 0 ? null : staging.take();
    const drafts = columns?.rows ?? 0;
    this.drafts += drafts;
    this.rejects = [];
    this.texts = [];
    this.groups = [];
    this.bytesBefore = bytesRead;
    return { kind: 'rows', drafts, columns, rejects, texts, groups, lines, bytesRead };
  }

  lastBatch(): RowsBatch {
    this.rejects.push(...this.rejected.end());
    return this.batch();
  }

  summary(end: ReadingEnd): FileSummary {
    return {
      drafts: this.drafts,
      lines: this.keptLines,
      rejected: end.rejected + this.extraRejects,
      firstDay: this.firstDay === null ? null : formatDay(this.firstDay),
      lastDay: this.lastDay === null ? null : formatDay(this.lastDay),
      years: [...this.years].sort((a, b) => a - b),
      repeats: this.repeats,
      warnings: { count: this.warned, lines: this.warnings, results: end.compared },
      balances: end.balances,
      skips: [...this.skips].map(([reason, lines]) => ({ reason, lines })).sort((a, b) => b.lines - a.lines),
    };
  }

  /**
   * Limits the number of distinct reasons. There are usually only a few, but a reason that quotes its row could create
   * many.
   */
  private countSkips(reason: string, lines: number): void {
    const kept = this.skips.has(reason) || this.skips.size < skipReasonsMax ? reason : 'other reasons';
    this.skips.set(kept, (this.skips.get(kept) ?? 0) + lines);
  }

  private refuse(issue: RowIssue, known?: Partial<RejectedLine>): void {
    const line = this.rejected.add(issue, known);
    if (line !== undefined) this.rejects.push(line);
  }

  /** All drafts from the same row have the same warning. */
  private warn(drafts: readonly Draft[]): void {
    const draft = drafts.find(({ warning }) => warning !== undefined);
    if (draft?.warning === undefined) return;
    this.warned++;
    if (this.warnings.length < warningsMax) this.warnings.push({ line: draft.line, detail: draft.warning });
  }

  private keep(draft: Draft, lines: number): void {
    const issue = findRowIssue(draft, this.options.classes);
    if (issue !== null) {
      const { on, amount } = draft;
      const known = { on: formatDay(on), amount: amount === null ? null : formatMoney(magnitude(amount) ?? amount) };
      this.refuse(issue, known);
      this.extraRejects += lines;
      return;
    }
    const { classes, statedZone } = this.options;
    const timeZone = draft.timeZone ?? statedZone;
    const { earlierAccount } = draft;
    const row = prepare(draft, draft.line, {
      ...classes,
      ...{ sourceClass: this.sourceClass, timeZone, lines, earlierAccount },
    });
    const repeated = this.seen.add(row.fingerprint);
    this.repeats ||= repeated;
    this.staging.add(row, repeated);
    this.keptLines += lines;
    if (this.firstDay === null || draft.on < this.firstDay) this.firstDay = draft.on;
    if (this.lastDay === null || draft.on > this.lastDay) this.lastDay = draft.on;
    this.years.add(yearOf(draft.on));
  }
}

/**
 * Returns an issue if the row cannot be stored: a format may combine more text than a field can hold, or the settings
 * may map both assets of a trade to one security.
 */
function findRowIssue(draft: Draft, { assets }: ClassRules): RowIssue | null {
  const issue = { line: draft.line, cells: [] };
  const beyond = beyondLimits(draft);
  if (beyond !== undefined) return { ...issue, column: beyond.column, code: beyond.code, reason: beyond.reason };
  if (!exchangesItself(draft, renameToBookNames(draft, assets))) return null;
  return { ...issue, column: null, code: 'same_security', reason: sameSecurity(draft) };
}

/**
 * Detects whether an equal row came earlier in a file. Stores the first 16 hex digits of each fingerprint. In files
 * with a million rows, two different rows collide in about one of ten million files. The table grows up to its memory
 * limit. After that, every row counts as possibly equal, and the database checks it again.
 */
export class FingerprintSet {
  /** Two words per slot. Both are zero if the slot is free. */
  private words = new Int32Array(2 * slotsMin);
  private count = 0;

  constructor(private readonly slotsMax = slotsOfServer) {}

  /** Adds a fingerprint (SHA-256 in hex). Returns whether an equal row may have come earlier. */
  add(fingerprint: string): boolean {
    if (this.count >= fullest * this.slotsMax) return true;
    if (this.count >= fullest * (this.words.length / 2)) this.grow();
    const known = this.put(hexAt(fingerprint, 0), hexAt(fingerprint, 8));
    if (!known) this.count += 1;
    return known;
  }

  /** Stores two words. Returns true if they are already stored. A pair of zeros is stored as a different value. */
  private put(first: number, second: number): boolean {
    const { words } = this;
    const stored = first === 0 && second === 0 ? 1 : second;
    for (let at = (2 * first) & (words.length - 1); ; at = (at + 2) & (words.length - 1)) {
      if (words[at] === first && words[at + 1] === stored) return true;
      if (words[at] !== 0 || words[at + 1] !== 0) continue;
      words[at] = first;
      words[at + 1] = stored;
      return false;
    }
  }

  private grow(): void {
    const before = this.words;
    this.words = new Int32Array(2 * before.length);
    for (let at = 0; at < before.length; at += 2) {
      const [first = 0, second = 0] = [before[at], before[at + 1]];
      if (first !== 0 || second !== 0) this.put(first, second);
    }
  }
}

const slotsMin = 2 ** 12;
/** The maximum number of slots of eight bytes each. Enough for three million rows. */
const slotsOfServer = 2 ** 22;
const fullest = 0.75;

/** Parses eight hexadecimal digits as a word. */
function hexAt(text: string, start: number): number {
  let value = 0;
  for (let at = start; at < start + 8; at++) {
    const code = text.charCodeAt(at);
    value = (value << 4) | (code < letterA ? code - digitZero : code - letterA + 10);
  }
  return value;
}

const [digitZero, letterA] = [48, 97];
