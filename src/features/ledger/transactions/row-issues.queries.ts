import { toArrayText } from '../../../db/array.ts';
import type { Sql } from '../../../db/connection.ts';
import type { AssetMember } from '../../../engine/events/same-assets.ts';
import type { AssetClass } from '../../../engine/model.ts';
import type { RowIssue } from '../../../formats/format.ts';
import type { Family, PossibleDuplicate } from './matched.queries.ts';
import { type StageScope, sentAs, type TransactionRow, transactionColumns } from './rows.queries.ts';
import { type LastLine, positionColumn } from './staged.queries.ts';
import { isSource } from './transactions.queries.ts';

/** The first and last day of the rows in a file. */
export interface FileDays {
  readonly first: string;
  readonly last: string;
}

/** The number of rows that were held for review, and the number of file lines that they come from. */
interface HeldBack {
  readonly rows: number;
  readonly lines: number;
  /** One pair for each earlier file that the stored rows may be meant to correct. */
  readonly unsure: readonly PossibleDuplicate[];
}

/** SQL for the id of the issue about a proposed row `q`. */
const issueIdColumn = (sql: Sql) => sql`'proposed/1/row_differs/' || q.id`;

/** Selects completed imports of files with the same columns that have days in common with this file. */
const earlierImports = (
  sql: Sql,
  { taxpayerId, importId }: StageScope,
  { format, layout }: Family,
  days: FileDays,
) => sql`
  select p.id, p.first_day, p.last_day, p.file_name from imports p
  where p.taxpayer_id = ${taxpayerId} and p.id <> ${importId} and p.status = 'completed'
    and (p.format, p.layout) = (${format}, ${layout})
    and p.first_day <= ${days.last}::date and p.last_day >= ${days.first}::date`;

/** Returns whether the file may contain rows that replace stored rows. */
export async function mayPropose(sql: Sql, scope: StageScope, family: Family, days: FileDays): Promise<boolean> {
  const [row] = await sql<{ may: boolean }[]>`
    select exists (${earlierImports(sql, scope, family, days)})
      or exists (select from proposed_rows where taxpayer_id = ${scope.taxpayerId}) as may`;
  return row?.may === true;
}

/** A staged row and the earlier file's row that it differs from. */
interface OtherwiseStated {
  readonly number: number;
  readonly id: string;
  readonly transaction_id: string;
  readonly lines: number;
  readonly held: boolean;
  readonly earlier_id: string | null;
  readonly file_name: string | null;
}

interface ProposingFile {
  readonly family: Family;
  readonly days: FileDays;
  readonly lastLine: LastLine;
  /** Whether the user declared that the file corrects an earlier file. Omitted if not specified. */
  readonly correction?: boolean | undefined;
}

/**
 * Removes staged rows that contradict a stored row, and stores them for review. The stored row must come from an
 * earlier file with the same columns and be missing from this file. With a source ID, each row must be the only one
 * with that ID, account, type and asset in its file. Without a source ID, each must be the only such row on its day,
 * the two files must share a row or cover the same span of more than one day, and at least as many of their rows must
 * be equal as differ. Otherwise the rows are new, and `unsure` contains one pair for each earlier file with differing
 * rows. If this file begins later on its first day, rows before that time do not count as missing. If `correction` is
 * set, it decides instead of the number of equal rows.
 */
