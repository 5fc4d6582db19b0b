import { sha256 } from '@oslojs/crypto/sha2';
import { constantTimeEqual } from '@oslojs/crypto/subtle';
import { encodeBase64urlNoPadding } from '@oslojs/encoding';
import { Refusal } from '../../../../base/refusal.ts';
import type { Config } from '../../../../config.ts';
import type { Sql } from '../../../../db/connection.ts';
import type { Deps } from '../../../../deps.ts';
import { nameActor } from '../../../../http/audit/audited-request.ts';
import { isSecret, newToken, type SessionToken, secretHash } from '../session.ts';
import { newAccessToken, parseToken, printToken } from '../tokens/bearer.ts';
import { readAccessToken } from '../tokens/tokens.queries.ts';
import {
  deleteProgramConnection,
  insertProgram,
  type LockedProgramConnection,
  lockProgramConnection,
  type ProgramRow,
  refreshProgramConnection,
} from './programs.queries.ts';
import { isRedirectUri, redirectLengthMax } from './redirects.ts';

// The authorization server of OAuth 2.1 for the programs that use /mcp. All programs are public clients: a secret in a
// program that anyone can download would prove nothing.

export const accessMinutes = 30;
/** A connection ends if its program does not renew it for this long. */
export const refreshDays = 90;
export const codeSeconds = 60;
/** More programs than a person can keep track of. */
export const connectionsMax = 50;
const programsMax = 20_000;
export const redirectsMax = 10;

/** The identifier of the only resource that tokens are issued for (RFC 8707). */
export function mcpResource({ baseUrl }: Pick<Config, 'baseUrl'>): string {
  return `${baseUrl}/mcp`;
}

const secretPrefixes = { code: 'lotc_', refresh: 'lotr_' } as const;
type ProgramSecretKind = keyof typeof secretPrefixes;

export function printSecret(kind: ProgramSecretKind, { id, secret }: SessionToken): string {
  return `${secretPrefixes[kind]}${id}_${secret}`;
}

function parseSecret(kind: ProgramSecretKind, text: string): SessionToken | undefined {
  const match = /^(lot[cr]_)([a-z2-7]{24})_([a-z2-7]{32})$/.exec(text);
  return match === null || match[1] !== secretPrefixes[kind]
    ? undefined
    : { id: match[2] ?? '', secret: match[3] ?? '' };
}

/** An error as OAuth 2.1, section 3.2.4, and RFC 7591, section 3.2.2, define it. */
export function oauthError(error: string, detail: string): Refusal {
  return new Refusal('bad_request', detail, { members: { error, error_description: detail } });
}

interface ProgramRegistration {
  readonly client_name?: string | undefined;
  readonly redirect_uris: readonly string[];
}

/** Registers a program (RFC 7591). It gets an id and no secret. */
export async function registerProgram(deps: Deps, registration: ProgramRegistration): Promise<ProgramRow> {
  const { redirect_uris: redirectUris } = registration;
  if (!redirectUris.every(isRedirectUri)) {
    const detail = `A redirect URI must begin with https://, or with http:// and a loopback address such as 127.0.0.1. It can have at most ${redirectLengthMax} characters, and no fragment.`;
    throw oauthError('invalid_redirect_uri', detail);
  }
  const name = printableName(registration.client_name ?? '') || new URL(redirectUris[0] ?? '').host;
  const program = { id: newToken().id, name, redirectUris };
  const isStored = await deps.database.asService((sql) => insertProgram(sql, program, programsMax));
  if (!isStored) throw new Refusal('overloaded', 'Too many programs are registered. Try again tomorrow.');
  return program;
}

/** Returns the name without characters that are invisible or change the direction of the text around them. */
function printableName(name: string): string {
  return name
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, 100);
}

