import { type ArrayText, toArrayText } from '../../../../db/array.ts';
import type { Sql } from '../../../../db/connection.ts';
import { isByCost, type StoredOrder } from '../../../../engine/lot-methods.ts';
import {
  extrasJson,
  isZoned,
  statesNoExtras,
  type TransactionRow,
  tieColumns,
  transactionColumns,
} from '../../transactions/rows.queries.ts';

/** The engine version and rules that a checkpoint must match to be valid. */
export interface Stamp {
  readonly engine: string;
  readonly rules: string;
}

/** A stored state of a book. The lots are stored in separate rows. */
export interface CheckpointRow {
  readonly day: string;
  /** The book without its lots, deflated. */
  readonly state: Uint8Array;
  /** The number of lots in the book. */
  readonly lots: number;
  /** A digest of the facts for each day since the previous checkpoint. */
  readonly days: string;
}

export interface NewCheckpoint extends CheckpointRow {
  /** Whether a replay may resume from this checkpoint. */
  readonly settled: boolean;
}

/** A day, or null, for each book. */
type BookDays = ReadonlyMap<string, string | null>;

const bookDays = (sql: Sql, days: BookDays) =>
  sql`unnest(${[...days.keys()]}::text[], ${[...days.values()]}::date[]) as k (book, day)`;

/** The day of a checkpoint, and whether this engine version created it with these rules. */
export interface CheckpointHead extends Pick<CheckpointRow, 'day' | 'lots'> {
  readonly valid: boolean;
  /** Null if they were not requested. */
  readonly days: string | null;
}

/** A book whose checkpoints to select. */
export interface HeadRequest {
  readonly book: string;
  /** Whether to read the digests too, because the whole book is replayed. */
  readonly withDays: boolean;
}

/** Selects all checkpoints of some books, oldest first. */
export async function selectCheckpointHeads(sql: Sql, taxpayerId: string, books: readonly HeadRequest[], stamp: Stamp) {
  const withDays = books.flatMap((one) => (one.withDays ? [one.book] : []));
  return sql<(CheckpointHead & { readonly book: string })[]>`
    select book, day, engine = ${stamp.engine} and rules = ${stamp.rules} as valid, lots,
      case when book = any(${withDays}::text[]) then days end as days
    from checkpoints
    where taxpayer_id = ${taxpayerId} and book = any(${books.map(({ book }) => book)}::text[]) order by book, day`;
}

/** Selects each book's checkpoint on the given day. */
export async function selectCheckpoints(
  sql: Sql,
  taxpayerId: string,
  days: BookDays,
): Promise<Map<string, CheckpointRow>> {
  if (days.size === 0) return new Map();
  const rows = await sql<(CheckpointRow & { readonly book: string })[]>`
    select c.book, c.day, c.state, c.lots, c.days
    from ${bookDays(sql, days)} join checkpoints c on c.taxpayer_id = ${taxpayerId} and c.book = k.book and c.day = k.day`;
  if (rows.length < days.size) throw new Error('The checkpoint no longer exists.');
  return new Map(rows.map(({ book, ...row }) => [book, row]));
}

/** Selects each book's last valid checkpoint on or before a day. */
export async function selectCheckpointsOn(sql: Sql, taxpayerId: string, on: string, stamp: Stamp) {
  return sql<(CheckpointRow & { readonly book: string })[]>`
    select distinct on (book) book, day, state, lots, days from checkpoints
    where taxpayer_id = ${taxpayerId} and day <= ${on} and engine = ${stamp.engine} and rules = ${stamp.rules}
    order by book, day desc`;
}

/** Selects the digests of each book's facts caused after a day, from all later checkpoints. Null means all days. */
export async function selectDays(sql: Sql, taxpayerId: string, after: BookDays) {
  return sql<{ book: string; days: string }[]>`
    select c.book, c.days
    from ${bookDays(sql, after)}
    join checkpoints c on c.taxpayer_id = ${taxpayerId} and c.book = k.book and (k.day is null or c.day > k.day)
    order by c.book, c.day`;
}

export async function deleteCheckpoints(
  sql: Sql,
  taxpayerId: string,
  checkpoints: readonly { readonly book: string; readonly day: string }[],
): Promise<void> {
  await sql`
    delete from checkpoints c
    using unnest(${checkpoints.map((one) => one.book)}::text[], ${checkpoints.map((one) => one.day)}::date[]) as g (book, day)
    where c.taxpayer_id = ${taxpayerId} and c.book = g.book and c.day = g.day`;
}

/** Deletes the checkpoints of some books with their lots and versions. */
export async function deleteStates(sql: Sql, taxpayerId: string, books: readonly string[]): Promise<void> {
  for (const table of ['checkpoints', 'lots', 'lot_versions']) {
    await sql`
      delete from ${sql(table)} where taxpayer_id = ${taxpayerId} and book = any(${books as string[]}::text[])`;
  }
}

