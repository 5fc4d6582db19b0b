import { Elysia, t } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { parseUuid } from '../../../http/errors.ts';
import { limitDefault, page, readCursor, readSequence } from '../../../http/list.ts';
import { group, read, write } from '../../../http/operations/operations.ts';
import { listOf, listQuery } from '../../../http/schemas.ts';
import type { Access } from '../../people/auth/access.ts';
import { inTurn } from '../transactions/turn.ts';
import { buildSortKey, columnsChanged, compareSortKeys, type LineChange } from './line-changes.ts';
import { type Amendment, buildAmendment, lockYear, unlockYear } from './lock.ts';
import { selectEntries, type YearLockRow } from './locks.queries.ts';
import { YearAmendment, YearEntry, YearState, yearParams } from './locks.schemas.ts';
import { notifyStep, reviewRoutes } from './review.routes.ts';
import { reopen } from './review.ts';

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
