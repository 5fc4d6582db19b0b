import { joinBytes, toStream, transformBytes } from '../../base/byte-reader.ts';
import { Refusal } from '../../base/refusal.ts';
import { unzip, ZipError, type ZippedFile } from '../../base/zip.ts';
import { damagedFlex, damagedOfx, missingPart, severalTables, tooMuch } from './container-refusals.ts';
import { decodeText } from './decode.ts';
import { csvOfFlex } from './flex.ts';
import { csvOfOfx } from './ofx.ts';
import { listFdxAttachments } from './pdf.ts';
import { openWorkbook } from './workbook.ts';

/**
 * Finds the tables in an upload. A CSV is one table. A ZIP has one for each file and a workbook one for each sheet with
 * rows. Each can also be inside a ZIP, and gzip around any of them is removed.
 *
 * Memory is bounded by the packed size of a ZIP, because its directory is at the end. What it unpacks to is streamed.
 */

export interface Table {
  /** The name of the table inside the file: `trades.csv`, or `book.xlsx/Sheet1`. Null if the file is the table. */
  readonly part: string | null;
  readonly content: ReadableStream<Uint8Array>;
}

interface Bounds {
  /** The maximum size of a ZIP or workbook, which must fit into memory. */
  readonly packedBytesMax: number;
  /** The maximum number of files in a ZIP. */
  readonly filesMax: number;
  /** The maximum number of bytes that a file may unpack to, for each packed byte and in total. */
  readonly ratioMax: number;
  readonly unpackedBytesMax: number;
}

export const containerBounds: Bounds = {
  packedBytesMax: 128 * 1024 ** 2,
  filesMax: 1_000,
  ratioMax: 400,
  unpackedBytesMax: 4 * 1024 ** 3,
};

/**
 * Returns the only table of an upload, or the named one. Throws `ambiguous_file` with the names if there are several and
 * none is named, and `not_csv` if the container cannot be read.
 */
export async function openTable(
  stream: ReadableStream<Uint8Array>,
  part: string | undefined,
  bounds = containerBounds,
): Promise<Table> {
  const opened = await open(stream, bounds);
  if ('tables' in opened) return chooseTable(opened.tables, part);
  if (part !== undefined) throw missingPart(part, []);
  return { part: null, content: opened.content };
}

/** Returns the names of an upload's tables, or null if the upload is itself a table. */
export async function listParts(
  stream: ReadableStream<Uint8Array>,
  bounds = containerBounds,
): Promise<readonly string[] | null> {
  const opened = await open(stream, bounds);
  if ('tables' in opened) return opened.tables.map(({ name }) => name);
  await opened.content.cancel();
  return null;
}

/**
 * Returns the bytes of an upload that can be read only once, or a copy of it if it is a container, which is read once
 * for each of its tables.
 */
export async function holdContainer(
  stream: ReadableStream<Uint8Array>,
  bounds = containerBounds,
): Promise<Blob | ReadableStream<Uint8Array>> {
  const { head, content } = await peek(stream);
  const isContainer = [gzipMark, pdfMark, ...zipMarks].some((mark) => startsWith(head, mark));
  return isContainer ? collect(content, bounds) : content;
}

type Opened = { readonly tables: readonly NamedTable[] } | { readonly content: ReadableStream<Uint8Array> };

async function open(stream: ReadableStream<Uint8Array>, bounds: Bounds): Promise<Opened> {
  let { head, content } = await peek(stream);
  if (startsWith(head, gzipMark)) ({ head, content } = await peek(toStream(gunzip(content, bounds))));
  if (startsWith(head, pdfMark)) {
    const pdf = await collect(content, bounds);
    return { tables: await listAttachments('', () => pdf.stream(), bounds) };
  }
  if (!zipMarks.some((mark) => startsWith(head, mark))) return { content: toTable(head, content, bounds) };
  return { tables: await Array.fromAsync(listTables(await collect(content, bounds), '', bounds)) };
}

/** Returns the table of a file that is not packed: the file itself, or a document as CSV. */
function toTable(head: Uint8Array, content: ReadableStream<Uint8Array>, bounds: Bounds): ReadableStream<Uint8Array> {
  // In UTF-16, every other byte of a tag is zero.
  const text = new TextDecoder('latin1').decode(head).replaceAll('\0', '');
  const document = documents.find(([sign]) => sign.test(text));
  return document === undefined ? content : toStream(encode(document[1](content, head, bounds)));
}

type ReadDocument = (content: ReadableStream<Uint8Array>, head: Uint8Array, bounds: Bounds) => AsyncIterable<string>;

