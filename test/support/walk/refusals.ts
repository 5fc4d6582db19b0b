import type { RequestInput } from '../app.ts';
import { isPublic } from './api-document.ts';
import type { ApiWalk, WalkObserver, WalkRequest, WalkStep, WalkTurn } from './api-walk.ts';
import { ruleFor } from './operations.ts';

/**
 * Sends every operation with exactly one error, and once while no audit entry can be written. The server must refuse
 * each of these requests for that reason and change nothing. The correct request then writes exactly one audit entry, and a GET
 * changes nothing.
 */
export interface RefusalObserver extends WalkObserver {
  /** How many steps got each kind of error. */
  readonly sent: ReadonlyMap<string, number>;
}

const surprise = 'surprise';

interface Wrong {
  readonly isMeant: (step: WalkStep) => boolean;
  readonly request: (right: WalkRequest, step: WalkStep) => WalkRequest;
  readonly status: number;
  readonly code: string;
}

/** Years and providers have no owner. The id of a cause describes it, so each taxpayer has one with the same id. */
const isOfSomebody = ({ path }: WalkStep): boolean => path.includes('{id}') && !path.includes('/causes/');
/** A download changes nothing, but it takes work, and its audit entry would name a user who was tricked into it. */
const isDownload = (step: WalkStep): boolean => ruleFor(step)?.isDownload === true;
const isCallback = ({ path }: WalkStep): boolean => path.endsWith('/callback');
const fromElsewhere = (headers: Readonly<Record<string, string>>): Wrong => ({
  isMeant: (step) => step.method !== 'GET' || isDownload(step),
  request: (right) => withGiven(right, { headers: { ...right.given.headers, ...headers } }),
  status: 403,
  code: 'csrf',
});

/** Returns the errors by name. The stranger is another user's session. */
function wrongsFor({ document }: ApiWalk, stranger: string): Readonly<Record<string, Wrong>> {
  /** Returns whether the caller chooses the names of the fields. */
  const isOpen = (schema: object | undefined): boolean => {
    const { $ref, additionalProperties } = (schema ?? {}) as { $ref?: string; additionalProperties?: unknown };
    if ($ref !== undefined) return isOpen(document.components.schemas[$ref.split('/').at(-1) ?? '']);
    return additionalProperties !== false;
  };
  return {
    'without a session or a token': {
      isMeant: ({ operation }) => !isPublic(operation),
      request: (right) => {
        const { authorization: _, ...headers } = { authorization: '', ...right.given.headers };
        return withGiven(right, { cookie: '', headers });
      },
      status: 401,
      code: 'unauthenticated',
    },
    "with another user's session": {
      isMeant: (step) => !isPublic(step.operation) && isOfSomebody(step),
      request: (right) => withGiven(right, { cookie: stranger }),
      status: 404,
      code: 'not_found',
    },
    'from another site': fromElsewhere({ 'sec-fetch-site': 'cross-site' }),
    'from another host of the same site': fromElsewhere({ 'sec-fetch-site': 'same-site' }),
    'with the Origin of another site': fromElsewhere({ origin: 'https://elsewhere.example' }),
    'with the Origin null': fromElsewhere({ origin: 'null' }),
    'with an unknown parameter': {
      isMeant: (step) => !isCallback(step),
      request: ({ path, given }) => ({ path: `${path}${path.includes('?') ? '&' : '?'}${surprise}=1`, given }),
      status: 400,
      code: 'unknown_parameter',
    },
    'with a compressed body': {
      isMeant: ({ method }) => method !== 'GET',
      request: (right) => withGiven(right, { headers: { ...right.given.headers, 'content-encoding': 'gzip' } }),
      status: 415,
      code: 'unsupported_media_type',
    },
    'with an unknown member': {
      isMeant: ({ mediaType, media }) => mediaType === 'application/json' && !isOpen(media?.schema),
      request: (right) => {
        const body = JSON.parse(String(right.given.body)) as object;
        return withGiven(right, { body: JSON.stringify({ ...body, [surprise]: 1 }) });
      },
      status: 422,
      code: 'invalid',
    },
  };
}

function withGiven({ path, given }: WalkRequest, more: RequestInput): WalkRequest {
  return { path, given: { ...given, ...more } };
}

/**
 * An import without rows to assign changes nothing (test/imports/accounts). Other tests cover the sign-in through a
 * provider (test/auth/providers) and Stripe events (test/billing). Only the MCP requests that import are audited, and
 * only the requests for tokens that end a connection (test/mcp).
 */
const unaudited = [
  'signInWithGoogleCallback',
  'signInWithGitHubCallback',
  'acceptStripeEvent',
  'createMcpMessage',
  'createProgramTokens',
  'importFileAgain',
  'updateImportAccounts',
];

function auditedAction(step: WalkStep): string | null {
  return unaudited.includes(step.operation.operationId) ? null : (ruleFor(step)?.action ?? null);
}

