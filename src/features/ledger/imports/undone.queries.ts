import { numberedText } from '../../../db/citus.ts';
import type { Sql } from '../../../db/connection.ts';
import type { StageScope, TouchedRow } from '../transactions/rows.queries.ts';
import type { ImportView } from './view.ts';

const ownIds = '(select unnest(transaction_ids) from undone_imports where taxpayer_id = $1::uuid and id = $2::uuid)';

/**
 * The tables that an undo changes, in the order in which a restore fills them, each with a condition for its rows. The
 * condition matches the same rows before and after the undo.
 */
const relations = {
  imports: 'r.id = $2::uuid',
  transactions: `r.id in ${ownIds}`,
  transaction_sources: `r.transaction_id in ${ownIds}`,
  proposed_rows: `r.import_id = $2::uuid or r.transaction_id in ${ownIds}`,
  possible_duplicates: 'r.import_id = $2::uuid',
  account_assignments: 'r.import_id = $2::uuid',
  account_questions: '$2::uuid in (r.import_id, r.other_id)',
  asset_names: 'r.import_id = $2::uuid',
  import_events: 'r.import_id = $2::uuid',
  import_groups: 'r.import_id = $2::uuid',
  import_rejects: 'r.import_id = $2::uuid',
  balance_sources: 'r.import_id = $2::uuid',
  balances: `(r.account, r.asset, r.on_day) in (
    select s.account, s.asset, s.on_day from undone_rows u, unnest(u.content::balance_sources[]) s
    where u.taxpayer_id = $1::uuid and u.import_id = $2::uuid and u.relation = 'balance_sources'
  )`,
} as const;

/** Tables with generated numbers. */
const numberedRelations: ReadonlySet<string> = new Set(['imports', 'import_events']);
const relationNames = Object.keys(relations) as (keyof typeof relations)[];
/** The tables in which the undo leaves rows. In the others, it deletes all that match. */
const sharedRelations = ['balances', 'proposed_rows', 'transaction_sources', 'transactions'] as const;
const rowsPerPiece = 500;

interface UndoneImport {
  readonly view: ImportView;
  readonly undoneAt: Date;
  readonly bytes: number;
  readonly transactions: number;
  readonly remaining: string;
  readonly transactionIds: string[];
}

/** Copies everything that undoing the import may change. */
export async function keepUndone(
  sql: Sql,
  { taxpayerId, importId }: StageScope,
  view: ImportView,
  at: Date,
): Promise<void> {
  await sql`
    insert into undone_imports (taxpayer_id, id, undone_at, bytes, view, transaction_ids)
    with own as materialized (
      select id from transactions where taxpayer_id = ${taxpayerId} and import_id = ${importId}
      union
      select transaction_id from transaction_sources where taxpayer_id = ${taxpayerId} and import_id = ${importId}
    )
    select me.id, ${importId}, ${at}, ${view.bytes}, ${sql.json(view as never)}, array(
      select id from own
      union
      select id from proposed_rows where taxpayer_id = ${taxpayerId} and transaction_id in (select id from own)
    )
    from taxpayers me where me.id = ${taxpayerId}`;
  for (const name of relationNames) {
    await sql.unsafe(
      `insert into undone_rows (taxpayer_id, import_id, relation, number, content)
      select piece.taxpayer_id, $2::uuid, '${name}', piece.place, array_agg(piece.content) from (
        select r.taxpayer_id, r::text as content,
          (row_number() over (partition by r.taxpayer_id) - 1) / ${rowsPerPiece} as place
        from ${name} r where r.taxpayer_id = $1::uuid and (${relations[name]})
      ) piece group by piece.taxpayer_id, piece.place`,
      [taxpayerId, importId],
    );
  }
  await sql`
    insert into undone_texts (taxpayer_id, import_id, first_line, delimiter, content, blob)
    select taxpayer_id, ${importId}, first_line, delimiter, content, blob from import_texts
    where taxpayer_id = ${taxpayerId} and import_id = (
      select coalesce(text_of, id) from imports where taxpayer_id = ${taxpayerId} and id = ${importId}
    )`;
}

/** Records the result of the undo: the difference in transactions, and a digest of the rows that remain. */
export async function recordUndone(sql: Sql, scope: StageScope, transactions: number): Promise<void> {
  await sql`
    update undone_imports set transactions = ${transactions}, remaining = ${await digestRemaining(sql, scope)}
    where taxpayer_id = ${scope.taxpayerId} and id = ${scope.importId}`;
}

/**
 * Returns a digest of the rows that an undo leaves, and of the columns of the tables, because the copies are rows in
 * text form, which another version of the table cannot read.
 */
