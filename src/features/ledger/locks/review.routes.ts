import { Elysia } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { group, read, write } from '../../../http/operations/operations.ts';
import { problems } from '../../../http/schemas.ts';
import type { Access, Caller, Taxpayer } from '../../people/auth/access.ts';
import { notifyOthers } from '../../people/clients/notices.ts';
import { inTurn } from '../transactions/turn.ts';
import type { ReviewState } from './locks.queries.ts';
import { ReviewUpdate, reviewView, YearReview, yearParams } from './locks.schemas.ts';
import { countOpenNotes } from './notes.queries.ts';
import { readReview, stepTitle, takeStep } from './review.ts';

const { onBooks } = group('Tax');

/** Reads and updates the review state of a year: open, prepared, reviewed or signed off. */
export const reviewRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/review' })
    .use(access)
    .get(
      '',
      ({ books, params, taxpayer }) =>
        books.snapshot(async (sql) => {
          const review = await readReview(sql, taxpayer.id, params.year);
          const notes = await countOpenNotes(sql, taxpayer.id, params.year);
          return reviewView(params.year, review, taxpayer.role, notes);
        }),
      onBooks('getReview', read, {
        summary: 'Get the review state of a year',
        params: yearParams,
        response: { 200: YearReview },
      }),
    )
    .post(
      '',
      async ({ params, caller, taxpayer, body }) => {
        deps.rateLimits.take('work', caller.userId);
        const author = { caller, at: deps.clock.now() };
        const stepResponse = await inTurn(deps, taxpayer.id, async (sql) => {
          const review = await takeStep(sql, taxpayer, params.year, body.state, author);
          const notes = await countOpenNotes(sql, taxpayer.id, params.year);
          return reviewView(params.year, review, taxpayer.role, notes);
        });
        if (stepResponse.at === author.at.toISOString())
          await notifyStep(deps, { caller, taxpayer }, params.year, body.state);
        return stepResponse;
      },
      onBooks('updateReview', write('review_changed'), {
        summary: 'Update the review state of a year',
        description:
          'open → prepared → reviewed → signed_off, and from each back to open. Reviewing and signing off require the role of a reviewer. Signing off locks the year, and reopening unlocks it. If the numbers have changed since the review, signing off returns 409.',
        params: yearParams,
        body: ReviewUpdate,
        response: { 200: YearReview, ...problems('conflict') },
      }),
    );

/** Notifies all other users with access to the books. */
export function notifyStep(
  deps: Deps,
  { caller, taxpayer }: { readonly caller: Caller; readonly taxpayer: Taxpayer },
  year: number,
  state: ReviewState,
): Promise<void> {
  return notifyOthers(deps, taxpayer.id, caller.userId, {
    kind: 'review_changed',
    title: stepTitle(year, state),
    body: `By ${caller.email}.`,
    link: `/v1/tax/years/${year}/review`,
    at: deps.clock.now(),
  });
}
