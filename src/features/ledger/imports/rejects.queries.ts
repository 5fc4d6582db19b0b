import type { Sql } from '../../../db/connection.ts';
import { rejectState } from '../transactions/rejected.queries.ts';

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