/** Documents with transactions, recognized by their beginning. */
const documents: readonly (readonly [sign: RegExp, read: ReadDocument])[] = [
  [/^[^<]{0,3}\s*(?:OFXHEADER\s*:|(?:<[?!][\s\S]*?)?<(?:\?OFX\b|OFX>))/i, readOfx],
  [/^[^<]{0,3}\s*(?:<[?!][\s\S]*?)?<Flex(?:QueryResponse|StatementResponse)\b/, readFlex],
];

/** An OFX file is read twice, because its list of securities follows the transactions. */
async function* readOfx(...[content, head, bounds]: Parameters<ReadDocument>): AsyncGenerator<string> {
  const texts = decodeText((await collect(content, bounds)).stream(), head, (what) => {
    throw damagedOfx(what);
  });
  yield* csvOfOfx((await Array.fromAsync(texts)).join(''));
}

function readFlex(...[content, head]: Parameters<ReadDocument>): AsyncIterable<string> {
  return csvOfFlex(
    decodeText(content, head, (what) => {
      throw damagedFlex(what);
    }),
  );
}

/** Lists the FDX documents in a PDF. `read` is called again when one is opened, so a ZIP of PDFs fits into memory. */
async function listAttachments(
  prefix: string,
  read: () => AsyncIterable<Uint8Array>,
  bounds: Bounds,
): Promise<NamedTable[]> {
  const list = async () => listFdxAttachments(await (await collect(read(), bounds)).bytes());
  const names = (await list()).map(({ name }) => name);
  return names.map((name, index) => ({
    name: `${prefix}${name}`,
    open: async function* () {
      const content = (await list())[index]?.content;
      if (content !== undefined) yield content;
    },
  }));
}

const gzipMark = [0x1f, 0x8b];
const pdfMark = [0x25, 0x50, 0x44, 0x46];
/** The marks of a ZIP's first file and of an empty ZIP. */
const zipMarks = [
  [0x50, 0x4b, 3, 4],
  [0x50, 0x4b, 5, 6],
];

function startsWith(head: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, index) => head[index] === byte);
}

function chooseTable(tables: readonly NamedTable[], part: string | undefined): Table {
  const names = tables.map(({ name }) => name);
  if (names.length === 0) throw new Refusal('empty_file', 'The file contains no table.');
  if (part === undefined && names.length > 1) throw severalTables(names);
  const table = part === undefined ? tables[0] : tables.find(({ name }) => name === part);
  if (table === undefined) throw missingPart(part ?? '', names);
  return { part: table.name, content: toStream(guard(table.open())) };
}

interface NamedTable {
  readonly name: string;
  open(): AsyncIterable<Uint8Array>;
}

/** Lists the tables of a ZIP or workbook. A container inside a ZIP is opened as well, but none inside of that. */
async function* listTables(archive: Blob, prefix: string, bounds: Bounds): AsyncGenerator<NamedTable> {
  const files = (await unzip(archive, bounds.filesMax).catch(refuseZip)).filter(({ name }) => !isHousekeeping(name));
  const names = new Set(files.map(({ name }) => name));
  const other = otherDocuments.find(([sign]) => names.has(sign));
  if (other !== undefined)
    throw new Refusal('not_csv', `This is ${other[1]}. Save it as an Excel workbook (.xlsx) or as CSV.`);
  const bounded = files.map((file) => ({ ...file, read: () => limit(file.read(), file.packed, bounds) }));
  if (names.has('xl/workbook.xml')) {
    yield* listSheets(bounded, prefix);
    return;
  }
  for (const file of bounded) yield* listFile(file, prefix, bounds);
}

/** Files that operating systems add to a ZIP. */
function isHousekeeping(name: string): boolean {
  return /(?:^|\/)(?:__MACOSX\/|\.[^/]*$|desktop\.ini$|thumbs\.db$)/i.test(name);
}

/** Documents that are a ZIP inside, recognized by a file in it. */
const otherDocuments: readonly (readonly [sign: string, name: string])[] = [
  ['xl/workbook.bin', 'a binary Excel workbook (.xlsb)'],
  ['word/document.xml', 'a Word document'],
  ['ppt/presentation.xml', 'a presentation'],
  ['content.xml', 'an OpenDocument file'],
  ['Index/Document.iwa', 'a Numbers document'],
];

async function* listSheets(files: readonly ZippedFile[], prefix: string): AsyncGenerator<NamedTable> {
  for (const { name, read } of await openWorkbook(files)) {
    if (!(await hasRows(read()))) continue;
    yield { name: `${prefix}${name}`, open: () => encode(read()) };
  }
}

