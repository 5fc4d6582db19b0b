import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import { notFound } from '../../../http/errors.ts';
import type { Caller, Taxpayer } from '../../people/auth/access.ts';
import { hasPermission, type Permission, type Role, requireRolePermission } from '../../people/auth/permissions.ts';
import { selectTaxpayer } from '../books/books.queries.ts';
import { readLines } from '../books/books.ts';
import {
  changesBetween,
  computeLinesDigest,
  type LineChange,
  type LockedLine,
  lockedLine,
  packLines,
  sumLockedLines,
  unpackLines,
} from './line-changes.ts';
import {
  deleteOldLines,
  insertEntry,
  insertLockedLines,
  insertStep,
  type ReviewState,
  type ReviewStep,
  selectEntry,
  selectIsShared,
  selectLastEntry,
  selectLockedLines,
  selectSteps,
  type YearLockRow,
} from './locks.queries.ts';

/** The user who locks, unlocks or reviews a year, and the time of the action. */
interface LockAuthor {
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

interface TotalsChange {
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

/**
 * The allowed state transitions and the permission that each requires. A reviewed year whose numbers changed must be
 * reviewed again.
 */
const transitions: Readonly<Record<ReviewState, Readonly<Partial<Record<ReviewState, Permission>>>>> = {
  open: { prepared: 'write' },
  prepared: { open: 'write', prepared: 'write', reviewed: 'review' },
  reviewed: { open: 'review', reviewed: 'review', signed_off: 'review' },
  signed_off: { open: 'review' },
};

export interface StoredReview {
  readonly steps: readonly ReviewStep[];
  readonly state: ReviewState;
  /** Whether the year's numbers have changed since the last step. */
  readonly changed: boolean;
  readonly isLocked: boolean;
  readonly isShared: boolean;
}

const stepsShown = 20;

export async function readReview(sql: Sql, taxpayerId: string, year: number): Promise<StoredReview> {
  const steps = await selectSteps(sql, taxpayerId, year, stepsShown);
  const lock = await selectLastEntry(sql, taxpayerId, year);
  const state = steps[0]?.state ?? 'open';
  const isShared = await selectIsShared(sql, taxpayerId);
  const changed = state !== 'open' && steps[0]?.changed === true;
  return { steps, state, changed, isLocked: lock?.action === 'lock', isShared };
}

/**
 * Returns the states that a role may set next. If the numbers changed, the year must be reviewed again before it is
 * signed off.
 */
export function nextStates({ state, changed }: StoredReview, role: Role): ReviewState[] {
  return (Object.entries(transitions[state]) as [ReviewState, Permission][])
    .filter(([next, act]) => hasPermission(role, act) && isOpenTo(state, next, changed))
    .map(([next]) => next);
}

function isOpenTo(state: ReviewState, next: ReviewState, changed: boolean): boolean {
  if (next === 'signed_off') return !changed;
  return next !== state || changed;
}

/**
 * Changes the review state of a year, under the taxpayer's lock. Signing off locks the year. Reopening a signed-off
 * year unlocks it.
 */
export async function takeStep(
  sql: Sql,
  books: { readonly id: string; readonly role: Role },
  year: number,
  next: ReviewState,
  act: LockAuthor,
): Promise<StoredReview> {
  const before = await readReview(sql, books.id, year);
  const needed = transitions[before.state][next];
  if (needed === undefined) {
    throw new Refusal('conflict', `${year} is ${words[before.state]}. It can't change directly to ${words[next]}.`);
  }
  requireRolePermission(books.role, needed);
  if (next === before.state && !before.changed) return before;
  if (next === 'signed_off' && before.changed) {
    throw new Refusal('conflict', `The ${year} numbers have changed since the review. Review the year again.`);
  }
  if (next === 'signed_off') await lockYear(sql, books.id, year, act);
  if (before.state === 'signed_off') await unlockYear(sql, books.id, year, act);
  await addStep(sql, books.id, year, next, act);
  return readReview(sql, books.id, year);
}

/**
 * Reopens a signed-off year after it was unlocked, and returns the new state. Returns undefined if the year was not
 * signed off.
 */
export async function reopen(
  sql: Sql,
  taxpayerId: string,
  year: number,
  act: LockAuthor,
): Promise<ReviewState | undefined> {
  const [last] = await selectSteps(sql, taxpayerId, year, 1);
  if (last?.state !== 'signed_off') return undefined;
  await addStep(sql, taxpayerId, year, 'open', act);
  return 'open';
}

function addStep(sql: Sql, taxpayerId: string, year: number, state: ReviewState, { caller, at }: LockAuthor) {
  return insertStep(sql, taxpayerId, { year, state, userId: caller.userId, user_name: caller.email, at });
}

const words: Readonly<Record<ReviewState, string>> = {
  open: 'open',
  prepared: 'prepared',
  reviewed: 'reviewed',
  signed_off: 'signed off',
};

/** Returns the title of the notification about a review step. */
export function stepTitle(year: number, state: ReviewState): string {
  return state === 'open' ? `${year} was reopened` : `${year} is ${words[state]}`;
}
