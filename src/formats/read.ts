import { isTimeZone } from '../base/day.ts';
import { formatQuantity } from '../base/decimal.ts';
import { Refusal } from '../base/refusal.ts';
import { typesWhere } from '../engine/transaction-types.ts';
import type { AccountName } from './accounts/account-names.ts';
import { type FileAccount, FileAccounts } from './accounts/file-accounts.ts';
import { normalizeHeader } from './cells/cells.ts';
import { toRejectedOutcome, toSkippedOutcome } from './cells/drafts.ts';
import { skips } from './cells/reasons.ts';
import { type DatesOfFile, dayOfRow, effectiveDayOfRow } from './cells/row-day.ts';
import { openTable } from './containers/container.ts';
import type { Draft, Format, Layout, Outcome, Reader, ReadingContext, Row, RowIssue } from './format.ts';
import { formatById, formats } from './index.ts';
import type { Mapping } from './mapping/mapping.ts';
import { FileOpening, type OpenedFile, type ReadingOptions } from './opening.ts';
import { PriceCheck } from './price-check.ts';
import { ReadingTime } from './reading-time.ts';
import type { Progress } from './rows/bytes.ts';
import { type RowLimits, readRows, rowLimits } from './rows/rows.ts';
import { type SourceText, SourceTexts } from './rows/source-text.ts';
import { type FileBalance, RunningBalances } from './running-balances.ts';
import { type SecurityName, SecurityNames } from './security-names.ts';
import { type SecurityNumber, SecurityNumbers } from './security-numbers.ts';
import { type ComparedResult, isComparedWithBooks, StatedResults } from './stated-results.ts';

/** A part of the result of reading a file: its format, then outcomes in batches, then the totals. */

export type Batch =
  | {
      readonly kind: 'format';
      readonly format: Format;
      readonly layout: Layout;
      readonly headerLine: number;
      readonly header: readonly string[];
      /** The mapping used to read the file. Null if a format recognizes it. */
      readonly mapping: Mapping | null;
      /** The name of the table inside a ZIP or workbook. Null if the file is the table. */
      readonly part: string | null;
    }
  | {
      readonly kind: 'outcomes';
      readonly outcomes: readonly Outcome[];
      readonly bytesRead: number;
      /** The text of the complete lines that were read since the last call. */
      readonly texts: readonly SourceText[];
    }
  | ReadingEnd;

export interface ReadingEnd {
  readonly kind: 'end';
  readonly bytesRead: number;
  /** The number of nonempty lines under the header: read + skipped + rejected. */
  readonly rows: number;
  readonly read: number;
  readonly skipped: number;
  readonly rejected: number;
  readonly drafts: number;
  /** Whether the newest dates come first. Lines are then numbered from the end of the file. */
  readonly descending: boolean;
  readonly lastLine: number;
  /** Account balances in the file. */
  readonly balances: readonly FileBalance[];
  /** The number of results compared with computed ones. */
  readonly compared: readonly ComparedResult[];
  /** The accounts in the file, and how the file names each of them. */
  readonly accounts: readonly FileAccount[];
  /** CUSIPs and ISINs in the file for securities that its rows identify differently. */
  readonly numbers: readonly SecurityNumber[];
  /** The names of securities in the file. */
  readonly names: readonly SecurityName[];
}

/**
 * Returns a draft's position in its source, regardless of import order. A newest-first file is counted from the end.
 */
export function computeSourcePosition(draft: Draft, end: Pick<ReadingEnd, 'descending' | 'lastLine'>): number {
  return end.descending ? end.lastLine - draft.line + 1 : draft.line;
}

export async function* readFile(
  stream: ReadableStream<Uint8Array>,
  stated: ReadingOptions,
  limits: RowLimits = rowLimits,
): AsyncGenerator<Batch> {
  checkOptions(stated);
  const progress: Progress = { bytes: 0 };
  const { part, content } = await openTable(stream, stated.part);
  const options = part === null ? stated : { ...stated, fileName: [stated.fileName ?? [], part].flat().join('/') };
  const opening = new FileOpening(options, part !== null);
  const texts = options.keepText === true ? new SourceTexts() : undefined;
  const read = (outcomes: readonly Outcome[], isEnd = false): Batch => ({
    kind: 'outcomes',
    outcomes,
    bytesRead: progress.bytes,
    texts: texts?.take(isEnd) ?? [],
  });
  let reading: FileReading | undefined;
  for await (const rows of readRows(content, limits, progress, texts)) {
    if (reading !== undefined) {
      yield read(reading.take(rows));
      continue;
    }
    if (!opening.add(rows)) continue;
    reading = new FileReading(opening.open(), options, new ReadingTime(limits, progress));
    yield { ...reading.start, part };
    yield read(reading.take(reading.firstRows));
  }
  if (reading === undefined) {
    reading = new FileReading(opening.open(), options, new ReadingTime(limits, progress));
    yield { ...reading.start, part };
    yield read(reading.take(reading.firstRows));
  }
  yield read(reading.finish(), true);
  yield reading.end(progress.bytes);
}

