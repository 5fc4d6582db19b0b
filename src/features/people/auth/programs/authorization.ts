import { invalidMember, Refusal } from '../../../../base/refusal.ts';
import type { Sql } from '../../../../db/connection.ts';
import type { Deps } from '../../../../deps.ts';
import { notFound, parseUuid } from '../../../../http/errors.ts';
import { postLetter } from '../../mail/delivery.ts';
import { programConnected } from '../../mail/templates.ts';
import type { Caller } from '../access.ts';
import { readClientBooks } from '../auth.queries.ts';
import { requireRecentSignIn, requireSameStamp } from '../recent-proof.ts';
import { newToken, secretHash } from '../session.ts';
import {
  insertProgramConnection,
  type ProgramRow,
  type ProgramScope,
  programScopes,
  readProgram,
} from './programs.queries.ts';
import { codeSeconds, connectionsMax, mcpResource, printSecret } from './programs.ts';
import { buildRedirect, isLoopback, isRegisteredRedirect } from './redirects.ts';

/** The parameters of an authorization request, by their names in OAuth 2.1, section 4.1.1, and RFC 8707. */
export interface AuthorizationRequest {
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly response_type?: string | undefined;
  readonly code_challenge?: string | undefined;
  readonly code_challenge_method?: string | undefined;
  readonly scope?: string | undefined;
  readonly state?: string | undefined;
  readonly resource?: string | undefined;
}

interface CheckedRequest {
  readonly program: ProgramRow;
  /** The scopes that the program asks for. */
  readonly scopes: readonly ProgramScope[];
  readonly challenge: string;
}

/** What the user decides about: the program, where its code goes, and what it asks for. */
export interface ProgramConnectionPreview {
  readonly name: string;
  readonly redirectHost: string;
  /** Whether the program runs on the user's own computer. */
  readonly isLocal: boolean;
  readonly scopes: ProgramScope[];
  /** Tells the program that the user declined. */
  readonly declineUrl: string;
}

/** Checks an authorization request, and returns what the user decides about. Changes nothing. */
export async function previewProgramConnection(
  deps: Deps,
  request: AuthorizationRequest,
): Promise<ProgramConnectionPreview> {
  const { program, scopes } = await deps.database.asService((sql) => checkRequest(deps, sql, request), {
    readOnly: true,
  });
  return {
    name: program.name,
    redirectHost: new URL(request.redirect_uri).host,
    isLocal: isLoopback(request.redirect_uri),
    scopes: [...scopes],
    declineUrl: respondTo(deps, request, { error: 'access_denied' }),
  };
}

interface Approval {
  /** The scopes that the user allows, all of which the program asked for. */
  readonly scopes: readonly ProgramScope[];
  /** The client whose books the program reads. Null: the user's own books. */
  readonly client: string | null;
}

/**
 * Stores the user's approval, and emails the user. Returns the program's address with a code, which works once and for
 * a minute.
 */
export async function approveProgramConnection(
  deps: Deps,
  caller: Caller,
  request: AuthorizationRequest,
  { scopes, client }: Approval,
): Promise<string> {
  requireRecentSignIn(caller);
  const { id: family, secret } = newToken();
  const isStored = await deps.database.asService(async (sql) => {
    await requireSameStamp(sql, caller);
    const { program, challenge, scopes: requested } = await checkRequest(deps, sql, request);
    if (!scopes.every((scope) => requested.includes(scope)))
      throw invalidMember('/scopes', 'Allow only permissions that the program asks for.');
    const isReached = client === null || (await readClientBooks(sql, caller.userId, parseUuid(client))) !== undefined;
    if (!isReached) throw notFound();
    const connection = {
      ...{ id: crypto.randomUUID(), userId: caller.userId, family, programId: program.id, clientId: client },
      ...{ scopes: [...new Set(scopes)], codeHash: secretHash(secret), codeSeconds, challenge },
      redirectUri: request.redirect_uri,
    };
    if (!(await insertProgramConnection(sql, connection, connectionsMax))) return false;
    const host = new URL(request.redirect_uri).host;
    const letter = programConnected(deps.config.baseUrl, { name: program.name, host, scopes });
    await postLetter(deps, sql, caller.email, letter);
    return true;
  });
  if (!isStored) {
    const detail = `You can connect at most ${connectionsMax} programs. Disconnect one that you no longer need.`;
    throw new Refusal('conflict', detail);
  }
  return respondTo(deps, request, { code: printSecret('code', { id: family, secret }) });
}

/**
 * Checks the request. If the program or its address is unknown, nothing may be sent to that address. The other errors
 * include `redirectTo`, which tells the program about the error. Lotbook does not follow it by itself, because anyone
 * can register a program and could then use Lotbook to hide where a link leads (OAuth 2.1, section 7.12.2).
 */
async function checkRequest(deps: Deps, sql: Sql, request: AuthorizationRequest): Promise<CheckedRequest> {
  const program = await readProgram(sql, request.client_id);
  if (program === undefined)
    throw new Refusal(
      'invalid',
      'This program is not registered here. Remove Lotbook in the program and add it again.',
    );
  if (!isRegisteredRedirect(program.redirectUris, request.redirect_uri))
    throw new Refusal('invalid', 'This is not an address that the program registered. Nothing was sent to it.');
  const refuse = (error: string, detail: string): Refusal =>
    new Refusal('invalid', detail, {
      members: { redirectTo: respondTo(deps, request, { error, error_description: detail }) },
    });
  if (request.response_type !== 'code') throw refuse('unsupported_response_type', 'response_type must be code.');
  const challenge = request.code_challenge ?? '';
  if (request.code_challenge_method !== 'S256' || !/^[A-Za-z0-9_-]{43}$/.test(challenge))
    throw refuse('invalid_request', 'The program must send a code_challenge with the method S256.');
  if ((request.resource ?? mcpResource(deps.config)) !== mcpResource(deps.config))
    throw refuse('invalid_target', `resource must be ${mcpResource(deps.config)}.`);
  const names = (request.scope ?? '').split(' ').filter((name) => name !== '');
  const scopes = names.length === 0 ? (['read'] as const) : programScopes.filter((scope) => names.includes(scope));
  if (scopes.length === 0) throw refuse('invalid_scope', `scope can contain ${programScopes.join(' and ')}.`);
  return { program, scopes, challenge };
}

/** Returns the program's address with a response to its request (OAuth 2.1, section 4.1.2, and RFC 9207). */
function respondTo(
  { config }: Deps,
  { redirect_uri, state }: AuthorizationRequest,
  response: Readonly<Record<string, string>>,
): string {
  return buildRedirect(redirect_uri, { ...response, state, iss: config.baseUrl });
}
