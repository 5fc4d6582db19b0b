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
  given: {
    readonly id: string;
    readonly status: 'running' | 'completed';
    readonly result: object | null;
    readonly at: Date;
  },
): Promise<void> {
  await sql`
    insert into calculations (taxpayer_id, id, status, result, created_at, completed_at)
    values (${taxpayerId}, ${given.id}, ${given.status}, ${given.result === null ? null : JSON.stringify(given.result)}::text::json,
      ${given.at}, ${given.status === 'completed' ? given.at : null})
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

export async function selectCalculation(sql: Sql, taxpayerId: string, id: string): Promise<CalculationRow | undefined> {
  const [row] = await sql<CalculationRow[]>`
    select id, status, result, problem from calculations where taxpayer_id = ${taxpayerId} and id = ${id}`;
  return row;
}

/** Marks calculations as failed that began before that time and still run. */
export async function failAbandonedCalculations(sql: Sql, before: Date, problem: object, at: Date): Promise<void> {
  await sql`
    update calculations set status = 'failed', problem = ${sql.json(problem as never)}, completed_at = ${at}
    where status = 'running' and created_at < ${before}`;
}
