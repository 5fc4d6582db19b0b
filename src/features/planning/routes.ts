import { Elysia, t } from 'elysia';
import { parseDay, yearOf } from '../../base/day.ts';
import type { Sql } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import { limitDefault, page, readCursor } from '../../http/list.ts';
import { booksQuery, listQuery, problems, yearParameter } from '../../http/schemas.ts';
import type { Access } from '../auth/access.ts';
import { todayOf } from '../transactions/read.ts';
import { type HarvestCandidate, harvest, rankOf } from './harvest.ts';
import { holdingRoutes } from './holdings/routes.ts';
import { Harvest, WhatIf, WhatIfAsked, YearEnd } from './schemas.ts';
import { whatIf } from './what-if.ts';
import { yearEnd } from './year-end/year-end.ts';

const tags = ['Planning'];
/** A request may replay a whole history, like a calculation. */
const statementSecondsMax = 120;

/** What is held, what-if sales and tax loss harvesting. Nothing is stored. */
export const planningRoutes = (deps: Deps, access: Access) =>
  new Elysia()
    .use(access)
    .use(holdingRoutes(deps, access))
    .post(
      '/what-if',
      ({ caller, taxpayer, body }) => {
        deps.rateLimits.take('work', caller.userId);
        return deps.longReads(taxpayer.id, () =>
          deps.database.asTaxpayer(taxpayer.id, (sql) => whatIf(sql, taxpayer.id, body.sales), {
            snapshot: true,
            readOnly: true,
            statementSecondsMax,
          }),
        );
      },
      {
        books: true,
        query: booksQuery({}),
        body: WhatIfAsked,
        response: { 200: WhatIf, ...problems('not_found', 'invalid') },
        detail: {
          summary: 'Calculate planned sales',
          description:
            'Adds the sales to the stored books without storing them. The response has their lines, the changed years, and the same sales by each lot method. A sale without amount and price is valued by the books. Units that are not held are sold at a basis of zero and reported as missing.',
          operationId: 'whatIf',
          tags,
        },
      },
    )
    .get(
      '/harvest',
      async ({ caller, taxpayer, query: asked }) => {
        deps.rateLimits.take('work', caller.userId);
        const today = parseDay(todayOf(deps, taxpayer.timeZone));
        if (today === undefined) throw new Error('The clock shows a day outside of the supported years.');
        const limit = asked.limit ?? limitDefault;
        const after = readCursor(asked.cursor, ['integer', 'string']);
        const read = async (sql: Sql) => {
          const found = await harvest(sql, taxpayer.id, asked.year ?? yearOf(today), today);
          const following =
            after === undefined ? found.candidates : found.candidates.filter((one) => isAfter(one, after));
          const lots = page(following.slice(0, limit + 1), limit, (one) => [rankOf(one).toString(), one.lot.id]);
          return { ...found.totals, ...lots, data: lots.data.map(found.view) };
        };
        return deps.longReads(taxpayer.id, () =>
          deps.database.asTaxpayer(taxpayer.id, read, { snapshot: true, readOnly: true, statementSecondsMax }),
        );
      },
      {
        books: true,
        query: booksQuery({ ...listQuery, year: t.Optional(yearParameter) }),
        response: { 200: Harvest, ...problems('not_found', 'invalid') },
        detail: {
          summary: 'Losses that could be realized now',
          description:
            'Lots open today with a value below their basis, with the days to long-term and the risk of a wash sale. The value of a unit is a price that the books may use, else the taxpayer’s last trade. A lot without either is listed as unvalued.',
          operationId: 'harvestLosses',
          tags,
        },
      },
    )
    .get(
      '/year-end',
      async ({ taxpayer, query: asked }) => {
        const today = parseDay(todayOf(deps, taxpayer.timeZone));
        if (today === undefined) throw new Error('The clock shows a day outside of the supported years.');
        const year = asked.year ?? yearOf(today);
        return deps.database.asTaxpayer(taxpayer.id, (sql) => yearEnd(sql, taxpayer.id, year, today), {
          snapshot: true,
          readOnly: true,
        });
      },
      {
        books: true,
        query: booksQuery({ year: t.Optional(yearParameter) }),
        response: { 200: YearEnd, ...problems('not_found', 'invalid') },
        detail: {
          summary: 'What to do before the year ends',
          description:
            'The standing order of each broker with a text to send, the values of opportunity funds that are needed, the last trading day for losses, and the wash sale windows that reach into January. In December the same comes as notifications.',
          operationId: 'readYearEnd',
          tags,
        },
      },
    );

function isAfter(one: HarvestCandidate, [rank, id]: readonly [string, string]): boolean {
  const [own, there] = [rankOf(one), BigInt(rank)];
  return own > there || (own === there && one.lot.id > id);
}
