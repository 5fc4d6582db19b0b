import type { Sql } from '../../../db/connection.ts';
import type { RowIssue } from '../../../formats/format.ts';
import { type StageScope, sentAs } from './rows/rows.queries.ts';

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
