import type { Sql } from '../../../db/connection.ts';
import type { Disposal } from '../../../engine/model.ts';
import type { DayRange } from '../../../http/span.ts';
import { lotRowColumns } from '../../ledger/books/books.queries.ts';
import { type RowOf, toFact } from '../../ledger/books/fact-tables.ts';
import { factFields } from '../../ledger/books/facts.queries.ts';
import type { LotRow } from '../../ledger/books/lots.ts';
import { isNamedLike, rowSources } from '../../ledger/transactions/transactions.queries.ts';

/** A filter for lines of Form 8949. Null means no restriction. */
export interface LineFilter extends DayRange {
  readonly asset: string | null;
  readonly account: string | null;
  readonly term: 'short' | 'long' | null;
  readonly box: string | null;
  /** A code letter in column (f). */
  readonly code: string | null;
  readonly importId: string | null;
  /** Part of an asset or account name. */
  readonly text: string | null;
}

/** The columns of each sort order, with their types. */
const sortKeys = {
  date: ['on_day date', 'asset text', 'account text', 'acquired date', 'id text'],
  asset: ['asset text', 'on_day date', 'account text', 'acquired date', 'id text'],
  acquired: ['acquired date', 'on_day date', 'id text'],
  proceeds: ['proceeds numeric', 'on_day date', 'id text'],
  basis: ['basis numeric', 'on_day date', 'id text'],
  adjustment: ['total_adjustment numeric', 'on_day date', 'id text'],
  gain: ['gain numeric', 'on_day date', 'id text'],
} as const;

export type LineOrder = keyof typeof sortKeys;
export type LineSort = LineOrder | `-${LineOrder}`;
export const lineSorts = (Object.keys(sortKeys) as LineOrder[]).flatMap((order): LineSort[] => [order, `-${order}`]);

interface LinePage {
  readonly order: LineOrder;
  readonly isDescending: boolean;
  /** The sort values of the last line on the previous page. */
  readonly after: readonly string[] | null;
  readonly limit: number;
}

/** Selects a page of disposals in the requested order, after a cursor. */
export async function selectDisposalsAfter(
  sql: Sql,
  taxpayerId: string,
  filter: LineFilter,
  { order, isDescending, after, limit }: LinePage,
): Promise<Disposal[]> {
  const keys = sortKeys[order].map((key) => key.split(' ') as [name: string, type: string]);
  const names = sql.unsafe(keys.map(([name]) => name).join(', '));
  const sorted = sql.unsafe(keys.map(([name]) => `${name}${isDescending ? ' desc' : ''}`).join(', '));
  const values = keys.map(
    ([, type], at) => sql`${at === 0 ? sql`` : sql`,`} ${after?.[at] ?? ''}::${sql.unsafe(type)}`,
  );
  // When sorting by ascending date, starts on the day of the cursor, so that the index skips earlier lines.
  const onward = order === 'date' && !isDescending && after !== null ? { ...filter, from: after[0] ?? null } : filter;
  const rows = await sql<RowOf<'disposal'>[]>`
    select ${factFields(sql, 'disposal')}
    from ${lineColumns(sql, taxpayerId, onward, order === 'gain' || order === 'adjustment')} l
    ${after === null ? sql`` : sql`where (${names}) ${isDescending ? sql`<` : sql`>`} (${values})`}
    order by ${sorted} limit ${limit}`;
  return rows.map((row) => toFact('disposal', row));
}

interface LineTotalsRow {
  readonly proceeds: string;
  readonly basis: string;
  readonly adjustment: string;
  readonly count: number;
}

/** Selects the totals of all lines that match a filter. */
export async function selectLineTotals(sql: Sql, taxpayerId: string, filter: LineFilter) {
  return sql<LineTotalsRow[]>`
    select coalesce(sum(proceeds), 0) as proceeds, coalesce(sum(basis), 0) as basis,
      coalesce(sum(total_adjustment), 0) as adjustment, count(*)::integer as count
    from ${lineColumns(sql, taxpayerId, filter, true)} l`;
}

