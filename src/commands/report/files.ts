import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { Refusal } from '../../base/refusal.ts';
import type { Rules } from '../../engine/model.ts';
import type { RowsSide } from '../../formats/format.ts';
import type { Mapping } from '../../formats/mapping/mapping.ts';
import type { ReadingOptions } from '../../formats/opening.ts';
import { readFile } from '../../formats/read.ts';
import { CommandError } from '../command.ts';
import { joinSecond } from './half.ts';
import type { Helper } from './helper.ts';
import { History, type HistoryFile } from './history.ts';
import type { Messages } from './messages.ts';
import { keep, Rejects } from './rejects.ts';
import { sourceOf } from './source.ts';

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
  helper: Helper,
  halvedFrom = 40_000_000,
): Promise<FilesRead> {
  const history = new History(accounts);
  const digests: string[] = [];
  const reading = { order, accounts, history, messages, helper, halvedFrom };
  for (const path of order.files) digests.push(await readOne(path, reading));
  return { history, digests };
}

interface Reading {
  readonly order: ReadingOrder;
  readonly accounts: Rules['accounts'];
  readonly history: History;
  readonly messages: Messages;
  readonly helper: Helper;
  /** Bytes: below it the second thread is not worth its start. */
  readonly halvedFrom: number;
}

async function readOne(path: string, reading: Reading): Promise<string> {
  const { order, accounts, history, messages, helper } = reading;
  const name = basename(path);
  const digest = createHash('sha256');
  const rejects = new Rejects();
  const options = optionsOf(order);
  try {
    const look = (bytes: Uint8Array): void => void digest.update(bytes);
    const source = sourceOf(path, reading.halvedFrom, look, (halves) => helper.readHalf({ halves, options, accounts }));
    let file: HistoryFile | undefined;
    for await (const batch of readFile(source.stream, options)) {
      if (batch.kind === 'format') {
        file = history.begin(name, batch.format.assetClass);
        source.expect(batch);
      } else if (file === undefined) throw new Error('Rows came before their format.');
      else if (batch.kind === 'outcomes') {
        keep(batch.outcomes, history, file, rejects);
        if (batch.bytesRead >= bytesWorthTelling) messages.progress(readingOf(path, name, batch.bytesRead));
      } else {
        history.end(file, batch);
        if (source.second !== null) joinSecond(source.second, history, file, rejects);
      }
    }
  } catch (error) {
    if (error instanceof Refusal) throw new CommandError(`${name}: ${sentencesOf(error)}`);
    if (isSystemError(error)) throw new CommandError(`${path} cannot be read (${error.code}).`);
    throw error;
  } finally {
    messages.wipe();
  }
  rejects.tell(name, messages);
  return digest.digest('hex');
}

const bytesWorthTelling = 8_000_000;

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
