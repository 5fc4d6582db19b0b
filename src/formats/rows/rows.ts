import Papa from 'papaparse';
import { Refusal } from '../../base/refusal.ts';
import type { Row } from '../format.ts';
import { blockBytesDefault, type Progress, readText } from './bytes.ts';
import { csvOfFdx } from './fdx.ts';
import { PlainRow } from './plain-row.ts';
import {
  findPosition,
  type QuotedRecord,
  type RawRecord,
  RecordCutter,
  type RecordPosition,
  saysNothing,
  splitLoose,
} from './records.ts';
import type { SourceTexts } from './source-text.ts';

/**
 * Limits for turning bytes into rows. Memory is limited to one block and one record, the stream is read only as fast as
 * rows are consumed, and other work runs between blocks. Lines that are blank or contain only delimiters are skipped.
 */

export interface RowLimits {
  readonly fileBytesMax: number;
  readonly recordCharactersMax: number;
  readonly fieldCharactersMax: number;
  readonly columnsMax: number;
  readonly blockBytes: number;
  /** The time limit for reading the rows of a file: a base, plus more for each megabyte. */
  readonly readingMilliseconds: number;
  readonly readingMillisecondsPerMegabyte: number;
}

export const rowLimits: RowLimits = {
  fileBytesMax: 1024 ** 3,
  recordCharactersMax: 1024 ** 2,
  fieldCharactersMax: 64 * 1024,
  columnsMax: 256,
  blockBytes: blockBytesDefault,
  readingMilliseconds: 5_000,
  readingMillisecondsPerMegabyte: 5_000,
};

