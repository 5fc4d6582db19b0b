import { PlainRow } from './plain-row.ts';

/**
 * A complete CSV record. A quote opens a cell only at its beginning (RFC 4180), so splitting text into records needs
 * the delimiter. A line end inside quotes does not end a record. CRLF, LF and CR may be mixed.
 */

export type RawRecord = PlainRow | QuotedRecord;

/** A record that contains quotes. */
export interface QuotedRecord {
  /** The record's first physical line. */
  readonly line: number;
  readonly text: string;
  /** `loose` contains text after a closing quote, where papaparse would not end the cell. */
  readonly kind: 'quoted' | 'loose';
}

/** A position in the file: the line, the 1-based column, and whether it is inside an open quote. */
export interface RecordPosition {
  readonly line: number;
  readonly column: number;
  readonly quoteOpen: boolean;
}

const quote = 34;
const lineFeed = 10;
const carriageReturn = 13;
const space = 32;

export class RecordCutter {
  private pending = '';
  private line = 1;
  private cutOff = { text: '', line: 1 };

  constructor(private readonly delimiter: string) {}

  /**
   * Returns the records that this text completes. The rest is kept until more text arrives, or forms the last record if
   * `last` is true.
   */
  cut(text: string, last: boolean): RawRecord[] {
    const source = this.pending === '' ? text : this.pending + text;
    const records: RawRecord[] = [];
    const firstLine = this.line;
    let position = 0;
    let nextLineFeed = source.indexOf('\n');
    let nextReturn = source.indexOf('\r');
    let nextQuote = source.indexOf('"');
    while (position < source.length) {
      if (nextLineFeed !== -1 && nextLineFeed < position) nextLineFeed = source.indexOf('\n', position);
      if (nextReturn !== -1 && nextReturn < position) nextReturn = source.indexOf('\r', position);
      if (nextQuote !== -1 && nextQuote < position) nextQuote = source.indexOf('"', position);
      const lineEnd = nearest(nextLineFeed, nextReturn, source.length);
      if (nextQuote === -1 || nextQuote > lineEnd) {
        if (!last && mayContinue(source, lineEnd)) break;
        records.push(new PlainRow(this.line, source, position, lineEnd, this.delimiter));
        this.line += 1;
        position = afterLineEnd(source, lineEnd);
        continue;
      }
      const scan = scanRecord(source, position, this.delimiter.charCodeAt(0));
      if (scan.kind === 'open' || (!last && mayContinue(source, scan.end))) break;
      records.push({ line: this.line, text: source.slice(position, scan.end), kind: scan.kind });
      this.line += scan.newlines + 1;
      position = afterLineEnd(source, scan.end);
    }
    this.pending = source.slice(position);
    this.cutOff = { text: source.slice(0, position), line: firstLine };
    return records;
  }

  /** The text of the last records returned, including line ends, and its first line. */
  get lastCut(): { readonly text: string; readonly line: number } {
    return this.cutOff;
  }

  /** The length of the incomplete record's text. */
  get waiting(): number {
    return this.pending.length;
  }

  /** Returns the beginning of the incomplete record's text. */
  waitingText(length: number): string {
    return this.pending.slice(0, length);
  }

  /** Returns the position at the end of the incomplete record, or after the given number of its characters. */
  where(length = this.pending.length): RecordPosition {
    return findPosition(this.pending.slice(0, length), this.line, this.delimiter);
  }
}

/**
 * Returns the position after `text`, which belongs to a record that starts on line `line`. If a quote is open, returns
 * the position of that quote.
 */
export function findPosition(text: string, line: number, delimiter: string): RecordPosition {
  const scan = scanRecord(text, 0, delimiter.charCodeAt(0));
  return scan.kind === 'open'
    ? { line: line + scan.openedAfter, column: scan.column, quoteOpen: true }
    : { line: line + scan.newlines, column: scan.column, quoteOpen: false };
}

/** Splits a record with text after a closing quote. That text becomes part of the cell. */
export function splitLoose(text: string, delimiter: string): { cells: string[]; flaw: number | null } {
  const cells: string[] = [];
  let flaw: number | null = null;
  let position = 0;
  while (position <= text.length) {
    let cell = '';
    let at = position;
    if (text.charCodeAt(at) === quote) {
      at++;
      for (;;) {
        const close = text.indexOf('"', at);
        if (close === -1) break;
        cell += text.slice(at, close);
        at = close + 1;
        if (text.charCodeAt(at) !== quote) break;
        cell += '"';
        at++;
      }
    }
    const end = text.indexOf(delimiter, at);
    const rest = text.slice(at, end === -1 ? text.length : end);
    if (at > position && rest.trim() !== '') flaw ??= cells.length;
    cells.push(at > position ? cell + (rest.trim() === '' ? '' : rest) : rest);
    if (end === -1) break;
    position = end + 1;
  }
  return { cells, flaw };
}

interface Scan {
  readonly end: number;
  readonly newlines: number;
  readonly kind: 'quoted' | 'loose' | 'open';
  readonly column: number;
  /** The number of line ends between the record's start and the open quote. */
  readonly openedAfter: number;
}

function scanRecord(source: string, start: number, delimiter: number): Scan {
  let at = start;
  let column = 1;
  let newlines = 0;
  let loose = false;
  let atCellStart = true;
  while (at < source.length) {
    const code = source.charCodeAt(at);
    if (code === quote && atCellStart) {
      const openedAfter = newlines;
      const close = closingQuote(source, at + 1);
      if (close === -1) {
        return { end: source.length, newlines, kind: 'open', column, openedAfter };
      }
      newlines += countLineEnds(source, at + 1, close);
      at = close + 1;
      atCellStart = false;
      const next = source.charCodeAt(at);
      if (at < source.length && next !== delimiter && next !== lineFeed && next !== carriageReturn) loose = true;
      continue;
    }
    if (code === lineFeed || code === carriageReturn) {
      return { end: at, newlines, kind: loose ? 'loose' : 'quoted', column, openedAfter: 0 };
    }
    atCellStart = code === delimiter;
    if (atCellStart) column++;
    at++;
  }
  return { end: at, newlines, kind: loose ? 'loose' : 'quoted', column, openedAfter: 0 };
}

/**
 * Finds the closing quote, which has no second quote after it. A quote at the end of the text counts as closing,
 * because only the caller knows whether more text follows.
 */
function closingQuote(source: string, from: number): number {
  let at = source.indexOf('"', from);
  while (at !== -1 && source.charCodeAt(at + 1) === quote) at = source.indexOf('"', at + 2);
  return at;
}

function countLineEnds(source: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) {
    const code = source.charCodeAt(at);
    if (code === lineFeed) count++;
    else if (code === carriageReturn && source.charCodeAt(at + 1) !== lineFeed) count++;
  }
  return count;
}

/** Returns whether the record may continue in the next text. A CR at the end may be the first half of a CRLF. */
function mayContinue(source: string, end: number): boolean {
  return end >= source.length - 1 && source.charCodeAt(end) !== lineFeed;
}

function nearest(first: number, second: number, none: number): number {
  if (first === -1) return second === -1 ? none : second;
  return second === -1 ? first : Math.min(first, second);
}

function afterLineEnd(source: string, end: number): number {
  return source.charCodeAt(end) === carriageReturn && source.charCodeAt(end + 1) === lineFeed ? end + 2 : end + 1;
}

/** Returns whether the cells contain only blanks, delimiters and empty quotes. */
export function saysNothing(cells: readonly string[]): boolean {
  return cells.every((cell) => cell === '' || (cell.charCodeAt(0) <= space && cell.trim() === ''));
}
