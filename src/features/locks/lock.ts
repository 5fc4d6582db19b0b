import type { Sql } from '../../db/connection.ts';
import { notFound } from '../../http/errors.ts';
import type { Caller } from '../auth/access.ts';
import { readLines } from '../books/books.ts';
import { selectTaxpayer } from '../books/queries.ts';
import { changesBetween, type LineChange } from './compare.ts';
import { digestOf, type LockedLine, lockedLine, packLines, totalsOf, unpackLines } from './lines.ts';
import {
  deleteOldLines,
  insertEntry,
  insertLockedLines,
  selectEntry,
  selectLastEntry,
  selectLockedLines,
  type YearLockRow,
} from './queries.ts';

/** Who does it, and when. */
export interface Act {
  readonly caller: Caller;
  readonly at: Date;
}

/** Of all years of a taxpayer. The entries of the audit trail stay for ever. */
const copiesMax = 200;

/** Keeps a copy of the year's lines and holds them to it. Under the taxpayer's lock; locked already is no mistake. */
export async function lockYear(sql: Sql, taxpayerId: string, year: number, act: Act): Promise<YearLockRow> {
  const last = await selectLastEntry(sql, taxpayerId, year);
  if (last?.action === 'lock') return last;
  const lines = (await readLines(sql, taxpayerId, year)).map(lockedLine);
  const digest = digestOf(lines);
  await insertLockedLines(sql, taxpayerId, digest, await packLines(lines));
  const row = await enter(sql, taxpayerId, { year, action: 'lock', lines: lines.length, digest }, act);
  await deleteOldLines(sql, taxpayerId, copiesMax);
  return row;
}

/** Undefined where the year is not locked: nothing to do. */
export async function unlockYear(
  sql: Sql,
  taxpayerId: string,
  year: number,
  act: Act,
): Promise<YearLockRow | undefined> {
  const last = await selectLastEntry(sql, taxpayerId, year);
  if (last?.action !== 'lock') return last;
  const { lines, digest } = last;
  return enter(sql, taxpayerId, { year, action: 'unlock', lines, digest }, act);
}

export interface Amendment {
  readonly lock: YearLockRow;
  readonly isLocked: boolean;
  readonly changes: readonly LineChange[];
  readonly totals: { readonly [Term in 'shortTerm' | 'longTerm' | 'total']: TotalsChange };
}

export interface TotalsChange {
  readonly before: ReturnType<typeof totalsOf>;
  readonly after: ReturnType<typeof totalsOf>;
}

/** What the year's lines have otherwise than they were locked: last, or by the lock of that id. */
export async function amendmentOf(
  sql: Sql,
  taxpayerId: string,
  year: number,
  lockId: string | undefined,
): Promise<Amendment> {
  const last = await selectLastEntry(sql, taxpayerId, year);
  const lock =
    lockId === undefined
      ? await selectLastEntry(sql, taxpayerId, year, 'lock')
      : await selectEntry(sql, taxpayerId, year, lockId);
  if (lock === undefined) throw notFound();
  const parts = await selectLockedLines(sql, taxpayerId, lock.digest);
  // A copy that had to go for newer ones is told as not there; of no lines there is none to keep.
  if (parts.length === 0 && lock.lines > 0) throw notFound();
  const before = unpackLines(parts);
  const after = (await readLines(sql, taxpayerId, year)).map(lockedLine);
  const totals = (of: (line: LockedLine) => boolean): TotalsChange => ({
    before: totalsOf(before.filter(of)),
    after: totalsOf(after.filter(of)),
  });
  return {
    lock,
    isLocked: last?.action === 'lock',
    changes: changesBetween(before, after),
    totals: {
      shortTerm: totals((line) => line.term === 'short'),
      longTerm: totals((line) => line.term === 'long'),
      total: totals(() => true),
    },
  };
}

async function enter(
  sql: Sql,
  taxpayerId: string,
  entry: Pick<YearLockRow, 'year' | 'action' | 'lines' | 'digest'>,
  { caller, at }: Act,
): Promise<YearLockRow> {
  const { revision } = await selectTaxpayer(sql, taxpayerId);
  const { userId, email } = caller;
  await insertEntry(sql, taxpayerId, { ...entry, userId, user_name: email, at, revision });
  const row = await selectLastEntry(sql, taxpayerId, entry.year);
  if (row === undefined) throw new Error('An entry that was just made is not there.');
  return row;
}