/** Must be the last observer before the correct request, because it counts the audit entries from here on. */
export async function openRefusals(walk: ApiWalk): Promise<RefusalObserver> {
  const { cookie: stranger } = await walk.app.register('CPA');
  const wrongs = Object.entries(wrongsFor(walk, stranger));
  const sent = new Map(wrongs.map(([name]) => [name, 0]));
  let newestEntry = 0;
  let untouched: Digests = {};

  const sendWrong = async (step: WalkStep, turn: WalkTurn): Promise<string[]> => {
    const faults: string[] = [];
    for (const [name, wrong] of wrongs.filter(([, { isMeant }]) => isMeant(step))) {
      const { path, given } = wrong.request(await turn.request(), step);
      const response = await walk.app.request(step.method, path, given);
      const { code } = (await response.json()) as { code: string };
      sent.set(name, (sent.get(name) ?? 0) + 1);
      if (response.status === wrong.status && code === wrong.code) continue;
      faults.push(`${name}: ${response.status} ${code} instead of ${wrong.status} ${wrong.code}`);
    }
    return faults;
  };

  /** Sends the correct request while the database refuses every audit entry. */
  const sendUnrecorded = async ({ operation: { operationId } }: WalkStep, { send }: WalkTurn): Promise<string[]> => {
    const { books } = walk.app;
    await books.asOwner((sql) => sql`alter table audit_entries add constraint refused check (false) not valid`);
    const response = await send();
    await response.body?.cancel();
    await settled(walk, operationId);
    await books.asOwner((sql) => sql`alter table audit_entries drop constraint refused`);
    // The emailed link is created after the response.
    if (response.status >= 500 || operationId === 'createPasswordReset') return [];
    return [`without its audit entry: ${response.status}`];
  };

  return {
    sent,
    before: async (step, turn) => {
      const { operationId } = step.operation;
      // Creates the token, if the operation needs one.
      await turn.request();
      await idle(walk);
      const before = await digests(walk);
      const faults = await sendWrong(step, turn);
      const isAudited = auditedAction(step) !== null;
      if (isAudited) faults.push(...(await sendUnrecorded(step, turn)));
      const after = await digests(walk);
      const changed = changedTables(before, after, operationId);
      if (changed.length > 0) faults.push(`refused requests change ${changed.join(', ')}`);
      untouched = after;
      if (isAudited) await turn.prepare();
      [{ sequence: newestEntry } = { sequence: 0 }] = await entriesAfter(walk, 0);
      return faults;
    },
    after: async (step, response) => {
      const { operationId } = step.operation;
      const changed = step.method === 'GET' ? changedTables(untouched, await digests(walk), operationId) : [];
      const faults = changed.length > 0 ? [`a GET changes ${changed.join(', ')}`] : [];
      const action = auditedAction(step);
      if (action === null) return faults;
      await settled(walk, operationId);
      const entries = await entriesAfter(walk, newestEntry);
      const found = entries.map((entry) => `${entry.action} of request ${entry.requestId}`).join(', ');
      const expected = `${action} of request ${response.headers.get('x-request-id')}`;
      return found === expected ? faults : [...faults, `audit entries: ${found} instead of ${expected}`];
    },
  };
}

interface Entry {
  readonly sequence: number;
  readonly action: string;
  readonly requestId: string;
}

/** Returns the entries, newest first. */
function entriesAfter({ app }: ApiWalk, sequence: number): Promise<Entry[]> {
  return app.books.asOwner(
    (sql) => sql<Entry[]>`
      select sequence::integer as sequence, action, request_id as "requestId" from audit_entries
      where sequence > ${sequence} order by sequence desc limit 20`,
  );
}

/**
 * Waits for the emailed link, which is sent in the background so that unknown addresses take the same response time.
 */
async function settled(walk: ApiWalk, operationId: string): Promise<void> {
  if (operationId === 'createPasswordReset') await idle(walk);
}

async function idle({ app }: ApiWalk): Promise<void> {
  while (app.deps.lifecycle.inFlight > 0) await Bun.sleep(2);
}

/** Tables for counters, keys and last-seen times, which requests update as a side effect. */
const besides = [
  'audit_entries',
  'sign_in_failures',
  'wrong_guesses',
  'account_guesses',
  'idempotency_keys',
  'recovery_codes',
  'ai_usage',
  'sessions',
  'totp_keys',
];

/**
 * The server creates or uses up a token, or stores when it was used, without an entry or before it verifies the rest of
 * the request.
 */
const countedBesides: Readonly<Record<string, readonly string[]>> = {
  createMcpMessage: ['access_tokens'],
  signInWithGoogle: ['one_time_tokens'],
  signInWithGitHub: ['one_time_tokens'],
  signInWithPasskey: ['one_time_tokens', 'passkeys'],
  signInWithSecondFactor: ['one_time_tokens'],
};

type Digests = Readonly<Record<string, string>>;

function changedTables(before: Digests, after: Digests, operationId: string): string[] {
  const counted = countedBesides[operationId] ?? [];
  return Object.keys(after).filter((name) => after[name] !== before[name] && !counted.includes(name));
}

/** Returns a digest of each table. */
async function digests({ app }: ApiWalk): Promise<Digests> {
  const rows = await app.books.asOwner(
    (sql) => sql<{ name: string; digest: string }[]>`
      select c.relname::text as name, query_to_xml(
        format('select md5(string_agg(t::text, '','' order by t::text)) from %I t', c.relname), false, true, '')::text as digest
      from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> all (${besides})`,
  );
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}
