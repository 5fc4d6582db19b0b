import type { Sql } from '../../../../db/connection.ts';
import type { AssetClass, Term, TransactionType } from '../../../../engine/model.ts';

export const groupings = ['day', 'month', 'year', 'asset', 'account', 'type'] as const;
type Grouping = (typeof groupings)[number];

export interface GainScope {
  readonly taxpayerId: string;
  readonly by: Grouping;
  /** The first day of recognition, or null if unbounded. `before` is exclusive. */
  readonly from: string | null;
  readonly before: string | null;
}

interface GroupRow {
  readonly key: string;
  readonly assetClass: AssetClass | null;
}

interface LineSumRow extends GroupRow {
  readonly term: Term;
  readonly proceeds: string;
  readonly basis: string;
  readonly adjustment: string;
  readonly washed: string;
  readonly count: number;
}

/** Sums lines of Form 8949 by group and term. Losses disallowed by wash sales are part of their lines. */
export async function selectLineSums(sql: Sql, scope: GainScope) {
  return sql<LineSumRow[]>`
    select ${groupKey(sql, scope.by)} as key, ${scope.by === 'asset' ? sql`f.asset_class` : sql`null::text`} as "assetClass",
      f.term, sum(f.proceeds) as proceeds, sum(f.basis) as basis, sum(f.adjustment) as adjustment, sum(f.washed) as washed,
      sum(f.lines)::integer as count
    from (
      select d.on_day, d.asset, d.asset_class, d.account, d.sale_id as transaction_id, d.term, d.proceeds, d.basis,
        d.adjustment, case when d.code ~ '^C?T?W$' then d.adjustment else 0 end as washed, 1 as lines
      from disposals d where ${matchScope(sql, scope, 'd')}
      union all
      select d.on_day, d.asset, d.asset_class, d.account, d.sale_id, d.term, 0, 0, w.disallowed, w.disallowed, 0
      from wash_sales w
      join disposals d on d.taxpayer_id = w.taxpayer_id and d.on_day = w.on_day and d.id = w.disposal_id
      where ${matchScope(sql, scope, 'w')}
    ) f ${typeFilter(sql, scope)}
    group by 1, 2, 3 order by 1, 2, 3`;
}

interface ContractSumRow extends GroupRow {
  readonly gain: string;
  readonly count: number;
}

/** Sums section 1256 contracts (Form 6781) by group. */
export async function selectContractSums(sql: Sql, scope: GainScope) {
  return sql<ContractSumRow[]>`
    select ${groupKey(sql, scope.by)} as key, ${classColumn(sql, scope)} as "assetClass", sum(f.gain) as gain,
      count(*)::integer as count
    from contracts_1256 f ${groupedRows(sql, scope)}
    where ${matchScope(sql, scope, 'f')}
    group by 1, 2 order by 1, 2`;
}

export interface IncomeSumRow extends GroupRow {
  readonly year: number;
  readonly type: TransactionType;
  readonly amount: string;
  readonly count: number;
}

/** Sums income by group, year and type. Year and type are needed because a summary rounds once for each. */
export async function selectIncomeSums(sql: Sql, scope: GainScope) {
  const key = scope.by === 'type' ? sql`f.type` : groupKey(sql, scope.by);
  return sql<IncomeSumRow[]>`
    select ${key} as key, ${classColumn(sql, scope)} as "assetClass", extract(year from f.on_day)::integer as year, f.type,
      sum(f.amount) as amount, count(*)::integer as count
    from incomes f ${scope.by === 'asset' ? groupedRows(sql, scope) : sql``}
    where ${matchScope(sql, scope, 'f')}
    group by 1, 2, 3, 4 order by 3, 4, 1, 2`;
}

const matchScope = (sql: Sql, { taxpayerId, from, before }: GainScope, table: string) => sql`
  ${sql(table)}.taxpayer_id = ${taxpayerId}
  ${from === null ? sql`` : sql`and ${sql(table)}.on_day >= ${from}`}
  ${before === null ? sql`` : sql`and ${sql(table)}.on_day < ${before}`}`;

function groupKey(sql: Sql, by: Grouping) {
  if (by === 'asset') return sql`f.asset`;
  if (by === 'account') return sql`f.account`;
  // Facts without a stored row, such as a year-end mark, have no type.
  if (by === 'type') return sql`coalesce(t.type, '')`;
  return sql`to_char(f.on_day, ${{ day: 'YYYY-MM-DD', month: 'YYYY-MM', year: 'YYYY' }[by]}::text) collate "C"`;
}

/** Joins the transaction of each fact, if the grouping needs it. */
function groupedRows(sql: Sql, { taxpayerId, by }: GainScope) {
  if (by !== 'type' && by !== 'asset') return sql``;
  return sql`left join transactions t on t.taxpayer_id = ${taxpayerId}
    and t.id = case when f.transaction_id ~ '^[0-9a-f-]{36}' then left(f.transaction_id, 36)::uuid end`;
}

function typeFilter(sql: Sql, scope: GainScope) {
  return scope.by === 'type' ? groupedRows(sql, scope) : sql``;
}

/** Returns the asset class from the transaction, because income and contracts do not store it. */
function classColumn(sql: Sql, { by }: GainScope) {
  return by === 'asset' ? sql`case when t.asset = f.asset then t.asset_class end` : sql`null::text`;
}
