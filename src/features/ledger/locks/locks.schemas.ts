import { t } from 'elysia';
import { closed, id, instant, money, nullable, oneOf, whole, year, yearParameter } from '../../../http/schemas.ts';
import { type Role, roles } from '../../people/auth/permissions.ts';
import { lockedColumns } from './line-changes.ts';
import { nextStates, type StoredReview } from './lock.ts';
import { reviewStates } from './locks.queries.ts';

export const yearParams = closed({ year: yearParameter });
const hash = t.String({ description: 'SHA-256 of the content of the lines at the lock.' });

export const YearState = closed(
  {
    year,
    locked: t.Boolean(),
    lockedAt: nullable(instant),
    lines: whole({ description: 'The number of lines of Form 8949 at the last lock; 0 if the year was never locked.' }),
    hash: nullable(hash),
  },
  { title: 'YearState' },
);

export const YearEntry = closed(
  {
    id,
    action: oneOf(['lock', 'unlock']),
    at: instant,
    by: t.String({ description: 'The user’s email address.' }),
    lines: whole(),
    hash,
    revision: t.String({ description: 'The revision of the books at that time, as in the summary.' }),
  },
  { title: 'YearEntry' },
);

const columns = Object.fromEntries(lockedColumns.map((column) => [column, t.String()])) as Record<
  (typeof lockedColumns)[number],
  ReturnType<typeof t.String>
>;
const LockedLine = closed(
  { id, ...columns },
  { title: 'LockedLine', description: 'A line of Form 8949, as in `GET /tax/disposals`.' },
);
const totals = closed({ proceeds: money, basis: money, adjustment: money, gain: money, count: whole() });
const TotalsChange = closed({ before: totals, after: totals });

export const YearAmendment = closed(
  {
    year,
    locked: t.Boolean({ description: 'Whether the year is locked now. If it is, nothing differs from the last lock.' }),
    lock: YearEntry,
    totals: closed({ shortTerm: TotalsChange, longTerm: TotalsChange, total: TotalsChange }),
    counts: closed({ added: whole(), gone: whole(), changed: whole() }),
    data: t.Array(
      closed({
        change: oneOf(['added', 'gone', 'changed']),
        columns: t.Array(oneOf(lockedColumns), { description: 'The columns that differ.' }),
        before: nullable(LockedLine),
        after: nullable(LockedLine),
      }),
      { description: 'Sorted by day of sale, asset and id.' },
    ),
    hasMore: t.Boolean(),
    nextCursor: nullable(t.String()),
  },
  { title: 'Amendment' },
);

const state = oneOf(reviewStates);

export const YearReview = closed(
  {
    year,
    state,
    changed: t.Boolean({ description: 'The numbers of the year have changed since the last step.' }),
    by: nullable(t.String({ description: 'The email address of the user who took the last step.' })),
    at: nullable(instant),
    locked: t.Boolean(),
    shared: t.Boolean({ description: 'Whether users other than an owner work on these books.' }),
    role: oneOf(roles, "The caller's role in these books."),
    next: t.Array(state, { description: 'The states that the caller may set.' }),
    steps: t.Array(closed({ state, by: t.String(), at: instant }, { title: 'ReviewStep' }), {
      description: 'The last steps, newest first.',
    }),
    openNotes: whole(),
  },
  { title: 'YearReview' },
);

export const ReviewUpdate = closed({ state }, { title: 'ReviewUpdate', examples: [{ state: 'prepared' }] });

export function reviewView(taxYear: number, review: StoredReview, role: Role, openNotes: number) {
  const [last] = review.steps;
  return {
    year: taxYear,
    state: review.state,
    changed: review.changed,
    by: last?.user_name ?? null,
    at: last?.at.toISOString() ?? null,
    locked: review.isLocked,
    shared: review.isShared,
    role,
    next: nextStates(review, role),
    steps: review.steps.map(({ state: stepState, user_name, at }) => ({
      state: stepState,
      by: user_name,
      at: at.toISOString(),
    })),
    openNotes,
  };
}
