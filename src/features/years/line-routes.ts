import { Elysia, t } from 'elysia';
import { formatDay, parseDay } from '../../base/day.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Deps } from '../../deps.ts';
import type { Lot as OpenLot } from '../../engine/model.ts';
import { notFound } from '../../http/errors.ts';
import { limitDefault, mapPage, page, readCursor } from '../../http/list.ts';
import { booksQuery, day, idParams, listOf, listQuery, problems, yearParameter } from '../../http/schemas.ts';
import type { Access } from '../auth/access.ts';
import { lineSchema, lineView } from '../books/line-members.ts';
import { lotOf } from '../books/lot-rows.ts';
import { openLotsOn } from '../books/lots.ts';
import { Lot } from '../books/schemas.ts';
import { lotView } from '../books/view.ts';
import { explain } from '../explanations/explain.ts';
import { Explanation } from '../explanations/schemas.ts';
import { readLinesAfter } from './lines.ts';
import { selectLots } from './queries.ts';

const tags = ['Tax'];

export const lineRoutes = (deps: Deps, access: Access) =>
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
          description: 'Of all years, or of the year in which they are recognized.',
          operationId: 'listDisposals',
          tags,
        },
      },
    )
    .get(
      '/disposals/:id/explain',
      async ({ taxpayer, params }) => {
        const found = await deps.database.asTaxpayer(taxpayer.id, (sql) => explain(sql, taxpayer.id, params.id), {
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
        detail: { summary: 'How each number of a line came about', operationId: 'explainDisposal', tags },
      },
    )
    .use(lotRoutes(deps, access));

const lotRoutes = (deps: Deps, access: Access) =>
  new Elysia().use(access).get(
    '/lots',
    async ({ taxpayer, query: asked }) => {
      const limit = asked.limit ?? limitDefault;
      const [acquired, id] = readCursor(asked.cursor, ['day', 'string']) ?? [];
      const after = acquired === undefined || id === undefined ? null : { acquired, id };
      const filter = { asset: asked.asset ?? null, account: asked.account ?? null };
      const on = asked.asOf === undefined ? undefined : dayAsked(asked.asOf);
      const lots = await deps.database.asTaxpayer(
        taxpayer.id,
        async (sql) =>
          on === undefined
            ? (await selectLots(sql, taxpayer.id, filter, after, limit)).map(lotOf)
            : afterCursor(await openLotsOn(sql, taxpayer.id, on), filter, after, limit),
        { snapshot: true, readOnly: true },
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
        description: 'After the last transaction, future ones included, or at the end of the day `asOf`.',
        operationId: 'listLots',
        tags,
      },
    },
  );

function dayAsked(text: string) {
  const on = parseDay(text);
  if (on !== undefined) return on;
  const detail = 'This is no day of the years 1900 to 2100.';
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
