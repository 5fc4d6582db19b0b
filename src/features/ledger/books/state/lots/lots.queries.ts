import { type ArrayText, toArrayText } from '../../../../../db/array.ts';
import type { Sql } from '../../../../../db/connection.ts';
import { isByCost, type StoredOrder } from '../../../../../engine/lot-methods.ts';
import { type BookDays, bookDays } from '../state.queries.ts';

/**
 * A lot as of the book's last state. `validFrom` is the last checkpoint before the lot got its current value. Null if
 * the lot had it in the first checkpoint.
 */
export interface StoredLotRow {
  readonly id: string;
  readonly validFrom: string | null;
  readonly state: string;
  readonly basis: string;
  /** Whether the unit cost is stored, which HIFO and LOFO need for sorting. */
  readonly costed: boolean;
}

/** An earlier value of a lot. It is valid in the checkpoints after `validFrom` up to and including `validTo`. */
export interface LotVersion {
  readonly id: string;
  readonly validFrom: string | null;
  readonly validTo: string;
  readonly state: string;
}

const lotFields = (sql: Sql) =>
  sql`l.id, l.valid_from as "validFrom", l.state, l.basis, l.unit_cost is not null as costed`;

/**
 * Selects the lots of `k.book` that have not changed since a checkpoint (null for the last one). The earlier values of
 * changed lots are versions.
 */
const unchangedSince = (sql: Sql, taxpayerId: string) => sql`
  l.taxpayer_id = ${taxpayerId} and l.book = k.book and (k.day is null or l.valid_from is null or l.valid_from < k.day)`;

/**
 * Some lots of a book in one text for `packed-lots.ts`. Reading them takes a fifth of the time of rows with columns.
 */
export interface PackedLots {
  readonly book: string;
  readonly packed: string;
}

/** Packs the lots `l` of some books into texts. One text contains lots acquired within a few months. */
const packedLots = (sql: Sql, from: ReturnType<Sql>) => sql<PackedLots[]>`
  select r.book, string_agg(r.packed, e'\x1e') as packed from (
    select
      l.book, (l.acquired - date '1970-01-01') / ${daysPacked}::integer as part,
      concat_ws(e'\x1f', coalesce(l.valid_from::text, ''), l.basis, l.unit_cost is not null, l.state) as packed
    from ${from}
    offset 0
  ) r group by r.book, r.part`;

const daysPacked = 128;

/**
 * Selects the lots of each book that have not changed since the checkpoint on the given day. Without a day, selects all
 * lots.
 */
export async function selectStoredLots(sql: Sql, taxpayerId: string, days: BookDays): Promise<PackedLots[]> {
  if (days.size === 0) return [];
  return packedLots(
    sql,
    sql`${bookDays(sql, days)}, lateral (
      select * from lots l where ${unchangedSince(sql, taxpayerId)} offset 0
    ) l`,
  );
}

/**
 * Selects the lots of each book that have changed since the checkpoint on the given day. Without a day, selects all
 * lots.
 */
export async function selectLotsSince(sql: Sql, taxpayerId: string, days: BookDays): Promise<PackedLots[]> {
  if (days.size === 0) return [];
  return packedLots(
    sql,
    sql`${bookDays(sql, days)}, lateral (
      select l.* from lots l where l.taxpayer_id = ${taxpayerId} and l.book = k.book and k.day is null
      union all
      select l.* from lots l
      where l.taxpayer_id = ${taxpayerId} and l.book = k.book and l.valid_from between k.day and 'infinity'
      offset 0
    ) l`,
  );
}

/** Lot versions that are valid up to one checkpoint, in one text. */
export interface PackedVersions extends PackedLots {
  readonly validTo: string;
}

/**
 * Selects the lot versions of each book for the checkpoint on the given day and later ones. Without a day, selects all
 * versions.
 */
