import type { Sql } from '../../../db/connection.ts';
import { booksDeleted } from '../../../db/database-refusals.ts';
import type { FileAccount } from '../../../formats/accounts/file-accounts.ts';
import type { KnownAccount } from '../../../formats/format.ts';
import type { StageScope } from '../transactions/rows.queries.ts';
import { type LastLine, positionColumn } from '../transactions/staged.queries.ts';
import { rowSources } from '../transactions/transactions.queries.ts';
import type { ReadingRequest } from './options.ts';

/** Data about the taxpayer that the file reader needs. */
interface ReaderFacts {
  /** The secret key for row ids. */
  readonly idKey: Uint8Array;
  /** The accounts with imported rows, each with its format and its name in the file. */
  readonly knownAccounts: readonly KnownAccount[];
}

/** Selects everything in one statement, because every import runs it. */
export async function selectReaderFacts(sql: Sql, taxpayerId: string): Promise<ReaderFacts> {
  const [row] = await sql<ReaderFacts[]>`
    select me.id_key as "idKey", (
      select coalesce(jsonb_agg(to_jsonb(k) order by k.account, k.stated, k.format), '[]') from (
        select a.item ->> 'account' as account, a.item ->> 'stated' as stated, i.format
        from imports i cross join lateral jsonb_array_elements(i.accounts) as a (item)
        where i.taxpayer_id = ${taxpayerId} and i.status = 'completed'
        union
        select t.account, null, i.format
        from imports i join transactions t on t.taxpayer_id = i.taxpayer_id and t.import_id = i.id
        where i.taxpayer_id = ${taxpayerId} and i.status = 'completed' and i.accounts is null and t.account <> ''
      ) k
    ) as "knownAccounts"
    from taxpayers me where me.id = ${taxpayerId}`;
  if (row === undefined) throw booksDeleted();
  return row;
}

/** An import whose file's account names have not been read. */
export interface UnreadImport {
  readonly id: string;
  readonly fileName: string | null;
  readonly asked: ReadingRequest;
  readonly format: string;
}

/** The maximum number of earlier files that are read again for an import. */
const unreadMax = 50;

export async function selectWithoutAccounts(
  sql: Sql,
  taxpayerId: string,
  { format, layout }: { readonly format: string; readonly layout: string },
) {
  return sql<UnreadImport[]>`
    select id, file_name as "fileName", asked, format from imports
    where taxpayer_id = ${taxpayerId} and status = 'completed' and accounts is null and format <> 'mapping'
      and (format, layout) = (${format}, ${layout})
    order by sequence desc limit ${unreadMax}`;
}

export async function recordAccounts(sql: Sql, scope: StageScope, accounts: readonly FileAccount[]): Promise<void> {
  await sql`
    update imports set accounts = ${sql.json(accounts as never)}
    where taxpayer_id = ${scope.taxpayerId} and id = ${scope.importId}`;
}

export interface EarlierImport {
  readonly id: string;
  readonly accounts: readonly FileAccount[] | null;
  readonly firstDay: string;
  readonly lastDay: string;
}

/** Selects completed imports of files with the same columns, newest first. */
export async function selectEarlier(
  sql: Sql,
  { taxpayerId, importId }: StageScope,
  { format, layout }: { readonly format: string; readonly layout: string },
) {
  return sql<EarlierImport[]>`
    select id, accounts, first_day::text as "firstDay", last_day::text as "lastDay" from imports
    where taxpayer_id = ${taxpayerId} and id <> ${importId} and status = 'completed' and first_day is not null
      and (format, layout) = (${format}, ${layout})
    order by sequence desc`;
}

/** A staged row, and the stored row that has the same content but the account of an earlier version. */
export interface EarlierPair {
  readonly number: number;
  readonly account: string;
  readonly other_id: string;
  readonly import_id: string;
}

export async function selectEarlierPairs(
  sql: Sql,
  { taxpayerId, importId }: StageScope,
  imports: readonly string[],
  lastLine: LastLine,
) {
  return sql<EarlierPair[]>`
    with own as materialized (
      select s.number, s.id, s.account, decode(s.earlier, 'hex') as earlier,
        (row_number() over (partition by s.earlier order by ${positionColumn(sql, lastLine)}, s.number))::integer as occurrence
      from staged s
      where s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId} and s.earlier is not null
    )
    select own.number, own.account, t.id as other_id, x.import_id
    from own
    join transactions t on t.taxpayer_id = ${taxpayerId} and t.fingerprint = own.earlier and t.occurrence = own.occurrence
    join ${rowSources(sql)} x on x.taxpayer_id = ${taxpayerId} and x.transaction_id = t.id
    where x.import_id = any(${imports as string[]}::uuid[])
      and not exists (select from transactions k where k.taxpayer_id = ${taxpayerId} and k.id = own.id)
    order by own.number, x.import_id`;
}

