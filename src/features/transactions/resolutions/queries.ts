import type { Sql } from '../../../db/connection.ts';
import type { AssetMember } from '../../../engine/events/same-assets.ts';
import type { AssetClass } from '../../../engine/model.ts';

/** The figures of a row that an answer can state. */
export const restatedFigures = ['amount', 'fee', 'fmv', 'marketDiscount'] as const;

/** What the taxpayer answered about a row: text, as it was given. */
export interface Given {
  readonly basis?: string;
  readonly acquired?: string;
  readonly quantity?: string;
  readonly figure?: (typeof restatedFigures)[number];
  readonly amount?: string;
  readonly fee?: string;
  readonly assetClass?: AssetClass;
  readonly collectible?: boolean;
  /** Those in which the class was stated. */
  readonly accounts?: readonly string[];
}

export interface RestatementRow {
  readonly action: 'basis' | 'pair' | 'value';
  readonly transaction_id: string;
  readonly other_id: string | null;
  readonly given: Given;
  /** Of the other row of a pair. */
  readonly to_account: string | null;
  readonly arrived: string | null;
}

/** An answer `r` with the rows that it is about: `t`, and of a pair the deposit `d`. */
export const answers = (sql: Sql) => sql`
  resolutions r
    join transactions t on t.taxpayer_id = r.taxpayer_id and t.id = r.transaction_id
    left join transactions d on d.taxpayer_id = r.taxpayer_id and d.id = r.other_id`;

/**
 * What an answer about a row depends on: when, what and how much. Not the account, nor the note, nor the names that the
 * settings give its assets. No function of the row: the
 * row of a shard of Citus is of another type.
 */
export const contentOf = (sql: Sql, row: 't' | 'x') => sql`${sql.unsafe(content.replaceAll('t.', `${row}.`))}`;

const content = `jsonb_build_array(
  t.type, case when t.at is null then t.on_day end, extract(epoch from t.at), ${statedName('asset')}, t.quantity, t.amount,
  t.fee, t.currency, ${statedName('received_asset', 'receivedAsset')}, t.received_quantity,
  ${statedName('fee_asset', 'feeAsset')}, t.fee_quantity, t.fee_own, t.acquired, t.basis, t.fmv
)`;

/** The name that the row states, in SQL. */
function statedName(column: string, member: AssetMember = 'asset'): string {
  return `coalesce(t.stated_names::jsonb ->> '${member}', t.${column})`;
}

/** Whether the answer counts: about a row while its content is unchanged, about two while they are a pair. */
export const counts = (sql: Sql) => sql`
  case
    when r.action = 'accept' or r.added_id is not null then true
    when r.action <> 'pair' then coalesce(r.row_content = ${contentOf(sql, 't')}, true)
    else r.other_id is null or d.id is not null and (${fault(sql)}) is null
  end`;

/** Why `t` and `d` are not the two ends of one transfer. */
const fault = (sql: Sql) => sql`
  case
    when t.type <> 'withdrawal' or d.type <> 'deposit' then 'A pair is a withdrawal and a deposit.'
    when t.asset_key <> d.asset_key then 'The two are of different assets.'
    when d.on_day < t.on_day then 'It arrived before it left.'
    when (d.quantity <= t.quantity) is not true then 'More arrived than left.'
    when d.quantity < t.quantity and t.fee_asset not in ('', t.asset)
      then 'Less arrived than left, and the fee was paid in ' || t.fee_asset || '.'
  end`;

/** Null where they are. */
export async function selectFault(sql: Sql, taxpayerId: string, left: string, arrived: string): Promise<string | null> {
  const [row] = await sql<{ fault: string | null }[]>`
    select ${fault(sql)} as fault from transactions t join transactions d on d.taxpayer_id = t.taxpayer_id
    where t.taxpayer_id = ${taxpayerId} and t.id = ${left} and d.id = ${arrived}`;
  return row?.fault ?? null;
}

/** The answers that count now, and that are not a row of their own: of two about one row the later one goes last. */
export async function selectRestatements(sql: Sql, taxpayerId: string): Promise<RestatementRow[]> {
  return sql<RestatementRow[]>`
    select r.action, r.transaction_id, r.other_id, r.given, d.account as to_account, d.quantity as arrived
    from ${answers(sql)}
    where r.taxpayer_id = ${taxpayerId} and r.action in ('basis', 'pair', 'value') and r.added_id is null and ${counts(sql)}
    order by r.sequence`;
}

/** Which kinds of answers there are: some change how rows are read, now or once the rows are there. */
export async function selectAnswerKinds(
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

/** A pair is one movement: where one leg comes, goes or changes, the books are replayed from the one that left on. */
export async function selectPairs(
  sql: Sql,
  taxpayerId: string,
): Promise<{ asset_key: string; keys: string[]; day: string }[]> {
  return sql<{ asset_key: string; keys: string[]; day: string }[]>`
    select t.asset_key, array_remove(array[t.asset_key, t.second_key, t.third_key, t.fourth_key], null) as keys,
      t.on_day as day
    from ${answers(sql)} where r.taxpayer_id = ${taxpayerId} and r.action = 'pair' and r.other_id is not null`;
}

/** The issues that the taxpayer lives with, as they were then. */
export async function selectAccepted(
  sql: Sql,
  taxpayerId: string,
): Promise<{ issue_id: string; dollars: string | null; detail: string }[]> {
  return sql<{ issue_id: string; dollars: string | null; detail: string }[]>`
    select issue_id, issue ->> 'dollars' as dollars, issue ->> 'detail' as detail from resolutions
    where taxpayer_id = ${taxpayerId} and action = 'accept'`;
}
