import { invalidMember, type Refusal } from '../../base/refusal.ts';
import { writeZip, type ZipEntry } from '../../base/zip.ts';
import { draftSuffix } from '../draft.ts';
import { boxOrder, type FormRow, formRow } from '../lines.ts';
import type { LineSource, ReportBooks, ReportFormat } from '../report.ts';
import { countRows, isRowALine, listedRows, pickRowChoices } from '../rows.ts';

/** A text file with one record per row. */
interface Tabular extends Pick<ReportFormat, 'id' | 'name' | 'mediaType' | 'takes' | 'reads' | 'warnings'> {
  /** The beginning of the file name, before year and extension: `taxact`. */
  readonly stem: string;
  readonly extension: string;
  /** The maximum number of rows that the receiving program accepts. More rows are split into several files. */
  readonly linesMax?: number;
  /** Returns the beginning of each file. */
  head(books: ReportBooks): string;
  /** Returns a function that writes one row. */
  recordOf(books: ReportBooks): (row: FormRow) => string;
}

/** The maximum number of files in one ZIP. */
export const partsMax = 10_000;

/** Creates the report format for a table: the whole table, one part, or all parts in a ZIP. */
export function tabularReport(table: Tabular): ReportFormat {
  const { id, name, mediaType, reads, warnings } = table;
  return {
    id,
    name,
    mediaType,
    reads,
    takes: [...table.takes, 'linesMax', 'part'],
    fileName: (books) => {
      const split = computeFileSplit(table, books);
      if (isZip(split)) return `${table.stem}-${books.year}${draftSuffix(books)}.zip`;
      return buildFileName(table, books, split.part ?? 1, split.parts);
    },
    mediaTypeOf: (books) => (isZip(computeFileSplit(table, books)) ? 'application/zip' : mediaType),
    render: (books) => write(table, books, inBatches(listedRows(books))),
    stream: (books, lines) => (isRowALine(books) ? write(table, books, streamedRows(books, lines)) : undefined),
    ...(warnings === undefined ? {} : { warnings }),
  };
}

type Batches = Iterable<readonly FormRow[]> | AsyncIterable<readonly FormRow[]>;

function write(table: Tabular, books: ReportBooks, batches: Batches): AsyncGenerator<Uint8Array> {
  const split = computeFileSplit(table, books);
  if (isZip(split)) return writeZip(eachPart(table, books, split, batches));
  const first = ((split.part ?? 1) - 1) * split.linesMax;
  return encodeTable(table, books, between(batches, first, first + split.linesMax));
}

interface FileSplit {
  readonly linesMax: number;
  readonly parts: number;
  readonly part: number | undefined;
}

function computeFileSplit(table: Tabular, books: ReportBooks): FileSplit {
  const { linesMax = table.linesMax ?? Number.MAX_SAFE_INTEGER, part } = books.choices ?? {};
  const parts = Math.max(1, Math.ceil(countRows(books) / linesMax));
  if (part !== undefined && part > parts) {
    const there = parts === 1 ? 'one part' : `${parts} parts`;
    throw refused('part', `There is no part ${part}: the file has ${there}.`);
  }
  if (parts > partsMax) throw refused('linesMax', `This would make ${parts} files; a ZIP has at most ${partsMax}.`);
  return { linesMax, parts, part };
}

function isZip({ parts, part }: FileSplit): boolean {
  return parts > 1 && part === undefined;
}

function buildFileName({ stem, extension }: Tabular, books: ReportBooks, part: number, parts: number): string {
  const partOf = parts === 1 ? '' : `-part-${part}-of-${parts}`;
  return `${stem}-${books.year}${draftSuffix(books)}${partOf}.${extension}`;
}

async function* encodeTable(table: Tabular, books: ReportBooks, batches: Batches): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const recordOf = table.recordOf(books);
  yield encoder.encode(table.head(books));
  for await (const rows of batches) yield encoder.encode(rows.map(recordOf).join(''));
}

/** Writes the parts in order, in one pass over the rows. */
async function* eachPart(
  table: Tabular,
  books: ReportBooks,
  { linesMax, parts }: FileSplit,
  batches: Batches,
): AsyncGenerator<ZipEntry> {
  const [head, recordOf, encoder] = [table.head(books), table.recordOf(books), new TextEncoder()];
  let [part, records]: [number, string[]] = [1, []];
  const close = (): ZipEntry => {
    const content = encoder.encode(head + records.join(''));
    const entry = { name: buildFileName(table, books, part, parts), content };
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

/** Streams the rows in the same order as `listedRows`. */
async function* streamedRows(books: ReportBooks, lines: LineSource): AsyncGenerator<readonly FormRow[]> {
  const there = new Set(books.summary.boxes.map(({ box }) => box));
  const choices = pickRowChoices(books);
  for (const box of boxOrder) {
    if (!there.has(box)) continue;
    for await (const batch of lines.readBatches(box)) yield batch.map((line) => formRow([line], choices));
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
  return invalidMember(`/${name}`, detail);
}