/** Counts the rows of an earlier import in a span of days, and the staged rows of an account in the same span. */
export async function countShared(
  sql: Sql,
  { taxpayerId, importId }: StageScope,
  of: { readonly import: string; readonly account: string; readonly first: string; readonly last: string },
): Promise<{ readonly earlier: number; readonly staged: number }> {
  const [row] = await sql<{ earlier: number; staged: number }[]>`
    select (
      select count(*) from ${rowSources(sql)} x
      join transactions t on t.taxpayer_id = ${taxpayerId} and t.id = x.transaction_id
      where x.taxpayer_id = ${taxpayerId} and x.import_id = ${of.import} and t.on_day between ${of.first} and ${of.last}
    )::integer as earlier, (
      select count(*) from staged s
      where s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId} and s.account = ${of.account}
        and s.on_day between ${of.first} and ${of.last}
    )::integer as staged`;
  return row ?? { earlier: 0, staged: 0 };
}

/**
 * Records that the staged rows that are already stored under the source's name can be assigned to the file's account.
 */
export async function insertAssignments(sql: Sql, { taxpayerId, importId }: StageScope, source: string): Promise<void> {
  await sql`
    insert into account_assignments (taxpayer_id, import_id, transaction_id, earlier_account, account)
    select s.taxpayer_id, s.import_id, t.id, t.account, s.account
    from staged s join transactions t on t.taxpayer_id = s.taxpayer_id and t.id = s.id
    where s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId} and s.earlier is not null
      and t.account = ${source} and t.account <> s.account
    on conflict do nothing`;
}

/** Selects the rows that can be assigned and still have their earlier account, sorted by the account in the file. */
export async function selectAssignable(
  sql: Sql,
  { taxpayerId, importId }: StageScope,
  limit: number,
): Promise<{ readonly id: string; readonly account: string }[]> {
  return sql<{ id: string; account: string }[]>`
    select t.id, a.account from account_assignments a
    join transactions t on t.taxpayer_id = a.taxpayer_id and t.id = a.transaction_id and t.account = a.earlier_account
    where a.taxpayer_id = ${taxpayerId} and a.import_id = ${importId}
    order by a.account, t.on_day, t.id limit ${limit}`;
}

/** Compares the rows of this import with the rows of another import on the same days and in the same account. */
export async function compareRows(
  sql: Sql,
  { taxpayerId, importId }: StageScope,
  other: { readonly id: string; readonly account: string; readonly first: string; readonly last: string },
): Promise<{
  readonly own: number;
  readonly others: number;
  readonly common: number;
  /** Whether this import has an asset that the other one does not, and the reverse. */
  readonly ownAssets: boolean;
  readonly otherAssets: boolean;
}> {
  const selectRows = (id: string) => sql`
    select t.id, t.asset_key from ${rowSources(sql)} x
    join transactions t on t.taxpayer_id = ${taxpayerId} and t.id = x.transaction_id
    where x.taxpayer_id = ${taxpayerId} and x.import_id = ${id} and t.account = ${other.account} and t.asset <> ''
      and t.on_day between ${other.first} and ${other.last}`;
  const [row] = await sql<{ own: number; others: number; common: number; ownAssets: boolean; otherAssets: boolean }[]>`
    with own as materialized (${selectRows(importId)}), others as materialized (${selectRows(other.id)})
    select (select count(*) from own)::integer as own, (select count(*) from others)::integer as others,
      (select count(*) from own where id in (select id from others))::integer as common,
      exists (select from own where asset_key not in (select asset_key from others)) as "ownAssets",
      exists (select from others where asset_key not in (select asset_key from own)) as "otherAssets"`;
  return row ?? { own: 0, others: 0, common: 0, ownAssets: false, otherAssets: false };
}