export async function digestRemaining(sql: Sql, { taxpayerId, importId }: StageScope): Promise<string> {
  const [shape] = await sql<{ digest: string }[]>`
    select md5(string_agg(attrelid::regclass || '.' || attname, ' ' order by attrelid::regclass::text, attnum)) as digest
    from pg_attribute where attrelid = any(${relationNames as string[]}::text[]::regclass[]) and attnum > 0`;
  const digests = [shape?.digest ?? ''];
  for (const name of sharedRelations) {
    const [row] = await sql.unsafe<{ digest: string }[]>(
      `select md5(coalesce(string_agg(digest, '' order by digest collate "C"), '')) as digest from (
        select md5(to_jsonb(r)::text) as digest from ${name} r where r.taxpayer_id = $1::uuid and (${relations[name]})
      ) rows`,
      [taxpayerId, importId],
    );
    digests.push(row?.digest ?? '');
  }
  return digests.join(' ');
}

/** Replaces the rows that remained after the undo by all rows from before it. */
export async function putBack(sql: Sql, { taxpayerId, importId }: StageScope): Promise<void> {
  for (const name of sharedRelations) {
    await sql.unsafe(`delete from ${name} r where r.taxpayer_id = $1::uuid and (${relations[name]})`, [
      taxpayerId,
      importId,
    ]);
  }
  for (const name of relationNames) {
    const columns = await selectColumns(sql, name);
    await sql.unsafe(
      `insert into ${name} (${columns}) overriding system value
      select ${columns.map((column) => (column === 'taxpayer_id' ? 'u.taxpayer_id' : `r.${column}`))} from undone_rows u, unnest(u.content::${name}[]) r
      where u.taxpayer_id = $1::uuid and u.import_id = $2::uuid and u.relation = '${name}'
      order by u.number ${numberedRelations.has(name) ? numberedText : ''}`,
      [taxpayerId, importId],
    );
  }
  await sql`
    insert into import_texts (taxpayer_id, import_id, first_line, delimiter, content, blob)
    select taxpayer_id, import_id, first_line, delimiter, content, blob from undone_texts
    where taxpayer_id = ${taxpayerId} and import_id = ${importId}`;
  await sql`update imports set text_of = null where taxpayer_id = ${taxpayerId} and id = ${importId}`;
}

/** Selects the columns that are not generated. */
async function selectColumns(sql: Sql, table: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select attname::text as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`;
  return rows.map(({ name }) => name);
}

/** Selects the books that the transactions of an undone import are in, with their first days. */
export async function selectTouchedUndone(sql: Sql, { taxpayerId, importId }: StageScope) {
  return sql<TouchedRow[]>`
    select k.asset_key, min(t.on_day) as day
    from transactions t, lateral (values (asset_key), (second_key), (third_key), (fourth_key)) as k (asset_key)
    where t.taxpayer_id = ${taxpayerId} and k.asset_key is not null and t.id in (
      select unnest(transaction_ids) from undone_imports where taxpayer_id = ${taxpayerId} and id = ${importId}
    )
    group by k.asset_key`;
}

const undoneFields = (sql: Sql) => sql`
  view, undone_at as "undoneAt", bytes::float8 as bytes, transactions, remaining, transaction_ids as "transactionIds"`;

export async function selectUndone(sql: Sql, { taxpayerId, importId }: StageScope) {
  const [row] = await sql<UndoneImport[]>`
    select ${undoneFields(sql)} from undone_imports where taxpayer_id = ${taxpayerId} and id = ${importId}`;
  return row;
}

/** Selects the imports that can still be restored, the last undone first. */
export async function selectAllUndone(sql: Sql, taxpayerId: string, limit: number) {
  return sql<UndoneImport[]>`
    select ${undoneFields(sql)} from undone_imports where taxpayer_id = ${taxpayerId}
    order by undone_at desc, id limit ${limit}`;
}

/** Selects the name of a file that was imported after this time. */
export async function selectLaterImport(sql: Sql, taxpayerId: string, after: Date): Promise<string | null | undefined> {
  const [row] = await sql<{ fileName: string | null }[]>`
    select file_name as "fileName" from imports
    where taxpayer_id = ${taxpayerId} and status = 'completed' and completed_at > ${after}
    order by sequence desc limit 1`;
  return row?.fileName;
}

export async function deleteUndone(sql: Sql, { taxpayerId, importId }: StageScope): Promise<void> {
  await sql`delete from undone_imports where taxpayer_id = ${taxpayerId} and id = ${importId}`;
}

/** Deletes the oldest undone imports if the files of all take more than `bytesMax`. */
export async function deleteUndoneBeyond(sql: Sql, taxpayerId: string, bytesMax: number): Promise<void> {
  await sql`
    delete from undone_imports where taxpayer_id = ${taxpayerId} and id in (
      select id from (
        select id, sum(bytes) over (order by undone_at desc, id) as kept from undone_imports
        where taxpayer_id = ${taxpayerId}
      ) newest where kept > ${bytesMax}
    )`;
}

/** Selects undone imports that can no longer be restored. Runs as the service. */
export async function selectUndoneBefore(sql: Sql, before: Date, limit: number) {
  return sql<StageScope[]>`
    select taxpayer_id as "taxpayerId", id as "importId" from undone_imports
    where undone_at < ${before} order by undone_at limit ${limit}`;
}
