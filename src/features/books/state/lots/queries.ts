import type { ArrayText } from '../../../../db/array.ts';
import type { Sql } from '../../../../db/connection.ts';
import { isByCost, type StoredOrder } from '../../../../engine/lot-methods.ts';
import type { BookScope } from '../../facts/queries.ts';

/** A lot as it lies in the database. */
export interface StoredLot {
  readonly id: string;
  readonly after: string | null;
  readonly state: string;
  readonly basis: string;
  /** Whether it lies in the order of costs. */
  readonly costed: boolean;
}

const lotFields = (sql: Sql) => sql`l.id, l.after_day as after, l.state, l.basis, l.unit_cost is not null as costed`;

/** Of a state that is not the last one, lots that have changed since are not among these: they lie with past ones. */
const standing = (sql: Sql, scope: BookScope, day: string | null) => sql`
  l.taxpayer_id = ${scope.taxpayerId} and l.book = ${scope.book}
  ${day === null ? sql`` : sql`and (l.after_day is null or l.after_day < ${day})`}`;

/** Some of a book's lots in one text, as `packed-lots.ts` reads it: a fifth of the time that rows of columns take. */
export interface PackedLots {
  readonly book: string;
  readonly packed: string;
}

/** The lots `l` of some books, of each some months of acquisition in a text. */
const packedLots = (sql: Sql, from: ReturnType<Sql>) => sql<PackedLots[]>`
  select r.book, string_agg(r.packed, e'\x1e') as packed from (
    select
      l.book, (l.acquired - date '1970-01-01') / ${daysPacked}::integer as part,
      concat_ws(e'\x1f', coalesce(l.after_day::text, ''), l.basis, l.unit_cost is not null, l.state) as packed
    from ${from}
    offset 0
  ) r group by r.book, r.part`;

const daysPacked = 128;

/** Of each of these books the lots of a state, as far as they have not changed since. */
export async function selectStandingLots(
  sql: Sql,
  taxpayerId: string,
  states: readonly StateScope[],
): Promise<PackedLots[]> {
  return packedLots(
    sql,
    sql`${statesOf(sql, states)}
      join lots l on l.taxpayer_id = ${taxpayerId} and l.book = k.book and (l.after_day is null or l.after_day < k.day)`,
  );
}

/** A state: the book and its day. */
export interface StateScope {
  readonly book: string;
  readonly day: string;
}

export function statesOf(sql: Sql, states: readonly StateScope[]) {
  return sql`unnest(
    ${states.map((state) => state.book)}::text[], ${states.map((state) => state.day)}::date[]
  ) as k (book, day)`;
}

/** What is not as it was on a day. */
export async function selectLotsSince(sql: Sql, scope: BookScope, day: string | null): Promise<PackedLots[]> {
  return packedLots(
    sql,
    sql`lots l where l.taxpayer_id = ${scope.taxpayerId} and l.book = ${scope.book}
      ${day === null ? sql`` : sql`and l.after_day >= ${day}`}`,
  );
}

export interface PoolScope {
  readonly key: string;
  readonly account: string;
}

/** The first lots of pools in an order, and all that share the last one's place. `at` is the pool's place in the list. */
export async function selectFirstLots(
  sql: Sql,
  scope: BookScope,
  day: string | null,
  pools: readonly PoolScope[],
  order: StoredOrder,
  limit: number,
): Promise<(StoredLot & { readonly at: number })[]> {
  const orders = {
    oldest: sql`l.acquired, l.sequence`,
    newest: sql`l.acquired desc, l.sequence desc`,
    highest_cost: sql`l.unit_cost desc`,
    lowest_cost: sql`l.unit_cost`,
  } satisfies Record<StoredOrder, unknown>;
  const known = isByCost(order) ? sql`and l.unit_cost is not null` : sql``;
  return sql<(StoredLot & { readonly at: number })[]>`
    select p.at::integer as at, ${lotFields(sql)}
    from unnest(${pools.map((pool) => pool.key)}::text[], ${pools.map((pool) => pool.account)}::text[])
      with ordinality as p (key, account, at),
    lateral (
      select * from lots l
      where ${standing(sql, scope, day)} and l.asset_key = p.key and l.account = p.account ${known}
      order by ${orders[order]} fetch first (${limit}::bigint) rows with ties
    ) l`;
}

/** Lots bought from a day on, lots of rows with these ids, and lots on their way. */
export async function selectOtherLots(
  sql: Sql,
  scope: BookScope,
  day: string | null,
  other: {
    readonly purchasedFrom: string;
    readonly labels: readonly string[];
    readonly transits: readonly string[];
    readonly transitAccount: string;
  },
): Promise<StoredLot[]> {
  const here = standing(sql, scope, day);
  return sql<StoredLot[]>`
    select ${lotFields(sql)} from lots l where ${here} and l.purchased_on >= ${other.purchasedFrom}
    ${
      other.labels.length === 0
        ? sql``
        : sql`union all select ${lotFields(sql)} from lots l
            where ${here} and l.label <> '' and l.label = any(${other.labels as string[]}::text[])`
    }
    ${
      other.transits.length === 0
        ? sql``
        : sql`union all select ${lotFields(sql)} from lots l
            where ${here} and l.asset_key = any(${other.transits as string[]}::text[]) and l.account = ${other.transitAccount}`
    }`;
}

export async function deleteLots(sql: Sql, scope: BookScope, ids: readonly string[]): Promise<void> {
  await sql`
    delete from lots
    where taxpayer_id = ${scope.taxpayerId} and book = ${scope.book} and id = any(${ids as string[]}::text[])`;
}

export type LotColumns = Readonly<
  Record<
    | 'id'
    | 'asset'
    | 'assetClass'
    | 'account'
    | 'quantity'
    | 'basis'
    | 'acquired'
    | 'heldSince'
    | 'inherited'
    | 'key'
    | 'sequence'
    | 'label'
    | 'purchasedOn'
    | 'unitCost'
    | 'after'
    | 'state',
    ArrayText
  >
>;

export async function upsertLots(sql: Sql, scope: BookScope, c: LotColumns): Promise<void> {
  await sql`
    insert into lots (
      taxpayer_id, book, id, asset, asset_class, account, quantity, basis, acquired, held_since, inherited,
      asset_key, sequence, label, purchased_on, unit_cost, after_day, state
    )
    select ${scope.taxpayerId}, ${scope.book}, r.* from unnest(
      ${c.id}::text[], ${c.asset}::text[], ${c.assetClass}::text[], ${c.account}::text[], ${c.quantity}::numeric[],
      ${c.basis}::numeric[], ${c.acquired}::date[], ${c.heldSince}::date[], ${c.inherited}::text[]::boolean[],
      ${c.key}::text[], ${c.sequence}::bigint[], ${c.label}::text[], ${c.purchasedOn}::date[], ${c.unitCost}::numeric[],
      ${c.after}::date[], ${c.state}::text[]
    ) as r
    on conflict (taxpayer_id, id) do update set
      book = excluded.book, asset = excluded.asset, asset_class = excluded.asset_class, account = excluded.account,
      quantity = excluded.quantity, basis = excluded.basis, acquired = excluded.acquired,
      held_since = excluded.held_since, inherited = excluded.inherited, asset_key = excluded.asset_key,
      sequence = excluded.sequence, label = excluded.label, purchased_on = excluded.purchased_on,
      unit_cost = excluded.unit_cost, after_day = excluded.after_day, state = excluded.state`;
}
