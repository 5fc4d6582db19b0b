import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type AssistantPort, type AssistantQuestion, silentLog } from '../../src/deps.ts';
import { consentsMax } from '../../src/features/answers/messages/consents.ts';
import { openAiAssistant } from '../../src/features/answers/messages/openai.ts';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { localAssistant } from '../support/assistant.ts';
import { importCsv } from '../support/books.ts';
import { grantAccess } from '../support/grants.ts';

/** Every question that was sent to the AI service. */
const sent: AssistantQuestion[] = [];
let duringAnswer: () => Promise<void> = async () => {};
const assistant: AssistantPort = {
  service: 'ai.example',
  async *answer(question) {
    sent.push(question);
    await duringAnswer();
    yield 'An answer of the service.';
  },
};

interface Consent {
  readonly id: string;
  readonly isInEffect: boolean;
  readonly [member: string]: unknown;
}
interface ConsentList {
  readonly service: string | null;
  readonly statements: readonly string[];
  readonly data: readonly Consent[];
}

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ assistant });
});
afterAll(() => app.close());

const rows = 'date,type,account,asset,quantity,amount\n2024-01-05,buy,S,KO,10,600\n2024-03-05,sell,S,KO,10,700\n';
const ask = async (who: TestClient, books = '') => {
  const before = sent.length;
  const body = { content: 'What were my gains in 2024?' };
  const { content } = await who.json<{ content: string }>('POST', `/v1/ai/messages${books}`, { body }, 201);
  return { content, left: sent.length - before };
};

test("a CPA's question goes to the AI service only while the owner consents to it", async () => {
  const [cpa, other, owner] = [await app.register('CPA'), await app.register('CPA'), await app.register('PRO')];
  await importCsv(owner, rows);
  const books = `?client=${await grantAccess(app, cpa, owner, 'reviewer')}`;
  await grantAccess(app, other, owner, 'reviewer');

  const refused = await ask(cpa, books);
  expect(refused.left).toBe(0);
  expect(refused.content).toContain(
    "Without the client's consent (IRC 7216), nothing is sent to the AI service at ai.example.",
  );
  expect(refused.content).toContain('Ask the client to consent on their account page');
  expect(refused.content).toContain('$100.00');

  // Only the owner can consent, and only for a user with access.
  for (const who of [cpa, other])
    expect((await who.request('POST', `/v1/ai/consents${books}`, { body: { signer: 'Ann Doe' } })).status).toBe(403);
  const { data: grants } = await owner.json<{ data: { id: string; email: string }[] }>('GET', '/v1/account/grants');
  const preparer = grants.find(({ email }) => email === cpa.email)?.id;
  for (const body of [
    { signer: 'Ann Doe' },
    { signer: 'Ann Doe', preparer: crypto.randomUUID() },
    { signer: 'Ann Doe', preparer, signedOn: '2024-01-01' },
    { signer: 'Ann Doe', preparer, expiresOn: '2024-01-01' },
    { signer: 'Ann Doe', preparer, expiresOn: '2024-13-01' },
    { signer: ' ', preparer },
  ])
    expect([body, (await owner.request('POST', '/v1/ai/consents', { body })).status]).toEqual([body, 422]);
  const given = await owner.json<Consent>('POST', '/v1/ai/consents', { body: { signer: 'Ann Doe', preparer } }, 201);
  expect(given).toMatchObject({
    preparer: { id: preparer, email: cpa.email },
    service: 'ai.example',
    method: 'taxpayer',
    recordedBy: owner.email,
    isInEffect: true,
  });
  const listed = await cpa.json<ConsentList>('GET', `/v1/ai/consents${books}`);
  expect(listed).toMatchObject({ service: 'ai.example', data: [given] });
  expect(listed.statements.join(' ')).toContain('Federal law requires this consent form be provided to you.');

  expect(await ask(cpa, books)).toEqual({ content: 'An answer of the service.', left: 1 });
  // A consent covers one CPA, one service and its period.
  expect((await ask(other, books)).left).toBe(0);
  const set = (change: string) =>
    app.books.asOwner(async (sql) => {
      await sql.unsafe('alter table ai_consents no force row level security');
      await sql.unsafe(`update ai_consents set ${change}`);
      await sql.unsafe('alter table ai_consents force row level security');
    });
  await set("service = 'elsewhere.example'");
  expect((await ask(cpa, books)).left).toBe(0);
  await set("service = 'ai.example', signed_on = '2024-01-01', expires_on = '2025-01-01'");
  expect((await ask(cpa, books)).left).toBe(0);
  await set('signed_on = current_date - 1, expires_on = current_date + 2');
  expect((await ask(cpa, books)).left).toBe(1);

  expect((await cpa.request('DELETE', `/v1/ai/consents/${given.id}${books}`)).status).toBe(403);
  // If the consent is revoked during an answer, the model gets nothing further from the books.
  let looked: unknown;
  duringAnswer = async () => {
    await owner.json('DELETE', `/v1/ai/consents/${given.id}`, {}, 204).catch(() => {});
    const [tool] = sent.at(-1)?.tools ?? [];
    looked = await tool?.call({ year: 2024 }).catch((error: unknown) => error);
  };
  await ask(cpa, books);
  duringAnswer = async () => {};
  expect(String(looked)).toContain('The client revoked their consent.');
  expect((await ask(cpa, books)).left).toBe(0);
  expect((await owner.request('DELETE', `/v1/ai/consents/${given.id}`)).status).toBe(404);
  const [revoked] = (await owner.json<ConsentList>('GET', '/v1/ai/consents')).data;
  expect(revoked).toMatchObject({ id: given.id, revokedBy: owner.email, isInEffect: false });

  // The owner's own questions need no consent.
  expect((await ask(owner)).left).toBe(1);
  const entries = await owner.json<{ data: { action: string }[] }>('GET', '/v1/account/audit');
  expect(entries.data.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['ai_consent_given', 'ai_consent_revoked']),
  );
});

