import type { ArrayText } from '../../../../../db/array.ts';
import type { Sql } from '../../../../../db/connection.ts';
import type { BookScope } from '../../../facts/queries.ts';
import { type PackedLots, type StateScope, statesOf } from '../queries.ts';

/** Past lots until one day. */
export interface PackedPastLots extends PackedLots {
  readonly until: string;
}

const packedPastLots = (sql: Sql, from: ReturnType<Sql>) => sql<PackedPastLots[]>`
  select r.book, r.until_day as until, string_agg(r.packed, e'\x1e') as packed from (
    select l.book, l.until_day, concat_ws(e'\x1f', coalesce(l.after_day::text, ''), l.state) as packed
    from ${from}
    offset 0
  ) r group by r.book, r.until_day`;

/** Of each of these books the lots that have changed since a state, as they were then or later. */
export async function selectPastLotsOf(
  sql: Sql,
  taxpayerId: string,
  states: readonly StateScope[],
): Promise<PackedPastLots[]> {
  return packedPastLots(
    sql,
    sql`${statesOf(sql, states)}
      join past_lots l on l.taxpayer_id = ${taxpayerId} and l.book = k.book and l.until_day >= k.day`,
  );
}

export interface PastLot {
  readonly id: string;
  readonly after: string | null;
  readonly until: string;
  readonly state: string;
}

/** Lots that have changed since a day, as they were on it or later. */
export async function selectPastLots(sql: Sql, scope: BookScope, from: string | null): Promise<PackedPastLots[]> {
  return packedPastLots(
    sql,
    sql`past_lots l where l.taxpayer_id = ${scope.taxpayerId} and l.book = ${scope.book}
      ${from === null ? sql`` : sql`and l.until_day >= ${from}`}`,
  );
}

export async function deletePastLots(
  sql: Sql,
  scope: BookScope,
  gone: readonly { readonly id: string; readonly until: string }[],
): Promise<void> {
  await sql`
    delete from past_lots p
    using unnest(${gone.map((lot) => lot.id)}::text[], ${gone.map((lot) => lot.until)}::date[]) as g (id, until)
    where p.taxpayer_id = ${scope.taxpayerId} and p.book = ${scope.book} and p.until_day = g.until and p.id = g.id`;
}

export async function insertPastLots(
  sql: Sql,
  scope: BookScope,
  c: Readonly<Record<keyof PastLot, ArrayText>>,
): Promise<void> {
  await sql`
    insert into past_lots (taxpayer_id, book, id, after_day, until_day, state)
    select ${scope.taxpayerId}, ${scope.book}, r.* from unnest(
      ${c.id}::text[], ${c.after}::date[], ${c.until}::date[], ${c.state}::text[]
    ) as r`;
}