/**
 * Builds a query for the disposals that match a filter. Joins wash sales only if the gain, the adjustment or a filter
 * by code W needs them.
 */
function lineColumns(sql: Sql, taxpayerId: string, filter: LineFilter, withGain: boolean) {
  const { from, before, asset, account, term, box, code, importId, text } = filter;
  const span = sql`
    taxpayer_id = ${taxpayerId}
    ${from === null ? sql`` : sql`and on_day >= ${from}`}
    ${before === null ? sql`` : sql`and on_day < ${before}`}`;
  const joined = withGain || code === 'W';
  const part = text === null ? '' : `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  return sql`(
    select d.* ${joined ? sql`, d.adjustment + coalesce(w.denied, 0) as total_adjustment, d.proceeds - d.basis + d.adjustment + coalesce(w.denied, 0) as gain` : sql``}
    from (select * from disposals where ${span}) d
    ${
      joined
        ? sql`left join (
            select on_day, disposal_id, sum(disallowed) as denied from wash_sales where ${span} group by 1, 2
          ) w on w.on_day = d.on_day and w.disposal_id = d.id`
        : sql``
    }
    where true
      ${asset === null ? sql`` : sql`and d.asset = ${asset}`}
      ${account === null ? sql`` : sql`and d.account = ${account}`}
      ${term === null ? sql`` : sql`and d.term = ${term}`}
      ${box === null ? sql`` : sql`and d.box = ${box}`}
      ${code === null ? sql`` : sql`and (strpos(d.code, ${code}) > 0 ${code === 'W' ? sql`or w.denied > 0` : sql``})`}
      ${importId === null ? sql`` : sql`and ${fromImport(sql, taxpayerId, importId)}`}
      ${text === null ? sql`` : sql`and (d.asset ilike ${part} or d.account ilike ${part} or ${isNamedLike(sql, taxpayerId, text, 'd')})`}
  )`;
}

/**
 * Matches lines whose sale or purchase comes from a row of an import. The ID of a sale or lot begins with the ID of its
 * row.
 */
function fromImport(sql: Sql, taxpayerId: string, importId: string) {
  const rows = sql`
    select s.transaction_id::text from ${rowSources(sql)} s
    where s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId}`;
  return sql`(left(d.sale_id, 36) in (${rows}) or left(d.lot_id, 36) in (${rows}))`;
}

/** Selects open lots in the order of acquisition, after a cursor. */
export async function selectLots(
  sql: Sql,
  taxpayerId: string,
  filter: { readonly asset: string | null; readonly account: string | null },
  after: { readonly acquired: string; readonly id: string } | null,
  limit: number,
) {
  return sql<LotRow[]>`
    select ${lotRowColumns(sql)}
    from lots
    where taxpayer_id = ${taxpayerId}
      and (${filter.asset}::text is null or asset = ${filter.asset}) and (${filter.account}::text is null or account = ${filter.account})
      ${after === null ? sql`` : sql`and (acquired, id) > (${after.acquired}, ${after.id})`}
    order by acquired, id limit ${limit + 1}`;
}

interface StakesRow {
  readonly dollars: string;
  readonly unknown: number;
}

/** Sums what the open issues of a year may change. Issues of one transaction concern the same amount, so it counts once. */
export async function selectStakes(sql: Sql, taxpayerId: string, year: number): Promise<StakesRow> {
  const [row] = await sql<StakesRow[]>`
    select coalesce(sum(s.dollars), 0) as dollars, (count(*) filter (where s.is_unknown))::integer as unknown
    from (
      select max(i.dollars) as dollars, bool_or(i.dollars is null) as is_unknown
      from issues i
      where i.taxpayer_id = ${taxpayerId}
        and (i.on_day between make_date(${year}, 1, 1) and make_date(${year}, 12, 31) or ${year}::text = any(i.other_years))
      group by coalesce(i.transactions[1], i.id)
    ) s`;
  return row ?? { dollars: '0', unknown: 0 };
}
