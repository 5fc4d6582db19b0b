import { t } from 'elysia';
import { closed, instant, nullable, oneOf, whole, year } from '../../../../http/schemas.ts';
import type { Role } from '../../../people/auth/permissions.ts';
import { roles } from '../../../people/auth/permissions.ts';
import { reviewStates } from './review.queries.ts';
import { nextStates, type StoredReview } from './review.ts';

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
