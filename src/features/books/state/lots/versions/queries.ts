import type { Day } from '../../../../../base/day.ts';
import type { ArrayText } from '../../../../../db/array.ts';
import type { Sql } from '../../../../../db/connection.ts';
import type { BookScope } from '../../../facts/queries.ts';
import { type PackedLots, type StateScope, type Stretch, statesOf } from '../queries.ts';

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

/** Lots that were in one of the states what they are no more. */
export async function selectPastLotsWithin(
  sql: Sql,
  scope: BookScope,
  { from, until, purchasedFrom }: Stretch,
): Promise<PackedPastLots[]> {
  return packedPastLots(
    sql,
    sql`past_lots l where l.taxpayer_id = ${scope.taxpayerId} and l.book = ${scope.book}
      and l.until_day >= ${from} and (l.after_day is null or l.after_day < ${until})
      ${
        purchasedFrom === null
          ? sql``
          : sql`and (l.until_day < ${until} or l.after_day >= ${from} or l.purchased_on >= ${purchasedFrom})`
      }`,
  );
}

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

export interface PastLotToStore extends PastLot {
  readonly purchasedOn: Day | null;
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

/** States of some days are kept no more: neither are lots that were so on none but these. */
export async function deletePastLotsBetween(
  sql: Sql,
  scope: BookScope,
  days: { readonly after: string | null; readonly from: string; readonly before: string },
): Promise<void> {
  await sql`
    delete from past_lots
    where taxpayer_id = ${scope.taxpayerId} and book = ${scope.book}
      and until_day >= ${days.from} and until_day < ${days.before}
      ${days.after === null ? sql`` : sql`and after_day >= ${days.after}`}`;
}

export async function insertPastLots(
  sql: Sql,
  scope: BookScope,
  c: Readonly<Record<keyof PastLotToStore, ArrayText>>,
): Promise<void> {
  await sql`
    insert into past_lots (taxpayer_id, book, id, after_day, until_day, purchased_on, state)
    select ${scope.taxpayerId}, ${scope.book}, r.* from unnest(
      ${c.id}::text[], ${c.after}::date[], ${c.until}::date[], ${c.purchasedOn}::date[], ${c.state}::text[]
    ) as r`;
}
