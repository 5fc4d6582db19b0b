import type { Sql } from '../../db/connection.ts';

export interface CalculationRow {
  readonly id: string;
  readonly status: 'running' | 'completed' | 'failed';
  readonly result: object | null;
  readonly problem: { readonly code: string; readonly detail: string } | null;
}

export async function insertCalculation(
  sql: Sql,
  taxpayerId: string,
  calculation: {
    readonly id: string;
    readonly status: 'running' | 'completed';
    readonly result: object | null;
    /** The input of a calculation job. */
    readonly asked?: object;
    readonly at: Date;
  },
): Promise<void> {
  await sql`
    insert into calculations (taxpayer_id, id, status, asked, result, created_at, completed_at)
    values (${taxpayerId}, ${calculation.id}, ${calculation.status},
      ${calculation.asked === undefined ? null : JSON.stringify(calculation.asked)}::text::json, ${calculation.result === null ? null : JSON.stringify(calculation.result)}::text::json,
      ${calculation.at}, ${calculation.status === 'completed' ? calculation.at : null})
    on conflict (taxpayer_id, id) do update set
      status = excluded.status, result = excluded.result, completed_at = excluded.completed_at`;
}

export async function failCalculation(
  sql: Sql,
  taxpayerId: string,
  id: string,
  problem: object,
  at: Date,
): Promise<void> {
  await sql`
    update calculations set status = 'failed', problem = ${sql.json(problem as never)}, completed_at = ${at}
    where taxpayer_id = ${taxpayerId} and id = ${id} and status = 'running'`;
}

export async function selectCalculation(sql: Sql, taxpayerId: string, id: string) {
  const [row] = await sql<CalculationRow[]>`
    select id, status, result, problem from calculations where taxpayer_id = ${taxpayerId} and id = ${id}`;
  return row;
}

/** Returns the input of a calculation job. Null if the calculation has finished or was deleted. */
export async function selectCalculationInput(sql: Sql, taxpayerId: string, id: string): Promise<object | null> {
  const [row] = await sql<{ asked: object }[]>`
    select asked from calculations where taxpayer_id = ${taxpayerId} and id = ${id} and status = 'running'`;
  return row?.asked ?? null;
}

/** Selects the next page of taxpayer ids, in order. */
export async function selectTaxpayersAfter(sql: Sql, after: string, limit: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`select id from taxpayers where id > ${after} order by id limit ${limit}`;
  return rows.map(({ id }) => id);
}
