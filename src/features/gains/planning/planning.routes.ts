import { Elysia, t } from 'elysia';
import { type Day, parseDay, yearOf } from '../../../base/day.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { limitDefault, page, readCursor } from '../../../http/list.ts';
import { group, read } from '../../../http/operations.ts';
import { listQuery, yearParameter } from '../../../http/schemas.ts';
import { getToday } from '../../ledger/transactions/view.ts';
import type { Access } from '../../people/auth/access.ts';
import { type HarvestCandidate, harvest, rankOf } from './harvest.ts';
import { holdingRoutes } from './holdings.routes.ts';
import { HarvestList, WhatIfRequest, WhatIfResult, YearEnd } from './planning.schemas.ts';
import { whatIf } from './what-if.ts';
import { yearEnd } from './year-end.ts';

const { onBooks } = group('Planning');
/** The same limit as for a calculation, because a request may replay the whole history. */
const statementSecondsMax = 120;

/** Returns holdings, what-if sales, losses to harvest and year-end tasks. Stores nothing. */
export const planningRoutes = (deps: Deps, access: Access) =>
  new Elysia()
    .use(access)
    .use(holdingRoutes(deps, access))
    .post(
      '/what-if',
      ({ books, caller, taxpayer, body }) => {
        deps.rateLimits.take('work', caller.userId);
        return deps.longReads(taxpayer.id, () =>
          books.snapshot((sql) => whatIf(sql, taxpayer.id, body.sales), { statementSecondsMax }),
        );
      },
      onBooks('calculateWhatIf', read, {
        summary: 'Calculate planned sales',
        description:
          'Adds the sales to the stored books without saving them. Returns their lines, the changed years, and the same sales under each lot method. A sale without an amount and price uses the value in the books. Units that are not held are sold at a basis of zero and reported as missing.',
        body: WhatIfRequest,
        response: { 200: WhatIfResult },
      }),
    )
    .get(
      '/harvest',
      async ({ books, caller, taxpayer, query: parameters }) => {
        deps.rateLimits.take('work', caller.userId);
        const today = requireToday(deps, taxpayer.timeZone);
        const limit = parameters.limit ?? limitDefault;
        const after = readCursor(parameters.cursor, ['integer', 'string']);
        const read = async (sql: Sql) => {
          const harvestResult = await harvest(sql, taxpayer.id, parameters.year ?? yearOf(today), today);
          const following =
            after === undefined
              ? harvestResult.candidates
              : harvestResult.candidates.filter((one) => isAfter(one, after));
          const lots = page(following.slice(0, limit + 1), limit, (one) => [rankOf(one).toString(), one.lot.id]);
          return { ...harvestResult.totals, ...lots, data: lots.data.map(harvestResult.view) };
        };
        return deps.longReads(taxpayer.id, () => books.snapshot(read, { statementSecondsMax }));
      },
      onBooks('listHarvestableLosses', read, {
        summary: 'List losses that could be realized now',
        description:
          'Returns lots open today with a value below their basis, the days until they are long-term, and the wash sale risk. The value of a unit is a usable price or the taxpayer’s last trade. A lot without either is listed as unvalued.',
        query: { ...listQuery, year: t.Optional(yearParameter) },
        response: { 200: HarvestList },
      }),
    )
    .get(
      '/year-end',
      async ({ books, taxpayer, query: parameters }) => {
        const today = requireToday(deps, taxpayer.timeZone);
        const year = parameters.year ?? yearOf(today);
        return books.snapshot((sql) => yearEnd(sql, taxpayer.id, year, today));
      },
      onBooks('getYearEnd', read, {
        summary: 'List year-end tasks',
        description:
          'Returns the standing order for each broker with a text to send, the values of opportunity funds that are needed, the last trading day for losses, and the wash sale windows that reach into January. In December the same tasks arrive as notifications.',
        query: { year: t.Optional(yearParameter) },
        response: { 200: YearEnd },
      }),
    );

function requireToday(deps: Deps, timeZone: string): Day {
  const today = parseDay(getToday(deps, timeZone));
  if (today !== undefined) return today;
  throw new Error("The server's date is outside the supported years. Ask its administrator to check the clock.");
}

function isAfter(one: HarvestCandidate, [rank, id]: readonly [string, string]): boolean {
  const [own, there] = [rankOf(one), BigInt(rank)];
  return own > there || (own === there && one.lot.id > id);
}