export interface IssuedTokens {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

/** Handles a token request (OAuth 2.1, section 3.2): `parameters` are those of its form. */
export async function issueTokens(deps: Deps, parameters: URLSearchParams): Promise<IssuedTokens> {
  const resource = parameters.get('resource');
  if (resource !== null && resource !== mcpResource(deps.config))
    throw oauthError('invalid_target', `resource must be ${mcpResource(deps.config)}.`);
  const grantType = parameters.get('grant_type');
  const steps = { authorization_code: useCode, refresh_token: useRefreshToken };
  if (grantType === null || !Object.hasOwn(steps, grantType))
    throw oauthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.');
  const step = steps[grantType as keyof typeof steps];
  // A refusal is returned and not thrown, because it may have ended the connection, which must be stored.
  const result = await deps.database.asService((sql) => step(sql, parameters));
  if (result instanceof Refusal) throw result;
  return result;
}

/**
 * Exchanges a code for tokens. A code that is used twice was stolen, so the second use ends the connection. A code that
 * is sent with something wrong no longer works, so that nobody can try out verifiers.
 */
async function useCode(sql: Sql, parameters: URLSearchParams): Promise<IssuedTokens | Refusal> {
  const code = parseSecret('code', parameters.get('code') ?? '');
  const connection = code === undefined ? undefined : await lockProgramConnection(sql, code.id);
  if (code === undefined || connection === undefined || !isSecret(code.secret, connection.codeHash))
    return oauthError('invalid_grant', 'The code is unknown or has expired.');
  const fault = findCodeFault(connection, parameters);
  if (fault === null) return renewTokens(sql, code.id, connection);
  await endProgramConnection(sql, connection);
  return fault;
}

type EndedProgramConnection = Pick<LockedProgramConnection, 'id' | 'userId'>;

/** Ends a connection because of what its program did. The audit trail of its user shows it. */
async function endProgramConnection(sql: Sql, { id, userId }: EndedProgramConnection): Promise<void> {
  nameActor({ kind: 'found', userId, isProven: false });
  await deleteProgramConnection(sql, id);
}

function findCodeFault(connection: LockedProgramConnection, parameters: URLSearchParams): Refusal | null {
  const { programId, redirectUri, challenge, refreshHash, isExpired } = connection;
  if (refreshHash !== null) return oauthError('invalid_grant', 'The code was used twice, so the connection has ended.');
  if (isExpired) return oauthError('invalid_grant', 'The code is unknown or has expired.');
  if (parameters.get('client_id') !== programId)
    return oauthError('invalid_grant', 'The code was issued to another program.');
  if (parameters.get('redirect_uri') !== redirectUri)
    return oauthError('invalid_grant', 'redirect_uri differs from the authorization request.');
  if (!isVerifier(parameters.get('code_verifier') ?? '', challenge))
    return oauthError('invalid_grant', 'code_verifier does not match the code_challenge.');
  return null;
}

/** Verifies the proof of possession by the method S256 (RFC 7636, section 4.6). */
function isVerifier(verifier: string, challenge: string): boolean {
  if (!/^[A-Za-z0-9\-._~]{43,128}$/.test(verifier)) return false;
  const encoder = new TextEncoder();
  return constantTimeEqual(
    encoder.encode(encodeBase64urlNoPadding(sha256(encoder.encode(verifier)))),
    encoder.encode(challenge),
  );
}

/**
 * Exchanges a refresh token for new tokens. Only the newest one works. An older one was stolen, or its program was: it
 * is unknown which of the two uses the newer token, so the connection ends (OAuth 2.1, section 4.3.1).
 */
async function useRefreshToken(sql: Sql, parameters: URLSearchParams): Promise<IssuedTokens | Refusal> {
  const token = parseSecret('refresh', parameters.get('refresh_token') ?? '');
  const connection = token === undefined ? undefined : await lockProgramConnection(sql, token.id);
  if (token === undefined || connection === undefined || connection.refreshHash === null || connection.isExpired)
    return oauthError('invalid_grant', 'The refresh token is unknown, revoked or expired.');
  if (!isSecret(token.secret, connection.refreshHash)) {
    await endProgramConnection(sql, connection);
    return oauthError('invalid_grant', 'The refresh token was used twice, so the connection has ended.');
  }
  if (parameters.get('client_id') !== connection.programId)
    return oauthError('invalid_grant', 'The refresh token was issued to another program.');
  const scopes = (parameters.get('scope') ?? '').split(' ').filter((scope) => scope !== '');
  if (!scopes.every((scope) => connection.scopes.some((allowed) => allowed === scope)))
    return oauthError('invalid_scope', 'The user did not allow this scope. Send a new authorization request.');
  return renewTokens(sql, token.id, connection);
}

/** Replaces the tokens of a connection. The previous ones stop working. */
async function renewTokens(sql: Sql, family: string, connection: LockedProgramConnection): Promise<IssuedTokens> {
  const access = newAccessToken();
  const refresh = { id: family, secret: newToken().secret };
  await refreshProgramConnection(sql, connection, {
    tokenId: access.id,
    tokenHash: secretHash(access.secret),
    minutes: accessMinutes,
    refreshHash: secretHash(refresh.secret),
    days: refreshDays,
  });
  return {
    access_token: printToken(access),
    token_type: 'Bearer',
    expires_in: accessMinutes * 60,
    refresh_token: printSecret('refresh', refresh),
    scope: connection.scopes.join(' '),
  };
}

/**
 * Ends the connection of a token (RFC 7009), whichever of its two tokens it is. An unknown token needs no revocation,
 * and a token that its user created is not affected.
 */
export async function revokeProgramToken(deps: Deps, parameters: URLSearchParams): Promise<void> {
  const text = parameters.get('token');
  if (text === null) throw oauthError('invalid_request', 'token is missing.');
  const isForeign = await deps.database.asService(async (sql) => {
    const found = await findProgramConnection(sql, text);
    if (found === undefined) return false;
    if (found.programId !== parameters.get('client_id')) return true;
    await endProgramConnection(sql, found);
    return false;
  });
  if (isForeign) throw oauthError('invalid_client', 'client_id is not the program that the token was issued to.');
}

async function findProgramConnection(
  sql: Sql,
  text: string,
): Promise<(EndedProgramConnection & Pick<LockedProgramConnection, 'programId'>) | undefined> {
  const refresh = parseSecret('refresh', text);
  if (refresh !== undefined) {
    const connection = await lockProgramConnection(sql, refresh.id);
    const isCurrent = connection?.refreshHash != null && isSecret(refresh.secret, connection.refreshHash);
    return isCurrent ? connection : undefined;
  }
  const access = parseToken(text);
  const token = access === undefined ? undefined : await readAccessToken(sql, access.id);
  if (access === undefined || token === undefined || !isSecret(access.secret, token.secretHash)) return undefined;
  return token.connection === null ? undefined : { ...token.connection, userId: token.userId };
}
