import type { Sql } from '../../../db/connection.ts';
import type { BlobName, StoredBlob } from '../../../deps.ts';

/**
 * The tables whose rows contain large bytes or refer to a bucket object. Each has the taxpayer and these two columns as
 * its key.
 */
const keptTables = {
  import_texts: ['import_id', 'first_line'],
  undone_texts: ['import_id', 'first_line'],
  report_books: ['digest', 'part'],
} as const satisfies Readonly<Record<string, readonly [string, string]>>;

export type KeptTable = keyof typeof keptTables;
export const keptTableNames = Object.keys(keptTables) as KeptTable[];

/** A row that contains its bytes instead of referring to an object. */
interface OwnBytes {
  readonly key: readonly [string, string];
  readonly content: Uint8Array;
}

/** Conditions for rows that may be moved. Excludes running imports, which may still compare or delete their chunks. */
const settled: Readonly<Record<KeptTable, string>> = {
  import_texts: `and import_id in (select id from imports where taxpayer_id = $1::uuid and status <> 'running')`,
  undone_texts: '',
  report_books: '',
};

/** Selects the next taxpayer with a row to move. Runs as the service. */
export async function selectNextToMove(sql: Sql, table: KeptTable, after: string): Promise<string | undefined> {
  const [row] = await sql.unsafe<{ id: string }[]>(
    `select taxpayer_id as id from ${table} where blob is null and taxpayer_id > $1::uuid order by taxpayer_id limit 1`,
    [after],
  );
  return row?.id;
}

export async function selectOwnBytes(
  sql: Sql,
  table: KeptTable,
  taxpayerId: string,
  limit: number,
): Promise<OwnBytes[]> {
  const [first, second] = keptTables[table];
  const rows = await sql.unsafe<{ first: string; second: string; content: Uint8Array }[]>(
    `select ${first}::text as first, ${second}::text as second, content from ${table}
    where taxpayer_id = $1::uuid and blob is null ${settled[table]} order by ${first}, ${second} limit ${limit}`,
    [taxpayerId],
  );
  return rows.map(({ first, second, content }) => ({ key: [first, second], content }));
}

/**
 * Registers objects that are about to be stored, which protects them from removal for a while. Returns false if the
 * taxpayer was deleted.
 */
export async function announce(
  sql: Sql,
  taxpayerId: string,
  bytesByDigest: ReadonlyMap<string, number>,
  at: Date,
): Promise<boolean> {
  // Locks the taxpayer. An erasure that runs later finds the registered objects. One that ran earlier is detected here.
  const [taxpayer] = await sql`select 1 from taxpayers where id = ${taxpayerId} for key share`;
  if (taxpayer === undefined) return false;
  // Sorts the digests, so that two transactions that register the same objects cannot deadlock.
  const digests = [...bytesByDigest.keys()].sort();
  await sql`
    insert into blobs (taxpayer_id, digest, bytes, put_at)
    select me.id, p.digest, p.bytes, ${at}
    from taxpayers me, unnest(${digests}::text[], ${digests.map((digest) => bytesByDigest.get(digest) ?? 0)}::integer[]) p (digest, bytes)
    where me.id = ${taxpayerId}
    on conflict (taxpayer_id, digest) do update set put_at = excluded.put_at`;
  return true;
}

/** Registers unknown objects as if they were stored now. Returns the number of unknown objects. */
export async function announceUnknown(
  sql: Sql,
  taxpayerId: string,
  stored: readonly StoredBlob[],
  at: Date,
): Promise<number> {
  const known = await sql<{ digest: string }[]>`
    select digest from blobs where taxpayer_id = ${taxpayerId} and digest = any(${stored.map((one) => one.digest)}::text[])`;
  const digests = new Set(known.map(({ digest }) => digest));
  const unknown = stored.filter(({ digest }) => !digests.has(digest));
  const [taxpayer] = unknown.length === 0 ? [] : await sql`select 1 from taxpayers where id = ${taxpayerId}`;
  const erasedAt = taxpayer === undefined ? at : null;
  for (const { digest, bytes } of unknown) {
    await sql`
      insert into blobs (taxpayer_id, digest, bytes, put_at, erased_at)
      values (${taxpayerId}, ${digest}, ${bytes}, ${at}, ${erasedAt}) on conflict do nothing`;
  }
  return unknown.length;
}

/**
 * Replaces the bytes of a row with a reference to the object. Does nothing if the row was moved or deleted in the
 * meantime.
 */
export async function nameObject(
  sql: Sql,
  table: KeptTable,
  taxpayerId: string,
  { key, digest }: { readonly key: OwnBytes['key']; readonly digest: string },
): Promise<number> {
  const [first, second] = keptTables[table];
  const moved = await sql.unsafe(
    `update ${table} set content = null, blob = $4
    where taxpayer_id = $1::uuid and ${first}::text = $2 and ${second}::text = $3 and encode(sha256(content), 'hex') = $4`,
    [taxpayerId, ...key, digest],
  );
  return moved.count;
}

