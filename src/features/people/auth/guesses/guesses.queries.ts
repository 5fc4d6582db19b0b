import { toArrayText } from '../../../../db/array.ts';
import type { Sql } from '../../../../db/connection.ts';

/** A bucket and how fast its level drains. */
export interface CountedBucket {
  readonly bucket: string;
  readonly perSecond: number;
}

/**
 * Returns the current levels in the requested order. Uses the database's clock, because several servers share the
 * counts.
 */
export async function readLevels(sql: Sql, buckets: readonly CountedBucket[]): Promise<number[]> {
  const rows = await sql<{ level: number }[]>`
    select coalesce(greatest(0, w.level - extract(epoch from now() - w.counted_at) * b.per_second), 0)::double precision as level
    from unnest(${namesOf(buckets)}::text[], ${ratesOf(buckets)}::double precision[]) with ordinality b (bucket, per_second, place)
    left join wrong_guesses w on w.bucket = b.bucket
    order by b.place`;
  return rows.map(({ level }) => level);
}

/**
 * Adds a guess to each bucket. Locks the buckets in the order of their names, so concurrent requests cannot deadlock.
 */
export async function addGuess(sql: Sql, buckets: readonly CountedBucket[], keptHours: number): Promise<void> {
  await sql`
    insert into wrong_guesses as w (bucket, level, counted_at)
    select b.bucket, 1, now()
    from unnest(${namesOf(buckets)}::text[]) b (bucket)
    order by b.bucket
    on conflict (bucket) do update set counted_at = now(), level = 1 + greatest(0, w.level
      - extract(epoch from now() - w.counted_at) * (
        select r.per_second
        from unnest(${namesOf(buckets)}::text[], ${ratesOf(buckets)}::double precision[]) r (bucket, per_second)
        where r.bucket = w.bucket))`;
  await sql`
    delete from wrong_guesses where bucket in (
      select bucket from wrong_guesses where counted_at < now() - make_interval(hours => ${keptHours})
      for update skip locked)`;
}

export async function deleteGuesses(sql: Sql, buckets: readonly CountedBucket[]): Promise<void> {
  await sql`delete from wrong_guesses where bucket = any(${namesOf(buckets)}::text[])`;
}

function namesOf(buckets: readonly CountedBucket[]): string {
  return toArrayText(buckets, ({ bucket }) => bucket);
}

function ratesOf(buckets: readonly CountedBucket[]): string {
  return toArrayText(buckets, ({ perSecond }) => perSecond);
}
