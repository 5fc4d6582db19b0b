import { Elysia, status, t } from 'elysia';
import { formatDay, parseDay, yearMin } from '../../base/day.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Sql } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import type { Lot as OpenLot } from '../../engine/model.ts';
import { engineVersion } from '../../engine/replay.ts';
import { notFound } from '../../http/errors.ts';
import { cacheHeaders, etagOf, isNotModified } from '../../http/etag.ts';
import { limitDefault, mapPage, page, readCursor } from '../../http/list.ts';
import { booksQuery, day, idParams, listOf, listQuery, problems, yearParameter } from '../../http/schemas.ts';
import type { Access } from '../auth/access.ts';
import { readYear, readYears } from '../books/books.ts';
import { lineSchema, lineView } from '../books/line-members.ts';
import { lotOf } from '../books/lot-rows.ts';
import { openLotsOn } from '../books/lots.ts';
import { selectLastDay, selectTaxpayer } from '../books/queries.ts';
import { Lot, Summary, YearLine } from '../books/schemas.ts';
import { lotView, summaryView, yearView } from '../books/view.ts';
import { explainLine } from '../explanations/explanation.ts';
import { Explanation } from '../explanations/schemas.ts';
import { selectLocks } from '../locks/queries.ts';
import { electionsOf } from '../transactions/elections.ts';
import { gainRoutes } from './gains/routes.ts';
import { readLinesAfter } from './lines.ts';
import { fundRoutes } from './opportunity-funds.ts';
import { selectLots } from './queries.ts';

const tags = ['Tax'];

/** Tax years, lines of Form 8949 and open lots. The requests only read: each change has stored the results. */
export const yearRoutes = (deps: Deps, access: Access) =>
  new Elysia()
    .use(summaryRoutes(deps, access))
    .use(gainRoutes(deps, access))
    .use(disposalRoutes(deps, access))
    .use(lotRoutes(deps, access))
    .use(fundRoutes(deps, access));

const summaryRoutes = (deps: Deps, access: Access) =>
  new Elysia()
    .use(access)
    .get(
      '/summary',
      async ({ request, set, taxpayer, query: asked }) => {
        const found = await deps.database.asTaxpayer(
          taxpayer.id,
          (sql) => summaryOf(sql, taxpayer.id, asked.year, request),
          {
            snapshot: true,
            readOnly: true,
          },
        );
        Object.assign(set.headers, cacheHeaders(found.etag));
        return found.body ?? status(304, undefined);
      },
      {
        books: true,
        query: booksQuery({ year: yearParameter }),
        response: { 200: Summary, 304: t.Void({ description: 'Not changed.' }), ...problems(400, 404, 422) },
        detail: {
          summary: 'Totals of a tax year',
          description:
            'A year without activity has zeros. The strong ETag covers the revision and the settings: `If-None-Match` answers 304.',
          operationId: 'readSummary',
          tags,
        },
      },
    )
    .get(
      '/years',
      async ({ taxpayer, query: asked }) => {
        const limit = asked.limit ?? limitDefault;
        const [after] = readCursor(asked.cursor, ['number']) ?? [yearMin - 1];
        const [rows, locks] = await deps.database.asTaxpayer(
          taxpayer.id,
          async (sql) => [await readYears(sql, taxpayer.id), await selectLocks(sql, taxpayer.id)],
          { snapshot: true, readOnly: true },
        );
        const locked = new Set(locks.map((lock) => lock.year));
        const following = rows.filter(({ year }) => year > Number(after)).slice(0, limit + 1);
        const lines = page(following, limit, ({ year }) => [year]);
        return mapPage(lines, (summary) => ({ ...yearView(summary), locked: locked.has(summary.year) }));
      },
      {
        books: true,
        query: booksQuery(listQuery),
        response: { 200: listOf(YearLine), ...problems(400, 404, 422) },
        detail: { summary: 'The years with activity, purchases included', operationId: 'listYears', tags },
      },
    );

