import type { Sql } from '../../../db/connection.ts';
import type { AssetClass, TransactionType } from '../../../engine/model.ts';
import { lotRowColumns } from '../../ledger/books/books.queries.ts';
import type { LotRow } from '../../ledger/books/lots.ts';
import type { BooksPart, Citation } from './view.ts';

/**
 * Counts a message for the day unless the limit is reached, and returns the number used. It is one statement, because
 * with a read followed by a write, parallel requests exceeded the limit.
 */
export async function takeMessage(
  sql: Sql,
  taxpayerId: string,
  day: string,
  limit: number | null,
): Promise<number | undefined> {
  if (limit === 0) return undefined;
  const [row] = await sql<{ used: number }[]>`
    insert into ai_usage (taxpayer_id, day, used) values (${taxpayerId}, ${day}, 1)
    on conflict (taxpayer_id, day) do update set used = ai_usage.used + 1
      where ${limit}::integer is null or ai_usage.used < ${limit}::integer
    returning used`;
  return row?.used;
}

export async function returnMessage(sql: Sql, taxpayerId: string, day: string): Promise<void> {
  await sql`update ai_usage set used = used - 1 where taxpayer_id = ${taxpayerId} and day = ${day} and used > 0`;
}

export interface MessageRow {
  readonly sequence: string;
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly content: string;
  readonly citations: readonly Citation[];
  readonly createdAt: Date;
}

export async function insertMessage(
  sql: Sql,
  taxpayerId: string,
  message: Omit<MessageRow, 'sequence'>,
): Promise<void> {
  await sql`
    insert into messages (taxpayer_id, id, role, content, citations, created_at)
    values (
      ${taxpayerId}, ${message.id}, ${message.role}, ${message.content}, ${sql.json(message.citations.map(({ title, href }) => ({ title, href })))},
      ${message.createdAt}
    )`;
}

/** Selects messages in chronological or reverse order, optionally after a sequence number. */
export function listMessages(
  sql: Sql,
  taxpayerId: string,
  listRequest: { readonly newestFirst: boolean; readonly after: string | null; readonly limit: number },
): Promise<MessageRow[]> {
  const fields = sql`sequence, id, role, content, citations, created_at as "createdAt"`;
  return listRequest.newestFirst
    ? sql<MessageRow[]>`
        select ${fields} from messages
        where taxpayer_id = ${taxpayerId} and (${listRequest.after}::bigint is null or sequence < ${listRequest.after}::bigint)
        order by sequence desc limit ${listRequest.limit + 1}`
    : sql<MessageRow[]>`
        select ${fields} from messages
        where taxpayer_id = ${taxpayerId} and (${listRequest.after}::bigint is null or sequence > ${listRequest.after}::bigint)
        order by sequence limit ${listRequest.limit + 1}`;
}

/** Selects the asset names in the keys of the books, such as `security:AAPL` and `coin:BTC`. */
export async function selectAssetNames(sql: Sql, taxpayerId: string): Promise<string[]> {
  const rows = await sql<{ asset: string }[]>`
    select distinct substring(asset_key from position(':' in asset_key) + 1) as asset
    from books where taxpayer_id = ${taxpayerId} and asset_key not like 'cash:%'
    order by asset`;
  return rows.map((row) => row.asset).filter((asset) => asset !== '');
}

/** Selects the accounts that own transactions. */
export async function selectAccountNames(sql: Sql, taxpayerId: string): Promise<string[]> {
  const rows = await sql<{ account: string }[]>`
    select distinct account from transactions where taxpayer_id = ${taxpayerId} and account <> '' order by account`;
  return rows.map((row) => row.account);
}

interface PositionRow {
  readonly asset: string;
  readonly assetClass: AssetClass;
  readonly quantity: string;
  readonly basis: string;
  readonly lots: number;
  readonly lastAcquired: string;
}

/** Selects the open positions, largest basis first. */
export function selectPositions(sql: Sql, taxpayerId: string, { asset, account }: BooksPart): Promise<PositionRow[]> {
  return sql<PositionRow[]>`
    select asset, asset_class as "assetClass", sum(quantity) as quantity, sum(basis) as basis, count(*)::integer as lots,
      max(acquired) as "lastAcquired"
    from lots
    where taxpayer_id = ${taxpayerId} and (${asset}::text is null or asset = ${asset})
      and (${account}::text is null or account = ${account})
    group by asset, asset_class
    order by sum(basis) desc, asset`;
}

export interface LotFilter extends BooksPart {
  /**
   * If set, selects only lots acquired after this day or on an unknown day, and no inherited lots. Null selects all.
   */
  readonly heldAfter: string | null;
}

const lotsWhere = (sql: Sql, taxpayerId: string, { asset, account, heldAfter }: LotFilter) => sql`
  taxpayer_id = ${taxpayerId} and (${asset}::text is null or asset = ${asset})
  and (${account}::text is null or account = ${account})
  ${heldAfter === null ? sql`` : sql`and (held_since > ${heldAfter} or purchase_unknown) and not inherited`}`;

export function selectLots(sql: Sql, taxpayerId: string, filter: LotFilter, limit: number): Promise<LotRow[]> {
  const order = filter.heldAfter === null ? sql`acquired, id` : sql`held_since, id`;
  return sql<LotRow[]>`
    select ${lotRowColumns(sql)}
    from lots where ${lotsWhere(sql, taxpayerId, filter)} order by ${order} limit ${limit}`;
}

export async function countLots(sql: Sql, taxpayerId: string, filter: LotFilter): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from lots where ${lotsWhere(sql, taxpayerId, filter)}`;
  return row?.count ?? 0;
}

interface IncomeTotalRow {
  readonly type: TransactionType;
  readonly amount: string;
  readonly count: number;
}

export function selectIncome(
  sql: Sql,
  taxpayerId: string,
  year: number,
  asset: string | null,
): Promise<IncomeTotalRow[]> {
  return sql<IncomeTotalRow[]>`
    select type, sum(amount) as amount, count(*)::integer as count from incomes
    where taxpayer_id = ${taxpayerId} and (${asset}::text is null or asset = ${asset})
      and on_day >= make_date(${year}, 1, 1) and on_day <= make_date(${year}, 12, 31)
    group by type order by type`;
}

interface IssueLineRow {
  readonly on: string;
  readonly asset: string;
  readonly dollars: string | null;
  readonly detail: string;
  readonly count: number;
}

/** Selects open issues, largest amount at stake first. Unknown amounts come before all others. */
export function selectIssueLines(sql: Sql, taxpayerId: string, limit: number): Promise<IssueLineRow[]> {
  return sql<IssueLineRow[]>`
    select on_day as on, asset, dollars, detail, count(*) over ()::integer as count from issues
    where taxpayer_id = ${taxpayerId} order by dollars desc nulls first, on_day, id limit ${limit}`;
}
