import { numbered } from '../../../../db/citus.ts';
import type { Sql } from '../../../../db/connection.ts';

export const reviewStates = ['open', 'prepared', 'reviewed', 'signed_off'] as const;
export type ReviewState = (typeof reviewStates)[number];

export interface ReviewStep {
  readonly year: number;
  readonly state: ReviewState;
  readonly user_name: string;
  readonly at: Date;
  /** Whether the year's numbers have changed since this review step. */
  readonly changed: boolean;
}

/** Returns the hash of the year's current content, or '' if the year has no activity. */
const digestOfYear = (sql: Sql, taxpayerId: string, year: number) => sql`
  coalesce((
    select encode(sha256(convert_to(y.summary || E'\\n' || y.carryover, 'UTF8')), 'hex')
    from year_summaries y where y.taxpayer_id = ${taxpayerId} and y.year = ${year}), '')`;

/** Selects the last review steps of a year, newest first. A year without steps is open. */
export function selectSteps(sql: Sql, taxpayerId: string, year: number, limit: number): Promise<ReviewStep[]> {
  return sql<ReviewStep[]>`
    select year, state, user_name, at, digest <> ${digestOfYear(sql, taxpayerId, year)} as changed
    from review_steps where taxpayer_id = ${taxpayerId} and year = ${year}
    order by sequence desc limit ${limit}`;
}

/** Selects the last review step of each year that has steps. */
export function selectReviews(sql: Sql, taxpayerId: string): Promise<ReviewStep[]> {
  return sql<ReviewStep[]>`
    select distinct on (r.year) r.year, r.state, r.user_name, r.at,
      r.digest <> coalesce(encode(sha256(convert_to(y.summary || E'\\n' || y.carryover, 'UTF8')), 'hex'), '') as changed
    from review_steps r
    left join year_summaries y on y.taxpayer_id = r.taxpayer_id and y.year = r.year
    where r.taxpayer_id = ${taxpayerId}
    order by r.year, r.sequence desc`;
}

/**
 * Returns whether users other than the owner have access to the books. Returns true for a client who has no account.
 */
export async function selectIsShared(sql: Sql, taxpayerId: string): Promise<boolean> {
  const rows = await sql`select 1 from memberships where taxpayer_id = ${taxpayerId} and role <> 'owner' limit 1`;
  return rows.length > 0;
}

export async function insertStep(
  sql: Sql,
  taxpayerId: string,
  step: Omit<ReviewStep, 'changed'> & { readonly userId: string },
): Promise<void> {
  const { year, state, userId, user_name, at } = step;
  const [reviewed] = await sql<{ digest: string }[]>`select ${digestOfYear(sql, taxpayerId, year)} as digest`;
  await sql`
    insert into review_steps (taxpayer_id, year, state, user_id, user_name, at, digest)
    select me.id, ${year}::integer, ${state}, ${userId}::uuid, ${user_name}, ${at}::timestamptz, ${reviewed?.digest ?? ''}
    from taxpayers me where me.id = ${taxpayerId}
    ${numbered(sql)}`;
}