export async function holdProposed(sql: Sql, scope: StageScope, file: ProposingFile): Promise<HeldBack> {
  const { taxpayerId, importId } = scope;
  const { family, days, lastLine, correction } = file;
  if (correction === false) return { rows: 0, lines: 0, unsure: [] };
  const condition = sql`s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId}`;
  const pairs = await sql<OtherwiseStated[]>`
    with fresh as materialized (
      select s.number, s.account, s.type, s.asset, s.asset_key, s.external_id, s.on_day, s.at,
        count(*) over (
          partition by s.account, s.type, s.asset, s.external_id, case when s.external_id = '' then s.on_day end
        ) as alike
      from staged s where ${condition} and s.type not in ('reported_sale', 'reported_total')
    ), earlier as materialized (
      select p.*, p.first_day < p.last_day and (p.first_day, p.last_day) = (${days.first}::date, ${days.last}::date)
        or p.shared > 0 as again
      from (
        select p.*, (
          select count(*) from transaction_sources a join transaction_sources b using (taxpayer_id, transaction_id)
          where a.taxpayer_id = ${taxpayerId} and a.import_id = ${importId} and b.import_id = p.id
        ) as shared
        from (${earlierImports(sql, scope, family, days)}) p
      ) p
    ), near as (
      select f.number, t.id as transaction_id, f.external_id <> '' as named,
        count(*) over (partition by f.number) as rivals
      from fresh f join transactions t on t.taxpayer_id = ${taxpayerId} and t.asset_key = f.asset_key
        and (t.account, t.type, t.asset, t.external_id) = (f.account, f.type, f.asset, f.external_id)
        and case when f.external_id = '' then t.on_day = f.on_day
          else t.on_day between (select min(first_day) from earlier) and (select max(last_day) from earlier) end
      where f.alike = 1 and not exists (
        select from transaction_sources x
        where x.taxpayer_id = ${taxpayerId} and x.import_id = ${importId} and x.transaction_id = t.id
      )
      and exists (
        select from earlier p
        where (p.again or f.external_id <> '') and ${isSource(sql, sql`${taxpayerId}`, sql`p.id`, sql`t.id`)}
      )
      and (f.external_id <> '' or t.at is null or t.on_day > ${days.first}::date
        or exists (select from fresh o where o.at <= t.at)
        or exists (
          select from transaction_sources x join transactions o on o.taxpayer_id = x.taxpayer_id and o.id = x.transaction_id
          where x.taxpayer_id = ${taxpayerId} and x.import_id = ${importId} and o.on_day = ${days.first}::date
            and o.at <= t.at
        ))
    ), asked as (
      select distinct on (s.number) s.number, q.transaction_id
      from staged s join proposed_rows q on q.taxpayer_id = s.taxpayer_id and q.id = s.id
      where ${condition} order by s.number, q.import_id
    ), otherwise as (
      select n.number, n.transaction_id, n.named, p.id as earlier_id, p.file_name, p.shared,
        count(*) filter (where not n.named) over (partition by p.id) as differing
      from near n join earlier p
        on (p.again or n.named) and ${isSource(sql, sql`${taxpayerId}`, sql`p.id`, sql`n.transaction_id`)}
      where n.rivals = 1 and n.number not in (select number from asked)
    ), pairs as (
      select number, transaction_id, true as held, null::uuid as earlier_id, null::text as file_name from asked
      union all
      select distinct on (number) number, transaction_id,
        named or ${correction === true} or (shared > 0 and shared >= differing) as held, earlier_id, file_name
      from otherwise
      order by number, held desc, earlier_id
    )
    select p.number, s.id, p.transaction_id, s.lines, p.held, p.earlier_id, p.file_name
    from pairs p join staged s on s.number = p.number where ${condition} order by p.number`;
  const held = pairs.filter((pair) => pair.held);
  const unsure = toPossibleDuplicates(pairs.filter((pair) => !pair.held));
  if (held.length === 0) return { rows: 0, lines: 0, unsure };
  const numbers = toArrayText(held, ({ number }) => number);
  const replaced = sql`unnest(${numbers}::text::integer[], ${toArrayText(held, (one) => one.transaction_id)}::text::uuid[])
    as p (number, transaction_id)`;
  await sql`
    insert into proposed_rows (taxpayer_id, import_id, id, transaction_id, line, place, edition, content)
    select s.taxpayer_id, s.import_id, s.id, p.transaction_id, s.line, ${positionColumn(sql, lastLine)},
      encode(s.fingerprint, 'hex'), to_jsonb(s)
    from staged s join ${replaced} on s.number = p.number where ${condition}`;
  await sql`delete from staged s where ${condition} and s.number = any(${numbers}::text::integer[])`;
  return { rows: held.length, lines: held.reduce((sum, { lines }) => sum + lines, 0), unsure };
}