test('the CPA of a client without an account records that a signed consent exists', async () => {
  const cpa = await app.register('CPA');
  const body = { name: 'Bob Roe', timeZone: 'America/New_York' };
  const { id } = await cpa.json<{ id: string }>('POST', '/v1/clients', { body }, 201);
  const books = `?client=${id}`;
  await importCsv(cpa, rows, books);
  expect(await ask(cpa, books)).toMatchObject({
    left: 0,
    content: expect.stringContaining('If the client signed a consent, record it on this page.'),
  });
  const post = (given: object) => cpa.request('POST', `/v1/ai/consents${books}`, { body: given });
  expect((await post({ signer: 'Bob Roe' })).status).toBe(422);
  expect((await post({ signer: 'Bob Roe', signedOn: '2090-01-01' })).status).toBe(422);
  const signedOn = new Date(app.deps.clock.now().getTime() - 10 * 86_400_000).toISOString().slice(0, 10);
  const recorded = await post({ signer: 'Bob Roe', signedOn });
  expect(recorded.status).toBe(201);
  expect(await recorded.json()).toMatchObject({
    signer: 'Bob Roe',
    signedOn,
    expiresOn: `${Number(signedOn.slice(0, 4)) + 1}${signedOn.slice(4).replace('02-29', '02-28')}`,
    method: 'on_paper',
    recordedBy: cpa.email,
    preparer: { email: cpa.email },
    isInEffect: true,
  });
  expect((await ask(cpa, books)).left).toBe(1);

  // The number of consents is limited.
  await app.books.asOwner(async (sql) => {
    await sql.unsafe('alter table ai_consents no force row level security');
    await sql`
      insert into ai_consents (taxpayer_id, id, preparer_id, preparer, service, purpose, signer, signed_on, expires_on, method,
        recorded_by, recorded_at)
      select taxpayer_id, gen_random_uuid(), preparer_id, preparer, service, purpose, signer, signed_on, expires_on, method,
        recorded_by, recorded_at
      from ai_consents, generate_series(1, ${consentsMax - 2}) where taxpayer_id = ${id}`;
    await sql.unsafe('alter table ai_consents force row level security');
  });
  expect((await post({ signer: 'Bob Roe', signedOn })).status).toBe(201);
  const refused = await post({ signer: 'Bob Roe', signedOn });
  expect([refused.status, (await refused.json()).code]).toEqual([409, 'conflict']);
});

test('nothing more goes to the AI service if the consent is revoked or the access ends during an answer', async () => {
  let meanwhile: () => Promise<unknown> = async () => {};
  const service = localAssistant({ call: [['overview', '{}']], say: 'I look.', meanwhile: () => meanwhile() });
  const real = await testApp({
    assistant: openAiAssistant({ baseUrl: service.baseUrl, apiKey: null, model: 'm' }, silentLog),
  });
  const [cpa, owner] = [await real.register('CPA'), await real.register('PRO')];
  await importCsv(owner, rows);
  const books = `?client=${await grantAccess(real, cpa, owner, 'reviewer')}`;
  const consent = () => owner.json<Consent>('POST', '/v1/ai/consents', { body: { signer: 'Ann Doe' } }, 201);
  const given = await consent();
  const post = (headers = {}) =>
    cpa.request('POST', `/v1/ai/messages${books}`, { body: { content: 'What were my gains in 2024?' }, headers });

  meanwhile = () => owner.json('DELETE', `/v1/ai/consents/${given.id}`, {}, 204);
  const refused = await post();
  expect([refused.status, (await refused.json()).detail]).toEqual([403, 'The client revoked their consent.']);
  expect(service.requests.length).toBe(1);

  const second = await consent();
  meanwhile = () => owner.json('DELETE', `/v1/ai/consents/${second.id}`, {}, 204);
  const events = await (await post({ accept: 'text/event-stream' })).text();
  expect(events).toContain('The client revoked their consent.');
  expect(service.requests.length).toBe(2);

  await consent();
  const [grant] = (await owner.json<{ data: { id: string }[] }>('GET', '/v1/account/grants')).data;
  meanwhile = () => owner.json('DELETE', `/v1/account/grants/${grant?.id}`, {}, 204);
  expect((await post()).status).toBe(404);
  expect(service.requests.length).toBe(3);

  // None of the answer is stored or counted.
  const { data } = await owner.json<{ data: unknown[] }>('GET', '/v1/ai/messages');
  expect(data).toEqual([]);
  await Promise.all([real.close(), service.close()]);
});

test('there is nothing to consent to without an AI service', async () => {
  const plain = await testApp();
  const owner = await plain.register();
  expect(await owner.json<ConsentList>('GET', '/v1/ai/consents')).toMatchObject({ service: null, data: [] });
  expect((await owner.request('POST', '/v1/ai/consents', { body: { signer: 'Ann Doe' } })).status).toBe(409);
  await plain.close();
});