/** Selects the next taxpayer with a row that refers to an object. Runs as the service. */
export async function selectNextNaming(sql: Sql, table: KeptTable, after: string): Promise<string | undefined> {
  const [row] = await sql.unsafe<{ id: string }[]>(
    `select taxpayer_id as id from ${table} where blob is not null and taxpayer_id > $1::uuid order by taxpayer_id limit 1`,
    [after],
  );
  return row?.id;
}

/** Selects the digests of objects that rows refer to, without repeating any. */
export async function selectNamed(
  sql: Sql,
  table: KeptTable,
  taxpayerId: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await sql.unsafe<{ blob: string }[]>(
    `select distinct blob from ${table} where taxpayer_id = $1::uuid and blob > $2 order by blob limit ${limit}`,
    [taxpayerId, after],
  );
  return rows.map(({ blob }) => blob);
}

/** Replaces references to an object with its bytes. */
export async function restoreBytes(sql: Sql, table: KeptTable, { taxpayerId, digest }: BlobName, content: Uint8Array) {
  const restored = await sql.unsafe(
    `update ${table} set content = $3, blob = null where taxpayer_id = $1::uuid and blob = $2`,
    [taxpayerId, digest, content],
  );
  return restored.count;
}

/** Returns an SQL condition that is true if no row of the taxpayer refers to the object `b`. */
const isUnnamed = (taxpayer: string) =>
  keptTableNames
    .map((table) => `not exists (select from ${table} k where k.taxpayer_id = ${taxpayer} and k.blob = b.digest)`)
    .join(' and ');

/**
 * Reads a page of all objects. Returns its last object and the objects that no row has referred to for a long time.
 * Runs as the service.
 */
export async function selectUnnamed(
  sql: Sql,
  after: BlobName,
  putBefore: Date,
  limit: number,
): Promise<{ readonly last: BlobName | undefined; readonly unnamed: BlobName[] }> {
  const page = await sql<BlobName[]>`
    select b.taxpayer_id as "taxpayerId", b.digest from blobs b
    where (b.taxpayer_id, b.digest) > (${after.taxpayerId}::uuid, ${after.digest})
    order by b.taxpayer_id, b.digest limit ${limit}`;
  const last = page.at(-1);
  if (last === undefined) return { last, unnamed: [] };
  const unnamed = await sql.unsafe<BlobName[]>(
    `select b.taxpayer_id as "taxpayerId", b.digest from blobs b
    where (b.taxpayer_id, b.digest) > ($1::uuid, $2) and (b.taxpayer_id, b.digest) <= ($3::uuid, $4)
      and b.put_at < $5 and ${isUnnamed('b.taxpayer_id')}
    order by b.taxpayer_id, b.digest`,
    [after.taxpayerId, after.digest, last.taxpayerId, last.digest, putBefore],
  );
  return { last, unnamed };
}

/** Selects objects of erased taxpayers. Runs as the service. */
export async function selectErased(sql: Sql, putBefore: Date, limit: number): Promise<BlobName[]> {
  return sql<BlobName[]>`
    select taxpayer_id as "taxpayerId", digest from blobs
    where erased_at is not null and put_at < ${putBefore} order by taxpayer_id, digest limit ${limit}`;
}

/** Locks the removable objects until the commit. A transaction that stores one of them again must wait. */
export async function lockUnnamed(
  sql: Sql,
  taxpayerId: string,
  digests: readonly string[],
  putBefore: Date,
): Promise<string[]> {
  const rows = await sql.unsafe<{ digest: string }[]>(
    `select b.digest from blobs b
    where b.taxpayer_id = $1::uuid and b.digest = any($2::text[]) and b.put_at < $3 and ${isUnnamed('$1::uuid')}
    order by b.digest for update skip locked`,
    [taxpayerId, digests as string[], putBefore],
  );
  return rows.map(({ digest }) => digest);
}

export async function deleteBlobs(sql: Sql, taxpayerId: string, digests: readonly string[]): Promise<void> {
  await sql`delete from blobs where taxpayer_id = ${taxpayerId} and digest = any(${digests as string[]}::text[])`;
}

/** Counts the rows of one table that contain their bytes, and the rows that refer to an object. Runs as the service. */
export async function countKept(sql: Sql, table: KeptTable): Promise<{ readonly own: number; readonly named: number }> {
  const [row] = await sql.unsafe<{ own: number; named: number }[]>(
    `select count(*) filter (where blob is null)::integer as own, count(blob)::integer as named from ${table}`,
  );
  return row ?? { own: 0, named: 0 };
}

/** Counts the objects and their bytes. Runs as the service. */
export async function countObjects(sql: Sql): Promise<{ readonly objects: number; readonly bytes: number }> {
  const [row] = await sql<{ objects: number; bytes: number }[]>`
    select count(*)::integer as objects, coalesce(sum(bytes), 0)::float8 as bytes from blobs`;
  return row ?? { objects: 0, bytes: 0 };
}

/** Returns whether any row refers to a bucket object, so that the server needs the bucket. Runs as the service. */
export async function isBucketNamed(sql: Sql): Promise<boolean> {
  const conditions = keptTableNames
    .map((table) => `exists (select 1 from ${table} where blob is not null)`)
    .join(' or ');
  const [row] = await sql.unsafe<{ named: boolean }[]>(`select ${conditions} as named`);
  return row?.named ?? false;
}
