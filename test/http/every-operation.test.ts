import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { jsonLog, systemClock } from '../../src/deps.ts';
import { letTimePass } from '../support/app.ts';
import { acrossWorkers } from '../support/citus/across.ts';
import { findFaultyStatements } from '../support/citus/faulty-statements.ts';
import { sendOtherStatements } from '../support/citus/other-statements.ts';
import { countStatements, readCatalog, sentStatements } from '../support/citus/recorded.ts';
import { draws } from '../support/depth.ts';
import { documentedRefusals } from '../support/documented-refusals.ts';
import { eraseNow, tablesWith } from '../support/erasure.ts';
import { seedFor } from '../support/seed.ts';
import { openAccess } from '../support/walk/access.ts';
import { readDocument } from '../support/walk/api-document.ts';
import { type ApiWalk, openWalk, stepsOf, type WalkObserver } from '../support/walk/api-walk.ts';
import { openEchoes } from '../support/walk/echoes.ts';
import { openFuzzer } from '../support/walk/fuzz.ts';
import { last } from '../support/walk/recipes.ts';
import { openRefusals, type RefusalObserver } from '../support/walk/refusals.ts';
import { responseCheck } from '../support/walk/response-check.ts';
import { secretMembers, secretsOf } from '../support/walk/secrets.ts';
import { openUnconfirmed, type UnconfirmedObserver } from '../support/walk/unconfirmed.ts';

/**
 * Performs every documented operation once on one server: a new account follows the first steps of the document, and
 * then sends every other example body unchanged. Observers send more requests to each operation and compare the
 * responses, the audit trail, the log and the statements with the document and the rules. New operations are included
 * automatically.
 */

const document = await readDocument();
const steps = stepsOf(document).map((step) => [step.title, step] as const);
const seed = seedFor('every operation');
const lines: string[] = [];

let walk: ApiWalk;
let observers: readonly WalkObserver[];
let refusals: RefusalObserver;
let unconfirmed: UnconfirmedObserver;
let canCountStatements: boolean;
/** The email address and id of the walk's account, and the ids of its books. */
let marks: readonly string[] = [];
/** The tables that contain one of the marks before the account is deleted. */
let filled: readonly string[] = [];
beforeAll(async () => {
  walk = await openWalk(document, { log: jsonLog(systemClock, (line) => lines.push(line)) });
  canCountStatements = await countStatements(walk.app.books);
  unconfirmed = await openUnconfirmed(walk);
  const others = [await openAccess(walk), await openEchoes(walk), unconfirmed, marksOf(walk)];
  const responses = [await fuzzed(walk), describedResponses()];
  refusals = await openRefusals(walk);
  observers = [...others, ...responses, refusals];
});
afterAll(() => walk.app.close());

/** Sends a few strange requests. `bun scripts/fuzz.ts` sends many more. */
async function fuzzed(opened: ApiWalk): Promise<WalkObserver> {
  const fuzzer = await openFuzzer(opened, seed);
  const asked = new Set<string>();
  return {
    after: async (step) => {
      if (asked.has(step.operation.operationId)) return [];
      asked.add(step.operation.operationId);
      const findings = await fuzzer.send(step, draws(2, 40));
      return findings.map(({ what, request }) => `${what}: ${request}`);
    },
  };
}

/** Compares each response with its schema. */
function describedResponses(): WalkObserver {
  const check = responseCheck(document);
  return {
    after: async ({ operation }, response, body) => {
      const fault = body === null ? null : check(operation, response, body);
      return fault === null ? [] : [fault];
    },
  };
}

/** Reads what the account left in the database before the walk begins to delete it. */
function marksOf({ app, answers, userId }: ApiWalk): WalkObserver {
  return {
    before: async ({ operation }) => {
      if (operation.operationId !== last[0]) return [];
      const books = await app.books.asOwner(
        (sql) => sql<{ id: string }[]>`select id from taxpayers where created_by = ${userId()}`,
      );
      marks = [String(answers.get('createAccount')?.email), userId(), ...books.map(({ id }) => id)];
      filled = await tablesWith(app, marks);
      return [];
    },
  };
}

describe('every operation accepts its example, and refuses wrong and unauthorized requests', () => {
  test.each(steps)('%s', async (_title, step) => {
    expect(await walk.perform(step, observers)).toEqual([]);
  });
});

