import type { Sql } from '../../../../db/connection.ts';
import { booksDeleted } from '../../../../db/database-refusals.ts';
import type { TokenScope } from '../../../../http/operations.ts';
import { lockAccount } from '../deletion.queries.ts';
import { announceEnds } from '../sessions.queries.ts';

// Codes and tokens expire by the database's clock, like sessions.

/** The scopes that a program can ask for. The tools of /mcp need no others. */
export const programScopes = ['read', 'import'] as const satisfies readonly TokenScope[];
export type ProgramScope = (typeof programScopes)[number];

/** A program that registered itself. */
export interface ProgramRow {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
}

/** How long a registration remains if no user connects the program. */
const unusedDays = 30;

/**
 * Stores a program. First deletes programs that no user has connected for a month. Returns false if there are already
 * `programsMax` programs.
 */
export async function insertProgram(sql: Sql, program: ProgramRow, programsMax: number): Promise<boolean> {
  await sql`
    delete from programs p where created_at < now() - make_interval(days => ${unusedDays})
      and not exists (select 1 from program_connections c where c.program_id = p.id)`;
  const rows = await sql`
    insert into programs (id, name, redirect_uris, created_at)
    select ${program.id}, ${program.name}, ${sql.array([...program.redirectUris])}, now()
    where (select count(*) from programs) < ${programsMax}
    returning 1`;
  return rows.length === 1;
}

export async function readProgram(sql: Sql, id: string): Promise<ProgramRow | undefined> {
  const [row] = await sql<ProgramRow[]>`
    select id, name, redirect_uris as "redirectUris" from programs where id = ${id}`;
  return row;
}

export interface NewProgramConnectionRow {
  readonly id: string;
  readonly userId: string;
  readonly family: string;
  readonly programId: string;
  readonly scopes: readonly ProgramScope[];
  readonly clientId: string | null;
  readonly codeHash: Uint8Array;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly codeSeconds: number;
}

/**
 * Stores a connection that begins when the program uses its code. Returns false if the user already has the maximum
 * number. Locks the user's row so that parallel requests cannot exceed the maximum.
 */
export async function insertProgramConnection(
  sql: Sql,
  connection: NewProgramConnectionRow,
  maximum: number,
): Promise<boolean> {
  const { userId } = connection;
  if ((await lockAccount(sql, userId)) === undefined) throw booksDeleted();
  await deleteProgramConnections(sql, sql`user_id = ${userId} and expires_at <= now()`);
  const rows = await sql`
    insert into program_connections (user_id, id, family, program_id, scopes, client_id, code_hash, redirect_uri, challenge,
      created_at, expires_at)
    select ${userId}, ${connection.id}, ${connection.family}, ${connection.programId},
      ${sql.array([...connection.scopes])}, ${connection.clientId}, ${connection.codeHash}, ${connection.redirectUri},
      ${connection.challenge}, now(), now() + make_interval(secs => ${connection.codeSeconds})
    where (select count(*) from program_connections where user_id = ${userId}) < ${maximum}
    returning 1`;
  return rows.length === 1;
}

/** A connection with its program, locked until the commit. */
export interface LockedProgramConnection {
  readonly id: string;
  readonly userId: string;
  readonly programId: string;
  readonly name: string;
  readonly scopes: readonly ProgramScope[];
  readonly clientId: string | null;
  readonly codeHash: Uint8Array;
  readonly redirectUri: string;
  readonly challenge: string;
  /** Null until the code is used. */
  readonly refreshHash: Uint8Array | null;
  readonly isExpired: boolean;
}

/** Locks the connection that a code or a refresh token belongs to. Undefined if it has ended. */
export async function lockProgramConnection(sql: Sql, family: string): Promise<LockedProgramConnection | undefined> {
  const [row] = await sql<LockedProgramConnection[]>`
    select c.id, c.user_id as "userId", c.program_id as "programId", p.name, c.scopes, c.client_id as "clientId",
      c.code_hash as "codeHash", c.redirect_uri as "redirectUri", c.challenge, c.refresh_hash as "refreshHash",
      c.expires_at <= now() as "isExpired"
    from program_connections c join programs p on p.id = c.program_id
      join users u on u.id = c.user_id and u.email is not null
    where c.family = ${family} for update of c`;
  return row;
}

interface RefreshedTokens {
  readonly tokenId: string;
  readonly tokenHash: Uint8Array;
  readonly minutes: number;
  readonly refreshHash: Uint8Array;
  readonly days: number;
}

/** Replaces the access token and the refresh token of a connection. */
export async function refreshProgramConnection(
  sql: Sql,
  connection: LockedProgramConnection,
  next: RefreshedTokens,
): Promise<void> {
  const { id, userId, name, scopes, clientId } = connection;
  await announceEnds(
    sql,
    await sql<{ id: string }[]>`delete from access_tokens where connection_id = ${id} returning id`,
  );
  await sql`
    update program_connections set refresh_hash = ${next.refreshHash}, refreshed_at = now(),
      expires_at = now() + make_interval(days => ${next.days})
    where id = ${id}`;
  await sql`
    insert into access_tokens (user_id, id, secret_hash, name, scopes, client_id, connection_id, created_at, expires_at)
    values (${userId}, ${next.tokenId}, ${next.tokenHash}, ${name}, ${sql.array([...scopes])}, ${clientId}, ${id}, now(),
      now() + make_interval(mins => ${next.minutes}))`;
}

/** Ends a connection. */
export async function deleteProgramConnection(sql: Sql, id: string): Promise<void> {
  await deleteProgramConnections(sql, sql`id = ${id}`);
}

/** Ends a connection of the user. Returns false if there is none with this id. */
export async function deleteProgramConnectionOf(sql: Sql, userId: string, id: string): Promise<boolean> {
  return (await deleteProgramConnections(sql, sql`user_id = ${userId} and id = ${id}`)) === 1;
}

/** Ends the connections that match the condition, and their access tokens. Returns their number. */
async function deleteProgramConnections(sql: Sql, condition: ReturnType<Sql>): Promise<number> {
  await announceEnds(
    sql,
    await sql<{ id: string }[]>`
      delete from access_tokens where connection_id in (select id from program_connections where ${condition}) returning id`,
  );
  const rows = await sql`delete from program_connections where ${condition} returning 1`;
  return rows.length;
}

export interface ProgramConnectionListRow {
  readonly id: string;
  readonly name: string;
  readonly redirectUri: string;
  readonly scopes: ProgramScope[];
  readonly clientId: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
}

/** Lists the connections that programs use, newest first. Their number is limited, so there are no pages. */
export async function listProgramConnections(sql: Sql, userId: string): Promise<ProgramConnectionListRow[]> {
  return sql<ProgramConnectionListRow[]>`
    select c.id, p.name, c.redirect_uri as "redirectUri", c.scopes, c.client_id as "clientId",
      c.created_at as "createdAt", greatest(c.refreshed_at, t.last_used_at) as "lastUsedAt", c.expires_at as "expiresAt"
    from program_connections c join programs p on p.id = c.program_id left join access_tokens t on t.connection_id = c.id
    where c.user_id = ${userId} and c.refresh_hash is not null and c.expires_at > now()
    order by c.created_at desc, c.id`;
}