function checkOptions({ format, timeZone, mapping }: ReadingOptions): void {
  if (format !== undefined && mapping !== undefined)
    throw new Refusal('invalid', 'Set either a format or a mapping, not both.');
  if (!isTimeZone(timeZone))
    throw new Refusal('invalid', 'The time zone is not an IANA time zone, like America/New_York.');
  if (format !== undefined && formatById(format) === undefined) {
    const known = formats.map(({ id }) => id).join(', ');
    throw new Refusal('unknown_format', `Unknown format. The formats are: ${known}.`);
  }
}

/**
 * Actions that apply to every account holding the asset unless they name an account (DECISIONS.md, "Accounts that an
 * action applies to").
 */
export const actions = typesWhere((row) => row.everyAccount);

type OpenedBatch = Extract<Batch, { kind: 'format' }>;

class FileReading {
  readonly start: Omit<OpenedBatch, 'part'>;
  /** Rows under the header that detection has already read. */
  readonly firstRows: readonly Row[];
  private reader: Reader;
  private readonly format: Format;
  private readonly layout: Layout;
  private readonly context: ReadingContext;
  private readonly accounts: FileAccounts;
  /** The number of sections begun so far. A section may have its own header. */
  private sections = 0;
  private readonly counts = { rows: 0, read: 0, skipped: 0, rejected: 0, drafts: 0 };
  /** The number of sales whose row contains a gain. */
  private sales = 0;
  private readonly direction = new Direction();
  private readonly columns: readonly string[];
  private readonly dates: DatesOfFile;
  private readonly header: Row;
  private lastLine: number;
  private readonly balances: RunningBalances | undefined;
  /** The balances of accounts whose rows have ended. */
  private readonly holdings: FileBalance[] = [];
  private readonly prices: PriceCheck | undefined;
  private readonly results: StatedResults | undefined;
  private readonly numbers: SecurityNumbers;
  private readonly names: SecurityNames;

  constructor(
    { detected, header, firstRows, context, mapping }: OpenedFile,
    options: ReadingOptions,
    private readonly time: ReadingTime,
  ) {
    this.header = header;
    const { format, layout } = detected;
    this.format = format;
    this.layout = layout;
    this.context = context;
    this.accounts = new FileAccounts(format, { preamble: context.preamble, header, firstRows }, options);
    this.firstRows = firstRows;
    this.lastLine = header.line;
    this.columns = header.cells;
    this.numbers = new SecurityNumbers(header);
    this.names = new SecurityNames(format.id, header);
    this.dates = {
      names: header.cells.map(normalizeHeader),
      mapped: undefined,
      zone: mapping?.timeZone ?? context.timeZone,
      taxZone: context.timeZone,
      dates: context.dates,
    };
    this.reader = format.open(layout, header, context);
    this.prices = layout.price === undefined ? undefined : new PriceCheck(layout.price, header);
    if (layout.results !== undefined)
      this.results = new StatedResults(layout.results, header, context, format.sectioned === true);
    const balanceAfter = format.openBalances?.(layout, header, context);
    this.balances = balanceAfter === undefined ? undefined : new RunningBalances(balanceAfter);
    this.start = { kind: 'format', format, layout, headerLine: header.line, header: header.cells, mapping };
  }

  take(rows: readonly Row[]): Outcome[] {
    this.counts.rows += rows.length;
    this.lastLine = rows.at(-1)?.line ?? this.lastLine;
    const outcomes: Outcome[] = [];
    this.time.read(rows, this.columns, (row) => {
      const section = this.accounts.readSectionAccount(row);
      if (section !== undefined) {
        outcomes.push(...this.beginSection(section, row));
        return;
      }
      if (this.sections > 0 && this.isHeader(row)) {
        outcomes.push(...this.finish(), this.withNotes(toSkippedOutcome(row.line, skips.headerRow)));
        this.reader = this.format.open(this.layout, row, this.context);
        return;
      }
      this.balances?.take(row);
      const isComparable = this.reader.isOfOtherHeader?.(row) !== true;
      if (isComparable) this.prices?.take(row);
      if (isComparable) this.names.take(row);
      const differing = isComparable ? this.results?.take(row) : undefined;
      const read = this.reader.read(row);
      if (isComparable) this.numbers.take(row, read);
      for (const outcome of read) this.settle(outcome, outcomes);
      if (differing !== undefined) outcomes.push(...differing.map(toIssueOutcome));
    });
    return outcomes;
  }

  /**
   * Switches to the account for the rows below this line. Rows that are still waiting for related rows belong to the
   * account above.
   */
  private beginSection(account: AccountName, row: Row): Outcome[] {
    const waiting = this.finish();
    this.sections += 1;
    this.accounts.begin(account);
    this.reader = this.format.open(this.layout, this.header, this.context);
    return [...waiting, this.withNotes(toSkippedOutcome(row.line, skips.accountName))];
  }

