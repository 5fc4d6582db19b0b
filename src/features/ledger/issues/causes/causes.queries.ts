import type { Sql } from '../../../../db/connection.ts';
import type { IssueKind } from '../../../../engine/model.ts';
import { yearEndOrdinal } from '../../../../engine/rules/year/year-end.ts';
import { isUuid } from '../../../../http/errors.ts';
import { unvaluedRows } from '../../prices/price-needs.ts';
import { rejectedIssueId } from '../../transactions/row-issues.ts';
import { parseCentsColumn } from '../../transactions/rows.ts';
import { ordinalOf } from '../resolution.ts';
import { type CauseRow, groupByCause, type LegOfIssue, type RejectedLineOfIssue } from './group.ts';

/** Reads the open issues of a year, or of all years, with what their causes depend on. */
export async function readCauseRows(sql: Sql, taxpayerId: string, year: number | null): Promise<CauseRow[]> {
  const issues = await selectIssues(sql, taxpayerId, year);
  const ofKind = (kind: IssueKind) => issues.filter((issue) => issue.kind === kind);
  const legs = await selectLegs(
    sql,
    taxpayerId,
    ofKind('transfer_unpaired').flatMap(({ transaction }) => transaction ?? []),
  );
  const lines = ofKind('rejected_line').length === 0 ? new Map() : await selectLines(sql, taxpayerId);
  const unvalued = ofKind('value_missing').length === 0 ? [] : await unvaluedRows(sql, taxpayerId);
  const priced = new Set(unvalued.map(({ transaction }) => transaction.id));
  return issues.map(({ dollars, ...issue }) => ({
    ...issue,
    dollars: dollars === null ? null : parseCentsColumn(dollars),
    leg: legs.get(issue.transaction ?? ''),
    line: lines.get(issue.id),
    needsPrice:
      issue.kind === 'value_missing' && priced.has(issue.transaction ?? '') && ordinalOf(issue.id) !== yearEndOrdinal,
  }));
}

/** Counts the items that Review lists for all years. */
export async function countReviewItems(sql: Sql, taxpayerId: string): Promise<number> {
  return groupByCause(await readCauseRows(sql, taxpayerId, null)).reduce((sum, { items }) => sum + items.length, 0);
}

interface IssueRow {
  readonly id: string;
  readonly kind: IssueKind;
  readonly on: string;
  readonly asset: string;
  readonly account: string;
  readonly transaction: string | null;
  readonly dollars: string | null;
}

async function selectIssues(sql: Sql, taxpayerId: string, year: number | null) {
  return sql<IssueRow[]>`
    select i.id, i.issue as kind, i.on_day as on, i.asset, i.account, i.transactions[1] as transaction, i.dollars
    from issues i where i.taxpayer_id = ${taxpayerId}
      and (${year}::integer is null or extract(year from i.on_day) = ${year}::integer or ${year}::text = any(i.other_years))
    order by i.on_day, i.id`;
}

async function selectLegs(
  sql: Sql,
  taxpayerId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LegOfIssue>> {
  const wanted = ids.filter(isUuid);
  if (wanted.length === 0) return new Map();
  const rows = await sql<(LegOfIssue & { readonly id: string })[]>`
    select t.id, t.type, t.asset_key as "assetKey", t.on_day as day, t.quantity from transactions t
    where t.taxpayer_id = ${taxpayerId} and t.id = any(${wanted}::uuid[]) and t.quantity is not null`;
  return new Map(rows.map(({ id, ...leg }) => [id, leg]));
}

interface LineRow extends RejectedLineOfIssue {
  readonly content: string;
  readonly occurrence: number;
}

async function selectLines(sql: Sql, taxpayerId: string): Promise<ReadonlyMap<string, RejectedLineOfIssue>> {
  const rows = await sql<LineRow[]>`
    select distinct on (r.content, r.occurrence) r.content, r.occurrence, r.id as "rejectId", r.import_id as "importId",
      i.file_name as "fileName", r.code, r.column_name as column
    from import_rejects r join imports i on i.taxpayer_id = r.taxpayer_id and i.id = r.import_id
    where r.taxpayer_id = ${taxpayerId} and r.state <> 'staged'
    order by r.content, r.occurrence, i.sequence, r.line, r.number`;
  return new Map(rows.map(({ content, occurrence, ...line }) => [rejectedIssueId({ content, occurrence }), line]));
}
