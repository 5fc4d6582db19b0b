import { Elysia, t } from 'elysia';
import type { Deps } from '../../deps.ts';
import { uuidOf } from '../../http/errors.ts';
import { limitDefault, mapPage, page, readCursor, readSequence } from '../../http/list.ts';
import { booksQuery, listOf, listQuery, problems } from '../../http/schemas.ts';
import type { Access } from '../auth/access.ts';
import { inTurn } from '../transactions/turn.ts';
import { columnsChanged, comparePlaces, type LineChange, placeOf } from './compare.ts';
import { type Amendment, amendmentOf, lockYear, unlockYear } from './lock.ts';
import { selectEntries, type YearLockRow } from './queries.ts';
import { YearAmendment, YearEntry, YearState, yearParams } from './schemas.ts';

const tags = ['Tax'];

/** Years that were filed: locked, unlocked, and what has become of them since. */
export const lockRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/years/:year' })
    .use(access)
    .post(
      '/lock',
      async ({ params, caller, taxpayer }) => {
        deps.rateLimits.take('work', caller.userId);
        const act = { caller, at: deps.clock.now() };
        return stateOf(
          params.year,
          await inTurn(deps, taxpayer.id, (sql) => lockYear(sql, taxpayer.id, params.year, act)),
        );
      },
      {
        books: true,
        params: yearParams,
        query: booksQuery({}),
        response: { 200: YearState, ...problems(404, 422) },
        detail: {
          summary: 'Lock a year that was filed',
          description:
            'From then on whatever would change a line of Form 8949 of that year is refused with 409 `year_locked`, which names the lines: imports and their undoing, transactions, elections, prices, answers to issues. What leaves its lines as they are is accepted. Its lines are kept as they are now. A locked year stays locked.',
          operationId: 'lockYear',
          tags,
        },
      },
    )
    .post(
      '/unlock',
      async ({ params, caller, taxpayer }) => {
        deps.rateLimits.take('work', caller.userId);
        const act = { caller, at: deps.clock.now() };
        return stateOf(
          params.year,
          await inTurn(deps, taxpayer.id, (sql) => unlockYear(sql, taxpayer.id, params.year, act)),
        );
      },
      {
        books: true,
        params: yearParams,
        query: booksQuery({}),
        response: { 200: YearState, ...problems(404, 422) },
        detail: {
          summary: 'Unlock a year',
          description: 'It stands in the year’s history; `GET /tax/years/{year}/amendment` tells what changes then.',
          operationId: 'unlockYear',
          tags,
        },
      },
    )
    .use(yearViews(deps, access));

const yearViews = (deps: Deps, access: Access) =>
  new Elysia()
    .use(access)
    .get(
      '/history',
      async ({ params, query, taxpayer }) => {
        const limit = query.limit ?? limitDefault;
        const before = readSequence(query.cursor);
        const rows = await deps.database.asTaxpayer(
          taxpayer.id,
          (sql) => selectEntries(sql, taxpayer.id, params.year, before, limit),
          { readOnly: true },
        );
        return mapPage(
          page(rows, limit, (row) => [row.sequence]),
          entryView,
        );
      },
      {
        books: true,
        params: yearParams,
        query: booksQuery(listQuery),
        response: { 200: listOf(YearEntry), ...problems(400, 404, 422) },
        detail: {
          summary: 'Who locked and unlocked a year, newest first',
          operationId: 'listYearHistory',
          tags,
        },
      },
    )
    .get(
      '/amendment',
      async ({ params, query, taxpayer }) => {
        const after = readCursor(query.cursor, ['string', 'string', 'string', 'string']);
        const lockId = query.lock === undefined ? undefined : uuidOf(query.lock);
        const amendment = await deps.database.asTaxpayer(
          taxpayer.id,
          (sql) => amendmentOf(sql, taxpayer.id, params.year, lockId),
          { snapshot: true, readOnly: true },
        );
        return amendmentView(params.year, amendment, { after, limit: query.limit ?? limitDefault });
      },
      {
        books: true,
        params: yearParams,
        query: booksQuery({
          ...listQuery,
          lock: t.Optional(t.String({ description: 'Id of an entry of the history; without it the last lock.' })),
        }),
        response: { 200: YearAmendment, ...problems(400, 404, 422) },
        detail: {
          summary: 'What a year’s lines have otherwise than they were locked',
          description: 'Lines that came, went or changed, and the totals then and now. 404 where it was never locked.',
          operationId: 'readAmendment',
          tags,
        },
      },
    );

function stateOf(taxYear: number, last: YearLockRow | undefined) {
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
  const rest = after === undefined ? changes : changes.filter((change) => comparePlaces(placeOf(change), after) > 0);
  const count = (kind: LineChange['change']): number => changes.filter(({ change }) => change === kind).length;
  return {
    year: taxYear,
    locked: isLocked,
    lock: entryView(lock),
    totals: sums,
    counts: { added: count('added'), gone: count('gone'), changed: count('changed') },
    ...mapPage(page(rest, limit, placeOf), (change) => ({
      ...change,
      columns: change.change === 'changed' ? columnsChanged(change.before, change.after) : [],
    })),
  };
}