export async function selectLotVersions(sql: Sql, taxpayerId: string, days: BookDays): Promise<PackedVersions[]> {
  if (days.size === 0) return [];
  return sql<PackedVersions[]>`
    select r.book, r.valid_to as "validTo", string_agg(r.packed, e'\x1e') as packed from (
      select v.book, v.valid_to, concat_ws(e'\x1f', coalesce(v.valid_from::text, ''), v.state) as packed
      from ${bookDays(sql, days)}, lateral (
        select * from lot_versions v
        where v.taxpayer_id = ${taxpayerId} and v.book = k.book
          and v.valid_to between coalesce(k.day, '-infinity') and 'infinity'
        offset 0
      ) v
      offset 0
    ) r group by r.book, r.valid_to`;
}

export interface PoolScope {
  readonly book: string;
  /** The day of a checkpoint. Null for the last one. */
  readonly day: string | null;
  readonly key: string;
  readonly account: string;
  /** The maximum number of lots. */
  readonly limit: number;
}

/**
 * Selects the first lots of each pool in the given order, including all that tie with the last one. `at` is the
 * position of the pool in the list.
 */
export async function selectFirstLots(
  sql: Sql,
  taxpayerId: string,
  pools: readonly PoolScope[],
  order: StoredOrder,
): Promise<(StoredLotRow & { readonly at: number })[]> {
  const orders = {
    oldest: sql`l.acquired, l.sequence`,
    newest: sql`l.acquired desc, l.sequence desc`,
    highest_cost: sql`l.unit_cost desc`,
    lowest_cost: sql`l.unit_cost`,
  } satisfies Record<StoredOrder, unknown>;
  const known = isByCost(order) ? sql`and l.unit_cost is not null` : sql``;
  return sql<(StoredLotRow & { readonly at: number })[]>`
    select k.at::integer as at, ${lotFields(sql)}
    from unnest(
      ${pools.map(({ book }) => book)}::text[], ${pools.map(({ day }) => day)}::date[],
      ${pools.map(({ key }) => key)}::text[], ${pools.map(({ account }) => account)}::text[],
      ${pools.map(({ limit }) => limit)}::bigint[]
    ) with ordinality as k (book, day, key, account, lots, at),
    lateral (
      select * from lots l
      where ${unchangedSince(sql, taxpayerId)} and l.asset_key = k.key and l.account = k.account ${known}
      order by ${orders[order]} fetch first (k.lots) rows with ties
    ) l`;
}

/** The lots of a book to select in addition to the first lots of its pools. */
interface OtherLots {
  readonly book: string;
  /** The day of a checkpoint. Null for the last one. */
  readonly day: string | null;
  readonly purchasedFrom: string;
  readonly labels: readonly string[];
  readonly transits: readonly string[];
}

/**
 * Selects the lots of each book that were bought from a day on, that rows with these ids opened, or that are in
 * transit.
 */
export async function selectOtherLots(
  sql: Sql,
  taxpayerId: string,
  books: readonly OtherLots[],
  transitAccount: string,
) {
  const here = sql`select l.* from lots l where ${unchangedSince(sql, taxpayerId)}`;
  const hasLabels = books.some(({ labels }) => labels.length > 0);
  const hasTransits = books.some(({ transits }) => transits.length > 0);
  return sql<(StoredLotRow & { readonly book: string })[]>`
    select k.book, ${lotFields(sql)}
    from unnest(
      ${books.map(({ book }) => book)}::text[], ${books.map(({ day }) => day)}::date[],
      ${books.map(({ purchasedFrom }) => purchasedFrom)}::date[],
      ${books.map(({ labels }) => toArrayText(labels, (label) => label))}::text[],
      ${books.map(({ transits }) => toArrayText(transits, (key) => key))}::text[]
    ) as k (book, day, purchased_from, labels, transits), lateral (
      ${here} and l.purchased_on between k.purchased_from and 'infinity'
      ${hasLabels ? sql`union all ${here} and l.label <> '' and l.label = any(k.labels::text[])` : sql``}
      ${
        hasTransits
          ? sql`union all ${here} and l.asset_key = any(k.transits::text[]) and l.account = ${transitAccount}`
          : sql``
      }
      offset 0
    ) l`;
}

