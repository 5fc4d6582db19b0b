import type { Sql } from '../../../db/connection.ts';
import type { AssetMember } from '../../../engine/events/same-assets.ts';
import type { AssetClass } from '../../../engine/model.ts';

/** The figures of a row that an answer can set. */
export const restatedFigures = ['amount', 'fee', 'fmv', 'marketDiscount'] as const;

/** The taxpayer's answer about a row, as the text entered. */
export interface ResolutionValues {
  readonly basis?: string;
  readonly acquired?: string;
  readonly quantity?: string;
  readonly figure?: (typeof restatedFigures)[number];
  readonly amount?: string;
  readonly fee?: string;
  readonly assetClass?: AssetClass;
  readonly collectible?: boolean;
  /** Accounts whose class was set. */
  readonly accounts?: readonly string[];
}

export interface RestatementRow {
  readonly action: 'basis' | 'pair' | 'value';
  readonly transaction_id: string;
  readonly other_id: string | null;
  readonly given: ResolutionValues;
  /** The account of the pair's other row. */
  readonly to_account: string | null;
  readonly arrived: string | null;
}

/** An answer `r` with its rows: `t`, and for a pair the deposit `d`. */
export const resolutionsWithRows = (sql: Sql) => sql`
  resolutions r
    join transactions t on t.taxpayer_id = r.taxpayer_id and t.id = r.transaction_id
    left join transactions d on d.taxpayer_id = r.taxpayer_id and d.id = r.other_id`;

/**
 * The content that an answer about a row depends on: date, type, asset and amounts. Excludes the account, the note, and
 * the names from the settings. This is not a SQL function of the row, because on Citus the row of a shard has another
 * type.
 */
export const contentColumns = (sql: Sql, row: 't' | 'x') => sql`${sql.unsafe(content.replaceAll('t.', `${row}.`))}`;

const content = `jsonb_build_array(
  t.type, case when t.at is null then t.on_day end, extract(epoch from t.at), ${statedName('asset')}, t.quantity, t.amount,
  t.fee, t.currency, ${statedName('received_asset', 'receivedAsset')}, t.received_quantity,
  ${statedName('fee_asset', 'feeAsset')}, t.fee_quantity, t.fee_own, t.acquired, t.basis, t.fmv
)`;

/** SQL for the name stated in the row. */
function statedName(column: string, member: AssetMember = 'asset'): string {
  return `coalesce(t.stated_names::jsonb ->> '${member}', t.${column})`;
}

/** Whether the answer applies: for one row, while its content is unchanged; for two, while they are a pair. */
export const counts = (sql: Sql) => sql`
  case
    when r.action = 'accept' or r.added_id is not null then true
    when r.action <> 'pair' then coalesce(r.row_content = ${contentColumns(sql, 't')}, true)
    else r.other_id is null or d.id is not null and (${fault(sql)}) is null
  end`;

/** The reason why `t` and `d` are not two ends of one transfer. */
const fault = (sql: Sql) => sql`
  case
    when t.type <> 'withdrawal' or d.type <> 'deposit' then 'Match a withdrawal with a deposit.'
    when t.asset_key <> d.asset_key then 'The two transactions have different assets.'
    when d.on_day < t.on_day then 'The deposit is dated before the withdrawal.'
    when (d.quantity <= t.quantity) is not true then 'The deposit is larger than the withdrawal.'
    when d.quantity < t.quantity and t.fee_asset not in ('', t.asset)
      then 'The deposit is smaller than the withdrawal, although the fee was paid in ' || t.fee_asset || '.'
  end`;

/** Returns null if they are. */
export async function selectFault(sql: Sql, taxpayerId: string, left: string, arrived: string): Promise<string | null> {
  const [row] = await sql<{ fault: string | null }[]>`
    select ${fault(sql)} as fault from transactions t join transactions d on d.taxpayer_id = t.taxpayer_id
    where t.taxpayer_id = ${taxpayerId} and t.id = ${left} and d.id = ${arrived}`;
  return row?.fault ?? null;
}

/**
 * Returns the answers that apply and that are not rows of their own. For two answers about one row, the later one comes
 * last.
 */
export async function selectRestatements(sql: Sql, taxpayerId: string): Promise<RestatementRow[]> {
  return sql<RestatementRow[]>`
    select r.action, r.transaction_id, r.other_id, r.given, d.account as to_account, d.quantity as arrived
    from ${resolutionsWithRows(sql)}
    where r.taxpayer_id = ${taxpayerId} and r.action in ('basis', 'pair', 'value') and r.added_id is null and ${counts(sql)}
    order by r.sequence`;
}

/** Returns which kinds of answers exist. Some change how current or future rows are read. */
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
 * A pair is one movement: if one side is added, deleted or changed, the books are recalculated from the withdrawal on.
 */
export async function selectPairs(
  sql: Sql,
  taxpayerId: string,
): Promise<{ asset_key: string; keys: string[]; day: string }[]> {
  return sql<{ asset_key: string; keys: string[]; day: string }[]>`
    select t.asset_key, array_remove(array[t.asset_key, t.second_key, t.third_key, t.fourth_key], null) as keys,
      t.on_day as day
    from ${resolutionsWithRows(sql)} where r.taxpayer_id = ${taxpayerId} and r.action = 'pair' and r.other_id is not null`;
}

/** Returns the accepted issues as they were at that time. */
export async function selectAccepted(
  sql: Sql,
  taxpayerId: string,
): Promise<{ issue_id: string; dollars: string | null; detail: string }[]> {
  return sql<{ issue_id: string; dollars: string | null; detail: string }[]>`
    select issue_id, issue ->> 'dollars' as dollars, issue ->> 'detail' as detail from resolutions
    where taxpayer_id = ${taxpayerId} and action = 'accept'`;
}