/** Reads a sheet until its first cell with text. New workbooks have empty sheets. */
async function hasRows(text: AsyncIterable<string>): Promise<boolean> {
  for await (const lines of guard(text)) if (/[^\s,"]/.test(lines)) return true;
  return false;
}

async function* listFile(file: ZippedFile, prefix: string, bounds: Bounds): AsyncGenerator<NamedTable> {
  const { name } = file;
  if (/\.pdf$/i.test(name)) {
    yield* await listPdf(file, `${prefix}${name}`, bounds);
    return;
  }
  const isGzip = /\.gz$/i.test(name);
  const isNested = /\.(?:zip|xls[xm])$/i.test(name);
  if (!isNested) {
    yield {
      name: `${prefix}${name}`,
      open: () => openFile(isGzip ? gunzip(file.read(), bounds) : file.read(), bounds),
    };
    return;
  }
  if (prefix !== '')
    throw new Refusal('not_csv', `"${prefix}${name}" is a file in a ZIP in a ZIP. Unzip the outer one.`);
  yield* listTables(await collect(guard(file.read()), bounds), `${name}/`, bounds);
}

/** Lists the FDX documents in a PDF in a ZIP. A PDF without one is a table that is refused when it is opened. */
async function listPdf({ read }: ZippedFile, name: string, bounds: Bounds): Promise<readonly NamedTable[]> {
  try {
    return await listAttachments(`${name}/`, () => guard(read()), bounds);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const refuse = async function* (): AsyncGenerator<Uint8Array> {
      yield* [];
      throw error;
    };
    return [{ name, open: refuse }];
  }
}

async function* openFile(bytes: AsyncIterable<Uint8Array>, bounds: Bounds): AsyncGenerator<Uint8Array> {
  const { head, content } = await peek(toStream(bytes));
  yield* toTable(head, content, bounds);
}

/** Stops when a file unpacks to far more than tables do. Such a file is made to exhaust a server. */
async function* limit(bytes: AsyncIterable<Uint8Array>, packed: number, bounds: Bounds): AsyncGenerator<Uint8Array> {
  const { ratioMax, unpackedBytesMax } = bounds;
  const most = Math.min(unpackedBytesMax, Math.max(packed, ratioMinBytes / ratioMax) * ratioMax);
  let unpacked = 0;
  for await (const piece of bytes) {
    unpacked += piece.length;
    if (unpacked > most) throw tooMuch('The file unpacks to far more than its size.');
    yield piece;
  }
}

/** Small files of repeated rows may be packed into almost nothing. */
const ratioMinBytes = 16 * 1024 ** 2;

async function* gunzip(packed: AsyncIterable<Uint8Array>, bounds: Bounds): AsyncGenerator<Uint8Array> {
  let taken = 0;
  let unpacked = 0;
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const piece of packed) {
      taken += piece.length;
      yield piece;
    }
  };
  try {
    for await (const piece of transformBytes(counted(), new DecompressionStream('gzip'))) {
      unpacked += piece.length;
      if (unpacked > Math.min(bounds.unpackedBytesMax, Math.max(ratioMinBytes, taken * bounds.ratioMax)))
        throw tooMuch('The file unpacks to far more than its size.');
      yield piece;
    }
  } catch (error) {
    if (error instanceof TypeError) throw new Refusal('not_csv', 'The gzip file is damaged or truncated.');
    throw error;
  }
}

async function collect(bytes: AsyncIterable<Uint8Array>, { packedBytesMax }: Bounds): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > packedBytesMax)
      throw tooMuch(`A ZIP, workbook, PDF or OFX file can have up to ${packedBytesMax.toLocaleString('en-US')} bytes.`);
    pieces.push(Uint8Array.from(piece));
  }
  return new Blob(pieces);
}

/** Passes pieces on, and turns a broken ZIP into a refusal. */
async function* guard<Piece>(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  try {
    yield* pieces;
  } catch (error) {
    refuseZip(error);
  }
}

function refuseZip(error: unknown): never {
  if (error instanceof ZipError) throw new Refusal('not_csv', error.message);
  throw error;
}

async function* encode(text: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const piece of text) if (piece !== '') yield encoder.encode(piece);
}

/** Enough for the first tag of a document. */
const peekedBytes = 512;

/** Returns the first bytes of a stream, and the stream from its beginning. */
async function peek(stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader();
  const waiting: Uint8Array[] = [];
  let size = 0;
  while (size < peekedBytes) {
    const { done, value } = await reader.read();
    if (done) break;
    waiting.push(value);
    size += value.length;
  }
  const head = joinBytes(waiting.map((piece) => piece.subarray(0, peekedBytes)));
  const content = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = waiting.length > 0 ? { done: false, value: waiting.shift() } : await reader.read();
        if (done || value === undefined) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return { head, content };
}
