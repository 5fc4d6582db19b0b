import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { Refusal } from '../base/refusal.ts';
import type { Rules } from '../engine/model.ts';
import type { RowIssue, RowsSide } from '../formats/format.ts';
import type { Mapping } from '../formats/mapping.ts';
import { type ReadingOptions, readFile } from '../formats/read.ts';
import { CommandError } from './command.ts';
import { History, type HistoryFile } from './report-history.ts';
import type { Messages } from './report-messages.ts';

export interface ReadingOrder {
  readonly files: readonly string[];
  readonly timeZone: string;
  readonly source: string | null;
  readonly account: string | null;
  readonly mapping: Mapping | null;
  readonly dateOrder: 'mdy' | 'dmy' | null;
  readonly side: RowsSide | null;
}

export interface FilesRead {
  readonly history: History;
  /** SHA-256 of each file's bytes, in hex. */
  readonly digests: readonly string[];
}

/** All that the files tell. Lines that cannot be read are told, and left out. */
export async function readFiles(
  order: ReadingOrder,
  accounts: Rules['accounts'],
  messages: Messages,
): Promise<FilesRead> {
  const history = new History(accounts);
  const digests: string[] = [];
  for (const path of order.files) digests.push(await readOne(path, order, history, messages));
  return { history, digests };
}

async function readOne(path: string, order: ReadingOrder, history: History, messages: Messages): Promise<string> {
  const name = basename(path);
  const digest = createHash('sha256');
  const rejects: string[] = [];
  let rejected = 0;
  try {
    const stream = digested(streamOf(path), digest);
    let file: HistoryFile | undefined;
    for await (const batch of readFile(stream, optionsOf(order))) {
      if (batch.kind === 'format') file = history.begin(name, batch.format.assetClass);
      else if (file === undefined) throw new Error('Rows came before their format.');
      else if (batch.kind === 'end') history.end(file, batch);
      else {
        for (const outcome of batch.outcomes) {
          if (outcome.kind === 'read') for (const draft of outcome.drafts) history.add(draft, file);
          else if (outcome.kind === 'rejected') {
            rejected += 1;
            if (rejects.length < rejectsToldMax) rejects.push(rejectOf(name, outcome.issue));
          }
        }
        if (batch.bytesRead >= bytesWorthTelling) messages.progress(readingOf(path, name, batch.bytesRead));
      }
    }
  } catch (error) {
    if (error instanceof Refusal) throw new CommandError(`${name}: ${sentencesOf(error)}`);
    if (isSystemError(error)) throw new CommandError(`${path} cannot be read (${error.code}).`);
    throw error;
  } finally {
    messages.wipe();
  }
  messages.sayFirst(rejects, rejected, (more) => `${name}: ${more} more lines cannot be read (left out)`);
  return digest.digest('hex');
}

/** The rest of a file that is none of ours says nothing new. */
const rejectsToldMax = 1_000;
const bytesWorthTelling = 8_000_000;

function rejectOf(name: string, { line, column, reason }: RowIssue): string {
  return `${name} line ${line}${column === null ? '' : `, ${column}`}: ${reason} (left out)`;
}

function readingOf(path: string, name: string, bytes: number): string {
  const megabytes = (size: number): number => Math.round(size / 1_000_000);
  const whole = path === '-' ? '' : ` of ${megabytes(statSync(path).size)}`;
  return `Reading ${name}: ${megabytes(bytes)}${whole} MB`;
}

function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}

function optionsOf({ timeZone, source, account, mapping, dateOrder, side }: ReadingOrder): ReadingOptions {
  return {
    timeZone,
    ...(source === null ? {} : { format: source }),
    ...(account === null ? {} : { account }),
    ...(mapping === null ? {} : { mapping }),
    ...(dateOrder === null ? {} : { dateOrder }),
    ...(side === null ? {} : { side }),
  };
}

/** The same bytes, looked at on their way. */
function digested(
  stream: ReadableStream<Uint8Array>,
  digest: ReturnType<typeof createHash>,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) return controller.close();
      digest.update(value);
      controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Of a file, or `-` for stdin. */
export function streamOf(path: string): ReadableStream<Uint8Array> {
  if (path === '-') return Bun.stdin.stream();
  try {
    if (!statSync(path).isDirectory()) return Bun.file(path).stream();
  } catch {
    throw new CommandError(`There is no file ${path}.`);
  }
  throw new CommandError(`${path} is a folder.`);
}

/** What a refusal says, each of its errors with its place. */
export function sentencesOf(refusal: Refusal): string {
  const errors = (refusal.more.errors ?? []).map(({ detail, line, column, pointer }) => {
    const where = [line === undefined ? '' : `line ${line}`, column ?? '', pointer ?? '']
      .filter((word) => word !== '')
      .join(', ');
    return `\n  ${where === '' ? '' : `${where}: `}${detail}`;
  });
  return `${refusal.detail}${errors.join('')}`;
}