export async function upsertCheckpoints(
  sql: Sql,
  taxpayerId: string,
  stamp: Stamp,
  rows: readonly (NewCheckpoint & { readonly book: string })[],
): Promise<void> {
  await sql`
    insert into checkpoints (taxpayer_id, book, day, engine, rules, state, lots, days)
    select me.id, r.book, r.day, ${stamp.engine}, r.rules, decode(r.state, 'base64'), r.lots, r.days
    from taxpayers me, unnest(
      ${rows.map((row) => row.book)}::text[], ${rows.map((row) => row.day)}::date[],
      ${rows.map((row) => Buffer.from(row.state).toString('base64'))}::text[],
      ${rows.map((row) => row.lots)}::integer[], ${rows.map((row) => row.days)}::text[],
      ${rows.map((row) => (row.settled ? stamp.rules : unsettled))}::text[]
    ) as r (book, day, state, lots, days, rules)
    where me.id = ${taxpayerId}
    on conflict (taxpayer_id, book, day) do update set
      engine = excluded.engine, rules = excluded.rules, state = excluded.state, lots = excluded.lots, days = excluded.days`;
}

/** Stored instead of a hash of rules. It matches no rules, so no replay resumes from such a checkpoint. */
const unsettled = 'unsettled';

export async function insertBooks(
  sql: Sql,
  taxpayerId: string,
  members: readonly { readonly book: string; readonly key: string }[],
): Promise<void> {
  await sql`
    insert into books (taxpayer_id, asset_key, book)
    select me.id, r.key, r.book
    from taxpayers me,
      unnest(${members.map(({ key }) => key)}::text[], ${members.map(({ book }) => book)}::text[]) as r (key, book)
    where me.id = ${taxpayerId}
    on conflict (taxpayer_id, asset_key) do update set book = excluded.book`;
}

export async function deleteBooks(sql: Sql, taxpayerId: string, books: readonly string[]): Promise<void> {
  await sql`delete from books where taxpayer_id = ${taxpayerId} and book = any(${books as string[]}::text[])`;
}

/**
 * The rows of a book after one day and no later than another. Null means from the first row or through the last row.
 */
export interface HistorySpan {
  readonly keys: readonly string[];
  readonly after: string | null;
  readonly until?: string;
}

/** A span of rows in a book. */
export type BookSpan = HistorySpan & { readonly book: string };

/**
 * Joins each span `k` with each of its keys. Sends the keys as text, because arrays of arrays must all have the same
 * length.
 */
const joinKeys = (sql: Sql, spans: readonly BookSpan[]) => sql`
  unnest(
    ${spans.map(({ book }) => book)}::text[], ${spans.map(({ keys }) => toArrayText(keys, (key) => key))}::text[],
    ${spans.map(({ after }) => after ?? '-infinity')}::date[], ${spans.map(({ until }) => until ?? 'infinity')}::date[]
  ) as k (book, keys, after, until), unnest(k.keys::text[]) as key`;

/**
 * Selects the rows of a span that affect a key. If a row affects several keys of the book, it comes only with the first
 * of them.
 */
const moving = (sql: Sql, taxpayerId: string) => {
  const rows = sql`select t.* from transactions t where t.taxpayer_id = ${taxpayerId} and t.on_day > k.after and t.on_day <= k.until`;
  const isOther = (name: string) => sql`${sql(name)} <> all(k.keys::text[])`;
  return sql`
    ${rows} and t.asset_key = key
    union all ${rows} and t.second_key = key and ${isOther('asset_key')}
    union all ${rows} and t.third_key = key and ${isOther('asset_key')} and ${isOther('second_key')}
    union all ${rows} and t.fourth_key = key and ${isOther('asset_key')} and ${isOther('second_key')}
      and ${isOther('third_key')}`;
};

/** Counts the rows of each span, up to a maximum for each key. */
export async function countMoving(
  sql: Sql,
  taxpayerId: string,
  spans: readonly BookSpan[],
  rowsMax: number,
): Promise<Map<string, number>> {
  const rows = await sql<{ book: string; rows: number }[]>`
    select k.book, sum(r.rows)::integer as rows
    from ${joinKeys(sql, spans)}, lateral (
      select count(*) as rows from (select from (${moving(sql, taxpayerId)}) t limit ${rowsMax}) counted
    ) r
    group by k.book`;
  return new Map(rows.map((row) => [row.book, row.rows]));
}

/** Several rows of a history packed into one text, each with the fields of `selectPackedHistories`. */
export interface PackedRows {
  /** A part with later days has a higher number. */
  readonly part: number;
  readonly packed: string;
  readonly rows: number;
}

/**
 * Selects the rows of each book, packed into one text for every few weeks. The texts are in no particular order,
 * because sorting them in the database would be wasteful.
 */
export async function selectPackedHistories(
  sql: Sql,
  taxpayerId: string,
  spans: readonly BookSpan[],
): Promise<(PackedRows & { readonly book: string })[]> {
  // Offset 0 makes the database create the texts before it groups them. Otherwise, all columns would go through the
  // grouping.
  return sql<(PackedRows & { readonly book: string })[]>`
    select k.book, r.part, r.packed, r.rows
    from ${joinKeys(sql, spans)}, lateral (
      select p.part, string_agg(p.packed, e'\x1e') as packed, count(*)::integer as rows from (
        select ${packedRow(sql)} as packed, (t.on_day - date '1970-01-01') / ${daysPacked}::integer as part
        from (${moving(sql, taxpayerId)}) t
        offset 0
      ) p group by p.part
    ) r`;
}