/** Returns one possible duplicate for each earlier file, with its first row. */
function toPossibleDuplicates(pairs: readonly OtherwiseStated[]): PossibleDuplicate[] {
  return [...Map.groupBy(pairs, (pair) => pair.earlier_id)].flatMap(([, [first, ...others]]) => {
    if (first === undefined) return [];
    const rows = others.length === 0 ? 'One row has' : `${others.length + 1} rows have`;
    const detail = `${rows} the same date, account, type and asset as in ${first.file_name ?? 'an earlier file'}, but other numbers. Both count. If this file corrects that one, undo this import and import the file as a correction.`;
    return [{ id: first.id, otherId: first.transaction_id, detail }];
  });
}

/** A proposed row as staged, with the additional values of a stored row. */
export interface ProposedRow extends TransactionRow {
  readonly import_id: string;
  readonly transaction_id: string;
  readonly file_line: number;
  readonly place: number;
  readonly file_name: string | null;
  readonly lines: number;
  readonly time_zone: string | null;
  readonly stated_class: TransactionRow['asset_class'] | null;
  readonly source_class: TransactionRow['asset_class'] | null;
}

const proposedRows = (sql: Sql, taxpayerId: string) => sql`
  select ${transactionColumns(sql)}, q.import_id, q.transaction_id, q.line as file_line, q.place, i.file_name, i.sequence, t.lines,
    t.time_zone, t.stated_class, t.source_class, t.stated_names
  from proposed_rows q
  join imports i on i.taxpayer_id = q.taxpayer_id and i.id = q.import_id,
    lateral jsonb_populate_record(null::staged, q.content) t
  where q.taxpayer_id = ${taxpayerId}`;

/**
 * Selects open proposed rows, once each, from the earliest import. Excludes rows that are now transactions and rows
 * that equal the stored row.
 */
export async function selectOpenProposed(sql: Sql, taxpayerId: string) {
  return sql<ProposedRow[]>`
    select distinct on (id) * from (
      ${proposedRows(sql, taxpayerId)}
        and not exists (select from transactions x where x.taxpayer_id = q.taxpayer_id and x.id = q.id)
        and not exists (
          select from transactions x where x.taxpayer_id = q.taxpayer_id and x.id = q.transaction_id
            and (x.edition = q.edition or exists (
              select from resolutions r
              where r.taxpayer_id = ${taxpayerId} and r.issue_id = ${issueIdColumn(sql)} and r.action = 'replace'
                and r.transaction_id = x.id and r.row_content = ${contentColumns(sql, 'x')}
            ))
        )
    ) open_rows
    order by id, sequence`;
}

/** Selects the proposed rows of one import, by line. */
export async function selectProposedRows(sql: Sql, { taxpayerId, importId }: StageScope, limit: number) {
  return sql<ProposedRow[]>`
    select * from (${proposedRows(sql, taxpayerId)} and q.import_id = ${importId}) own order by file_line, id limit ${limit}`;
}

/** Selects all copies of a proposed row, the copy from the earliest import first. */
export async function selectProposed(sql: Sql, taxpayerId: string, id: string) {
  return sql<ProposedRow[]>`select * from (${proposedRows(sql, taxpayerId)} and q.id = ${id}) own order by sequence`;
}

/**
 * Selects the proposed rows for these stored rows, if neither the stored row nor the proposed row is a transaction any
 * longer.
 */
export async function selectOrphans(sql: Sql, taxpayerId: string, targets: readonly string[]) {
  return sql<ProposedRow[]>`
    select * from (
      ${proposedRows(sql, taxpayerId)} and q.transaction_id = any(${targets as string[]}::uuid[])
        and not exists (
          select from transactions x where x.taxpayer_id = q.taxpayer_id and x.id in (q.id, q.transaction_id)
        )
    ) orphans order by transaction_id, sequence, id`;
}

