import type { ArrayText } from '../../../../db/array.ts';
import type { Sql } from '../../../../db/connection.ts';
import { isByCost, type StoredOrder } from '../../../../engine/lot-methods.ts';
import type { BookScope } from '../../facts/queries.ts';

/**
 * A lot as it is in the last state of its book, and since which checkpoint: the last one before it became so, null where
 * it was so in the first.
 */
export interface StoredLotRow {
  readonly id: string;
  readonly validFrom: string | null;
  readonly state: string;
  readonly basis: string;
  /** Whether its unit cost is stored, which orders it for HIFO and LOFO. */
  readonly costed: boolean;
}

/** A lot as it was in the checkpoints after `validFrom`, until that of `validTo`. */
export interface LotVersion {
  readonly id: string;
  readonly validFrom: string | null;
  readonly validTo: string;
  readonly state: string;
}

const lotFields = (sql: Sql) =>
  sql`l.id, l.valid_from as "validFrom", l.state, l.basis, l.unit_cost is not null as costed`;

/** Lots that are as they were in a checkpoint, null for the last one: of others that state is a version. */
const unchangedSince = (sql: Sql, scope: BookScope, day: string | null) => sql`
  l.taxpayer_id = ${scope.taxpayerId} and l.book = ${scope.book}
  ${day === null ? sql`` : sql`and (l.valid_from is null or l.valid_from < ${day})`}`;

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
      concat_ws(e'\x1f', coalesce(l.valid_from::text, ''), l.basis, l.unit_cost is not null, l.state) as packed
    from ${from}
    offset 0
  ) r group by r.book, r.part`;

const daysPacked = 128;

/** Of books, each with the day of a checkpoint, the lots that have not changed since. */
export async function selectLotsOf(
  sql: Sql,
  taxpayerId: string,
  days: ReadonlyMap<string, string>,
): Promise<PackedLots[]> {
  return packedLots(
    sql,
    sql`${checkpoints(sql, days)}
      join lots l on l.taxpayer_id = ${taxpayerId} and l.book = k.book and (l.valid_from is null or l.valid_from < k.day)`,
  );
}

/** A checkpoint of each book. */
const checkpoints = (sql: Sql, days: ReadonlyMap<string, string>) =>
  sql`unnest(${[...days.keys()]}::text[], ${[...days.values()]}::date[]) as k (book, day)`;

/** Lots that have changed since a checkpoint; all where it is null. */
export async function selectLotsSince(sql: Sql, scope: BookScope, day: string | null): Promise<PackedLots[]> {
  return packedLots(
    sql,
    sql`lots l where l.taxpayer_id = ${scope.taxpayerId} and l.book = ${scope.book}
      ${day === null ? sql`` : sql`and l.valid_from >= ${day}`}`,
  );
}

/** Versions of lots until one checkpoint, in one text. */
export interface PackedVersions extends PackedLots {
  readonly validTo: string;
}

const packedVersions = (sql: Sql, from: ReturnType<Sql>) => sql<PackedVersions[]>`
  select r.book, r.valid_to as "validTo", string_agg(r.packed, e'\x1e') as packed from (
    select v.book, v.valid_to, concat_ws(e'\x1f', coalesce(v.valid_from::text, ''), v.state) as packed
    from ${from}
    offset 0
  ) r group by r.book, r.valid_to`;

/** Of books, each with the day of a checkpoint, the versions of that one and of later ones. */
export async function selectVersionsOf(
  sql: Sql,
  taxpayerId: string,
  days: ReadonlyMap<string, string>,
): Promise<PackedVersions[]> {
  return packedVersions(
    sql,
    sql`${checkpoints(sql, days)}
      join lot_versions v on v.taxpayer_id = ${taxpayerId} and v.book = k.book and v.valid_to >= k.day`,
  );
}

/** The versions of a checkpoint and of later ones; all where it is null. */
export async function selectVersionsSince(sql: Sql, scope: BookScope, day: string | null): Promise<PackedVersions[]> {
  return packedVersions(
    sql,
    sql`lot_versions v where v.taxpayer_id = ${scope.taxpayerId} and v.book = ${scope.book}
      ${day === null ? sql`` : sql`and v.valid_to >= ${day}`}`,
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
): Promise<(StoredLotRow & { readonly at: number })[]> {
  const orders = {
    oldest: sql`l.acquired, l.sequence`,
    newest: sql`l.acquired desc, l.sequence desc`,
    highest_cost: sql`l.unit_cost desc`,
    lowest_cost: sql`l.unit_cost`,
  } satisfies Record<StoredOrder, unknown>;
  const known = isByCost(order) ? sql`and l.unit_cost is not null` : sql``;
  return sql<(StoredLotRow & { readonly at: number })[]>`
    select p.at::integer as at, ${lotFields(sql)}
    from unnest(${pools.map((pool) => pool.key)}::text[], ${pools.map((pool) => pool.account)}::text[])
      with ordinality as p (key, account, at),
    lateral (
      select * from lots l
      where ${unchangedSince(sql, scope, day)} and l.asset_key = p.key and l.account = p.account ${known}
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
): Promise<StoredLotRow[]> {
  const here = unchangedSince(sql, scope, day);
  return sql<StoredLotRow[]>`
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
    | 'validFrom'
    | 'state',
    ArrayText
  >
>;

export async function upsertLots(sql: Sql, scope: BookScope, c: LotColumns): Promise<void> {
  await sql`
    insert into lots (
      taxpayer_id, book, id, asset, asset_class, account, quantity, basis, acquired, held_since, inherited,
      asset_key, sequence, label, purchased_on, unit_cost, valid_from, state
    )
    select ${scope.taxpayerId}, ${scope.book}, r.* from unnest(
      ${c.id}::text[], ${c.asset}::text[], ${c.assetClass}::text[], ${c.account}::text[], ${c.quantity}::numeric[],
      ${c.basis}::numeric[], ${c.acquired}::date[], ${c.heldSince}::date[], ${c.inherited}::text[]::boolean[],
      ${c.key}::text[], ${c.sequence}::bigint[], ${c.label}::text[], ${c.purchasedOn}::date[], ${c.unitCost}::numeric[],
      ${c.validFrom}::date[], ${c.state}::text[]
    ) as r
    on conflict (taxpayer_id, id) do update set
      book = excluded.book, asset = excluded.asset, asset_class = excluded.asset_class, account = excluded.account,
      quantity = excluded.quantity, basis = excluded.basis, acquired = excluded.acquired,
      held_since = excluded.held_since, inherited = excluded.inherited, asset_key = excluded.asset_key,
      sequence = excluded.sequence, label = excluded.label, purchased_on = excluded.purchased_on,
      unit_cost = excluded.unit_cost, valid_from = excluded.valid_from, state = excluded.state`;
}

export async function deleteVersions(
  sql: Sql,
  scope: BookScope,
  gone: readonly Pick<LotVersion, 'id' | 'validTo'>[],
): Promise<void> {
  await sql`
    delete from lot_versions v
    using unnest(${gone.map((lot) => lot.id)}::text[], ${gone.map((lot) => lot.validTo)}::date[]) as g (id, valid_to)
    where v.taxpayer_id = ${scope.taxpayerId} and v.book = ${scope.book} and v.valid_to = g.valid_to and v.id = g.id`;
}

export async function insertVersions(
  sql: Sql,
  scope: BookScope,
  c: Readonly<Record<keyof LotVersion, ArrayText>>,
): Promise<void> {
  await sql`
    insert into lot_versions (taxpayer_id, book, id, valid_from, valid_to, state)
    select ${scope.taxpayerId}, ${scope.book}, r.* from unnest(
      ${c.id}::text[], ${c.validFrom}::date[], ${c.validTo}::date[], ${c.state}::text[]
    ) as r`;
}
