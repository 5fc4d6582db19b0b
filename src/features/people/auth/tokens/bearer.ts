import { Refusal } from '../../../../base/refusal.ts';
import type { Deps } from '../../../../deps.ts';
import { getRequestFacts } from '../../../../http/requests.ts';
import { isSecret, newToken, type SessionToken } from '../session.ts';
import { readAccessToken, type TokenRow, touchAccessToken } from './tokens.queries.ts';

/** Returns the request's token if it allows the operation. */
export async function requireToken(deps: Deps, request: Request, bearer: string): Promise<TokenRow> {
  const token = await findToken(deps, bearer);
  if (token === undefined) {
    throw new Refusal('invalid_token', 'This token is unknown, revoked or expired. Create a new one.');
  }
  const facts = getRequestFacts(request);
  facts.userId = token.userId;
  facts.tokenId = token.id;
  deps.rateLimits.take('token', token.userId);
  refuseOtherResource(request, token);
  refuseOperation(request, token);
  refuseOtherBooks(request, token);
  return token;
}

async function findToken(deps: Deps, bearer: string): Promise<TokenRow | undefined> {
  const parsed = parseToken(bearer);
  if (parsed === undefined) return undefined;
  return deps.database.asService(async (sql) => {
    const token = await readAccessToken(sql, parsed.id);
    if (token === undefined || !isSecret(parsed.secret, token.secretHash)) return undefined;
    if (token.isIdle) await touchAccessToken(sql, token.id);
    return token;
  });
}

/** Rejects a token that was issued for /mcp at any other operation (RFC 8707). */
function refuseOtherResource(request: Request, { connection }: TokenRow): void {
  if (connection === null || getRequestFacts(request).route?.operation?.isForPrograms === true) return;
  throw new Refusal('invalid_token', 'This token was issued for /mcp only. Create an API token for the API.');
}

function refuseOperation(request: Request, token: TokenRow): void {
  const { route } = getRequestFacts(request);
  const scopes = route?.operation?.scopes ?? [];
  if (scopes.length === 0) throw new Refusal('forbidden', 'API tokens cannot do this. Sign in instead.');
  if (scopes.some((scope) => token.scopes.includes(scope))) return;
  const detail = `This token has the scopes ${token.scopes.join(', ')}. The request needs ${scopes.join(' or ')}. Create a token with that scope.`;
  throw new Refusal('insufficient_scope', detail, { members: { scopes } });
}

/**
 * Rejects a token that is limited to a different client. Runs before any lookup, so the response does not depend on
 * whether the requested client exists.
 */
function refuseOtherBooks(request: Request, { clientId, connection }: TokenRow): void {
  const client = new URL(request.url).searchParams.get('client');
  if (connection !== null) {
    // The user chose the books of a connection, so the address need not name them.
    if (client === null || client === clientId) return;
    throw new Refusal('forbidden', 'This connection is for other books. Connect the program again and choose these.');
  }
  if (clientId === null || client === clientId) return;
  throw new Refusal('forbidden', "This token is limited to one client. Add ?client= with that client's id.");
}

/** A prefix that lets people and secret scanners recognize a leaked token. */
const prefix = 'lot_';

/**
 * Creates a token. The id finds the row, and the secret proves ownership of the token. Only a hash of the secret is
 * stored.
 */
export function newAccessToken(): SessionToken {
  return newToken();
}

export function printToken({ id, secret }: SessionToken): string {
  return `${prefix}${id}_${secret}`;
}

/** Parses a token. Returns undefined if the text is malformed. */
export function parseToken(text: string): SessionToken | undefined {
  const match = /^lot_([a-z2-7]{24})_([a-z2-7]{32})$/.exec(text);
  return match === null ? undefined : { id: match[1] ?? '', secret: match[2] ?? '' };
}
