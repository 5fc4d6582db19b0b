import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { createApp } from '../../src/app.ts';
import type { AssistantPort } from '../../src/deps.ts';
import { letTimePass, sessionCookie, type TestApp, type TestClient, testApp } from '../support/app.ts';

/** A service whose response continues until the client disconnects. */
const endless: AssistantPort = {
  service: 'ai.example',
  answer: async function* (_question, signal) {
    yield 'Let me see. ';
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  },
};

/** Two servers that share a database. */
let app: TestApp;
let otherServer: ReturnType<typeof createApp>;
beforeAll(async () => {
  app = await testApp({ assistant: endless });
  otherServer = app.another().app;
});
afterAll(() => app.close());

const events = (cookie: string) => ({ cookie, accept: 'text/event-stream' });
const onOther = async (method: string, path: string, cookie: string) =>
  otherServer.fetch(new Request(`http://localhost${path}`, { method, headers: events(cookie) }));

/** Resolves once the server has ended the stream. Only the test's timeout limits the wait. */
async function ended(stream: Response): Promise<true> {
  expect(stream.status).toBe(200);
  await stream.text();
  return true;
}

const feed = '/v1/notifications/stream';
const signIn = async ({ email, password }: TestClient) =>
  sessionCookie(await app.request('POST', '/v1/auth/login', { body: { email, password } }));

test('the event streams of a session end with it on each server, and other streams continue', async () => {
  const [who, other] = [await app.register(), await app.register()];
  const phone = await signIn(who);
  const streams = [await app.request('GET', feed, { cookie: phone }), await onOther('GET', feed, phone)];
  const kept = [await who.request('GET', feed), await onOther('GET', feed, other.cookie)];
  expect((await app.request('POST', '/v1/auth/logout', { cookie: phone })).status).toBe(204);
  expect(await Promise.all(streams.map(ended))).toEqual([true, true]);
  expect(app.deps.openStreams.sessionIds().size).toBe(1);
  for (const stream of kept) await stream.body?.cancel();
});

test("signing out everywhere ends all of the user's sessions and streams, including imports and the assistant, and no other user's", async () => {
  const [who, other] = [await app.register(), await app.register()];
  const phone = await signIn(who);
  const body = 'date,type,account,asset,quantity,amount\n2024-01-02,buy,Broker,KO,1,60\n';
  const headers = { 'content-type': 'text/csv' };
  const { id } = await who.json<{ id: string }>('POST', '/v1/transactions/import', { body, headers });
  // An import that continues until something ends its stream.
  await app.books.asOwner((sql) => sql`update imports set status = 'running' where id = ${id}`);
  await app.books.asOwner((sql) => sql`delete from import_events where import_id = ${id} and kind <> 'received'`);
  const streams = [
    await who.request('GET', feed),
    await app.request('GET', feed, { cookie: phone }),
    await onOther('GET', `/v1/imports/${id}/events`, phone),
    await who.request('POST', '/v1/ai/messages', {
      body: { content: 'What did I make in 2024?' },
      headers: { accept: 'text/event-stream' },
    }),
  ];
  await letTimePass(app, 15 * 60);
  expect((await who.request('DELETE', '/v1/auth/sessions')).status).toBe(403);
  const proof = await who.request('POST', '/v1/auth/reauthenticate', { body: { password: who.password } });
  const response = await who.request('DELETE', '/v1/auth/sessions', { cookie: sessionCookie(proof) });
  expect([response.status, response.headers.getSetCookie()[0]]).toEqual([
    204,
    expect.stringMatching(/^session=; Max-Age=0/),
  ]);
  expect(await Promise.all(streams.map(ended))).toEqual([true, true, true, true]);
  expect((await app.request('GET', '/v1/account', { cookie: phone })).status).toBe(401);
  expect((await other.request('GET', '/v1/account')).status).toBe(200);
});

test('a session that was left open can end itself but no other session', async () => {
  const who = await app.register();
  const phone = await signIn(who);
  await letTimePass(app, 15 * 60);
  const { data } = await who.json<{ data: { id: string; current: boolean }[] }>('GET', '/v1/auth/sessions');
  const [mine, others] = [data.find(({ current }) => current), data.find(({ current }) => !current)];
  expect((await who.request('DELETE', `/v1/auth/sessions/${others?.id}`)).status).toBe(403);
  expect((await who.request('DELETE', `/v1/auth/sessions/${mine?.id}`)).status).toBe(204);
  expect((await app.request('GET', '/v1/account', { cookie: phone })).status).toBe(200);
});

test('the streams of a token continue until it is revoked', async () => {
  const who = await app.register();
  const body = { name: 'sync', scopes: ['read'], days: 30 };
  const { id, token } = await who.json<{ id: string; token: string }>('POST', '/v1/auth/tokens', { body });
  const byToken = () => app.request('GET', feed, { headers: { authorization: `Bearer ${token}` } });
  // A session that ends at once. Its stream ends when the server checks the sessions of all streams.
  const other = await app.register();
  const looked = await other.request('GET', feed);
  await app.books.asOwner(
    (sql) => sql`update sessions set expires_at = now()
    where user_id = (select id from users where email = ${other.email})`,
  );
  const streams = [await byToken(), await byToken()];
  expect(await ended(looked)).toBe(true);
  expect([...app.deps.openStreams.sessionIds()]).toEqual([id]);
  expect((await who.request('DELETE', `/v1/auth/tokens/${id}`)).status).toBe(204);
  expect(await Promise.all(streams.map(ended))).toEqual([true, true]);
});

test('a stream closes if its session ends while it opens, or expires', async () => {
  const who = await app.register();
  const stream = await who.request('GET', feed);
  // No event announces the expiration.
  await app.books.asOwner((sql) => sql`update sessions set expires_at = now()`);
  const another = await app.register();
  const look = await another.request('GET', feed);
  expect(await ended(stream)).toBe(true);
  await look.body?.cancel();
});

test('every statement that deletes sessions or tokens announces it', () => {
  const root = join(import.meta.dir, '..', '..', 'src');
  const deleting = /delete from (?:sessions|access_tokens)\b[^`]*(?:`[^`]*`[^`]*)?`/g;
  const found = [...new Bun.Glob('**/*.ts').scanSync({ cwd: root })].flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return [...text.matchAll(deleting)].map((match) => ({
      statement: match[0],
      around: text.slice(Math.max(0, match.index - 100), match.index + match[0].length + 60),
    }));
  });
  expect(found.length).toBeGreaterThan(5);
  const unsaid = found.filter(
    ({ statement, around }) => !/returning id/.test(statement) || !/announceEnds\(/.test(around),
  );
  expect(unsaid).toEqual([]);
});