  private isHeader({ cells }: Row): boolean {
    const names = new Set(cells.map(normalizeHeader));
    return this.layout.required.every((name) => names.has(normalizeHeader(name)));
  }

  finish(): Outcome[] {
    const outcomes: Outcome[] = [];
    for (const outcome of this.reader.end()) this.settle(outcome, outcomes);
    for (const { quantity, ...holding } of this.reader.listHoldings?.() ?? [])
      this.holdings.push({
        ...holding,
        account: this.accounts.account,
        quantity: formatQuantity(quantity),
        isLeast: false,
      });
    outcomes.push(...(this.results?.finish() ?? []).map(toIssueOutcome));
    return outcomes;
  }

  end(bytesRead: number): ReadingEnd {
    // A running balance belongs to one account.
    const running = this.sections > 0 ? [] : (this.balances?.end(this.accounts.account) ?? []);
    const balances = [...running, ...this.holdings];
    return {
      kind: 'end',
      bytesRead,
      ...this.counts,
      descending: this.direction.descending,
      lastLine: this.lastLine,
      balances,
      compared: this.comparedWith(balances.length),
      accounts: this.accounts.end(),
      numbers: this.numbers.end(),
      names: this.names.end(),
    };
  }

  private comparedWith(balances: number): ComparedResult[] {
    const all: readonly ComparedResult[] = [
      { result: 'price', compared: this.prices?.compared ?? 0, differing: this.prices?.differing ?? 0 },
      ...(this.results?.end() ?? []),
      { result: 'sale', compared: this.sales, differing: null },
      { result: 'balance', compared: balances, differing: null },
    ];
    return all.filter(({ compared }) => compared > 0);
  }

  private settle(read: Outcome, outcomes: Outcome[]): void {
    const outcome = this.withNotes(read);
    this.names.settle(outcome);
    outcomes.push(outcome);
    if (this.results !== undefined) outcomes.push(...this.results.settle(outcome).map(toIssueOutcome));
  }

  /** Returns the same outcome if there is nothing to add, as for most of a million rows. */
  private withNotes(read: Outcome): Outcome {
    const priced = this.prices?.settle(read) ?? read;
    const outcome = this.results?.withGain(priced) ?? priced;
    this.counts[outcome.kind] += outcome.lines.length;
    this.balances?.settle(outcome);
    if (outcome.kind === 'rejected') return this.withDate(outcome);
    if (outcome.kind !== 'read') return outcome;
    this.counts.drafts += outcome.drafts.length;
    let named: Draft[] | undefined;
    const { drafts } = outcome;
    for (let index = 0; index < drafts.length; index++) {
      const draft = drafts[index] as Draft;
      this.direction.add(draft);
      if (isComparedWithBooks(draft)) this.sales += 1;
      const ofAccount = this.withAccount(draft);
      if (ofAccount === draft) continue;
      named ??= [...drafts];
      named[index] = ofAccount;
    }
    return named === undefined ? outcome : { ...outcome, drafts: named };
  }

  /**
   * Adds the date to a rejected row, even if its format did not read the date, because the rejection is an issue for
   * that year.
   */
  private withDate(outcome: Extract<Outcome, { kind: 'rejected' }>): Outcome {
    const { issue } = outcome;
    const booked = issue.on ?? dayOfRow(issue.cells, this.dates);
    if (booked === null) return outcome;
    const on = effectiveDayOfRow(issue.cells, booked, this.dates.dates);
    return on === issue.on ? outcome : { ...outcome, issue: { ...issue, on } };
  }

  private withAccount(draft: Draft): Draft {
    if (draft.account === '' && this.format.actionsReachEveryAccount === true && actions.has(draft.type)) return draft;
    const account = this.accounts.take(draft.account);
    if (account === draft.account) return draft;
    const isAside = draft.account === '' && this.accounts.isStatedAside && account !== this.format.source;
    return { ...draft, account, ...(isAside ? { earlierAccount: this.format.source } : {}) };
  }
}

/** Returns an issue about a line that already has its own outcome. It counts no line. */
function toIssueOutcome(issue: RowIssue): Outcome {
  return { ...toRejectedOutcome(issue), lines: [] };
}

/** Tracks whether a file's dates rise or fall. */
export class Direction {
  private rises = 0;
  private falls = 0;
  private lastDate: number | undefined;

  get descending(): boolean {
    return this.falls > this.rises;
  }

  add({ at, on }: Pick<Draft, 'at' | 'on'>): void {
    const date = at ?? on * microsecondsPerDay;
    if (this.lastDate !== undefined && date > this.lastDate) this.rises++;
    if (this.lastDate !== undefined && date < this.lastDate) this.falls++;
    this.lastDate = date;
  }
}

const microsecondsPerDay = 86_400_000_000;
