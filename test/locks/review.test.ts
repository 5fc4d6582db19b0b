import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp, testClock } from '../support/app.ts';
import { importCsv } from '../support/books.ts';
import { grantAccess } from '../support/grants.ts';

const clock = testClock('2025-03-01T09:00:00Z');
let app: TestApp;
let client: TestClient;
let [preparer, reviewer, viewer] = [] as unknown as readonly [TestClient, TestClient, TestClient];
let books = '';
beforeAll(async () => {
  app = await testApp({ clock });
  client = await app.register();
  await importCsv(client, trades);
  [preparer, reviewer, viewer] = [await app.register('CPA'), await app.register('CPA'), await app.register('CPA')];
  books = await grantAccess(app, preparer, client, 'preparer');
  await grantAccess(app, reviewer, client, 'reviewer');
  await grantAccess(app, viewer, client, 'viewer');
});
afterAll(() => app.close());

const trades = 'date,type,account,asset,quantity,amount\n2024-01-02,buy,A,X,10,100\n2024-02-02,sell,A,X,4,80\n';
const later = (day: string, amount: string) => `date,type,account,asset,quantity,amount\n${day},sell,A,X,1,${amount}\n`;

interface ReviewSeen {
  readonly state: string;
  readonly changed: boolean;
  readonly by: string | null;
  readonly locked: boolean;
  readonly role: string;
  readonly next: string[];
  readonly steps: { state: string; by: string }[];
  readonly openNotes: number;
}
const path = (name: string) => `/v1/tax/years/2024/${name}?client=${books}`;
const read = (who: TestClient) => who.json<ReviewSeen>('GET', path('review'));
const step = async (who: TestClient, state: string) => {
  clock.move(1000);
  const response = await who.request('POST', path('review'), { body: { state } });
  return [response.status, ((await response.json()) as { code?: string }).code ?? ''];
};
const answer = async (who: TestClient, method: string, address: string, body?: unknown) => {
  const response = await who.request(method, address, body === undefined ? {} : { body });
  return [response.status, response.status === 204 ? '' : (((await response.json()) as { code?: string }).code ?? '')];
};
const titles = async (who: TestClient, kind: string) =>
  (
    await who.json<{ data: { kind: string; title: string; link: string }[] }>('GET', '/v1/notifications?limit=1000')
  ).data.filter((notice) => notice.kind === kind);

describe('the review of a year', () => {
  test('moves from open to prepared, reviewed and signed off, which locks it, and reopening unlocks it', async () => {
    expect(await viewer.json('GET', path('review'))).toEqual({
      ...{ year: 2024, state: 'open', changed: false, by: null, at: null, locked: false, shared: true },
      ...{ role: 'viewer', next: [], steps: [], openNotes: 0 },
    });
    expect((await read(preparer)).next).toEqual(['prepared']);
    expect(await step(viewer, 'prepared')).toEqual([403, 'forbidden']);
    expect(await step(reviewer, 'signed_off')).toEqual([409, 'conflict']);
    expect(await step(preparer, 'prepared')).toEqual([200, '']);
    expect(await step(preparer, 'reviewed')).toEqual([403, 'forbidden']);
    expect(await read(preparer)).toMatchObject({ state: 'prepared', by: preparer.email, next: ['open'] });
    expect(await step(reviewer, 'reviewed')).toEqual([200, '']);
    expect(await step(preparer, 'open')).toEqual([403, 'forbidden']);
    expect((await read(reviewer)).next).toEqual(['open', 'signed_off']);

    // A year that changed since cannot be signed off.
    await importCsv(preparer, later('2024-03-01', '50'), `?client=${books}`);
    expect(await read(reviewer)).toMatchObject({ changed: true, next: ['open', 'reviewed'] });
    expect(await step(reviewer, 'signed_off')).toEqual([409, 'conflict']);
    expect(await step(reviewer, 'reviewed')).toEqual([200, '']);
    // Other years are not affected.
    await importCsv(preparer, later('2025-01-10', '50'), `?client=${books}`);
    expect(await step(reviewer, 'signed_off')).toEqual([200, '']);
    expect(await read(viewer)).toMatchObject({ state: 'signed_off', by: reviewer.email, locked: true, changed: false });
    const refused = await preparer.request('POST', `/v1/transactions/import?client=${books}`, {
      body: later('2024-04-01', '70'),
      headers: { 'content-type': 'text/csv' },
    });
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([409, 'year_locked']);
    expect(await answer(preparer, 'POST', path('unlock'))).toEqual([403, 'forbidden']);

    // The owner outranks all roles, so an unlock reopens the review.
    clock.move(1000);
    expect(await answer(client, 'POST', '/v1/tax/years/2024/unlock')).toEqual([200, '']);
    const opened = await read(reviewer);
    expect([opened.state, opened.locked, opened.by]).toEqual(['open', false, client.email]);
    expect(opened.steps.map(({ state, by }) => `${state} ${by}`)).toEqual([
      `open ${client.email}`,
      `signed_off ${reviewer.email}`,
      `reviewed ${reviewer.email}`,
      `reviewed ${reviewer.email}`,
      `prepared ${preparer.email}`,
    ]);
  });

  test('notifies everyone else about each step, with a link into these books', async () => {
    const atClient = (await titles(client, 'review_changed')).map(({ title }) => title);
    expect(atClient).toEqual(['2024 is signed off', '2024 is reviewed', '2024 is reviewed', '2024 is prepared']);
    const atReviewer = await titles(reviewer, 'review_changed');
    expect(atReviewer.map(({ title }) => title)).toEqual(['2024 was reopened', '2024 is prepared']);
    for (const { link } of atReviewer) {
      expect(link).toEndWith(`client=${books}`);
      expect((await reviewer.request('GET', link)).status).toBe(200);
    }
    expect((await titles(viewer, 'review_changed')).length).toBe(5);
  });

  test('appears in the row of the client', async () => {
    await step(preparer, 'prepared');
    const { data } = await reviewer.json<{ data: { role: string; years: { year: number; review: object }[] }[] }>(
      'GET',
      '/v1/status/clients',
    );
    expect(data[0]?.role).toBe('reviewer');
    expect(data[0]?.years.find(({ year }) => year === 2024)?.review).toMatchObject({
      state: 'prepared',
      changed: false,
      by: preparer.email,
      openNotes: 0,
    });
  });

  test('accepts only one of ten concurrent steps', async () => {
    const taken = await Promise.all(Array.from({ length: 10 }, () => step(reviewer, 'reviewed')));
    expect(taken.every(([status]) => status === 200)).toBe(true);
    const { steps } = await read(reviewer);
    expect(steps.filter(({ state }) => state === 'reviewed')).toHaveLength(3);
  });
});

