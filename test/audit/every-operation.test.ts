import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { jsonLog, systemClock } from '../../src/deps.ts';
import { auditActions } from '../../src/http/operations/audit-actions.ts';
import type { AddressedOperation } from '../support/walk/api-document.ts';
import { type ApiWalk, openWalk } from '../support/walk/api-walk.ts';
import { declaredOperations } from '../support/walk/declared.ts';

/**
 * Sends every documented operation once successfully and once while no entry can be written. An action and its entry
 * must either both happen or both fail.
 */
let walk: ApiWalk;
const lines: string[] = [];
beforeAll(async () => {
  walk = await openWalk({ log: jsonLog(systemClock, (line) => lines.push(line)) });
});
afterAll(() => walk.app.close());

/** These operations use POST because they need a body, or belong to the demo account, which has no owner. */
const changeNothing = [
  'calculateWhatIf',
  'signInToDemo',
  'createPasskeyOptions',
  'createPasskeySignInOptions',
  'createProviderLink',
  'createCheckout',
  'createBillingPortal',
  'previewPasswordReset',
];
/**
 * An import without rows to assign changes nothing (test/imports/accounts). Other tests cover the sign-in through a
 * provider (below) and Stripe events (test/billing). Only the MCP requests that import are audited (test/mcp).
 */
const apart = [
  'signInWithGoogleCallback',
  'signInWithGitHubCallback',
  'acceptStripeEvent',
  'createMcpMessage',
  'importFileAgain',
  'updateImportAccounts',
];

const ruleFor = ({ method, path }: AddressedOperation) => declaredOperations(walk.app.app).get(`${method} ${path}`);

test('each documented write has an audit action', () => {
  const silent = walk.operations.filter(
    (addressed) => addressed.method !== 'GET' && ruleFor(addressed)?.action === null,
  );
  expect(silent.map(({ operation }) => operation.operationId).sort()).toEqual(changeNothing.toSorted());
});

describe('each audited operation in the API document', () => {
  test('has one entry, and fails if its entry cannot be written', async () => {
    const wrong: unknown[] = [];
    await walk.run(async (step, { prepare, send }) => {
      await prepare();
      const { operationId } = step.operation;
      const act = ruleFor(step)?.action ?? null;
      const isApart = act === null || apart.includes(operationId);
      if (!isApart) {
        await idle(walk);
        const before = await digests(walk);
        const refused = await withoutEntries(walk, operationId, send);
        if (operationId !== 'createPasswordReset' && refused.status < 500) wrong.push([operationId, refused.status]);
        const after = await digests(walk);
        const counted = countedBesides[operationId] ?? [];
        const changed = Object.keys(after).filter((t) => after[t] !== before[t] && !counted.includes(t));
        if (changed.length > 0) wrong.push([operationId, 'changed', ...changed]);
        await prepare();
      }
      const [newest] = await entriesAfter(walk, 0);
      const response = await send();
      await settled(walk, operationId);
      const entries = isApart ? [] : await entriesAfter(walk, newest?.sequence ?? 0);
      const found = entries.map(({ action, requestId }) => [action, requestId]);
      const expected = isApart ? [] : [[act, response.headers.get('x-request-id')]];
      if (!Bun.deepEquals(found, expected)) wrong.push([operationId, response.status, found, expected]);
      return response;
    });
    expect(wrong).toEqual([]);
  });

  test('writes no secret and no email address to the log, even if it fails', () => {
    const log = lines.join('');
    expect(lines.length).toBeGreaterThan(50);
    const secrets = secretsOf(walk);
    expect([...new Set(secrets.map(([, name]) => name))].sort()).toEqual(['cookie', ...secretMembers]);
    expect(secrets.filter(([value]) => log.includes(value))).toEqual([]);
  });
});

/** Request and response fields whose values must never be logged. */
const secretMembers = ['current', 'email', 'password', 'recoveryCodes', 'secret', 'token', 'totp'];

/** Returns the secrets in the document's examples and in the responses. */
function secretsOf({ operations, answers, cookie }: ApiWalk): (readonly [value: string, name: string])[] {
  const found: [string, string][] = [[cookie().split('.')[1] ?? '', 'cookie']];
  const examples = operations.flatMap(({ operation }) =>
    Object.values(operation.requestBody?.content ?? {}).map(({ example }) => example as unknown),
  );
  const open: (readonly [name: string, value: unknown])[] = [...examples, ...answers.values()].map((each) => [
    '',
    each,
  ]);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [name, value] = next;
    if (typeof value === 'string' && secretMembers.includes(name) && value.length >= 6) found.push([value, name]);
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, member] of Object.entries(value)) open.push([Array.isArray(value) ? name : key, member]);
  }
  return found;
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

/** Sends the request while the database refuses every audit entry. */
async function withoutEntries({ app }: ApiWalk, operationId: string, send: () => Promise<Response>): Promise<Response> {
  await app.books.asOwner((sql) => sql`alter table audit_entries add constraint refused check (false) not valid`);
  const response = await send();
  await response.body?.cancel();
  await settled({ app }, operationId);
  await app.books.asOwner((sql) => sql`alter table audit_entries drop constraint refused`);
  return response;
}

/**
 * Waits for the emailed link, which is sent in the background so that unknown addresses take the same response time.
 */
async function settled({ app }: Pick<ApiWalk, 'app'>, operationId: string): Promise<void> {
  if (operationId === 'createPasswordReset') await idle({ app });
}

async function idle({ app }: Pick<ApiWalk, 'app'>): Promise<void> {
  for (let turn = 0; turn < 2_000 && app.deps.lifecycle.inFlight > 0; turn++) await Bun.sleep(5);
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

/** The server uses this up before it verifies the rest of the request. */
const countedBesides: Readonly<Record<string, readonly string[]>> = {
  signInWithPasskey: ['one_time_tokens', 'passkeys'],
  signInWithSecondFactor: ['one_time_tokens'],
};

/** Returns a digest of each table. */
async function digests({ app }: ApiWalk): Promise<Record<string, string>> {
  const rows = await app.books.asOwner(
    (sql) => sql<{ name: string; digest: string }[]>`
      select c.relname::text as name, query_to_xml(
        format('select md5(string_agg(t::text, '','' order by t::text)) from %I t', c.relname), false, true, '')::text as digest
      from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> all (${besides})`,
  );
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

test('every audit action is used', () => {
  const used = new Set(walk.operations.map((addressed) => ruleFor(addressed)?.action));
  // What causes each of these: a failure; a check by the server; the cancellation link, which also undoes; a provider
  // callback; an import by the operator.
  expect(auditActions.filter((act) => !used.has(act))).toEqual([
    'sign_in_failed',
    'sign_in_guesses_noticed',
    'proof_failed',
    'email_change_canceled',
    'identity_linked',
    'account_imported',
  ]);
});
