import { Elysia, t } from 'elysia';
import { formatDay } from '../../../base/day.ts';
import { type Cents, formatCents, formatQuantity } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import {
  type Form8997Books,
  type Form8997Row,
  form8997,
  form8997Parts,
  hasPartFive,
} from '../../../forms/form-8997.ts';
import { previewOf8997 } from '../../../forms/preview.ts';
import { limitDefault, page, readCursor } from '../../../http/list.ts';
import { group, read } from '../../../http/operations.ts';
import {
  closed,
  day,
  listOf,
  listQuery,
  money,
  nullable,
  oneOf,
  quantity,
  yearParameter,
} from '../../../http/schemas.ts';
import { readDeferrals, readFundInterests, readRules } from '../../ledger/books/books.ts';
import type { Access } from '../../people/auth/access.ts';

const { onBooks } = group('Tax');

const Interest = closed(
  {
    part: oneOf(
      form8997Parts,
      'The part of Form 8997. Through 2025: I held at the beginning, II invested, III included, IV held at the end. From 2026: III A included by an event, III B because the period ended, IV still deferred at the end, V held after the inclusion.',
    ),
    fund: t.String(),
    account: t.String(),
    quantity,
    invested: day,
    includedOn: nullable(day),
    term: oneOf(['short', 'long'], 'The term of the deferred gain.'),
    deferred: money,
    included: nullable(money),
    value: nullable(
      t.String({ description: 'Part III B: the value of the interest on that day, or null if unknown.' }),
    ),
    adjustment: nullable(
      t.String({
        description:
          'Part III B: the amount that is never included because of the holding period, as a negative number.',
      }),
    ),
    basis: nullable(t.String({ description: 'Part V: the basis after the inclusion.' })),
  },
  { title: 'FundInterest' },
);

const FundInterestList = closed(
  {
    ...listOf(Interest).properties,
    preview: nullable(
      t.String({ description: 'A note if the final form of the year was not compared; null otherwise.' }),
    ),
  },
  { title: 'FundInterestList' },
);

/** Returns the data for Form 8997. */
export const fundRoutes = (access: Access) =>
  new Elysia().use(access).get(
    '/opportunity-funds',
    async ({ books, taxpayer, query: { year, limit = limitDefault, cursor } }) => {
      const [after] = readCursor(cursor, ['number']) ?? [-1];
      const funds = await books.snapshot((sql) => readFunds(sql, taxpayer.id, year));
      const rows = form8997(funds).map((row, at) => ({ row, at }));
      const left = rows.slice(after + 1, after + 2 + limit);
      const preview = previewOf8997(year);
      return {
        ...page(
          left,
          limit,
          ({ at }) => [at],
          ({ row }) => interestView(row),
        ),
        preview: preview === '' ? null : preview,
      };
    },
    onBooks('listOpportunityFunds', read, {
      summary: 'List interests in opportunity funds',
      description:
        'The data for Form 8997: the interests with a deferred gain at the beginning of the year, the interests bought during the year, the gains included, and the holdings at the end of the year. From 2026 on the parts follow the 2026 draft, and `preview` mentions this. The report `form-8997-csv` contains the same data as a file.',
      query: { ...listQuery, year: yearParameter },
      response: { 200: FundInterestList },
    }),
  );

function interestView({ invested, includedOn, deferred, included, ...row }: Form8997Row) {
  return {
    ...row,
    invested: formatDay(invested),
    includedOn: includedOn === null ? null : formatDay(includedOn),
    quantity: formatQuantity(row.quantity),
    deferred: formatCents(deferred),
    included: centsOrNull(included),
    value: centsOrNull(row.value),
    adjustment: centsOrNull(row.adjustment),
    basis: centsOrNull(row.basis),
  };
}

function centsOrNull(amount: Cents | null): string | null {
  return amount === null ? null : formatCents(amount);
}

async function readFunds(sql: Sql, taxpayerId: string, year: number): Promise<Form8997Books> {
  const deferrals = await readDeferrals(sql, taxpayerId, year);
  // Lots on a past day must be computed, so they are read only if the form requires them.
  const isAsked = deferrals.length > 0 && hasPartFive(year);
  const fundInterests = isAsked ? await readFundInterests(sql, taxpayerId, year) : [];
  return { year, rules: await readRules(sql, taxpayerId), deferrals, fundInterests };
}
