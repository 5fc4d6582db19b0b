import { createHash } from 'node:crypto';
import type { ReportBooks } from '../../forms/report.ts';

/**
 * Books as they are kept with a report: JSON, a line an entry, compressed. A report thus prints the same bytes for ever,
 * whatever becomes of the books. Revision and instant are kept beside them, so that two revisions that left a year as it
 * was share one copy.
 */
export interface FrozenBooks {
  /** SHA-256 of the text: names the copy. */
  readonly digest: string;
  readonly parts: readonly Uint8Array[];
}

/** What a report says of itself, beside the books. */
export interface Stamp {
  readonly revision: string;
  readonly asOf: string;
}

/** Gives way to other requests between batches: a year may have a hundred thousand lines. */
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
  const parts = await joined(text.pipeThrough(new CompressionStream('gzip')), partBytes);
  return { digest: hash.digest('hex'), parts };
}

/** The books that were frozen. Synchronous parsing: for a Worker. */
export async function thaw(parts: readonly Uint8Array[], stamp: Stamp): Promise<ReportBooks> {
  const compressed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      for (const part of parts) controller.enqueue(new Uint8Array(part));
      controller.close();
    },
  });
  const lists = new Map<string, unknown[]>();
  let head: Record<string, unknown> | undefined;
  for await (const line of linesOf(compressed.pipeThrough(new DecompressionStream('gzip')))) {
    const value: unknown = JSON.parse(line, unmarked);
    if (head === undefined) {
      head = readHead(value);
      continue;
    }
    const [name, item] = value as [string, unknown];
    const list = lists.get(name);
    if (list === undefined) lists.set(name, [item]);
    else list.push(item);
  }
  if (head === undefined) throw new Error('Frozen books are empty.');
  const listed = Object.fromEntries(listNames.map((name) => [name, lists.get(name) ?? []]));
  const sources = new Map((lists.get('sources') ?? []) as [string, { file: string; line: number }][]);
  return { ...head, ...listed, sources, ...stamp } as unknown as ReportBooks;
}

/** Changed when the shape of ReportBooks changes in a way that an older copy does not have. */
const edition = 1;
const partBytes = 1_000_000;
const linesPerBatch = 500;
const listNames = ['lines', 'washSales', 'incomes', 'contracts', 'issues', 'openLots'] as const;

function* batches(books: ReportBooks): Generator<string> {
  let batch = '';
  let length = 0;
  for (const entry of entries(books)) {
    batch += `${JSON.stringify(entry, marked)}\n`;
    length += 1;
    if (length < linesPerBatch) continue;
    yield batch;
    batch = '';
    length = 0;
  }
  if (batch !== '') yield batch;
}

function* entries(books: ReportBooks): Generator<unknown> {
  const { revision, asOf, lines, washSales, incomes, contracts, issues, openLots, sources, ...head } = books;
  yield { edition, ...head };
  const lists = { lines, washSales, incomes, contracts, issues, openLots };
  for (const name of listNames) for (const item of lists[name]) yield [name, item];
  for (const source of sources) yield ['sources', source];
}

/** JSON knows no bigint: `#12` is the number 12n, and a text that begins with # is written with one more before it. */
function marked(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `#${value}`;
  return typeof value === 'string' && value.startsWith('#') ? `##${value}` : value;
}

function unmarked(_name: string, value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith('#')) return value;
  return value.startsWith('##') ? value.slice(2) : BigInt(value.slice(1));
}

function readHead(value: unknown): Record<string, unknown> {
  const { edition: written, ...head } = value as Record<string, unknown>;
  if (written !== edition)
    throw new Error(`Frozen books of edition ${String(written)} cannot be read by this version.`);
  return head;
}

/** Pieces of about so many bytes. */
async function joined(stream: ReadableStream<Uint8Array>, bytes: number): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  let open: Uint8Array[] = [];
  let length = 0;
  for await (const piece of stream) {
    open.push(piece);
    length += piece.length;
    if (length < bytes) continue;
    parts.push(concatenated(open, length));
    open = [];
    length = 0;
  }
  if (length > 0) parts.push(concatenated(open, length));
  return parts;
}

function concatenated(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const piece of stream) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest + decoder.decode() !== '') throw new Error('Frozen books end in the middle of a line.');
}