describe('after all operations', () => {
  test('each kind of wrong request was sent to more than 20 operations', () => {
    expect([...refusals.sent].filter(([, times]) => times <= 20)).toEqual([]);
    expect(refusals.sent.size).toBeGreaterThan(8);
  });

  test('the account is gone', async () => {
    expect((await walk.ask('GET', '/v1/account')).status).toBe(401);
  });

  test('an account with an unconfirmed address was refused what outlives a session, and left nothing behind', async () => {
    expect(unconfirmed.refused.toSorted()).toEqual(lasting);
    expect(await unconfirmed.leftBehind()).toBe(false);
  });

  test('no secret and no email address is in the log, even of failed requests', () => {
    const log = lines.join('');
    expect(lines.length).toBeGreaterThan(50);
    const secrets = secretsOf(walk);
    expect([...new Set(secrets.map(([, name]) => name))].sort()).toEqual(['cookie', ...secretMembers]);
    expect(secrets.filter(([value]) => log.includes(value))).toEqual([]);
  });

  test('the erasure after the grace period removes everything else', async () => {
    expect(filled.length).toBeGreaterThan(40);
    if (canCountStatements) await sendOtherStatements(walk.app, walk.userId());
    await letTimePass(walk.app, 15 * 86_400);
    await eraseNow(walk.app);
    const [email = '', ...ids] = marks;
    expect(await tablesWith(walk.app, ids)).toEqual(['deleted_accounts']);
    // Other users invited the address and were notified of the result.
    expect(await tablesWith(walk.app, [email])).toEqual(['invitations', 'notifications']);
  });

  test("every statement of the server runs on the taxpayer's worker and uses syntax that Citus accepts", async () => {
    if (!canCountStatements) {
      console.log('This server does not count statements: left out.');
      return;
    }
    const sent = await sentStatements(walk.app.books);
    expect(await findFaultyStatements(sent, await readCatalog(walk.app.books))).toEqual([]);
    // Ensures that statements were collected. Most of about 450 statements involve taxpayers.
    expect(sent.length).toBeGreaterThan(350);
    const words = sent.map((text) => text.replace(/\s+/g, ' '));
    expect(acrossWorkers.filter((across) => !words.some((text) => text.includes(across.words)))).toEqual([]);
  });
});

/** The operations that create something that outlives a session. Each is refused until the address is confirmed. */
const lasting = [
  'PATCH /v1/account/grants/{id}',
  'POST /v1/auth/identities',
  'POST /v1/auth/passkeys',
  'POST /v1/auth/passkeys/options',
  'POST /v1/auth/programs',
  'POST /v1/auth/recovery-codes',
  'POST /v1/auth/tokens',
  'POST /v1/auth/totp',
  'POST /v1/auth/totp/confirm',
  'POST /v1/billing/checkout',
  'POST /v1/billing/portal',
  'POST /v1/invitations',
  'POST /v1/invitations/{id}/accept',
  'POST /v1/invitations/{id}/decline',
  'POST /v1/invitations/{id}/link',
  'POST /v1/invitations/{id}/mail',
];

describe('the server', () => {
  test('serves the same document as a program without a database', async () => {
    expect(await (await walk.app.request('GET', '/v1/openapi.json')).json()).toEqual(document);
  });

  test('returns 404 for routes that do not exist, and does not list them in the document', async () => {
    const who = await walk.app.register();
    for (const method of ['GET', 'POST']) expect((await who.request(method, '/v1/nonsense')).status).toBe(404);
    expect(document.paths['/v1/nonsense']).toBeUndefined();
  });

  test('lists the codes that an operation can return, and a request that gets another code fails', async () => {
    const said = (path: string, method: string, status: string): string =>
      document.paths[path]?.[method]?.responses[status]?.description ?? '';
    expect(said('/v1/transactions/{id}', 'delete', '409')).toBe('Refused: `conflict`, `year_locked`.');
    expect(said('/v1/tax/summary', 'get', '403')).toBe('Refused: `forbidden`, `insufficient_scope`.');
    expect(said('/v1/tax/reports', 'post', '403')).toContain('`plan_limit`');
    const { app } = walk.app;
    const request = new Request('http://localhost/v1/tax/summary?year=2024');
    const refused = await app.fetch(request);
    const { expectDocumented } = documentedRefusals(app);
    await expectDocumented(request, refused);
    const headers = { 'content-type': 'application/problem+json' };
    const other = Response.json({ code: 'plan_limit' }, { status: 403, headers });
    await expect(expectDocumented(request, other)).rejects.toThrow('returned 403 plan_limit');
  });
});
