import { hash } from 'node:crypto';
import { numbered } from '../../../db/citus.ts';
import type { Sql } from '../../../db/connection.ts';
import type { FileAccount } from '../../../formats/accounts/file-accounts.ts';
import type { Mapping } from '../../../formats/mapping/mapping.ts';
import { headerKey, type RememberedMapping } from '../../../formats/opening.ts';
import type { SecurityNumber } from '../../../formats/security-numbers.ts';
import type { ComparedResult } from '../../../formats/stated-results.ts';
import { rejectState } from '../transactions/row-issues.queries.ts';
import {
  isUnzonedNearNewYear,
  type StageScope,
  type TransactionRow,
  transactionColumns,
} from '../transactions/rows.queries.ts';
import { isSource, rowSources } from '../transactions/transactions.queries.ts';

export interface ImportRow {
  readonly id: string;
  readonly sequence: string;
  readonly status: 'running' | 'completed' | 'failed';
  readonly format: string | null;
  readonly fileName: string | null;
  readonly bytes: string;
  readonly rows: number;
  readonly imported: number;
  readonly transactions: number;
  readonly duplicates: number;
  readonly skipped: number;
  readonly rejected: number;
  readonly firstDate: string | null;
  readonly lastDate: string | null;
  readonly years: number[];
  readonly skips: { reason: string; lines: number }[];
  readonly warnings: { count: number; lines: { line: number; detail: string }[]; results?: ComparedResult[] };
  readonly issues: number;
  readonly possibleDuplicates: number;
  readonly proposedRows: number;
  readonly accounts: FileAccount[] | null;
  readonly accountQuestions: number;
  readonly accountOffers: { from: string; to: string; rows: number }[];
  readonly createdAt: Date;
  readonly completedAt: Date | null;
  readonly problem: unknown;
}

/** Counts issues whose transaction is in the import. */
const importFields = (sql: Sql, taxpayerId: string) => sql`
  i.id, i.sequence, i.status, i.format, i.file_name as "fileName", i.bytes, i.rows, i.imported, coalesce(i.transactions, i.imported) as transactions, i.duplicates, i.skipped,
  i.rejected, i.first_day as "firstDate", i.last_day as "lastDate", i.years, i.skips, i.warnings, i.created_at as "createdAt",
  i.completed_at as "completedAt", i.problem, i.accounts,
  (
    select coalesce(jsonb_agg(jsonb_build_object('from', o.from_account, 'to', o.account, 'rows', o.rows) order by o.account), '[]')
    from (
      select a.earlier_account as from_account, a.account, count(*)::integer as rows
      from account_assignments a
      join transactions t on t.taxpayer_id = a.taxpayer_id and t.id = a.transaction_id and t.account = a.earlier_account
      where a.taxpayer_id = ${taxpayerId} and a.import_id = i.id group by a.earlier_account, a.account
    ) o
  ) as "accountOffers",
  (
    select count(*)::integer from account_questions q
    where q.taxpayer_id = ${taxpayerId} and q.answered_at is null and i.id in (q.import_id, q.other_id)
  ) as "accountQuestions",
  (
    select count(*)::integer from issues x
    where x.taxpayer_id = ${taxpayerId} and ${isSource(sql, sql`${taxpayerId}`, sql`i.id`, sql`x.transactions[1]::uuid`)}
  ) as issues,
  (
    select count(*)::integer from possible_duplicates d
    where d.taxpayer_id = ${taxpayerId} and d.import_id = i.id and d.dismissed_at is null
      and exists (select from transactions a where a.taxpayer_id = d.taxpayer_id and a.id = d.transaction_id)
      and exists (select from transactions b where b.taxpayer_id = d.taxpayer_id and b.id = d.other_id)
  ) as "possibleDuplicates",
  (
    select count(*)::integer from proposed_rows q
    where q.taxpayer_id = ${taxpayerId} and q.import_id = i.id
  ) as "proposedRows"`;