export async function deleteLots(
  sql: Sql,
  taxpayerId: string,
  gone: readonly { readonly book: string; readonly id: string }[],
): Promise<void> {
  await sql`
    delete from lots l
    using unnest(${gone.map(({ book }) => book)}::text[], ${gone.map(({ id }) => id)}::text[]) as g (book, id)
    where l.taxpayer_id = ${taxpayerId} and l.id = g.id and l.book = g.book`;
}

export type LotColumns = Readonly<
  Record<
    | 'book'
    | 'id'
    | 'asset'
    | 'assetClass'
    | 'account'
    | 'quantity'
    | 'basis'
    | 'acquired'
    | 'heldSince'
    | 'inherited'
    | 'purchaseUnknown'
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

export async function upsertLots(sql: Sql, taxpayerId: string, c: LotColumns): Promise<void> {
  await sql`
    insert into lots (
      taxpayer_id, book, id, asset, asset_class, account, quantity, basis, acquired, held_since, inherited,
      purchase_unknown, asset_key, sequence, label, purchased_on, unit_cost, valid_from, state
    )
    select me.id, r.* from taxpayers me, unnest(
      ${c.book}::text[], ${c.id}::text[], ${c.asset}::text[], ${c.assetClass}::text[], ${c.account}::text[], ${c.quantity}::numeric[],
      ${c.basis}::numeric[], ${c.acquired}::date[], ${c.heldSince}::date[], ${c.inherited}::text[]::boolean[],
      ${c.purchaseUnknown}::text[]::boolean[], ${c.key}::text[], ${c.sequence}::bigint[], ${c.label}::text[], ${c.purchasedOn}::date[], ${c.unitCost}::numeric[],
      ${c.validFrom}::date[], ${c.state}::text[]
    ) as r
    where me.id = ${taxpayerId}
    on conflict (taxpayer_id, id) do update set
      book = excluded.book, asset = excluded.asset, asset_class = excluded.asset_class, account = excluded.account,
      quantity = excluded.quantity, basis = excluded.basis, acquired = excluded.acquired,
      held_since = excluded.held_since, inherited = excluded.inherited,
      purchase_unknown = excluded.purchase_unknown, asset_key = excluded.asset_key,
      sequence = excluded.sequence, label = excluded.label, purchased_on = excluded.purchased_on,
      unit_cost = excluded.unit_cost, valid_from = excluded.valid_from, state = excluded.state`;
}

export async function deleteVersions(
  sql: Sql,
  taxpayerId: string,
  gone: readonly (Pick<LotVersion, 'id' | 'validTo'> & { readonly book: string })[],
): Promise<void> {
  await sql`
    delete from lot_versions v
    using unnest(
      ${gone.map((lot) => lot.book)}::text[], ${gone.map((lot) => lot.id)}::text[],
      ${gone.map((lot) => lot.validTo)}::date[]
    ) as g (book, id, valid_to)
    where v.taxpayer_id = ${taxpayerId} and v.book = g.book and v.valid_to = g.valid_to and v.id = g.id`;
}

export async function insertVersions(
  sql: Sql,
  taxpayerId: string,
  c: Readonly<Record<keyof LotVersion | 'book', ArrayText>>,
): Promise<void> {
  await sql`
    insert into lot_versions (taxpayer_id, book, id, valid_from, valid_to, state)
    select me.id, r.* from taxpayers me, unnest(
      ${c.book}::text[], ${c.id}::text[], ${c.validFrom}::date[], ${c.validTo}::date[], ${c.state}::text[]
    ) as r
    where me.id = ${taxpayerId}`;
}
