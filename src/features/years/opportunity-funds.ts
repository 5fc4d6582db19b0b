import { Elysia, t } from 'elysia';
import { formatDay } from '../../base/day.ts';
import { formatCents } from '../../base/decimal.ts';
import type { Deps } from '../../deps.ts';
import { type Form8997Row, form8997 } from '../../forms/form-8997.ts';
import { limitDefault, mapPage, page, readCursor } from '../../http/list.ts';
import {
  booksQuery,
  closed,
  day,
  listOf,
  listQuery,
  money,
  nullable,
  oneOf,
  problems,
  yearParameter,
} from '../../http/schemas.ts';
import type { Access } from '../auth/access.ts';
import { readDeferrals } from '../books/books.ts';

const Interest = closed(
  {
    part: oneOf(['I', 'II', 'III', 'IV'], 'Of Form 8997: held before, invested, included, held at the end.'),
    fund: t.String(),
    account: t.String(),
    invested: day,
    includedOn: nullable(day),
    term: oneOf(['short', 'long'], 'That of the gain.'),
    deferred: money,
    included: nullable(money),
  },
  { title: 'FundInterest' },
);

/** What Form 8997 asks of a year. */
export const fundRoutes = (deps: Deps, access: Access) =>
  new Elysia().use(access).get(
    '/opportunity-funds',
    async ({ taxpayer, query: { year, limit = limitDefault, cursor } }) => {
      const [after] = readCursor(cursor, ['number']) ?? [-1];
      const deferrals = await deps.database.asTaxpayer(taxpayer.id, (sql) => readDeferrals(sql, taxpayer.id, year), {
        snapshot: true,
        readOnly: true,
      });
      const rows = form8997(year, deferrals).map((row, at) => ({ row, at }));
      const left = rows.slice(after + 1, after + 2 + limit);
      return mapPage(
        page(left, limit, ({ at }) => [at]),
        ({ row }) => interestView(row),
      );
    },
    {
      books: true,
      query: booksQuery({ ...listQuery, year: yearParameter }),
      response: { 200: listOf(Interest), ...problems('not_found', 'invalid') },
      detail: {
        summary: 'Interests in opportunity funds',
        description:
          'The data of Form 8997: the interests with a deferred gain at the beginning of the year, those bought in it, the gains included, and what is held at its end. The report `form-8997-csv` has the same as a file.',
        operationId: 'listOpportunityFunds',
        tags: ['Tax'],
      },
    },
  );

function interestView({ invested, includedOn, deferred, included, ...row }: Form8997Row) {
  return {
    ...row,
    invested: formatDay(invested),
    includedOn: includedOn === null ? null : formatDay(includedOn),
    deferred: formatCents(deferred),
    included: included === null ? null : formatCents(included),
  };
}
