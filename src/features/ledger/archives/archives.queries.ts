import { numberedText } from '../../../db/citus.ts';
import type { Sql } from '../../../db/connection.ts';
import type { AuditAction } from '../../../http/audit-actions.ts';

/** The columns of a stored table. Excludes generated columns, the taxpayer id, and the reference to the bucket. */
export interface TableShape {
  readonly name: string;
  readonly columns: readonly string[];
  /** The PostgreSQL type of each column. */
  readonly types: Readonly<Record<string, string>>;
  /** The identity column, if any. */
  readonly counted: string | null;
  readonly key: readonly string[];
  /** Whether the table contains chunks of files or documents, which make its rows large. */
  readonly hasPieces: boolean;
  /** Whether a row may refer to a bucket object instead of storing its `content`. */
  readonly mayNameObject: boolean;
  /** Whether the table references `imports`. */
  readonly ofImports: boolean;
}

export async function selectShapes(sql: Sql, names: readonly string[]): Promise<TableShape[]> {
  const shapes = await sql<TableShape[]>`
    select c.relname::text as name,
      array_agg(a.attname::text order by a.attnum) filter (where a.attname not in ('taxpayer_id', 'blob')) as columns,
      jsonb_object_agg(a.attname, format_type(a.atttypid, null)) as types,
      max(a.attname::text) filter (where a.attidentity <> '') as counted,
      coalesce((
        select array_agg(k.attname::text order by array_position(i.indkey::int2[], k.attnum))
        from pg_index i join pg_attribute k on k.attrelid = c.oid and k.attnum = any(i.indkey::int2[])
        where i.indrelid = c.oid and i.indisprimary
      ), '{}') as key,
      bool_or(a.atttypid in ('bytea'::regtype, 'json'::regtype)) as "hasPieces",
      bool_or(a.attname = 'blob') as "mayNameObject",
      exists (
        select from pg_constraint f where f.conrelid = c.oid and f.contype = 'f' and f.confrelid = 'imports'::regclass
      ) as "ofImports"
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relname = any(${names as string[]}::text[])
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by c.oid, c.relname`;
  const byName = new Map(shapes.map((shape) => [shape.name, shape]));
  return names.map((name) => {
    const shape = byName.get(name);
    if (shape === undefined) throw new Error(`The database has no table ${name}.`);
    return shape;
  });
}

/** Batch sizes for small rows and large rows. */
const [rowsPerRead, piecesPerRead] = [1_000, 20];

/** Yields the taxpayer's rows as JSON lines in a fixed order. Omits data from imports in progress. */
export async function* readRows(sql: Sql, taxpayerId: string, shape: TableShape): AsyncGenerator<string[]> {
  const { name, columns, counted, key, hasPieces, mayNameObject, ofImports } = shape;
  const order = counted === null ? key : [counted];
  const done = unfinished.includes(name)
    ? `and status <> 'running'`
    : ofImports
      ? `and import_id in (select id from imports where taxpayer_id = $1::uuid and status <> 'running')`
      : '';
  const taxpayer = name === 'taxpayers' ? 'id' : 'taxpayer_id';
  // JSON values keep their line breaks, which are only whitespace outside of strings. Replaces them with spaces to get
  // one row per line.
  await sql.unsafe(
    `declare archive_rows no scroll cursor for
    select replace(replace(row_to_json(r)::text, chr(10), ' '), chr(13), ' ') as line from (
      select ${[...columns, ...(mayNameObject ? ['blob'] : [])].map(quoteName).join(', ')} from ${quoteName(name)} where ${taxpayer} = $1::uuid ${done}
      order by ${order.map(quoteName).join(', ')}
    ) r`,
    [taxpayerId],
  );
  const most = hasPieces ? piecesPerRead : rowsPerRead;
  for (;;) {
    const rows = await sql.unsafe<{ line: string }[]>(`fetch ${most} from archive_rows`);
    if (rows.length > 0) yield rows.map(({ line }) => line);
    if (rows.length < most) break;
  }
  await sql.unsafe('close archive_rows');
}

const unfinished = ['imports', 'calculations'];

export interface ImportedText {
  readonly id: string;
  readonly fileName: string | null;
}

