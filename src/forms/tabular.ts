import { Refusal } from '../base/refusal.ts';
import { type ZipEntry, zipped } from '../base/zip.ts';
import type { FormRow } from './lines.ts';
import type { ReportBooks, ReportFormat } from './report.ts';
import { countRows, listedRows } from './rows.ts';
import { encodeChunks } from './text.ts';

/** A text file with a record for each row. */
export interface Tabular extends Pick<ReportFormat, 'id' | 'name' | 'mediaType' | 'takes' | 'warnings'> {
  /** Before year and extension: `taxact`. */
  readonly stem: string;
  readonly extension: string;
  /** What its reader takes at once: more rows make several files. */
  readonly linesMax?: number;
  /** What begins each file. */
  head(books: ReportBooks): string;
  records(rows: Iterable<FormRow>, books: ReportBooks): Iterable<string>;
}

/** Of one file; a ZIP has at most so many. */
export const partsMax = 10_000;

/** The report of a table: whole, one part of it, or all parts in a ZIP. */
export function tabularReport(table: Tabular): ReportFormat {
  const { id, name, mediaType, warnings } = table;
  return {
    id,
    name,
    mediaType,
    takes: [...table.takes, 'linesMax', 'part'],
    fileName: (books) => {
      const cut = cutOf(table, books);
      if (isZip(cut)) return `${table.stem}-${books.year}.zip`;
      return fileNameOf(table, books, cut.part ?? 1, cut.parts);
    },
    mediaTypeOf: (books) => (isZip(cutOf(table, books)) ? 'application/zip' : mediaType),
    render: (books) => {
      const cut = cutOf(table, books);
      if (isZip(cut)) return zipped(eachPart(table, books, cut));
      const first = ((cut.part ?? 1) - 1) * cut.linesMax;
      return encodeChunks(pieces(table, books, between(listedRows(books), first, first + cut.linesMax)));
    },
    ...(warnings === undefined ? {} : { warnings }),
  };
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

/** One after the other, over one walk through the rows. */
function* eachPart(table: Tabular, books: ReportBooks, { linesMax, parts }: Cut): Generator<ZipEntry> {
  const rows = listedRows(books);
  for (let part = 1; part <= parts; part++) {
    const own: FormRow[] = [];
    while (own.length < linesMax) {
      const { value, done } = rows.next();
      if (done === true) break;
      own.push(value);
    }
    const content = new Uint8Array(Buffer.concat([...encodeChunks(pieces(table, books, own))]));
    yield { name: fileNameOf(table, books, part, parts), content };
  }
}

function* pieces(table: Tabular, books: ReportBooks, rows: Iterable<FormRow>): Generator<string> {
  yield table.head(books);
  yield* table.records(rows, books);
}

function* between<T>(items: Iterable<T>, from: number, before: number): Generator<T> {
  let at = 0;
  for (const item of items) {
    if (at >= before) return;
    if (at >= from) yield item;
    at += 1;
  }
}

function refused(name: 'part' | 'linesMax', detail: string): Refusal {
  return new Refusal('invalid', detail, { errors: [{ pointer: `/${name}`, code: 'invalid', detail }] });
}
