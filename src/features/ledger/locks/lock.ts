import type { Sql } from '../../../db/connection.ts';
import { notFound } from '../../../http/errors.ts';
import type { Caller, Taxpayer } from '../../people/auth/access.ts';
import { selectTaxpayer } from '../books/books.queries.ts';
import { readLines } from '../books/books.ts';
import { changesBetween, type LineChange } from './line-changes.ts';
import {
  computeLinesDigest,
  type LockedLine,
  lockedLine,
  packLines,
  sumLockedLines,
  unpackLines,
} from './locked-lines.ts';
import {
  deleteOldLines,
  insertEntry,
  insertLockedLines,
  selectEntry,
  selectLastEntry,
  selectLockedLines,
  type YearLockRow,
} from './locks.queries.ts';

/** The user who locks, unlocks or reviews a year, and the time of the action. */
export interface LockAuthor {
  readonly caller: Caller;
  readonly at: Date;
}

/** The user, the time and the books. */
export interface BooksActor extends LockAuthor {
  readonly taxpayer: Taxpayer;
}

/** The maximum number of copies of locked lines per taxpayer. The audit trail itself has no limit. */
const copiesMax = 200;

/**
 * Locks a year and stores a copy of its lines, under the taxpayer's lock. Does nothing if the year is already locked.
 */
export async function lockYear(sql: Sql, taxpayerId: string, year: number, author: LockAuthor): Promise<YearLockRow> {
  const last = await selectLastEntry(sql, taxpayerId, year);
  if (last?.action === 'lock') return last;
  const lines = (await readLines(sql, taxpayerId, year)).map(lockedLine);
  const digest = computeLinesDigest(lines);
  await insertLockedLines(sql, taxpayerId, digest, await packLines(lines));
  const row = await addEntry(sql, taxpayerId, { year, action: 'lock', lines: lines.length, digest }, author);
  await deleteOldLines(sql, taxpayerId, copiesMax);
  return row;
}

/** Unlocks a year. Does nothing if the year is not locked. Returns undefined if it was never locked. */
export async function unlockYear(
  sql: Sql,
  taxpayerId: string,
  year: number,
  author: LockAuthor,
): Promise<YearLockRow | undefined> {
  const last = await selectLastEntry(sql, taxpayerId, year);
  if (last?.action !== 'lock') return last;
  const { lines, digest } = last;
  return addEntry(sql, taxpayerId, { year, action: 'unlock', lines, digest }, author);
}

export interface Amendment {
  readonly lock: YearLockRow;
  readonly isLocked: boolean;
  readonly changes: readonly LineChange[];
  readonly totals: { readonly [Term in 'shortTerm' | 'longTerm' | 'total']: TotalsChange };
}

export interface TotalsChange {
  readonly before: ReturnType<typeof sumLockedLines>;
  readonly after: ReturnType<typeof sumLockedLines>;
}

/** Returns how a year's lines have changed since its last lock, or since the lock with the given id. */
export async function buildAmendment(
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
  // The copy may have been deleted in favor of newer ones. A lock of a year without lines has no copy.
  if (parts.length === 0 && lock.lines > 0) throw notFound();
  const before = unpackLines(parts);
  const after = (await readLines(sql, taxpayerId, year)).map(lockedLine);
  const totals = (of: (line: LockedLine) => boolean): TotalsChange => ({
    before: sumLockedLines(before.filter(of)),
    after: sumLockedLines(after.filter(of)),
  });
  return {
    lock,
    isLocked: last?.action === 'lock',
    changes: changesBetween(before, after),
    totals: {
      shortTerm: totals((line) => line.term !== 'long'),
      longTerm: totals((line) => line.term === 'long'),
      total: totals(() => true),
    },
  };
}

async function addEntry(
  sql: Sql,
  taxpayerId: string,
  entry: Pick<YearLockRow, 'year' | 'action' | 'lines' | 'digest'>,
  { caller, at }: LockAuthor,
): Promise<YearLockRow> {
  const { revision } = await selectTaxpayer(sql, taxpayerId);
  const { userId, email } = caller;
  await insertEntry(sql, taxpayerId, { ...entry, userId, user_name: email, at, revision });
  const row = await selectLastEntry(sql, taxpayerId, entry.year);
  if (row === undefined) throw new Error('An entry that was just added is missing.');
  return row;
}
