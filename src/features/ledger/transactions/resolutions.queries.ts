import type { Sql } from '../../../db/connection.ts';
import type { AssetMember } from '../../../engine/events/same-assets.ts';
import type { AssetClass } from '../../../engine/model.ts';

/** The values of a row that an answer can set. */
export const restatedFigures = ['amount', 'fee', 'fmv', 'marketDiscount'] as const;

/** The values in the taxpayer's answer about a row, as entered. */
export interface ResolutionValues {
  readonly basis?: string;
  readonly acquired?: string;
  readonly quantity?: string;
  readonly figure?: (typeof restatedFigures)[number];
  readonly amount?: string;
  readonly fee?: string;
  readonly assetClass?: AssetClass;
  readonly collectible?: boolean;
  /** Accounts in which the class was set. */
  readonly accounts?: readonly string[];
}

export interface RestatementRow {
  readonly action: 'basis' | 'pair' | 'value';
  readonly transaction_id: string;
  readonly other_id: string | null;
  readonly given: ResolutionValues;
  /** The account of the other row in the pair. */
  readonly to_account: string | null;
  readonly arrived: string | null;
}

/** Joins an answer `r` with its row `t` and, for a pair, with the deposit `d`. */
export const resolutionsWithRows = (sql: Sql) => sql`
  resolutions r
    join transactions t on t.taxpayer_id = r.taxpayer_id and t.id = r.transaction_id
    left join transactions d on d.taxpayer_id = r.taxpayer_id and d.id = r.other_id`;

/**
 * SQL for the content that an answer about a row depends on: date, type, asset and amounts. Excludes the account, the
 * note, and names that come from the settings. It is not an SQL function of the row, because on Citus a row on a shard
 * has a different type.
 */
export const contentColumns = (sql: Sql, row: 't' | 'x') => sql`${sql.unsafe(content.replaceAll('t.', `${row}.`))}`;

const content = `jsonb_build_array(
  t.type, case when t.at is null then t.on_day end, extract(epoch from t.at), ${statedName('asset')}, t.quantity, t.amount,
  t.fee, t.currency, ${statedName('received_asset', 'receivedAsset')}, t.received_quantity,
  ${statedName('fee_asset', 'feeAsset')}, t.fee_quantity, t.fee_own, t.acquired, t.basis, t.fmv
)`;

/** Returns SQL for the name in the row's file. */
function statedName(column: string, member: AssetMember = 'asset'): string {
  return `coalesce(t.stated_names::jsonb ->> '${member}', t.${column})`;
}

/**
 * Matches answers that are still valid. An answer about one row is valid until the row's content changes. A pair is
 * valid while both rows can be one transfer.
 */
export const counts = (sql: Sql) => sql`
  case
    when r.action = 'accept' or r.added_id is not null then true
    when r.action <> 'pair' then coalesce(r.row_content = ${contentColumns(sql, 't')}, true)
    else r.other_id is null or d.id is not null and (${fault(sql)}) is null
  end`;

/** SQL for the reason why `t` and `d` cannot be one transfer. Null if they can. */
const fault = (sql: Sql) => sql`
  case
    when t.type <> 'withdrawal' or d.type <> 'deposit' then 'Match a withdrawal with a deposit.'
    when t.asset_key <> d.asset_key then 'The two transactions have different assets.'
    when d.on_day < t.on_day then 'The deposit is dated before the withdrawal.'
    when (d.quantity <= t.quantity) is not true then 'The deposit is larger than the withdrawal.'
    when d.quantity < t.quantity and t.fee_asset not in ('', t.asset)
      then 'The deposit is smaller than the withdrawal, although the fee was paid in ' || t.fee_asset || '.'
  end`;

/** Selects the reason why the two rows cannot be one transfer. Returns null if they can. */
export async function selectFault(sql: Sql, taxpayerId: string, left: string, arrived: string): Promise<string | null> {
  const [row] = await sql<{ fault: string | null }[]>`
    select ${fault(sql)} as fault from transactions t join transactions d on d.taxpayer_id = t.taxpayer_id
    where t.taxpayer_id = ${taxpayerId} and t.id = ${left} and d.id = ${arrived}`;
  return row?.fault ?? null;
}

/**
 * Selects the valid answers that change a row, excluding answers that added a row. If there are two answers about one
 * row, the later one comes last.
 */
export async function selectRestatements(sql: Sql, taxpayerId: string) {
  return sql<RestatementRow[]>`
    select r.action, r.transaction_id, r.other_id, r.given, d.account as to_account, d.quantity as arrived
    from ${resolutionsWithRows(sql)}
    where r.taxpayer_id = ${taxpayerId} and r.action in ('basis', 'pair', 'value') and r.added_id is null and ${counts(sql)}
    order by r.sequence`;
}

/** Selects which kinds of answers exist. Some of them change how current or future rows are read. */
export async function selectResolutionKinds(
  sql: Sql,
  taxpayerId: string,
): Promise<{ readonly restate: boolean; readonly accept: boolean }> {
  const rows = await sql<{ action: string }[]>`
    select distinct action from resolutions
    where taxpayer_id = ${taxpayerId}
      and (action = 'accept' or action in ('basis', 'pair', 'value') and added_id is null)`;
  const accept = rows.some(({ action }) => action === 'accept');
  return { restate: rows.some(({ action }) => action !== 'accept'), accept };
}

/**
 * Selects pairs. Each is one movement: if one side is added, deleted or changed, the books are recomputed from the
 * withdrawal on.
 */
export async function selectPairs(sql: Sql, taxpayerId: string) {
  return sql<{ asset_key: string; keys: string[]; day: string }[]>`
    select t.asset_key, array_remove(array[t.asset_key, t.second_key, t.third_key, t.fourth_key], null) as keys,
      t.on_day as day
    from ${resolutionsWithRows(sql)} where r.taxpayer_id = ${taxpayerId} and r.action = 'pair' and r.other_id is not null`;
}

/** Selects accepted issues with their content when they were accepted. */
export async function selectAccepted(sql: Sql, taxpayerId: string) {
  return sql<{ issue_id: string; dollars: string | null; units: string | null }[]>`
    select issue_id, issue ->> 'dollars' as dollars, issue ->> 'units' as units from resolutions
    where taxpayer_id = ${taxpayerId} and action = 'accept'`;
}
