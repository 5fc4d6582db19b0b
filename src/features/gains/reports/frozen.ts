import { createHash } from 'node:crypto';
import { joinBytes } from '../../../base/byte-reader.ts';
import type { Line } from '../../../engine/model.ts';
import { type LineSource, type ListName, listNames, type ReportBooks } from '../../../forms/report.ts';
import { completeSummary, type StoredSummary } from '../../ledger/books/netting.ts';

/**
 * The copy of the books that is stored with a report: compressed JSON with one entry per line. Because of it, a report
 * produces the same bytes forever, even if the books change. Revision and time are stored separately, so that two
 * revisions of an unchanged year share one copy.
 */
interface FrozenBooks {
  /** The SHA-256 hash of the text, which identifies the copy. */
  readonly digest: string;
  readonly parts: readonly Uint8Array[];
}

/** The data of a report that is not part of the copy. */
export interface ReportStamp {
  readonly revision: string;
  readonly asOf: string;
}

/** Creates a copy of the books. Lets other requests run between batches, because a year may have 100,000 lines. */
export async function freeze(books: ReportBooks): Promise<FrozenBooks> {
  const hash = createHash('sha256');
  const text = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: async (controller) => {
      const encoder = new TextEncoder();
      for (const batch of batches(books)) {
        const bytes = encoder.encode(batch);
        hash.update(bytes);
        controller.enqueue(bytes);
        await new Promise((resolve) => setImmediate(resolve));
      }
      controller.close();
    },
  });
  const parts = await joinPieces(text.pipeThrough(new CompressionStream('gzip')), partBytes);
  return { digest: hash.digest('hex'), parts };
}

/** Reads a copy of the books with only the requested lists. Parses synchronously, so it must run in a Worker. */
export async function thaw(
  parts: readonly Uint8Array[],
  stamp: ReportStamp,
  listsToThaw: readonly ListName[] = listNames,
): Promise<ReportBooks> {
  const lists = new Map<ListName, unknown[]>();
  let head: Record<string, unknown> | undefined;
  for await (const { name, text } of readEntries(parts, listsToThaw)) {
    const value = reviveBigints(JSON.parse(text));
    if (name === null) head = readHead(value);
    else getOrCreateList(lists, name).push((value as [string, unknown])[1]);
  }
  if (head === undefined) throw new Error('Frozen books are empty.');
  const listed = Object.fromEntries(listNames.map((name) => [name, lists.get(name) ?? []]));
  const sources = new Map((lists.get('sources') ?? []) as [string, { file: string; line: number }][]);
  return { ...head, ...listed, sources, ...stamp } as unknown as ReportBooks;
}

/** Returns a source that reads the lines again for each box, with one batch in memory at a time. */
export function createLineSource(parts: readonly Uint8Array[]): LineSource {
  return {
    readBatches: async function* (box) {
      // Skips lines of other boxes without parsing them. The search is safe, because quotes inside a text are escaped.
      const mark = `"box":"${box}"`;
      let batch: Line[] = [];
      for await (const { name, text } of readEntries(parts, ['lines'])) {
        if (name === null || !text.includes(mark)) continue;
        batch.push((reviveBigints(JSON.parse(text)) as [string, Line])[1]);
        if (batch.length < linesPerBatch) continue;
        yield batch;
        batch = [];
      }
      if (batch.length > 0) yield batch;
    },
  };
}

/** Increase the edition when ReportBooks changes, so that older copies no longer match. */
const edition = 1;
const partBytes = 1_000_000;
const linesPerBatch = 500;

function* batches(books: ReportBooks): Generator<string> {
  let batch = '';
  let length = 0;
  for (const entry of entries(books)) {
    batch += `${JSON.stringify(entry, markBigint)}\n`;
    length += 1;
    if (length < linesPerBatch) continue;
    yield batch;
    batch = '';
    length = 0;
  }
  if (batch !== '') yield batch;
}

function* entries(books: ReportBooks): Generator<unknown> {
  const { revision, asOf, ...own } = books;
  const names: ReadonlySet<string> = new Set(listNames);
  yield { edition, ...Object.fromEntries(Object.entries(own).filter(([name]) => !names.has(name))) };
  for (const name of listNames) for (const item of books[name]) yield [name, item];
}

/**
 * Encodes bigints, which JSON does not support: `#12` is the number 12n. A text that begins with # gets `##` in front.
 */
function markBigint(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `#${value}`;
  return typeof value === 'string' && value.startsWith('#') ? `##${value}` : value;
}

/** Decodes marked texts in place. Using a reviver of JSON.parse took five times as long. */
function reviveBigints(value: unknown): unknown {
  if (typeof value === 'string') return unmarkText(value);
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  for (const name in members) {
    const member = members[name];
    if (typeof member === 'string' ? member.startsWith('#') : typeof member === 'object') {
      members[name] = reviveBigints(member);
    }
  }
  return value;
}

function unmarkText(text: string): string | bigint {
  if (!text.startsWith('#')) return text;
  return text.startsWith('##') ? text.slice(2) : BigInt(text.slice(1));
}

function readHead(value: unknown): Record<string, unknown> {
  const { edition: written, ...head } = value as Record<string, unknown>;
  if (written !== edition)
    throw new Error(`Frozen books of edition ${String(written)} cannot be read by this version.`);
  // A report from an older version keeps the summary of that version.
  return { ...head, summary: completeSummary(head.summary as StoredSummary) };
}

/** Joins the pieces of a stream into parts of about `bytes` bytes. */
async function joinPieces(stream: ReadableStream<Uint8Array>, bytes: number): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  let open: Uint8Array[] = [];
  let length = 0;
  for await (const piece of stream) {
    open.push(piece);
    length += piece.length;
    if (length < bytes) continue;
    parts.push(joinBytes(open));
    open = [];
    length = 0;
  }
  if (length > 0) parts.push(joinBytes(open));
  return parts;
}

interface Entry {
  /** Null for the head, which is the first entry. */
  readonly name: ListName | null;
  readonly text: string;
}

/**
 * Yields the head and the entries of these lists, as text. Stops after the last requested list, because the order of
 * the lists is fixed.
 */
async function* readEntries(parts: readonly Uint8Array[], lists: readonly ListName[]): AsyncGenerator<Entry> {
  const last = Math.max(...lists.map((name) => listNames.indexOf(name)));
  let isHead = true;
  for await (const lines of textLines(parts)) {
    for (const text of lines) {
      const name = isHead ? null : readListName(text);
      isHead = false;
      if (name === null || lists.includes(name)) yield { name, text };
      else if (listNames.indexOf(name) > last) return;
    }
  }
}

/** `["lines",{…}]` */
function readListName(text: string): ListName {
  const name = text.slice(2, text.indexOf('"', 2));
  const known = listNames.find((one) => one === name);
  if (known === undefined) throw new Error('Frozen books contain a list that is unknown to this version.');
  return known;
}

function getOrCreateList(lists: Map<ListName, unknown[]>, name: ListName): unknown[] {
  const known = lists.get(name);
  if (known !== undefined) return known;
  const list: unknown[] = [];
  lists.set(name, list);
  return list;
}

async function* textLines(parts: readonly Uint8Array[]): AsyncGenerator<readonly string[]> {
  let next = 0;
  const compressed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => {
      const part = parts[next];
      next += 1;
      if (part === undefined) controller.close();
      else controller.enqueue(new Uint8Array(part));
    },
  });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const piece of compressed.pipeThrough(new DecompressionStream('gzip'))) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield lines;
  }
  if (rest + decoder.decode() !== '') throw new Error('Frozen books end in the middle of a line.');
}