/**
 * Selects all rows of each book like `selectPackedHistories`, packed into one text per book. Reads the rows of the
 * account once instead of four times for each key. For an account with few rows, that takes a third of the time.
 */
export async function selectWholeHistories(
  sql: Sql,
  taxpayerId: string,
  books: readonly Omit<BookSpan, 'after' | 'until'>[],
): Promise<(PackedRows & { readonly book: string })[]> {
  const members = books.flatMap(({ book, keys }) => keys.map((key) => ({ book, key })));
  const rowsWith = (key: string) => sql`
    join transactions t on t.${sql(key)} = m.key where t.taxpayer_id = ${taxpayerId}`;
  const isNotOf = (key: string) => sql`
    and not exists (select from members o where o.key = t.${sql(key)} and o.book = m.book)`;
  const row = sql`select m.book, ${packedRow(sql)} as packed from members m`;
  return sql<(PackedRows & { readonly book: string })[]>`
    with members (book, key) as materialized (
      select * from unnest(${members.map(({ book }) => book)}::text[], ${members.map(({ key }) => key)}::text[])
    )
    select r.book, 0 as part, string_agg(r.packed, e'\x1e') as packed, count(*)::integer as rows from (
      ${row} ${rowsWith('asset_key')}
      union all ${row} ${rowsWith('second_key')} ${isNotOf('asset_key')}
      union all ${row} ${rowsWith('third_key')} ${isNotOf('asset_key')} ${isNotOf('second_key')}
      union all ${row} ${rowsWith('fourth_key')} ${isNotOf('asset_key')} ${isNotOf('second_key')} ${isNotOf('third_key')}
    ) r group by r.book`;
}

const packedRow = (sql: Sql) => sql`
  concat_ws(e'\x1f', t.type, t.asset_class, t.currency, t.account, t.asset, t.id,
    coalesce((date_part('epoch', t.at - (t.on_day::timestamp at time zone 'UTC')) * 1000000)::bigint::text, ''),
    t.on_day - date '1970-01-01', t.line * 1048576::bigint + ${tieColumns(sql)}, coalesce(t.quantity::text, ''), coalesce(t.amount::text, ''),
    coalesce(t.fee::text, ''), t.external_id, ${others(sql)}
  )`;

/**
 * The number of days packed into one text. For most books, creating and reading such a text takes a few milliseconds.
 */
const daysPacked = 16;

/** Returns the fields that a plain trade never has, as JSON. Empty if none of them is set. */
const others = (sql: Sql) => sql`
  case when ${isZoned(sql)} then (${extrasJson(sql)}::jsonb || '{"zoned": true}')::text
    when ${statesNoExtras(sql)} then '' else ${extrasJson(sql)}::text end`;

export async function selectHistory(sql: Sql, taxpayerId: string, span: HistorySpan) {
  return sql<TransactionRow[]>`
    select ${transactionColumns(sql)}, ${isZoned(sql)} as zoned
    from ${joinKeys(sql, [{ ...span, book: '' }])}, lateral (${moving(sql, taxpayerId)}) t`;
}

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
      l.book, (l.acquired - date '1970-01-01') / ${lotDaysPacked}::integer as part, ${packedLot(sql)} as packed
    from ${from}
    offset 0
  ) r group by r.book, r.part`;

const packedLot = (sql: Sql) =>
  sql`concat_ws(e'\x1f', coalesce(l.valid_from::text, ''), l.basis, l.unit_cost is not null, l.state)`;

const packedVersion = (sql: Sql) => sql`concat_ws(e'\x1f', coalesce(v.valid_from::text, ''), v.state)`;

/**
 * Selects all lots and lot versions of some books. The texts with lots have no `validTo`. For few lots, this takes half
 * the time of `selectLotsSince` and `selectLotVersions`.
 */
export async function selectWholeLots(
  sql: Sql,
  taxpayerId: string,
  books: readonly string[],
): Promise<(PackedLots & { readonly validTo: string | null })[]> {
  if (books.length === 0) return [];
  return sql<(PackedLots & { readonly validTo: string | null })[]>`
    select l.book, null::date as "validTo", string_agg(${packedLot(sql)}, e'\x1e') as packed from lots l
    where l.taxpayer_id = ${taxpayerId} and l.book = any(${books as string[]}::text[]) group by l.book
    union all
    select v.book, v.valid_to, string_agg(${packedVersion(sql)}, e'\x1e') from lot_versions v
    where v.taxpayer_id = ${taxpayerId} and v.book = any(${books as string[]}::text[]) group by v.book, v.valid_to`;
}

const lotDaysPacked = 128;

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
      select v.book, v.valid_to, ${packedVersion(sql)} as packed
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