/** Inserts a question, unless it was already asked or the account has no rows. */
export async function insertQuestion(
  sql: Sql,
  { taxpayerId }: StageScope,
  question: {
    readonly account: string;
    readonly otherAccount: string;
    readonly of: string;
    readonly other: string;
    readonly detail: string;
    readonly at: Date;
  },
): Promise<void> {
  const { account, otherAccount, of, other, detail, at } = question;
  await sql`
    insert into account_questions
      (taxpayer_id, id, account, import_id, other_id, other_account, detail, created_at)
    select me.id, ${crypto.randomUUID()}, ${account}, ${of}, ${other}, ${otherAccount}, ${detail}, ${at}
    from taxpayers me where me.id = ${taxpayerId}
      and exists (
        select from transactions t where t.taxpayer_id = ${taxpayerId} and t.import_id = ${of} and t.account = ${account}
          and not exists (
            select from account_assignments a where a.taxpayer_id = ${taxpayerId} and a.transaction_id = t.id
          )
      )
    on conflict do nothing`;
}

interface QuestionRow {
  readonly id: string;
  readonly account: string;
  readonly otherAccount: string;
  readonly importId: string;
  readonly otherId: string;
  readonly detail: string;
}

/** Selects the open questions about one import or all imports. */
export async function selectQuestions(
  sql: Sql,
  taxpayerId: string,
  {
    after,
    importId,
    limit,
  }: { readonly after: string | null; readonly importId: string | null; readonly limit: number },
) {
  return sql<QuestionRow[]>`
    select id, account, other_account as "otherAccount", import_id as "importId", other_id as "otherId", detail
    from account_questions
    where taxpayer_id = ${taxpayerId} and answered_at is null and (${after}::uuid is null or id > ${after}::uuid)
      and (${importId}::uuid is null or import_id = ${importId}::uuid or other_id = ${importId}::uuid)
    order by id limit ${limit}`;
}

/** Marks a question as answered. Returns false if there is no open question with this id. */
export async function answerQuestion(sql: Sql, taxpayerId: string, id: string, at: Date): Promise<boolean> {
  const rows = await sql`
    update account_questions set answered_at = ${at}
    where taxpayer_id = ${taxpayerId} and id = ${id} and answered_at is null returning 1`;
  return rows.length > 0;
}

/**
 * Pairs staged rows of an account with rows of an earlier import that are equal except for the account. If several rows
 * are equal, pairs them in order.
 */
export async function selectAlikePairs(
  sql: Sql,
  { taxpayerId, importId }: StageScope,
  { account, earlier }: { readonly account: string; readonly earlier: string },
  lastLine: LastLine,
): Promise<EarlierPair[]> {
  const statement = (row: string) =>
    sql.unsafe(`jsonb_build_array(${statedColumns.map((column) => column.replaceAll('$', row)).join(', ')})::text`);
  return sql<EarlierPair[]>`
    with own as materialized (
      select s.number, s.id, s.type, s.on_day, s.asset_key, ${statement('s')} as stated,
        row_number() over (
          partition by s.type, s.on_day, s.asset_key, ${statement('s')} order by ${positionColumn(sql, lastLine)}, s.number
        ) as nth
      from staged s where s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId} and s.account = ${account}
    ), others as materialized (
      select t.id, t.type, t.on_day, t.asset_key, ${statement('t')} as stated,
        row_number() over (partition by t.type, t.on_day, t.asset_key, ${statement('t')} order by t.line, t.id) as nth
      from ${rowSources(sql)} x join transactions t on t.taxpayer_id = ${taxpayerId} and t.id = x.transaction_id
      where x.taxpayer_id = ${taxpayerId} and x.import_id = ${earlier}
    )
    select own.number, ${account} as account, others.id as other_id, ${earlier} as import_id
    from own join others using (type, on_day, asset_key, stated, nth)
    where not exists (select from transactions k where k.taxpayer_id = ${taxpayerId} and k.id = own.id)
    order by own.number`;
}

/**
 * SQL expressions for the values of a row other than its account, type, day, asset and note. `$` is replaced with the
 * row's alias.
 */
const statedColumns = [
  ...['quantity', 'amount', 'fee', 'received_quantity', 'fee_quantity', 'basis', 'fmv', 'wash', 'shares'].map(
    (column) => `trim_scale($.${column})`,
  ),
  ...['at', 'currency', 'received_asset', 'fee_asset', 'acquired', 'term', 'box', 'external_id'].map(
    (column) => `$.${column}`,
  ),
];
