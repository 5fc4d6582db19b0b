import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { Refusal } from '../base/refusal.ts';
import type { AssetClass, Transaction } from '../engine/model.ts';
import { idOf, type Prepared, prepare } from '../features/transactions/prepare.ts';
import type { Draft } from '../formats/format.ts';
import { readFile } from '../formats/read.ts';
import { CommandError } from './command.ts';

/** A transaction, and where it was told. */
export interface ReadRow {
  readonly transaction: Transaction;
  readonly prepared: Prepared;
  readonly source: { readonly file: string; readonly line: number };
}

export interface ReadingOrder {
  readonly files: readonly string[];
  readonly timeZone: string;
  readonly source: string | null;
  readonly account: string | null;
}

/**
 * What the files tell, each row once: two equal fills of one file are two, the same fill in two files is one. As in
 * the service, identity comes from the content and its occurrence, so that the order of the files changes nothing.
 */
export async function readFiles(order: ReadingOrder, tell: (sentence: string) => void): Promise<ReadRow[]> {
  const known = new Map<string, ReadRow>();
  for (const path of order.files) {
    for (const row of await readOne(path, order, tell)) {
      const before = known.get(row.transaction.id);
      if (before === undefined || row.transaction.line < before.transaction.line) known.set(row.transaction.id, row);
    }
  }
  return [...known.values()];
}

async function readOne(path: string, order: ReadingOrder, tell: (sentence: string) => void): Promise<ReadRow[]> {
  const file = basename(path);
  const drafts: Draft[] = [];
  let sourceClass: AssetClass | null = null;
  let descending = false;
  const options = {
    timeZone: order.timeZone,
    ...(order.source === null ? {} : { format: order.source }),
    ...(order.account === null ? {} : { account: order.account }),
  };
  try {
    for await (const batch of readFile(streamOf(path), options)) {
      if (batch.kind === 'format') sourceClass = batch.format.assetClass;
      else if (batch.kind === 'end') descending = batch.descending;
      else {
        for (const outcome of batch.outcomes) {
          if (outcome.kind === 'read') for (const draft of outcome.drafts) drafts.push(draft);
          else if (outcome.kind === 'rejected') {
            const { line, column, reason } = outcome.issue;
            tell(`${file} line ${line}${column === null ? '' : `, ${column}`}: ${reason} (left out)`);
          }
        }
      }
    }
  } catch (error) {
    if (error instanceof Refusal) throw new CommandError(`${file}: ${sentencesOf(error)}`);
    throw error;
  }
  const last = drafts.reduce((most, { line }) => Math.max(most, line), 0);
  const placed = drafts.map((draft) => ({ draft, place: descending ? last + 1 - draft.line : draft.line }));
  placed.sort((a, b) => a.place - b.place);
  const occurrences = new Map<string, number>();
  return placed.map(({ draft, place }) => {
    const prepared = prepare(draft, place, { accounts: {}, sourceClass, timeZone: order.timeZone });
    const occurrence = (occurrences.get(prepared.fingerprint) ?? 0) + 1;
    occurrences.set(prepared.fingerprint, occurrence);
    const id = idOf(prepared.fingerprint, occurrence);
    return { transaction: { ...prepared.statement, id, line: place }, prepared, source: { file, line: draft.line } };
  });
}

function streamOf(path: string): ReadableStream<Uint8Array> {
  if (path === '-') return Bun.stdin.stream();
  try {
    if (!statSync(path).isDirectory()) return Bun.file(path).stream();
  } catch {
    throw new CommandError(`There is no file ${path}.`);
  }
  throw new CommandError(`${path} is a folder.`);
}

function sentencesOf(refusal: Refusal): string {
  const errors = (refusal.more.errors ?? []).map(({ detail, line, column }) => {
    const where = [line === undefined ? '' : `line ${line}`, column ?? ''].filter((word) => word !== '').join(', ');
    return `\n  ${where === '' ? '' : `${where}: `}${detail}`;
  });
  return `${refusal.detail}${errors.join('')}`;
}
