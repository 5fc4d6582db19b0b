import fc from 'fast-check';
import { problemTable } from '../../../src/http/problems.ts';
import { sessionCookie } from '../app.ts';
import type { AddressedOperation, ApiOperation } from './api-document.ts';
import { type ApiWalk, openWalk } from './api-walk.ts';
import { credentialsFor, joined } from './credentials.ts';
import { responseCheck } from './response-check.ts';
import { strangeRequests } from './strange-requests.ts';

export interface FuzzFinding {
  readonly operationId: string;
  readonly what: string;
  readonly request: string;
}

/** Error codes from a server without a provider, bank or service. */
const awaited: ReadonlySet<string> = new Set(['provider_unconfigured', 'provider_failed', 'billing_unconfigured']);

/**
 * Operations that end the session or the account, so they are sent last. When a user is deleted, a new one continues.
 */
const endings: readonly string[] = ['deleteSession', 'deleteSessions', 'updatePassword', 'signOut', 'deleteAccount'];

/**
 * Sends this many requests to every operation in the document, with the ids of a user's books available. Lists each
 * response that is a 5xx, has an undocumented status, or has a body that does not match its schema.
 */
export async function fuzz(requests: number, seed: number, only: RegExp = /./): Promise<FuzzFinding[]> {
  const walk = await openWalk();
  const check = responseCheck(walk.document);
  const findings = new Map<string, FuzzFinding>();
  let people = 1;
  const foreign = await fetchIds(walk, await newcomer(walk, 0));
  let cookie = await newcomer(walk, people);
  let ids = [...(await fetchIds(walk, cookie)), ...foreign.slice(0, 10)];
  for (const addressed of inOrder(walk.operations).filter(({ operation }) => only.test(operation.operationId))) {
    const { operationId } = addressed.operation;
    for (const { path, given, hasSession } of fc.sample(strangeRequests(addressed, ids), { numRuns: requests, seed })) {
      const who = hasSession ? await credentialsFor(walk.app, addressed.operation, cookie) : {};
      const response = await walk.app.request(addressed.method, path, joined(given, who));
      const what = await readFault(addressed.operation, response, check);
      const request = `${addressed.method} ${path.slice(0, 200)} ${JSON.stringify(given).slice(0, 400)}`;
      if (what !== null) {
        const kind = `${operationId} ${what.replace(/[0-9a-f-]{36}/g, '').slice(0, 60)}`;
        if (!findings.has(kind)) findings.set(kind, { operationId, what, request });
      }
      if (hasSession && (response.status === 401 || endings.includes(operationId)) && (await isGone(walk, cookie))) {
        people += 1;
        cookie = await newcomer(walk, people);
        ids = [...(await fetchIds(walk, cookie)), ...foreign.slice(0, 10)];
      }
    }
  }
  await walk.app.close();
  return [...findings.values()];
}

function inOrder(operations: readonly AddressedOperation[]): AddressedOperation[] {
  return operations.toSorted(
    (a, b) => endings.indexOf(a.operation.operationId) - endings.indexOf(b.operation.operationId),
  );
}

async function readFault(
  operation: ApiOperation,
  response: Response,
  check: ReturnType<typeof responseCheck>,
): Promise<string | null> {
  if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) {
    await response.body?.cancel();
    return null;
  }
  if (response.status >= 500) {
    const { code = '' } = (await response.clone().json()) as { code?: string };
    if (!awaited.has(code)) return `returns ${response.status} ${code in problemTable ? code : ''}`;
  }
  return check(operation, response);
}

async function isGone({ app }: ApiWalk, cookie: string): Promise<boolean> {
  return (await app.request('GET', '/v1/account', { cookie })).status === 401;
}

/** Creates a user with books, so that requests can find something. */
async function newcomer({ app, operations }: ApiWalk, number: number): Promise<string> {
  const body = { email: `fuzz${number}@example.com`, password: 'correct horse battery staple' };
  const cookie = sessionCookie(await app.request('POST', '/v1/auth/register', { body }));
  await app.books.asOwner(
    (sql) => sql`update users set plan = 'CPA', email_verified_at = now() where email = ${body.email}`,
  );
  const example = exampleOf(operations, 'importTransactions', 'text/csv');
  const headers = { 'content-type': 'text/csv' };
  await app.request('POST', '/v1/transactions/import', { body: example, headers, cookie });
  return cookie;
}

/** Ids from all lists of the account. */
async function fetchIds(walk: ApiWalk, cookie: string): Promise<string[]> {
  const ids = new Set<string>();
  const lists = walk.operations.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
  for (const { path } of lists.filter(
    ({ operation }) => '200' in operation.responses && !operation.operationId.startsWith('stream'),
  )) {
    const response = await walk.app.request('GET', path, { cookie });
    const text = response.headers.get('content-type')?.includes('json') === true ? await response.text() : '';
    if (text === '') await response.body?.cancel();
    for (const [, id] of text.matchAll(/"id":"([^"]{1,100})"/g)) if (id !== undefined && ids.size < 60) ids.add(id);
  }
  return [...ids];
}

function exampleOf(operations: readonly AddressedOperation[], operationId: string, type: string): unknown {
  return operations.find(({ operation }) => operation.operationId === operationId)?.operation.requestBody?.content[type]
    ?.example;
}