const disposalRoutes = (deps: Deps, access: Access) =>
  new Elysia()
    .use(access)
    .get(
      '/disposals',
      async ({ taxpayer, query: asked }) => {
        const limit = asked.limit ?? limitDefault;
        const after = readCursor(asked.cursor, ['day', 'string', 'string', 'day', 'string']) ?? null;
        const within =
          asked.year === undefined
            ? { from: null, before: null }
            : { from: `${asked.year}-01-01`, before: `${asked.year + 1}-01-01` };
        const lines = await deps.database.asTaxpayer(
          taxpayer.id,
          (sql) => readLinesAfter(sql, taxpayer.id, within, after, limit),
          { snapshot: true, readOnly: true },
        );
        const found = page(lines, limit, ({ disposal }) => [
          formatDay(disposal.on),
          disposal.asset,
          disposal.account,
          formatDay(disposal.acquired),
          disposal.id,
        ]);
        return mapPage(found, lineView);
      },
      {
        books: true,
        query: booksQuery({ ...listQuery, year: t.Optional(yearParameter) }),
        response: { 200: listOf(lineSchema), ...problems(400, 404, 422) },
        detail: {
          summary: 'The lines of Form 8949',
          description: 'All lines, or those recognized in one year.',
          operationId: 'listDisposals',
          tags,
        },
      },
    )
    .get(
      '/disposals/:id/explain',
      async ({ taxpayer, params }) => {
        const found = await deps.database.asTaxpayer(taxpayer.id, (sql) => explainLine(sql, taxpayer.id, params.id), {
          snapshot: true,
          readOnly: true,
        });
        if (found === undefined) throw notFound();
        return found;
      },
      {
        books: true,
        params: idParams,
        query: booksQuery({}),
        response: { 200: Explanation, ...problems(404) },
        detail: { summary: 'An explanation of each number of a line', operationId: 'explainDisposal', tags },
      },
    );

const lotRoutes = (deps: Deps, access: Access) =>
  new Elysia().use(access).get(
    '/lots',
    async ({ caller, taxpayer, query: asked }) => {
      if (asked.asOf !== undefined) deps.rateLimits.take('work', caller.userId);
      const limit = asked.limit ?? limitDefault;
      const [acquired, id] = readCursor(asked.cursor, ['day', 'string']) ?? [];
      const after = acquired === undefined || id === undefined ? null : { acquired, id };
      const filter = { asset: asked.asset ?? null, account: asked.account ?? null };
      const on = asked.asOf === undefined ? undefined : dayAsked(asked.asOf);
      const read = (work: (sql: Sql) => Promise<OpenLot[]>) =>
        deps.database.asTaxpayer(taxpayer.id, work, { snapshot: true, readOnly: true });
      const lots =
        on === undefined
          ? await read(async (sql) => (await selectLots(sql, taxpayer.id, filter, after, limit)).map(lotOf))
          : await deps.longReads(taxpayer.id, () =>
              read(async (sql) => afterCursor(await openLotsOn(sql, taxpayer.id, on), filter, after, limit)),
            );
      return mapPage(
        page(lots, limit, (lot) => [formatDay(lot.acquired), lot.id]),
        lotView,
      );
    },
    {
      books: true,
      query: booksQuery({
        ...listQuery,
        asset: t.Optional(t.String()),
        account: t.Optional(t.String()),
        asOf: t.Optional(day),
      }),
      response: { 200: listOf(Lot), ...problems(400, 404, 422) },
      detail: {
        summary: 'Open lots',
        description: 'Lots open after the last transaction, even a future one, or at the end of the day `asOf`.',
        operationId: 'listLots',
        tags,
      },
    },
  );

async function summaryOf(sql: Sql, taxpayerId: string, asked: number, request: Request) {
  const taxpayer = await selectTaxpayer(sql, taxpayerId);
  // The revision covers the settings. The engine version covers changed rules of another release.
  const etag = await etagOf(taxpayer.revision, engineVersion, asked);
  if (isNotModified(request, etag)) return { etag, body: null };
  const books = await readYear(sql, taxpayerId, asked);
  const asOf = await selectLastDay(sql, taxpayerId);
  const { rules } = electionsOf(taxpayer.settings, taxpayer.time_zone);
  return { etag, body: summaryView(books, rules, { revision: taxpayer.revision, asOf }) };
}

function dayAsked(text: string) {
  const on = parseDay(text);
  if (on !== undefined) return on;
  const detail = 'This is not a day of the years 1900 to 2100.';
  throw new Refusal('invalid', detail, { errors: [{ pointer: '/asOf', code: 'invalid', detail }] });
}

function afterCursor(
  lots: readonly OpenLot[],
  filter: { readonly asset: string | null; readonly account: string | null },
  after: { readonly acquired: string; readonly id: string } | null,
  limit: number,
): OpenLot[] {
  return lots
    .filter((lot) => (filter.asset ?? lot.asset) === lot.asset && (filter.account ?? lot.account) === lot.account)
    .filter((lot) => {
      if (after === null) return true;
      const acquired = formatDay(lot.acquired);
      return acquired > after.acquired || (acquired === after.acquired && lot.id > after.id);
    })
    .slice(0, limit + 1);
}
