import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import { hasPermission, type Permission, type Role, requireRolePermission } from '../../people/auth/permissions.ts';
import { type LockAuthor, lockYear, unlockYear } from './lock.ts';
import {
  insertStep,
  type ReviewState,
  type ReviewStep,
  selectIsShared,
  selectLastEntry,
  selectSteps,
} from './locks.queries.ts';

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
