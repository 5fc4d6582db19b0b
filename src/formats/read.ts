import { isTimeZone } from '../base/day.ts';
import { Refusal } from '../base/refusal.ts';
import type { TransactionType } from '../engine/model.ts';
import type { Progress } from './bytes.ts';
import { type Detected, headerRowsMax } from './detect.ts';
import type { Draft, Format, Layout, Outcome, Reader, Row } from './format.ts';
import { detect, formatById, formats } from './index.ts';
import { type RowLimits, readRows, rowLimits } from './rows.ts';

/** Bytes become drafts: rows, detection and the format's reader as one pipeline. */

export interface ReadingOptions {
  /** A format's id; without it the header tells. */
  readonly format?: string;
  /** IANA zone of times without offset, and of the days on which instants are taxed. */
  readonly timeZone: string;
  /** The account of rows that name none; without it the source's name. */
  readonly account?: string;
}

export type Batch =
  | {
      readonly kind: 'format';
      readonly format: Format;
      readonly layout: Layout;
      readonly headerLine: number;
      readonly header: readonly string[];
    }
  | { readonly kind: 'outcomes'; readonly outcomes: readonly Outcome[]; readonly bytesRead: number }
  | ReadingEnd;

export interface ReadingEnd {
  readonly kind: 'end';
  readonly bytesRead: number;
  /** Lines under the header that say something: read + skipped + rejected. */
  readonly rows: number;
  readonly read: number;
  readonly skipped: number;
  readonly rejected: number;
  readonly drafts: number;
  /** The dates run newest first: lines then count from the end of the file. */
  readonly descending: boolean;
  readonly lastLine: number;
}

/**
 * A draft's place in its source, the same in whatever order files are imported: a file that runs newest first is
 * counted from its end.
 */
export function placeOf(draft: Draft, end: Pick<ReadingEnd, 'descending' | 'lastLine'>): number {
  return end.descending ? end.lastLine - draft.line + 1 : draft.line;
}

export async function* readFile(
  stream: ReadableStream<Uint8Array>,
  options: ReadingOptions,
  limits: RowLimits = rowLimits,
): AsyncGenerator<Batch> {
  checkOptions(options);
  const progress: Progress = { bytes: 0 };
  const head: Row[] = [];
  let reading: Reading | undefined;
  for await (const rows of readRows(stream, limits, progress)) {
    if (reading !== undefined) {
      yield { kind: 'outcomes', outcomes: reading.take(rows), bytesRead: progress.bytes };
      continue;
    }
    head.push(...rows);
    if (head.length < headerRowsMax) continue;
    reading = new Reading(detectOrRefuse(head, options.format), head, options);
    yield reading.start;
    yield { kind: 'outcomes', outcomes: reading.take(reading.firstRows), bytesRead: progress.bytes };
  }
  if (reading === undefined) {
    reading = new Reading(detectOrRefuse(head, options.format), head, options);
    yield reading.start;
    yield { kind: 'outcomes', outcomes: reading.take(reading.firstRows), bytesRead: progress.bytes };
  }
  yield { kind: 'outcomes', outcomes: reading.finish(), bytesRead: progress.bytes };
  yield reading.end(progress.bytes);
}

function checkOptions({ format, timeZone }: ReadingOptions): void {
  if (!isTimeZone(timeZone)) throw new Refusal('invalid', 'The time zone is not a name of the IANA database.');
  if (format !== undefined && formatById(format) === undefined) {
    const known = formats.map(({ id }) => id).join(', ');
    throw new Refusal('unknown_format', `There is no format of that name. The formats are: ${known}.`);
  }
}

function detectOrRefuse(rows: readonly Row[], wanted: string | undefined): Detected {
  const found = detect(rows, wanted);
  if ('format' in found) return found;
  if (found.rivals.length > 0) {
    const names = found.rivals.map(({ format }) => format.id).join(', ');
    const errors = found.rivals.map(({ format, layout }) => ({
      code: 'fits',
      detail: `${format.name} (${layout.id})`,
    }));
    throw new Refusal('ambiguous_format', `The header fits several formats: ${names}. Say which with "format".`, {
      errors,
    });
  }
  const errors = found.misses.map(({ why, line }) => ({ code: 'near_miss', detail: why, line }));
  const which = wanted === undefined ? 'none of the formats we know' : 'not that of the format asked for';
  const nearest = errors.length === 0 ? '' : ' The nearest, and what they miss, are listed.';
  throw new Refusal('unknown_format', `The header of this file is ${which}.${nearest}`, { errors });
}

/** The actions that reach every account that holds the asset when they name none (API.md section 4). */
export const actions: ReadonlySet<TransactionType> = new Set(['split', 'spinoff', 'merger', 'rename']);

class Reading {
  readonly start: Batch;
  /** The rows under the header among those that detection looked at. */
  readonly firstRows: readonly Row[];
  private readonly reader: Reader;
  private readonly format: Format;
  private readonly account: string;
  private readonly counts = { rows: 0, read: 0, skipped: 0, rejected: 0, drafts: 0 };
  private rises = 0;
  private falls = 0;
  private lastDate: number | undefined;
  private lastLine: number;

  constructor({ format, layout, headerIndex }: Detected, head: readonly Row[], options: ReadingOptions) {
    const header = head[headerIndex] ?? { line: 1, cells: [] };
    this.format = format;
    this.account = options.account ?? format.source;
    this.firstRows = head.slice(headerIndex + 1);
    this.lastLine = header.line;
    this.reader = format.open(layout, header, { timeZone: options.timeZone, preamble: head.slice(0, headerIndex) });
    this.start = { kind: 'format', format, layout, headerLine: header.line, header: header.cells };
  }

  take(rows: readonly Row[]): Outcome[] {
    this.counts.rows += rows.length;
    this.lastLine = rows.at(-1)?.line ?? this.lastLine;
    return rows.flatMap((row) => this.reader.read(row)).map((outcome) => this.noted(outcome));
  }

  finish(): Outcome[] {
    return this.reader.end().map((outcome) => this.noted(outcome));
  }

  end(bytesRead: number): ReadingEnd {
    return {
      kind: 'end',
      bytesRead,
      ...this.counts,
      descending: this.falls > this.rises,
      lastLine: this.lastLine,
    };
  }

  private noted(outcome: Outcome): Outcome {
    this.counts[outcome.kind] += outcome.lines.length;
    if (outcome.kind !== 'read') return outcome;
    this.counts.drafts += outcome.drafts.length;
    return { ...outcome, drafts: outcome.drafts.map((draft) => this.placed(draft)) };
  }

  private placed(draft: Draft): Draft {
    const date = draft.at ?? draft.on * microsecondsPerDay;
    if (this.lastDate !== undefined && date > this.lastDate) this.rises++;
    if (this.lastDate !== undefined && date < this.lastDate) this.falls++;
    this.lastDate = date;
    if (draft.account !== '') return draft;
    return this.format.actionsReachEveryAccount === true && actions.has(draft.type)
      ? draft
      : { ...draft, account: this.account };
  }
}

const microsecondsPerDay = 86_400_000_000;