export async function* readRows(
  stream: ReadableStream<Uint8Array>,
  limits: RowLimits = rowLimits,
  progress: Progress = { bytes: 0 },
  /** Collects the text of the rows. */
  texts?: SourceTexts,
): AsyncGenerator<Row[]> {
  let head: string | undefined = '';
  let splitter: RowSplitter | undefined;
  let rows = 0;
  let json: string[] | undefined;
  const split = (text: string, last: boolean): Generator<Row[]> => {
    splitter ??= new RowSplitter(sniffDelimiter(text), limits, texts);
    return splitter.split(text, last);
  };
  for await (const piece of readText(stream, limits.fileBytesMax, limits.blockBytes, progress)) {
    if ('unreadable' in piece) {
      yield* split(head ?? '', false);
      throw notCsv(piece.unreadable, splitter?.where());
    }
    // A JSON document is read in one piece, and its forms become lines.
    if (json !== undefined || (head === '' && /^\uFEFF?\s*[[{]/.test(piece.text))) {
      json = [...(json ?? []), piece.text];
      if (json.length * limits.blockBytes <= jsonBytesMax) continue;
    }
    if (json !== undefined) head = json.splice(0, json.length - 1).join('');
    json = undefined;
    // The delimiter is detected in the first 64 K characters, even if the blocks are smaller.
    const text: string = head === undefined ? piece.text : head + piece.text;
    if (head !== undefined && text.length < sniffedCharacters) {
      head = text;
      continue;
    }
    head = undefined;
    for (const batch of split(text, false)) {
      rows += batch.length;
      yield batch;
    }
    await nextTurn();
  }
  if (json !== undefined) {
    const text = json.join('');
    head = csvOfFdx(text) ?? text;
  }
  for (const batch of split(head ?? '', true)) {
    rows += batch.length;
    yield batch;
  }
  if (rows === 0) throw new Refusal('empty_file', 'The file has no rows.');
}

/** Lets timers, health checks and other requests run, because parsing without a break would block the event loop. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A JSON document must fit into memory. Larger ones are treated as rows and rejected as such. */
const jsonBytesMax = 64 * 1024 ** 2;

const sniffedCharacters = 64 * 1024;
const delimiters = [',', ';', '\t'] as const;

/** Finds the delimiter that puts the most cells into rows of equal width. */
function sniffDelimiter(head: string): string {
  const stated = /^\uFEFF?sep=([,;\t])\r?[\n\r]/i.exec(head);
  if (stated?.[1] !== undefined) return stated[1];
  let best: string = ',';
  let bestScore = 0;
  for (const delimiter of delimiters) {
    const rowsOfWidth = new Map<number, number>();
    const records = new RecordCutter(delimiter).cut(head.slice(0, sniffedCharacters), true).slice(0, 100);
    for (const record of records) {
      const width = findPosition(record.text, 1, delimiter).column;
      if (width > 1) rowsOfWidth.set(width, (rowsOfWidth.get(width) ?? 0) + 1);
    }
    const score = Math.max(0, ...[...rowsOfWidth].map(([width, count]) => width * count));
    if (score > bestScore) [best, bestScore] = [delimiter, score];
  }
  return best;
}

function notCsv(reason: string, position: RecordPosition | undefined): Refusal {
  const { line, column } = position ?? { line: 1, column: 1 };
  return refusalAt('not_csv', `This is not a CSV file: on line ${line}, column ${column}, ${reason}.`, line, column);
}

function refusalAt(
  code: 'not_csv' | 'malformed_csv' | 'too_large',
  detail: string,
  line: number,
  column: number,
  limit?: number,
): Refusal {
  return new Refusal(code, detail, {
    errors: [{ code, detail, line, column: String(column) }],
    ...(limit === undefined ? {} : { members: { limit } }),
  });
}

class RowSplitter {
  private readonly cutter: RecordCutter;

  constructor(
    private readonly delimiter: string,
    private readonly limits: RowLimits,
    private readonly texts: SourceTexts | undefined,
  ) {
    this.cutter = new RecordCutter(delimiter);
  }

  *split(text: string, last: boolean): Generator<Row[]> {
    const records = this.cutter.cut(text, last);
    const { text: cut, line: cutLine } = this.cutter.lastCut;
    this.texts?.add(cut, cutLine, this.delimiter);
    const { recordCharactersMax } = this.limits;
    const mayBeLong = cut.length > recordCharactersMax;
    const sound = mayBeLong ? records.findIndex((record) => record.text.length > recordCharactersMax) : -1;
    yield* this.parseRows(sound === -1 ? records : records.slice(0, sound));
    const long = records[sound];
    if (long !== undefined) throw this.tooLong(long.text, long.line);
    if (this.cutter.waiting > recordCharactersMax) {
      const { line } = this.cutter.where(0);
      throw this.tooLong(this.cutter.waitingText(recordCharactersMax), line);
    }
    if (last && this.cutter.waiting > 0) {
      const { line, column } = this.cutter.where();
      const detail = `A quote opened on line ${line}, column ${column}, is never closed.`;
      throw refusalAt('malformed_csv', detail, line, column);
    }
  }

  where(): RecordPosition {
    return this.cutter.where();
  }

  private tooLong(text: string, startLine: number): Refusal {
    const limit = this.limits.recordCharactersMax;
    const { line, column, quoteOpen } = findPosition(text.slice(0, limit), startLine, this.delimiter);
    const cause = quoteOpen ? `; a quote opened on line ${line}, column ${column}, is not closed within it` : '';
    const size = limit.toLocaleString('en-US');
    const detail = `The record that starts on line ${startLine} is longer than ${size} characters${cause}.`;
    return refusalAt('too_large', detail, line, column, limit);
  }

  private *parseRows(records: readonly RawRecord[]): Generator<Row[]> {
    const rows: Row[] = [];
    const quoted = this.parseQuoted(records);
    for (const record of records) {
      const row = record instanceof PlainRow ? record : this.parseRow(record, quoted.get(record));
      const refusal = this.findLimitRefusal(row);
      if (refusal !== undefined) {
        if (rows.length > 0) yield rows;
        throw refusal;
      }
      if (saysSomething(row)) rows.push(row);
    }
    if (rows.length > 0) yield rows;
  }

  private parseRow(record: QuotedRecord, quotedCells: string[] | undefined): Row {
    if (quotedCells !== undefined) return { line: record.line, cells: quotedCells };
    const { cells, flaw } = splitLoose(record.text, this.delimiter);
    return flaw === null ? { line: record.line, cells } : { line: record.line, cells, flaw };
  }

  /** Parses all quoted records in one call to papaparse. One call for each record takes twice as long. */
  private parseQuoted(records: readonly RawRecord[]): Map<RawRecord, string[]> {
    const quoted = records.filter((record) => !(record instanceof PlainRow) && record.kind === 'quoted');
    const cells = new Map<RawRecord, string[]>();
    if (quoted.length === 0) return cells;
    const text = quoted.map((record) => record.text).join('\n');
    const parsed = Papa.parse<string[]>(`${text}\n`, { delimiter: this.delimiter, newline: '\n' });
    // papaparse adds an empty row after the last line end. If the count still differs, `splitLoose` is used instead.
    if (parsed.data.length !== quoted.length + 1) return cells;
    quoted.forEach((record, index) => {
      const row = parsed.data[index];
      if (row !== undefined) cells.set(record, row);
    });
    return cells;
  }

  private findLimitRefusal(row: Row): Refusal | undefined {
    const { columnsMax, fieldCharactersMax } = this.limits;
    if (row instanceof PlainRow && row.fits(columnsMax, fieldCharactersMax)) return undefined;
    if (row.cells.length > columnsMax) {
      const detail = `Line ${row.line} has ${row.cells.length} columns. The limit is ${columnsMax}.`;
      return refusalAt('too_large', detail, row.line, columnsMax + 1, columnsMax);
    }
    const wide = row.cells.findIndex((cell) => cell.length > fieldCharactersMax);
    if (wide === -1) return undefined;
    const size = fieldCharactersMax.toLocaleString('en-US');
    const detail = `The cell on line ${row.line}, column ${wide + 1}, is longer than ${size} characters.`;
    return refusalAt('too_large', detail, row.line, wide + 1, fieldCharactersMax);
  }
}

/** Returns whether a row has any content. The cells are not split if the first one begins with a visible character. */
function saysSomething(row: Row): boolean {
  if (row instanceof PlainRow && row.beginsWithWord) return true;
  return !saysNothing(row.cells);
}