/** Selects the imports with stored files, in order. */
export async function selectKeptFiles(sql: Sql, taxpayerId: string): Promise<ImportedText[]> {
  return sql<ImportedText[]>`
    select id, file_name as "fileName" from imports i
    where taxpayer_id = ${taxpayerId} and status <> 'running'
      and exists (select from import_texts p where p.taxpayer_id = i.taxpayer_id and p.import_id = coalesce(i.text_of, i.id))
    order by sequence`;
}

/** Returns the account data outside the books as JSON, without secrets. Runs as the service. */
export async function selectAccount(sql: Sql, userId: string): Promise<string> {
  const [clients] = await sql<{ list: string }[]>`
    select coalesce(jsonb_agg(jsonb_build_object('id', taxpayer_id, 'role', role, 'since', created_at)
      order by created_at, taxpayer_id), '[]')::text as list
    from memberships where user_id = ${userId} and role <> 'owner'`;
  const [row] = await sql<{ account: string }[]>`
    select jsonb_pretty(jsonb_build_object(
      'email', u.email, 'emailVerifiedAt', u.email_verified_at, 'name', u.name, 'plan', u.plan, 'createdAt', u.created_at,
      'hasPassword', u.password_hash is not null,
      'hasAuthenticatorApp', exists (select from totp_keys k where k.user_id = u.id and k.confirmed_at is not null),
      'recoveryCodesLeft', (select count(*) from recovery_codes c where c.user_id = u.id),
      'passkeys', (
        select coalesce(jsonb_agg(jsonb_build_object('name', p.name, 'createdAt', p.created_at, 'lastUsedAt', p.last_used_at)
          order by p.created_at, p.id), '[]') from passkeys p where p.user_id = u.id),
      'providers', (
        select coalesce(jsonb_agg(jsonb_build_object('provider', i.provider, 'id', i.subject, 'linkedAt', i.created_at)
          order by i.provider), '[]') from identities i where i.user_id = u.id),
      'sessions', (
        select coalesce(jsonb_agg(jsonb_build_object('device', s.device, 'createdAt', s.created_at,
          'lastUsedAt', s.last_used_at, 'expiresAt', s.expires_at) order by s.created_at, s.id), '[]')
        from sessions s where s.user_id = u.id),
      'devices', (
        select coalesce(jsonb_agg(jsonb_build_object('createdAt', d.created_at, 'lastUsedAt', d.last_used_at)
          order by d.created_at), '[]') from devices d where d.user_id = u.id),
      'tokens', (
        select coalesce(jsonb_agg(jsonb_build_object('name', k.name, 'scopes', k.scopes, 'client', k.client_id,
          'createdAt', k.created_at, 'expiresAt', k.expires_at, 'lastUsedAt', k.last_used_at) order by k.created_at, k.id), '[]')
        from access_tokens k where k.user_id = u.id and k.connection_id is null),
      'programs', (
        select coalesce(jsonb_agg(jsonb_build_object('name', p.name, 'scopes', c.scopes, 'client', c.client_id,
          'createdAt', c.created_at, 'expiresAt', c.expires_at) order by c.created_at, c.id), '[]')
        from program_connections c join programs p on p.id = c.program_id where c.user_id = u.id),
      'invitations', (
        select coalesce(jsonb_agg(jsonb_build_object('kind', v.kind, 'email', v.email, 'role', v.role, 'state', v.state,
          'createdAt', v.created_at, 'expiresAt', v.expires_at, 'settledAt', v.settled_at) order by v.created_at, v.id), '[]')
        from invitations v where v.user_id = u.id),
      'clients', ${clients?.list ?? '[]'}::text::jsonb,
      'subscription', (
        select jsonb_build_object('standing', b.standing, 'ends', b.ends, 'periodEndsAt', b.period_ends_at)
        from subscriptions b where b.user_id = u.id)
    )) as account
    from users u where u.id = ${userId}`;
  if (row === undefined) throw new Error('The account does not exist.');
  return row.account;
}

/** Returns the name of the first table that contains rows of the taxpayer. Undefined if the account is empty. */
export async function selectFilled(
  sql: Sql,
  taxpayerId: string,
  names: readonly string[],
): Promise<string | undefined> {
  for (const name of names) {
    const rows = await sql.unsafe(`select 1 from ${quoteName(name)} where taxpayer_id = $1::uuid limit 1`, [
      taxpayerId,
    ]);
    if (rows.length > 0) return name;
  }
  return undefined;
}

interface ArchivedRows {
  /** JSON rows with these columns. */
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** The user's id on the source server and on this one. */
  readonly users: { readonly there: string | null; readonly here: string };
}

