import { Elysia, t } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { parseUuid } from '../../../http/errors.ts';
import { limitDefault, page, readCursor, readSequence } from '../../../http/list.ts';
import { group, read, write } from '../../../http/operations.ts';
import {
  closed,
  id,
  instant,
  listOf,
  listQuery,
  money,
  nullable,
  oneOf,
  problems,
  whole,
  year,
  yearParameter,
} from '../../../http/schemas.ts';
import type { Access, Caller, Taxpayer } from '../../people/auth/access.ts';
import { type Role, roles } from '../../people/auth/permissions.ts';
import { notifyOthers } from '../../people/clients/notices.ts';
import { inTurn } from '../transactions/store.ts';
import { buildSortKey, columnsChanged, compareSortKeys, type LineChange, lockedColumns } from './line-changes.ts';
import {
  type Amendment,
  buildAmendment,
  lockYear,
  nextStates,
  readReview,
  reopen,
  type StoredReview,
  stepTitle,
  takeStep,
  unlockYear,
} from './lock.ts';
import { countOpenNotes, type ReviewState, reviewStates, selectEntries, type YearLockRow } from './locks.queries.ts';

const yearParams = closed({ year: yearParameter });
const hash = t.String({ description: 'SHA-256 of the content of the lines at the lock.' });

const YearState = closed(
  {
    year,
    locked: t.Boolean(),
    lockedAt: nullable(instant),
    lines: whole({ description: 'The number of lines of Form 8949 at the last lock; 0 if the year was never locked.' }),
    hash: nullable(hash),
  },
  { title: 'YearState' },
);

const YearEntry = closed(
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

const YearAmendment = closed(
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

const YearReview = closed(
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

const ReviewUpdate = closed({ state }, { title: 'ReviewUpdate', examples: [{ state: 'prepared' }] });

function reviewView(taxYear: number, review: StoredReview, role: Role, openNotes: number) {
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

const { onBooks } = group('Tax');

/** Locks and unlocks filed years, and lists changes since a lock. */
export const lockRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/years/:year' })
    .use(access)
    .post(
      '/lock',
      async ({ params, caller, taxpayer }) => {
        deps.rateLimits.take('work', caller.userId);
        const author = { caller, at: deps.clock.now() };
        return toLockState(
          params.year,
          await inTurn(deps, taxpayer.id, (sql) => lockYear(sql, taxpayer.id, params.year, author)),
        );
      },
      onBooks(
        'lockYear',
        { ...write('year_locked'), permission: 'review' },
        {
          summary: 'Lock a filed year',
          description:
            'A locked year refuses every change of its lines of Form 8949 with 409 `year_locked`, which names the lines. This covers imports and their undoing, transactions, elections, prices and resolutions of issues. Changes that do not affect the lines are allowed. A copy of the lines is stored. Locking a locked year does nothing.',
          params: yearParams,
          response: { 200: YearState },
        },
      ),
    )
    .post(
      '/unlock',
      async ({ params, caller, taxpayer }) => {
        deps.rateLimits.take('work', caller.userId);
        const author = { caller, at: deps.clock.now() };
        const { last, reopened } = await inTurn(deps, taxpayer.id, async (sql) => {
          const last = await unlockYear(sql, taxpayer.id, params.year, author);
          return { last, reopened: await reopen(sql, taxpayer.id, params.year, author) };
        });
        if (reopened !== undefined) await notifyStep(deps, { caller, taxpayer }, params.year, reopened);
        return toLockState(params.year, last);
      },
      onBooks(
        'unlockYear',
        { ...write('year_unlocked'), permission: 'review' },
        {
          summary: 'Unlock a year',
          description:
            "The year's history records the unlock. `GET /tax/years/{year}/amendment` shows later changes. A signed-off year is reopened.",
          params: yearParams,
          response: { 200: YearState },
        },
      ),
    )
    .get(
      '/history',
      async ({ books, params, query, taxpayer }) => {
        const limit = query.limit ?? limitDefault;
        const before = readSequence(query.cursor);
        const rows = await books.read((sql) => selectEntries(sql, taxpayer.id, params.year, before, limit));
        return page(rows, limit, (row) => [row.sequence], entryView);
      },
      onBooks('listYearHistory', read, {
        summary: 'List locks and unlocks of a year, newest first',
        params: yearParams,
        query: listQuery,
        response: { 200: listOf(YearEntry) },
      }),
    )
    .get(
      '/amendment',
      async ({ books, params, query, taxpayer }) => {
        const after = readCursor(query.cursor, ['string', 'string', 'string', 'string']);
        const lockId = query.lock === undefined ? undefined : parseUuid(query.lock);
        const amendment = await books.snapshot((sql) => buildAmendment(sql, taxpayer.id, params.year, lockId));
        return amendmentView(params.year, amendment, { after, limit: query.limit ?? limitDefault });
      },
      onBooks('getAmendment', read, {
        summary: 'List changes to a year’s lines since the lock',
        description:
          'Lists added, removed and changed lines, with the totals at the lock and now. Returns 404 if the year was never locked.',
        params: yearParams,
        query: {
          ...listQuery,
          lock: t.Optional(t.String({ description: 'The id of a history entry. The default is the last lock.' })),
        },
        response: { 200: YearAmendment },
      }),
    )
    .use(reviewRoutes(deps, access));

function toLockState(taxYear: number, last: YearLockRow | undefined) {
  return {
    year: taxYear,
    locked: last?.action === 'lock',
    lockedAt: last?.action === 'lock' ? last.at.toISOString() : null,
    lines: last?.lines ?? 0,
    hash: last?.digest ?? null,
  };
}

function entryView({ id: entryId, action, at, user_name, lines, digest, revision }: YearLockRow) {
  return { id: entryId, action, at: at.toISOString(), by: user_name, lines, hash: digest, revision };
}

function amendmentView(
  taxYear: number,
  { lock, isLocked, changes, totals: sums }: Amendment,
  { after, limit }: { readonly after: readonly string[] | undefined; readonly limit: number },
) {
  const following =
    after === undefined ? changes : changes.filter((change) => compareSortKeys(buildSortKey(change), after) > 0);
  const count = (kind: LineChange['change']): number => changes.filter(({ change }) => change === kind).length;
  return {
    year: taxYear,
    locked: isLocked,
    lock: entryView(lock),
    totals: sums,
    counts: { added: count('added'), gone: count('gone'), changed: count('changed') },
    ...page(following, limit, buildSortKey, (change) => ({
      ...change,
      columns: change.change === 'changed' ? columnsChanged(change.before, change.after) : [],
    })),
  };
}

/** Reads and updates the review state of a year: open, prepared, reviewed or signed off. */
const reviewRoutes = (deps: Deps, access: Access) =>
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
function notifyStep(
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