export async function insertImport(
  sql: Sql,
  scope: StageScope,
  newImport: { readonly fileName: string | null; readonly asked: object; readonly at: Date },
): Promise<void> {
  const { fileName, asked, at } = newImport;
  await sql`
    insert into imports (taxpayer_id, id, status, file_name, asked, created_at, moved_at)
    values (${scope.taxpayerId}, ${scope.importId}, 'running', ${fileName}, ${sql.json(asked as never)}, ${at}, now())`;
}

/** Selects the number of imports in any of these states, and the total size of their files in bytes. */
export async function selectKept(
  sql: Sql,
  taxpayerId: string,
  states: readonly ImportRow['status'][],
): Promise<{ readonly imports: number; readonly bytes: number }> {
  const [row] = await sql<{ imports: number; bytes: string }[]>`
    select count(*)::integer as imports, coalesce(sum(bytes), 0)::bigint as bytes from imports
    where taxpayer_id = ${taxpayerId} and status = any(${states as string[]})`;
  return { imports: row?.imports ?? 0, bytes: Number(row?.bytes ?? 0) };
}

export async function selectImport(sql: Sql, scope: StageScope) {
  const [row] = await sql<ImportRow[]>`
    select ${importFields(sql, scope.taxpayerId)} from imports i where i.taxpayer_id = ${scope.taxpayerId} and i.id = ${scope.importId}`;
  return row;
}

/** Selects imports, newest first. */
export async function selectImports(sql: Sql, taxpayerId: string, before: string | null, limit: number) {
  return sql<ImportRow[]>`
    select ${importFields(sql, taxpayerId)} from imports i
    where i.taxpayer_id = ${taxpayerId} and (${before}::bigint is null or i.sequence < ${before}::bigint)
    order by i.sequence desc limit ${limit + 1}`;
}

export async function deleteImport(sql: Sql, scope: StageScope): Promise<void> {
  await sql`delete from imports where taxpayer_id = ${scope.taxpayerId} and id = ${scope.importId}`;
}

/** Deletes an import, unless another server has stored it or given up on it in the meantime. */
export async function deleteRunning(sql: Sql, scope: StageScope): Promise<void> {
  await sql`
    delete from imports
    where taxpayer_id = ${scope.taxpayerId} and id = ${scope.importId} and status = 'running'`;
}

interface FileKind {
  readonly format: string;
  readonly layout: string;
  readonly header: readonly string[];
  readonly part: string | null;
}

export async function recordFormat(sql: Sql, scope: StageScope, kind: FileKind): Promise<void> {
  await sql`
    update imports set ${fileKind(sql, kind)}
    where taxpayer_id = ${scope.taxpayerId} and id = ${scope.importId}`;
}

/** A table in a ZIP or workbook is named after both: `kraken.zip/ledgers.csv`. */
function fileKind(sql: Sql, { format, layout, header, part }: FileKind) {
  return sql`format = ${format}, layout = ${layout}, header = ${header as string[]},
    file_name = case
      when ${part}::text is null or right(file_name, length(${part}::text) + 1) in (${part}::text, '/' || ${part}::text) then file_name
      else coalesce(file_name || '/', '') || ${part}::text
    end`;
}

interface ProgressRow {
  readonly bytes: number;
  readonly rows: number;
}

export async function recordProgress(sql: Sql, scope: StageScope, progress: ProgressRow): Promise<void> {
  await sql`
    update imports set bytes = ${progress.bytes}, rows = ${progress.rows}, moved_at = now()
    where taxpayer_id = ${scope.taxpayerId} and id = ${scope.importId} and status = 'running'`;
}

/** Marks an import as alive while its upload is slow or it is waiting in a queue. */
export async function recordHeartbeat(sql: Sql, scope: StageScope): Promise<void> {
  await sql`
    update imports set moved_at = now()
    where taxpayer_id = ${scope.taxpayerId} and id = ${scope.importId} and status = 'running'`;
}

export interface Completion {
  readonly bytes: number;
  readonly rows: number;
  readonly imported: number;
  readonly transactions: number;
  readonly duplicates: number;
  readonly skipped: number;
  readonly rejected: number;
  readonly firstDate: string | null;
  readonly lastDate: string | null;
  readonly years: readonly number[];
  readonly skips: readonly { readonly reason: string; readonly lines: number }[];
  readonly warnings: object;
  readonly accounts: readonly FileAccount[];
  readonly at: Date;
}

