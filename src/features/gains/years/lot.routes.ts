import { Elysia, t } from 'elysia';
import { formatDay } from '../../../base/day.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { parseDayParameter } from '../../../http/errors.ts';
import { limitDefault, mapPage, page, readCursor } from '../../../http/list.ts';
import { group, read } from '../../../http/operations/operations.ts';
import { day, listOf, listQuery } from '../../../http/schemas.ts';
import { parseDayColumn } from '../../ledger/transactions/rows/rows.ts';
import { getToday } from '../../ledger/transactions/view.ts';
import type { Access } from '../../people/auth/access.ts';
import { lotViewsOn, readLots } from './lots.ts';
import { ValuedLot } from './years.schemas.ts';

const { onBooks } = group('Tax');

/** Lists open lots with their values. */
export const lotRoutes = (deps: Deps, access: Access) =>
  new Elysia().use(access).get(
    '/lots',
    async ({ books, caller, taxpayer, query: parameters }) => {
      if (parameters.asOf !== undefined) deps.rateLimits.take('work', caller.userId);
      const limit = parameters.limit ?? limitDefault;
      const [acquired, id] = readCursor(parameters.cursor, ['day', 'string']) ?? [];
      const after = acquired === undefined || id === undefined ? null : { acquired, id };
      const asOf = parseDayParameter('asOf', parameters.asOf);
      const on = asOf === null ? undefined : parseDayColumn(asOf);
      const today = parseDayColumn(asOf ?? getToday(deps, taxpayer.timeZone));
      const pageRequest = { asset: parameters.asset ?? null, account: parameters.account ?? null, after, limit, on };
      const work = async (sql: Sql) => {
        const lotPage = page(await readLots(sql, taxpayer.id, pageRequest), limit, (lot) => [
          formatDay(lot.acquired),
          lot.id,
        ]);
        return mapPage(lotPage, await lotViewsOn(sql, taxpayer.id, lotPage.data, today));
      };
      const read = () => books.snapshot(work);
      return on === undefined ? read() : deps.longReads(taxpayer.id, read);
    },
    onBooks('listLots', read, {
      summary: 'List open lots',
      description:
        'Returns the lots open after the last transaction, even a future one, or at the end of the day `asOf`. They are valued on that day, or today, at a usable price or at the taxpayer’s last trade.',
      query: { ...listQuery, asset: t.Optional(t.String()), account: t.Optional(t.String()), asOf: t.Optional(day) },
      response: { 200: listOf(ValuedLot) },
    }),
  );