describe('a note', () => {
  interface Note {
    readonly id: string;
    readonly year: number;
    readonly line: string | null;
    readonly mine: boolean;
    readonly resolvedBy: string | null;
  }

  test('a note belongs to a year or a line, is resolved by users who can write, and is deleted by its author or the owner', async () => {
    const at = (query = '') => `/v1/tax/notes?client=${books}${query}`;
    const { data: lines } = await reviewer.json<{ data: { id: string }[] }>(
      'GET',
      `/v1/tax/disposals?year=2024&client=${books}`,
    );
    const line = lines[0]?.id ?? '';
    expect(await answer(viewer, 'POST', at(), { year: 2024, text: 'x' })).toEqual([403, 'forbidden']);
    for (const body of [{ text: 'x' }, { year: 2024, text: '  ' }, { year: 2024 }]) {
      expect(await answer(reviewer, 'POST', at(), body)).toEqual([422, 'invalid']);
    }
    expect(await answer(reviewer, 'POST', at(), { disposal: 'x~1', text: 'x' })).toEqual([404, 'not_found']);
    const body = { disposal: line, text: 'Where is the statement?' };
    const written = await reviewer.json<Note>('POST', at(), { body }, 201);
    expect(written).toMatchObject({ year: 2024, line: '4 X, 2024-02-02', mine: true, resolvedBy: null });
    const other = await preparer.json<Note>('POST', at(), { body: { year: 2024, text: 'Ready.' } }, 201);
    expect((await read(viewer)).openNotes).toBe(2);
    const listed = async (who: TestClient, query: string) =>
      (await who.json<{ data: Note[] }>('GET', at(query))).data.map(({ id }) => id);
    expect(await listed(viewer, '&year=2024')).toEqual([other.id, written.id]);
    expect(await listed(viewer, `&disposal=${line}`)).toEqual([written.id]);
    expect(await listed(viewer, '&year=2023')).toEqual([]);
    expect((await titles(client, 'note_changed')).map(({ title }) => title)).toEqual([
      'A note about 2024 was added',
      'A note about a line of 2024 was added',
    ]);
    expect((await titles(preparer, 'note_changed')).map(({ title }) => title)).toEqual([
      'A note about a line of 2024 was added',
    ]);

    const item = `/v1/tax/notes/${written.id}?client=${books}`;
    expect(await answer(viewer, 'PATCH', item, { resolved: true })).toEqual([403, 'forbidden']);
    expect(await preparer.json('PATCH', item, { body: { resolved: true } })).toMatchObject({
      resolvedBy: preparer.email,
    });
    expect((await titles(reviewer, 'note_changed'))[0]?.title).toBe('A note about a line of 2024 was resolved');
    expect(await listed(viewer, '&open=true')).toEqual([other.id]);
    expect(await preparer.json('PATCH', item, { body: { resolved: false } })).toMatchObject({ resolvedBy: null });
    expect(await answer(preparer, 'DELETE', item)).toEqual([403, 'forbidden']);
    expect(await answer(reviewer, 'DELETE', item)).toEqual([204, '']);
    expect(await answer(client, 'DELETE', `/v1/tax/notes/${other.id}`)).toEqual([204, '']);
    expect(await listed(viewer, '')).toEqual([]);
    expect(await answer(await app.register('CPA'), 'GET', at())).toEqual([404, 'not_found']);
  });
});