/** Marks an import as completed. Returns false if it is no longer running because a sweep gave up on it. */
export async function recordCompletion(sql: Sql, scope: StageScope, done: Completion): Promise<boolean> {
  const rows = await sql`
    update imports set status = 'completed', bytes = ${done.bytes}, rows = ${done.rows}, imported = ${done.imported},
      transactions = ${done.transactions}, duplicates = ${done.duplicates}, skipped = ${done.skipped}, rejected = ${done.rejected}, first_day = ${done.firstDate},
      last_day = ${done.lastDate}, years = ${done.years as number[]}, skips = ${sql.json(done.skips as never)},
      warnings = ${sql.json(done.warnings as never)}, accounts = ${sql.json(done.accounts as never)}, store_order = null, completed_at = ${done.at}, moved_at = now()
    where taxpayer_id = ${scope.taxpayerId} and id = ${scope.importId} and status = 'running'
    returning 1`;
  return rows.length > 0;
}

/** Counts the stored transactions of an import. */
export async function countTransactionsOf(sql: Sql, { taxpayerId, importId }: StageScope): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from transactions where taxpayer_id = ${taxpayerId} and import_id = ${importId}`;
  return row?.count ?? 0;
}

/** Stores the security numbers in the file, which can raise issues about names. */
export async function recordNumbers(
  sql: Sql,
  { taxpayerId, importId }: StageScope,
  numbers: readonly SecurityNumber[],
): Promise<void> {
  const text = JSON.stringify(numbers);
  await sql`
    update imports set security_numbers = ${text}::text::jsonb
    where taxpayer_id = ${taxpayerId} and id = ${importId} and security_numbers <> ${text}::text::jsonb`;
}

export async function recordFailure(sql: Sql, scope: StageScope, problem: object, at: Date): Promise<void> {
  await sql`
    update imports set status = 'failed', problem = ${sql.json(problem as never)}, store_order = null, completed_at = ${at},
      moved_at = now()
    where taxpayer_id = ${scope.taxpayerId} and id = ${scope.importId} and status = 'running'`;
}

export interface RejectRow {
  readonly line: number;
  readonly number: number;
  readonly column_name: string | null;
  readonly code: string;
  readonly reason: string;
  readonly cells: string[];
}

export async function selectRejects(
  sql: Sql,
  scope: StageScope,
  after: Pick<RejectRow, 'line' | 'number'>,
  limit: number,
) {
  return sql<RejectRow[]>`
    select line, number, column_name, code, reason, cells from import_rejects
    where taxpayer_id = ${scope.taxpayerId} and import_id = ${scope.importId}
      and (line, number) > (${after.line}, ${after.number})
    order by line, number limit ${limit}`;
}

export async function selectHeader(sql: Sql, scope: StageScope): Promise<string[] | undefined> {
  const [row] = await sql<{ header: string[] | null }[]>`
    select header from imports where taxpayer_id = ${scope.taxpayerId} and id = ${scope.importId}`;
  return row === undefined ? undefined : (row.header ?? []);
}

interface ImportEventRow {
  readonly id: string;
  readonly kind: 'progress' | 'books' | 'done' | 'failed';
  readonly data: unknown;
}

/** Inserts an event. Does nothing if the import was deleted. */
export async function insertEvent(
  sql: Sql,
  scope: StageScope,
  kind: ImportEventRow['kind'],
  data: object,
): Promise<void> {
  await sql`
    insert into import_events (taxpayer_id, import_id, kind, data)
    select i.taxpayer_id, i.id, ${kind}, ${sql.json(data as never)}
    from imports i where i.taxpayer_id = ${scope.taxpayerId} and i.id = ${scope.importId}
    ${numbered(sql)}`;
}

export async function selectEvents(sql: Sql, scope: StageScope, after: string) {
  return sql<ImportEventRow[]>`
    select id, kind, data from import_events
    where taxpayer_id = ${scope.taxpayerId} and import_id = ${scope.importId} and id > ${after}::bigint
    order by id`;
}

interface Abandonment {
  /** Seconds since the last heartbeat, by the database's clock, because a server's clock may be wrong. */
  readonly idleSeconds: number;
  readonly problem: object;
  readonly at: Date;
}

interface FailedImport {
  readonly taxpayerId: string;
  readonly id: string;
  readonly fileName: string | null;
}

/**
 * Marks imports as failed if their server stopped before the file had arrived completely, and removes their staged
 * rows.
 */
export async function failAbandoned(sql: Sql, { idleSeconds, problem, at }: Abandonment): Promise<FailedImport[]> {
  const abandoned = await sql<{ taxpayerId: string; id: string }[]>`
    select taxpayer_id as "taxpayerId", id from imports where ${isAbandoned(sql, idleSeconds)} order by taxpayer_id, id`;
  const failed: FailedImport[] = [];
  for (const { taxpayerId, id } of abandoned) {
    const [row] = await sql<{ fileName: string | null }[]>`
      update imports set status = 'failed', problem = ${sql.json(problem as never)}, completed_at = ${at}
      where taxpayer_id = ${taxpayerId} and id = ${id} and ${isAbandoned(sql, idleSeconds)}
      returning file_name as "fileName"`;
    // Another server has already swept it.
    if (row === undefined) continue;
    await sql`
      insert into import_events (taxpayer_id, import_id, kind, data)
      select me.id, ${id}, 'failed', ${sql.json(problem as never)} from taxpayers me where me.id = ${taxpayerId}
      ${numbered(sql)}`;
    for (const table of ['import_texts', 'import_groups', 'staged']) {
      await sql`delete from ${sql(table)} where taxpayer_id = ${taxpayerId} and import_id = ${id}`;
    }
    failed.push({ taxpayerId, id, fileName: row.fileName });
  }
  return failed;
}

/** Matches abandoned imports. The search covers all taxpayers, but changes are made for one taxpayer at a time. */
const isAbandoned = (sql: Sql, idleSeconds: number) => sql`
  status = 'running' and store_order is null and moved_at < now() - make_interval(secs => ${idleSeconds})`;

/** Records that the file has arrived completely. After this, it is stored even if this server stops. */
export async function recordStoreRequest(
  sql: Sql,
  scope: StageScope,
  kind: FileKind,
  storeRequest: object,
): Promise<void> {
  await sql`
    update imports set ${fileKind(sql, kind)},
      store_order = ${JSON.stringify(storeRequest)}::text::json
    where taxpayer_id = ${scope.taxpayerId} and id = ${scope.importId} and status = 'running'`;
}

/** Selects imports whose file has arrived but whose server no longer responds. */
export async function selectAbandonedStoreRequests(
  sql: Sql,
  { idleSeconds, limit }: { readonly idleSeconds: number; readonly limit: number },
) {
  return sql<StageScope[]>`
    select taxpayer_id as "taxpayerId", id as "importId" from imports
    where status = 'running' and store_order ->> 'isAccepted' = 'false'
      and moved_at < now() - make_interval(secs => ${idleSeconds})
    order by moved_at limit ${limit}`;
}

/** Hands the import over to a job. If several servers try, returns true for only one of them. */
export async function acceptStoreRequest(sql: Sql, scope: StageScope, idleSeconds: number): Promise<boolean> {
  const rows = await sql`
    update imports set store_order = (store_order::jsonb || '{"isAccepted": true}')::json
    where taxpayer_id = ${scope.taxpayerId} and id = ${scope.importId} and status = 'running'
      and store_order ->> 'isAccepted' = 'false' and moved_at < now() - make_interval(secs => ${idleSeconds})
    returning 1`;
  return rows.length > 0;
}

/** Selects the request to store an import. Returns null if the import has ended or was deleted. */
export async function selectStoreRequest(sql: Sql, scope: StageScope): Promise<object | null> {
  const [row] = await sql<{ order: object }[]>`
    select store_order as "order" from imports
    where taxpayer_id = ${scope.taxpayerId} and id = ${scope.importId} and status = 'running'`;
  return row?.order ?? null;
}

export interface MappingRow {
  readonly id: string;
  readonly header: string[];
  readonly mapping: Mapping;
  readonly createdAt: Date;
  readonly usedAt: Date;
}

/** Selects mappings, most recently used first. `after` is the last mapping on the previous page. */
export async function selectMappings(
  sql: Sql,
  taxpayerId: string,
  after: { readonly usedAt: string; readonly id: string } | null,
  limit: number,
) {
  return sql<MappingRow[]>`
    select id, header, mapping, created_at as "createdAt", used_at as "usedAt" from import_mappings
    where taxpayer_id = ${taxpayerId}
      ${after === null ? sql`` : sql`and (used_at, id) < (${after.usedAt}::timestamptz, ${after.id}::uuid)`}
    order by used_at desc, id desc limit ${limit}`;
}

interface NewMapping {
  readonly id: string;
  readonly signature: string;
  readonly header: readonly string[];
  readonly mapping: Mapping;
  readonly at: Date;
}

/** Stores the mapping for a header. Replaces an earlier mapping for the same header. */
async function upsertMapping(sql: Sql, taxpayerId: string, newMapping: NewMapping): Promise<void> {
  await sql`
    insert into import_mappings (taxpayer_id, id, signature, header, mapping, created_at, used_at)
    values (${taxpayerId}, ${newMapping.id}, ${newMapping.signature}, ${newMapping.header as string[]}, ${sql.json(newMapping.mapping as never)},
      ${newMapping.at}, ${newMapping.at})
    on conflict (taxpayer_id, signature) do update
      set mapping = excluded.mapping, header = excluded.header, used_at = excluded.used_at`;
}

/** Deletes all but the most recently used mappings. */
async function deleteOldMappings(sql: Sql, taxpayerId: string, kept: number): Promise<void> {
  await sql`
    delete from import_mappings where taxpayer_id = ${taxpayerId} and id in (
      select id from import_mappings where taxpayer_id = ${taxpayerId} order by used_at desc, id desc offset ${kept}
    )`;
}

/** Deletes a mapping. Returns false if it does not exist. */
export async function deleteMapping(sql: Sql, taxpayerId: string, id: string): Promise<boolean> {
  const rows = await sql`delete from import_mappings where taxpayer_id = ${taxpayerId} and id = ${id} returning 1`;
  return rows.length > 0;
}

/** The maximum number of mappings per taxpayer. The least recently used mappings are deleted. */
const mappingsMax = 200;

/** Saves the mapping of a file, so that it applies to later files with the same header. */
export async function rememberMapping(
  sql: Sql,
  taxpayerId: string,
  { header, mapping, at }: RememberedMapping & { readonly at: Date },
): Promise<void> {
  const signature = hash('sha256', headerKey(header), 'hex');
  await upsertMapping(sql, taxpayerId, { id: crypto.randomUUID(), signature, header, mapping, at });
  await deleteOldMappings(sql, taxpayerId, mappingsMax);
}

export async function recallMappings(sql: Sql, taxpayerId: string): Promise<RememberedMapping[]> {
  const rows = await selectMappings(sql, taxpayerId, null, mappingsMax);
  return rows.map(({ header, mapping }): { header: string[]; mapping: Mapping } => ({ header, mapping }));
}

export type RejectState = 'open' | 'mended' | 'dismissed' | 'superseded';

/** A rejected line and its state. */
export interface RejectedRow {
  readonly id: string;
  readonly import_id: string;
  readonly line: number;
  readonly number: number;
  readonly column_name: string | null;
  readonly code: string;
  readonly reason: string;
  readonly manual: boolean;
  readonly cells: string[];
  readonly header: string[] | null;
  readonly day: string | null;
  readonly amount: string | null;
  readonly stated: string | null;
  readonly computed: string | null;
  readonly content: string;
  readonly occurrence: number;
  readonly state: RejectState;
  readonly note: string;
  readonly transaction_id: string | null;
  readonly sequence: string;
}

interface RejectFilter {
  readonly importId: string | null;
  readonly state: RejectState | null;
  readonly year: number | null;
}

type RejectCursor = readonly [sequence: string, line: number, number: number];

const rejects = (sql: Sql, taxpayerId: string) => sql`
  select r.id, r.import_id, r.line, r.number, r.column_name, r.code, r.reason, r.manual, r.cells, r.on_day as day, r.amount, r.stated,
    r.computed, r.content, r.occurrence, ${rejectState(sql, taxpayerId)} as state, r.note, r.transaction_id, r.asked_on, i.sequence, i.header
  from import_rejects r join imports i on i.taxpayer_id = r.taxpayer_id and i.id = r.import_id
  where r.taxpayer_id = ${taxpayerId} and r.state <> 'staged'`;

/** Selects rejected lines, oldest import first, by line. */
export async function selectRejectedRows(
  sql: Sql,
  taxpayerId: string,
  { importId, state, year }: RejectFilter,
  after: RejectCursor | null,
  limit: number,
) {
  return sql<RejectedRow[]>`
    select * from (${rejects(sql, taxpayerId)}) r
    where (${importId}::uuid is null or r.import_id = ${importId}::uuid) and (${state}::text is null or r.state = ${state})
      and (${year}::integer is null or extract(year from r.asked_on) = ${year}::integer)
      ${after === null ? sql`` : sql`and (r.sequence, r.line, r.number) > (${after[0]}::bigint, ${after[1]}::integer, ${after[2]}::integer)`}
    order by r.sequence, r.line, r.number limit ${limit + 1}`;
}

export async function selectRejectedRow(sql: Sql, taxpayerId: string, id: string) {
  const [row] = await sql<RejectedRow[]>`select * from (${rejects(sql, taxpayerId)}) r where r.id = ${id}`;
  return row;
}

interface PreviewRow extends TransactionRow {
  /** The line number in this file. The stored row of a duplicate contains the line number in the earlier file. */
  readonly file_line: number;
}

/** Selects the first rows of the import, in the order of its file. */
export async function selectFirstRows(sql: Sql, scope: StageScope, limit: number) {
  return sql<PreviewRow[]>`
    select ${transactionColumns(sql)}, s.line as file_line from ${rowSources(sql)} s
    join transactions t on t.taxpayer_id = s.taxpayer_id and t.id = s.transaction_id
    where s.taxpayer_id = ${scope.taxpayerId} and s.import_id = ${scope.importId}
    order by s.line, t.id limit ${limit}`;
}

interface PreviewIssueRow {
  readonly kind: string;
  readonly on: string;
  readonly asset: string;
  readonly account: string;
  readonly dollars: string | null;
  readonly detail: string;
  readonly line: number;
}

/**
 * Selects the issues about rows of the import, largest amount at stake first. Unknown amounts come before all others.
 */
export async function selectPreviewIssues(sql: Sql, scope: StageScope, limit: number) {
  return sql<PreviewIssueRow[]>`
    select x.issue as kind, x.on_day as on, x.asset, x.account, x.dollars, x.detail, s.line
    from issues x
    join ${rowSources(sql)} s on s.taxpayer_id = x.taxpayer_id and s.transaction_id = x.transactions[1]::uuid
    where x.taxpayer_id = ${scope.taxpayerId} and s.import_id = ${scope.importId}
    order by x.dollars desc nulls first, x.on_day, x.id limit ${limit}`;
}

/** Counts the rows whose tax year depends on a time zone that has not been set. */
export async function countNearNewYear(sql: Sql, scope: StageScope): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from ${rowSources(sql)} s
    join transactions t on t.taxpayer_id = s.taxpayer_id and t.id = s.transaction_id
    where s.taxpayer_id = ${scope.taxpayerId} and s.import_id = ${scope.importId}
      and ${isUnzonedNearNewYear(sql)}`;
  return row?.count ?? 0;
}

export async function countFuture(sql: Sql, scope: StageScope, today: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from ${rowSources(sql)} s
    join transactions t on t.taxpayer_id = s.taxpayer_id and t.id = s.transaction_id
    where s.taxpayer_id = ${scope.taxpayerId} and s.import_id = ${scope.importId} and t.on_day > ${today}`;
  return row?.count ?? 0;
}
