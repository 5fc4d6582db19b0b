import type { Sql } from '../../../db/connection.ts';

export const digestFrequencies = ['daily', 'weekly'] as const;
export type DigestFrequency = (typeof digestFrequencies)[number];

export async function selectDigest(sql: Sql, taxpayerId: string, userId: string): Promise<DigestFrequency | undefined> {
  const [row] = await sql<{ frequency: DigestFrequency }[]>`
    select frequency from digests where taxpayer_id = ${taxpayerId} and user_id = ${userId}`;
  return row?.frequency;
}

/**
 * Subscribes a user to digests of the notifications created from now on. If the frequency stays the same, changes
 * nothing.
 */
export async function chooseDigest(
  sql: Sql,
  taxpayerId: string,
  userId: string,
  { frequency, periodOn }: { readonly frequency: DigestFrequency; readonly periodOn: string },
): Promise<void> {
  const [newest] = await sql<{ sequence: string }[]>`
    select coalesce(max(sequence), 0)::bigint as sequence from notifications where taxpayer_id = ${taxpayerId}`;
  await sql`
    insert into digests as d (taxpayer_id, user_id, frequency, period_on, sequence)
    values (${taxpayerId}, ${userId}, ${frequency}, ${periodOn}, ${newest?.sequence ?? '0'})
    on conflict (taxpayer_id, user_id) do update
      set frequency = excluded.frequency, period_on = excluded.period_on
      where d.frequency <> excluded.frequency`;
}

export async function deleteDigest(sql: Sql, taxpayerId: string, userId: string): Promise<void> {
  await sql`delete from digests where taxpayer_id = ${taxpayerId} and user_id = ${userId}`;
}

export interface DigestRow {
  readonly taxpayerId: string;
  readonly userId: string;
  readonly email: string;
  readonly frequency: DigestFrequency;
  readonly periodOn: string;
  readonly sequence: string;
  readonly timeZone: string;
  /** The owner's name if the books belong to another user, or null for the user's own books. */
  readonly client: string | null;
}

/**
 * Selects digests whose last period began before a day, ordered by key, after a cursor. Skips unconfirmed addresses,
 * which may belong to other people.
 */
export async function selectDigestsBefore(
  sql: Sql,
  day: string,
  after: Pick<DigestRow, 'taxpayerId' | 'userId'>,
  limit: number,
): Promise<DigestRow[]> {
  const rows = await sql<(Omit<DigestRow, 'timeZone' | 'client'> & { readonly isOwn: boolean })[]>`
    select d.taxpayer_id as "taxpayerId", d.user_id as "userId", u.email, d.frequency, d.period_on as "periodOn",
      d.sequence, m.role = 'owner' as "isOwn"
    from digests d
      join memberships m on m.taxpayer_id = d.taxpayer_id and m.user_id = d.user_id
      join users u on u.id = d.user_id
    where d.period_on < ${day}::date and u.email is not null and u.email_verified_at is not null
      and (d.taxpayer_id, d.user_id) > (${after.taxpayerId}::uuid, ${after.userId}::uuid)
    order by d.taxpayer_id, d.user_id
    limit ${limit}`;
  if (rows.length === 0) return [];
  const books = await sql<{ id: string; timeZone: string; name: string }[]>`
    select id, time_zone as "timeZone", name from taxpayers where id = any(${rows.map((row) => row.taxpayerId)}::uuid[])`;
  const byId = new Map(books.map((one) => [one.id, one]));
  return rows.flatMap(({ isOwn, ...row }) => {
    const one = byId.get(row.taxpayerId);
    return one === undefined ? [] : [{ ...row, timeZone: one.timeZone, client: isOwn ? null : one.name }];
  });
}

/** Moves a digest to its next period. If several servers try at the same time, returns true for only one of them. */
export async function movePeriod(
  sql: Sql,
  { taxpayerId, userId }: Pick<DigestRow, 'taxpayerId' | 'userId'>,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<boolean> {
  const rows = await sql`
    update digests set period_on = ${to}::date
    where taxpayer_id = ${taxpayerId} and user_id = ${userId} and period_on = ${from}::date
    returning 1`;
  return rows.length === 1;
}

export async function moveSequence(
  sql: Sql,
  { taxpayerId, userId }: Pick<DigestRow, 'taxpayerId' | 'userId'>,
  sequence: string,
): Promise<void> {
  await sql`
    update digests set sequence = greatest(sequence, ${sequence}::bigint)
    where taxpayer_id = ${taxpayerId} and user_id = ${userId}`;
}

/** Counts the unread notifications after a sequence number, and returns the last one's sequence number. */
export async function countUnreadAfter(
  sql: Sql,
  taxpayerId: string,
  after: string,
): Promise<{ readonly fresh: number; readonly last: string }> {
  const [row] = await sql<{ fresh: number; last: string }[]>`
    select count(*)::integer as fresh, coalesce(max(sequence), 0)::bigint as last from notifications
    where taxpayer_id = ${taxpayerId} and sequence > ${after}::bigint and read_at is null`;
  return row ?? { fresh: 0, last: '0' };
}