/** Selects stored rows of this import that other imports propose to replace. */
export async function selectProposedTargets(sql: Sql, { taxpayerId, importId }: StageScope): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select distinct q.transaction_id as id from proposed_rows q
    where q.taxpayer_id = ${taxpayerId} and q.import_id <> ${importId}
      and ${isSource(sql, sql`${taxpayerId}`, sql`${importId}`, sql`q.transaction_id`)}`;
  return rows.map(({ id }) => id);
}

export async function deleteProposed(sql: Sql, { taxpayerId, importId }: StageScope): Promise<void> {
  await sql`delete from proposed_rows where taxpayer_id = ${taxpayerId} and import_id = ${importId}`;
}

/** Moves proposed rows from one stored row to another. */
export async function redirectProposed(sql: Sql, taxpayerId: string, from: string, to: string): Promise<void> {
  await sql`
    update proposed_rows set transaction_id = ${to}
    where taxpayer_id = ${taxpayerId} and transaction_id = ${from} and id <> ${to}`;
}

export async function insertRejects(
  sql: Sql,
  scope: StageScope,
  before: number,
  rejects: readonly RejectedLine[],
): Promise<void> {
  const sent = sentAs(sql, 'r', [...rejects.entries()], {
    id: ['uuid', () => crypto.randomUUID()],
    number: ['integer', ([index]) => index + 1],
    line: ['integer', ([, { line }]) => line],
    column_name: ['text', ([, { column }]) => column],
    code: ['text', ([, { code }]) => code],
    reason: ['text', ([, { reason }]) => reason],
    manual: ['text[]::boolean', ([, { manual }]) => String(manual === true)],
    cells: ['text', ([, { cells }]) => JSON.stringify(cells)],
    on_day: ['date', ([, { on }]) => on],
    amount: ['numeric', ([, { amount }]) => amount],
    stated: ['numeric', ([, { stated }]) => stated],
    computed: ['numeric', ([, { computed }]) => computed],
    content: ['text', ([, { content }]) => content],
    occurrence: ['integer', ([, { occurrence }]) => occurrence],
    words: ['text', ([, { words }]) => JSON.stringify(words)],
  });
  await sql`
    insert into import_rejects (
      taxpayer_id, import_id, id, line, number, column_name, code, reason, manual, cells, on_day, amount, stated, computed, content,
      occurrence, words
    )
    select me.id, ${scope.importId}, r.id, r.line, ${before} + r.number, r.column_name, r.code,
      r.reason, r.manual, array(select jsonb_array_elements_text(r.cells::jsonb)), r.on_day, r.amount, r.stated, r.computed,
      r.content, r.occurrence, array(select jsonb_array_elements_text(r.words::jsonb))
    from taxpayers me, ${sent}
    where me.id = ${scope.taxpayerId}`;
}

/**
 * Opens the rejected lines of an import that is being stored. Lines without a date are dated on the import's last day.
 */
export async function openRejects(sql: Sql, scope: StageScope, lastDay: string): Promise<void> {
  await sql`
    update import_rejects set state = 'open', asked_on = coalesce(on_day, ${lastDay}::date)
    where taxpayer_id = ${scope.taxpayerId} and import_id = ${scope.importId} and state = 'staged'`;
}

export async function deleteRejects(sql: Sql, scope: StageScope): Promise<void> {
  await sql`delete from import_rejects where taxpayer_id = ${scope.taxpayerId} and import_id = ${scope.importId}`;
}

/**
 * SQL for the state of a rejected line `r` of the import `i`. The line is fixed while the row that fixes it exists,
 * covered if a row from another source has its date, amount and asset, dismissed, or open. The same line in several
 * files has one state.
 */
export const rejectState = (sql: Sql, taxpayerId: string) => sql`
  case
    when exists (
      select from import_rejects o
      join transactions t on t.taxpayer_id = o.taxpayer_id and t.id = o.transaction_id
      where o.taxpayer_id = ${taxpayerId} and o.content = r.content and o.occurrence = r.occurrence and o.state = 'mended'
    ) then 'mended'
    when exists (
      select from import_rejects o
      where o.taxpayer_id = ${taxpayerId} and o.content = r.content and o.occurrence = r.occurrence
        and o.state = 'dismissed'
    ) then 'dismissed'
    when r.on_day is not null and r.amount is not null and exists (
      select from transactions t
      where t.taxpayer_id = ${taxpayerId} and t.on_day = r.on_day and abs(t.amount) = r.amount
        and upper(t.asset) = any(r.words)
        and not exists (
          select from transaction_sources x
          where x.taxpayer_id = ${taxpayerId} and x.import_id = r.import_id and x.transaction_id = t.id
        )
    ) then 'superseded'
    else 'open'
  end`;

export interface OpenRejectRow {
  readonly content: string;
  readonly occurrence: number;
  readonly line: number;
  readonly column_name: string | null;
  readonly code: string;
  readonly reason: string;
  readonly on_day: string;
  readonly amount: string | null;
  readonly file_name: string | null;
}

/** Selects each open line once, from the earliest import. */
export async function selectOpenRejects(sql: Sql, taxpayerId: string) {
  return sql<OpenRejectRow[]>`
    select distinct on (r.content, r.occurrence) r.content, r.occurrence, r.line, r.column_name, r.code, r.reason,
      r.asked_on as on_day, r.amount, i.file_name
    from import_rejects r join imports i on i.taxpayer_id = r.taxpayer_id and i.id = r.import_id
    where r.taxpayer_id = ${taxpayerId} and r.state <> 'staged' and ${rejectState(sql, taxpayerId)} = 'open'
    order by r.content, r.occurrence, i.sequence, r.line, r.number`;
}

interface Settlement {
  readonly state: 'mended' | 'dismissed';
  readonly note: string;
  readonly transactionId: string | null;
  readonly at: Date;
  /** The issue that combines these lines. */
  readonly acceptedAs?: string;
}

export async function settleRejects(
  sql: Sql,
  taxpayerId: string,
  lines: readonly Pick<RejectedLine, 'content' | 'occurrence'>[],
  { state, note, transactionId, at, acceptedAs }: Settlement,
): Promise<void> {
  await sql`
    update import_rejects set state = ${state}, note = ${note}, transaction_id = ${transactionId}, settled_at = ${at},
      accepted_as = ${acceptedAs ?? null}
    where taxpayer_id = ${taxpayerId} and state <> 'staged' and (content, occurrence) in (
      select * from unnest(${lines.map(({ content }) => content)}::text[], ${lines.map(({ occurrence }) => occurrence)}::integer[])
    )`;
}

/**
 * Reopens the lines that an issue dismissed: either one line, or all lines that it combined. Returns false if there are
 * none.
 */
export async function reopenRejects(
  sql: Sql,
  taxpayerId: string,
  issueId: string,
  line: Pick<RejectedLine, 'content' | 'occurrence'> | undefined,
): Promise<boolean> {
  const condition =
    line === undefined
      ? sql`accepted_as = ${issueId}`
      : sql`accepted_as is null and content = ${line.content} and occurrence = ${line.occurrence}`;
  const rows = await sql`
    update import_rejects set state = 'open', note = '', settled_at = null, accepted_as = null
    where taxpayer_id = ${taxpayerId} and state = 'dismissed' and ${condition}
    returning 1`;
  return rows.length > 0;
}

/** A rejected line as staged. It contains only plain data, because it comes from a Worker. */
export interface RejectedLine extends Omit<RowIssue, 'on' | 'result'> {
  /** The date as `YYYY-MM-DD`, or null if no cell contains a date. */
  readonly on: string | null;
  /** The amount without a sign, or null if no amount column contains a number. */
  readonly amount: string | null;
  /**
   * The result in the file. `computed` is the calculated result. Both are null unless the row was read and the results
   * differ.
   */
  readonly stated: string | null;
  readonly computed: string | null;
  /** A hash of format and cells, so that the same line in two files is one issue. */
  readonly content: string;
  /** The number among equal lines of a file, starting at 1. */
  readonly occurrence: number;
  /** Words that may be the symbol of the asset. */
  readonly words: readonly string[];
}

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

/** Matches accepted issues, and answers that change how current or future rows are read. */
export const changesRecomputation = (sql: Sql) =>
  sql`(action = 'accept' or action in ('basis', 'pair', 'value') and added_id is null)`;

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
