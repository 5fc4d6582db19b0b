import fc from 'fast-check';
import { problemTable } from '../../../src/http/problems.ts';
import { sessionCookie } from '../app.ts';
import { type AddressedOperation, readDocument } from './api-document.ts';
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

/** Operations that end the session or the account. When a user is deleted, a new one continues. */
export const endings: readonly string[] = [
  'deleteSession',
  'deleteSessions',
  'updatePassword',
  'signOut',
  'deleteAccount',
];

/** Sends strange requests with the ids of a user's books available. */
export interface Fuzzer {
  /** Sends this many requests. Returns each kind of response that is a 5xx or that the document does not describe. */
  send(addressed: AddressedOperation, requests: number): Promise<FuzzFinding[]>;
}

/** Fuzzes all operations on their own server. */
export async function fuzz(requests: number, seed: number, only: RegExp = /./): Promise<FuzzFinding[]> {
  const walk = await openWalk(await readDocument());
  const fuzzer = await openFuzzer(walk, seed);
  const findings: FuzzFinding[] = [];
  for (const addressed of inOrder(walk.operations).filter(({ operation }) => only.test(operation.operationId))) {
    findings.push(...(await fuzzer.send(addressed, requests)));
  }
  await walk.app.close();
  return findings;
}

function inOrder(operations: readonly AddressedOperation[]): AddressedOperation[] {
  return operations.toSorted(
    (a, b) => endings.indexOf(a.operation.operationId) - endings.indexOf(b.operation.operationId),
  );
}

export async function openFuzzer(walk: ApiWalk, seed: number): Promise<Fuzzer> {
  const check = responseCheck(walk.document);
  let people = 1;
  const foreign = await fetchIds(walk, await newcomer(walk, 0));
  const openUser = async () => {
    const number = people++;
    const cookie = await newcomer(walk, number);
    return { number, cookie, ids: [...(await fetchIds(walk, cookie)), ...foreign.slice(0, 10)] };
  };
  let user = await openUser();
  const readFault = async ({ operation }: AddressedOperation, response: Response): Promise<string | null> => {
    if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) {
      await response.body?.cancel();
      return null;
    }
    const text = await response.text();
    if (response.status >= 500) {
      const { code = '' } = JSON.parse(text) as { code?: string };
      if (!awaited.has(code)) return `returns ${response.status} ${code in problemTable ? code : ''}`;
    }
    return check(operation, response, text);
  };
  return {
    send: async (addressed, requests) => {
      const { operationId } = addressed.operation;
      const findings = new Map<string, FuzzFinding>();
      const samples = fc.sample(strangeRequests(addressed, user.ids), { numRuns: requests, seed });
      for (const { path, given, hasSession } of samples) {
        const credentials = hasSession ? await credentialsFor(walk.app, addressed.operation, user.cookie) : {};
        const response = await walk.app.request(addressed.method, path, joined(given, credentials));
        const what = await readFault(addressed, response);
        const request = `${addressed.method} ${path.slice(0, 200)} ${JSON.stringify(given).slice(0, 400)}`;
        if (what !== null) {
          const kind = what.replace(/[0-9a-f-]{36}/g, '').slice(0, 60);
          if (!findings.has(kind)) findings.set(kind, { operationId, what, request });
        }
        const mayBeGone = hasSession && (response.status === 401 || endings.includes(operationId));
        if (!mayBeGone || !(await isGone(walk, user.cookie))) continue;
        const cookie = await signInAgain(walk, user.number);
        user = cookie === null ? await openUser() : { ...user, cookie };
      }
      return [...findings.values()];
    },
  };
}

async function isGone({ app }: ApiWalk, cookie: string): Promise<boolean> {
  return (await app.request('GET', '/v1/account', { cookie })).status === 401;
}

/** Uses the password from the document's examples, so that some requests succeed. */
const credentialsOf = (number: number) => ({
  email: `fuzz${number}@example.com`,
  password: 'correct horse battery staple',
});

/** Returns null if the user has no account or another password now. */
async function signInAgain({ app }: ApiWalk, number: number): Promise<string | null> {
  const response = await app.request('POST', '/v1/auth/login', { body: credentialsOf(number) });
  return response.ok ? sessionCookie(response) : null;
}

/** Creates a user with books, so that requests can find something. */
async function newcomer({ app, operations }: ApiWalk, number: number): Promise<string> {
  const body = credentialsOf(number);
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
