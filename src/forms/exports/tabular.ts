import { Refusal } from '../../base/refusal.ts';
import { type ZipEntry, zipped } from '../../base/zip.ts';
import { boxOrder, type FormRow, formRow } from '../lines.ts';
import type { LineSource, ReportBooks, ReportFormat } from '../report.ts';
import { countRows, isRowALine, listedRows, rowChoicesOf } from '../rows.ts';

/** A text file with a record for each row. */
export interface Tabular extends Pick<ReportFormat, 'id' | 'name' | 'mediaType' | 'takes' | 'reads' | 'warnings'> {
  /** Before year and extension: `taxact`. */
  readonly stem: string;
  readonly extension: string;
  /** What its reader takes at once: more rows make several files. */
  readonly linesMax?: number;
  /** What begins each file. */
  head(books: ReportBooks): string;
  /** What writes a row. */
  recordOf(books: ReportBooks): (row: FormRow) => string;
}

/** Of one file; a ZIP has at most so many. */
export const partsMax = 10_000;

/** The report of a table: whole, one part of it, or all parts in a ZIP. */
export function tabularReport(table: Tabular): ReportFormat {
  const { id, name, mediaType, reads, warnings } = table;
  return {
    id,
    name,
    mediaType,
    reads,
    takes: [...table.takes, 'linesMax', 'part'],
    fileName: (books) => {
      const cut = cutOf(table, books);
      if (isZip(cut)) return `${table.stem}-${books.year}.zip`;
      return fileNameOf(table, books, cut.part ?? 1, cut.parts);
    },
    mediaTypeOf: (books) => (isZip(cutOf(table, books)) ? 'application/zip' : mediaType),
    render: (books) => write(table, books, inBatches(listedRows(books))),
    stream: (books, lines) => (isRowALine(books) ? write(table, books, streamedRows(books, lines)) : undefined),
    ...(warnings === undefined ? {} : { warnings }),
  };
}

type Batches = Iterable<readonly FormRow[]> | AsyncIterable<readonly FormRow[]>;

function write(table: Tabular, books: ReportBooks, batches: Batches): AsyncGenerator<Uint8Array> {
  const cut = cutOf(table, books);
  if (isZip(cut)) return zipped(eachPart(table, books, cut, batches));
  const first = ((cut.part ?? 1) - 1) * cut.linesMax;
  return encoded(table, books, between(batches, first, first + cut.linesMax));
}

interface Cut {
  readonly linesMax: number;
  readonly parts: number;
  readonly part: number | undefined;
}

function cutOf(table: Tabular, books: ReportBooks): Cut {
  const { linesMax = table.linesMax ?? Number.MAX_SAFE_INTEGER, part } = books.choices ?? {};
  const parts = Math.max(1, Math.ceil(countRows(books) / linesMax));
  if (part !== undefined && part > parts) {
    const there = parts === 1 ? 'one part' : `${parts} parts`;
    throw refused('part', `There is no part ${part}: the file has ${there}.`);
  }
  if (parts > partsMax) throw refused('linesMax', `This would make ${parts} files; a ZIP has at most ${partsMax}.`);
  return { linesMax, parts, part };
}

function isZip({ parts, part }: Cut): boolean {
  return parts > 1 && part === undefined;
}

function fileNameOf({ stem, extension }: Tabular, { year }: ReportBooks, part: number, parts: number): string {
  return `${stem}-${year}${parts === 1 ? '' : `-part-${part}-of-${parts}`}.${extension}`;
}

async function* encoded(table: Tabular, books: ReportBooks, batches: Batches): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const recordOf = table.recordOf(books);
  yield encoder.encode(table.head(books));
  for await (const rows of batches) yield encoder.encode(rows.map(recordOf).join(''));
}

/** One after the other, over one walk through the rows. */
async function* eachPart(
  table: Tabular,
  books: ReportBooks,
  { linesMax, parts }: Cut,
  batches: Batches,
): AsyncGenerator<ZipEntry> {
  const [head, recordOf, encoder] = [table.head(books), table.recordOf(books), new TextEncoder()];
  let [part, records]: [number, string[]] = [1, []];
  const close = (): ZipEntry => {
    const content = encoder.encode(head + records.join(''));
    const entry = { name: fileNameOf(table, books, part, parts), content };
    [part, records] = [part + 1, []];
    return entry;
  };
  for await (const rows of batches) {
    for (const row of rows) {
      records.push(recordOf(row));
      if (records.length === linesMax) yield close();
    }
  }
  if (records.length > 0) yield close();
}

const rowsPerBatch = 1_000;

function* inBatches(rows: Iterable<FormRow>): Generator<readonly FormRow[]> {
  let batch: FormRow[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < rowsPerBatch) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** In the order that `listedRows` has. */
async function* streamedRows(books: ReportBooks, lines: LineSource): AsyncGenerator<readonly FormRow[]> {
  const there = new Set(books.summary.boxes.map(({ box }) => box));
  const choices = rowChoicesOf(books);
  for (const box of boxOrder) {
    if (!there.has(box)) continue;
    for await (const batch of lines.batchesOf(box)) yield batch.map((line) => formRow([line], choices));
  }
}

async function* between(batches: Batches, from: number, before: number): AsyncGenerator<readonly FormRow[]> {
  let at = 0;
  for await (const batch of batches) {
    const rows = batch.slice(Math.max(0, from - at), Math.max(0, before - at));
    at += batch.length;
    if (rows.length > 0) yield rows;
    if (at >= before) return;
  }
}

function refused(name: 'part' | 'linesMax', detail: string): Refusal {
  return new Refusal('invalid', detail, { errors: [{ pointer: `/${name}`, code: 'invalid', detail }] });
}