/** Inserts archived rows. Identity columns get new numbers in the order of the rows. */
export async function insertRows(
  sql: Sql,
  taxpayerId: string,
  shape: TableShape,
  archivedRows: ArchivedRows,
): Promise<void> {
  const { name, counted } = shape;
  const columns = archivedRows.columns.filter((column) => column !== counted);
  const values = columns.map((column) => valueFor(name, column));
  await sql.unsafe(
    `insert into ${quoteName(name)} (taxpayer_id, ${columns.map(quoteName).join(', ')})
    select me.id, ${values.join(', ')}
    from taxpayers me, json_populate_recordset(null::${quoteName(name)}, $1::text::json) r,
      (select $3::uuid as there, $4::uuid as here) u
    where me.id = $2::uuid
    ${agreeing.includes(name) ? 'on conflict do nothing' : ''} ${counted === null ? '' : numberedText}`,
    [`[${archivedRows.rows.join(',')}]`, taxpayerId, archivedRows.users.there, archivedRows.users.here],
  );
}

/** Runs statements that the database may reject. Returns the error, and rolls back only these statements. */
export async function tryStatement(sql: Sql, work: () => Promise<void>): Promise<string | undefined> {
  await sql.unsafe('savepoint archive_batch');
  try {
    await work();
    await sql.unsafe('release savepoint archive_batch');
    return undefined;
  } catch (error) {
    await sql.unsafe('rollback to savepoint archive_batch');
    return error instanceof Error ? error.message : String(error);
  }
}

/** Tables in which the target account may already contain the same rows. */
const agreeing = ['muted_notifications', 'notified_subjects'];

const ownRow = `jsonb_build_object('taxpayer_id', $2::uuid)`;
/** Expressions for columns that contain a taxpayer id or a running number. */
const special: Readonly<Record<string, string>> = {
  'notifications.sequence': `(select coalesce(max(n.sequence), 0) from notifications n where n.taxpayer_id = $2::uuid) + row_number() over ()`,
  'proposed_rows.content': `r.content || ${ownRow}`,
  'edited_rows.before': `r.before || ${ownRow}`,
  'edited_rows.sources': `(select coalesce(jsonb_agg(s || ${ownRow}), '[]') from jsonb_array_elements(r.sources) s)`,
};

function valueFor(table: string, column: string): string {
  if (column === 'user_id') return 'case when r.user_id = u.there then u.here else r.user_id end';
  return special[`${table}.${column}`] ?? `r.${quoteName(column)}`;
}

export async function updateSettings(sql: Sql, taxpayerId: string, row: string): Promise<void> {
  await sql`
    update taxpayers t set taxpayer_name = r.taxpayer_name, tin = r.tin, time_zone = r.time_zone, settings = r.settings,
      id_key = r.id_key
    from json_populate_record(null::taxpayers, ${row}::text::json) r where t.id = ${taxpayerId}`;
}

/** Updates the row count, which the plan limits. Ignores the count in the archive. */
export async function countTransactions(sql: Sql, taxpayerId: string): Promise<void> {
  await sql`
    update taxpayers set transactions_stored = (select count(*) from transactions where taxpayer_id = ${taxpayerId})
    where id = ${taxpayerId}`;
}

/**
 * Stores provider prices as the taxpayer's own if they valued rows on the source server and this server does not have
 * them.
 */
export async function keepUsedPrices(sql: Sql, taxpayerId: string, at: Date): Promise<void> {
  await sql`
    insert into prices (taxpayer_id, asset, day, usd, created_at)
    select distinct on (v.taxpayer_id, v.asset, v.day) v.taxpayer_id, v.asset, v.day, v.usd, ${at}::timestamptz
    from valuations v
    where v.taxpayer_id = ${taxpayerId} and v.source <> 'own'
      and not exists (select from shared_price(v.asset, v.day, 0, array[v.source]) p where p.usd = v.usd)
    order by v.taxpayer_id, v.asset, v.day, v.source
    on conflict do nothing`;
}

/** Adds an entry to the account's activity log, because an operator changed the account. */
export async function insertArchiveImport(sql: Sql, taxpayerId: string, at: Date): Promise<void> {
  const action: AuditAction = 'account_imported';
  await sql`
    insert into audit_entries (taxpayer_id, at, action, actor) values (${taxpayerId}, ${at}, ${action}, 'operator')`;
}

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
