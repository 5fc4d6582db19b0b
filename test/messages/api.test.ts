import { afterAll, beforeAll, expect, test } from 'bun:test';
import { silentLog } from '../../src/deps.ts';
import { assistantBounds, openAiAssistant } from '../../src/features/answers/messages/openai.ts';
import { type TestApp, type TestClient, testApp, testClock } from '../support/app.ts';
import { type LocalAssistant, localAssistant, type Turn } from '../support/assistant.ts';
import { until } from '../support/until.ts';

interface Reply {
  id: string;
  role: string;
  content: string;
  citations: { title: string; href: string }[];
  usage: { used: number; limit: number | null; resetsAt: string };
}
interface List {
  data: (Reply & { createdAt: string })[];
  hasMore: boolean;
  nextCursor: string | null;
}

const trades = `date,type,account,asset,quantity,amount
2024-01-02,buy,Schwab,AAPL,10,1000
2024-06-03,sell,Schwab,AAPL,4,600
2024-03-01,buy,Kraken,BTC,1,50000
`;

const clock = testClock('2025-03-10T21:30:00Z');
let service: TestApp;
const models: { app: TestApp; local: LocalAssistant }[] = [];
beforeAll(async () => {
  service = await testApp({ clock });
});
afterAll(async () => {
  await service.close();
  for (const { app, local } of models) {
    await app.close();
    await local.close();
  }
});

async function withBooks(app: TestApp = service, plan?: 'FREE' | 'PRO' | 'CPA', csv = trades): Promise<TestClient> {
  const person = await app.register(plan);
  await person.json('POST', '/v1/transactions/import', { body: csv, headers: { 'content-type': 'text/csv' } }, 201);
  return person;
}

/** Returns the service with a language model that plays these turns. */
async function withModel(...turns: readonly Turn[]): Promise<{ app: TestApp; local: LocalAssistant }> {
  const local = localAssistant(...turns);
  const config = { baseUrl: local.baseUrl, apiKey: 'key', model: 'model' };
  const bounds = { ...assistantBounds, seconds: 2 };
  const app = await testApp({ clock, assistant: openAiAssistant(config, silentLog, bounds) });
  models.push({ app, local });
  return { app, local };
}

const ask = (person: TestClient, content: string, headers: Record<string, string> = {}): Promise<Response> =>
  person.request('POST', '/v1/ai/messages', { body: { content }, headers });
const streamed = { accept: 'text/event-stream' };
const used = async (person: TestClient): Promise<number> =>
  (await person.json<{ usage: { aiMessagesToday: number } }>('GET', '/v1/account')).usage.aiMessagesToday;

function eventsOf(text: string): { event: string; data: Record<string, unknown> }[] {
  return text
    .split('\n\n')
    .filter((block) => block.includes('data: '))
    .map((block) => ({
      event: /^event: (.*)$/m.exec(block)?.[1] ?? '',
      data: JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? 'null'),
    }));
}

test('the assistant answers from the books, cites them and states the remaining daily quota', async () => {
  const person = await withBooks();
  const reply = await person.json<Reply>('POST', '/v1/ai/messages', { body: { content: 'Gains of 2024?' } }, 201);
  expect(reply.role).toBe('assistant');
  expect(reply.content).toContain('2024: a gain of $200.00 from 1 sale (proceeds $600.00, basis $400.00)');
  expect(reply.citations).toEqual([{ title: 'Summary of 2024', href: '/v1/tax/summary?year=2024' }]);
  expect(reply.usage).toEqual({ used: 1, limit: 5, resetsAt: '2025-03-11T00:00:00.000Z' });
});

test('every kind of question is answered from the database', async () => {
  const person = await withBooks(service, 'PRO');
  const say = async (content: string): Promise<string> =>
    (await person.json<Reply>('POST', '/v1/ai/messages', { body: { content } }, 201)).content;
  expect(await say('AAPL gains 2024')).toContain('AAPL in 2024: a gain of $200.00 from 1 sale of 4 in total.');
  expect(await say('Which lots do I hold?')).toContain('- 1 BTC in 1 lot, basis $50,000.00');
  expect(await say('and AAPL?')).toContain('- 6 AAPL in Schwab, acquired 2024-01-02, basis $600.00');
  expect(await say('when do my lots turn long-term?')).toBe('2 open lots: all long-term already.');
  expect(await say('what does the report of 2024 hold?')).toContain('1 line of Form 8949');
  expect(await say('wash sales in 2024')).toBe('2024: no wash sales.');
  expect(await say('income 2024')).toBe('2024: no income in your books.');
  expect(await say('any issues?')).toContain('no open issue');
  expect(await say('What if I sell BTC at $40,000?')).toContain('- -$10,000.00: 1 BTC in Kraken');
  expect(await say('which years?')).toContain('- 2024: a gain of $200.00 from 1 sale');
});

test('a lot is short-term until the day before its date and long-term on that day', async () => {
  const person = await withBooks(
    service,
    'PRO',
    'date,type,account,asset,quantity,amount\n2024-03-09,buy,A,X,1,10\n2024-03-10,buy,A,Y,1,10\n',
  );
  const { content } = await person.json<Reply>('POST', '/v1/ai/messages', {
    body: { content: 'when do they turn long-term' },
  });
  expect(content).toContain('Of 2 open lots, 1 is long-term already.');
  expect(content).toContain('- 2025-03-11 (in 1 day): 1 Y');
});

test('the sixth message of a UTC day is refused until midnight, and then five more are allowed', async () => {
  const person = await withBooks();
  for (let index = 1; index <= 5; index++) expect((await ask(person, 'my gains?')).status).toBe(201);
  const refused = await ask(person, 'my gains?');
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe(String(2.5 * 3600));
  expect(await refused.json()).toMatchObject({ code: 'ai_quota', limit: 5, upgrade: { plan: 'PRO', limit: null } });
  const feed = await person.json<{ data: { kind: string }[] }>('GET', '/v1/notifications');
  expect(feed.data.map(({ kind }) => kind)).toContain('limit_reached');
  clock.move(2.5 * 3_600_000);
  expect((await ask(person, 'my gains?')).status).toBe(201);
  clock.move(-2.5 * 3_600_000);
});

test('exactly five of fifty concurrent messages are answered', async () => {
  const person = await withBooks();
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask(person, 'my gains?')));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(5).fill(201), ...Array(45).fill(429)]);
  expect((await person.json<List>('GET', '/v1/ai/messages')).data).toHaveLength(10);
});

test('PRO has no limit', async () => {
  const person = await withBooks(service, 'PRO');
  for (let index = 1; index <= 7; index++) await ask(person, 'my gains?');
  const reply = await person.json<Reply>('POST', '/v1/ai/messages', { body: { content: 'my gains?' } });
  expect(reply.usage).toMatchObject({ used: 8, limit: null });
});

test('the conversation is kept in order, and can be read page by page from either end', async () => {
  const person = await withBooks(service, 'PRO');
  for (const content of ['one gains?', 'two gains?', 'three gains?']) await ask(person, content);
  const asked = (list: List) => list.data.map(({ role, content }) => (role === 'user' ? content : role));
  const all = await person.json<List>('GET', '/v1/ai/messages');
  expect(asked(all)).toEqual(['one gains?', 'assistant', 'two gains?', 'assistant', 'three gains?', 'assistant']);
  const first = await person.json<List>('GET', '/v1/ai/messages?limit=4');
  await ask(person, 'four gains?');
  const rest = await person.json<List>('GET', `/v1/ai/messages?limit=4&cursor=${first.nextCursor}`);
  expect(asked(rest)).toEqual(['three gains?', 'assistant', 'four gains?', 'assistant']);
  const latest = await person.json<List>('GET', '/v1/ai/messages?sort=-date&limit=2');
  expect(asked(latest)).toEqual(['assistant', 'four gains?']);
});

test('another user cannot see the conversation', async () => {
  const [one, other] = [await withBooks(), await service.register()];
  await ask(one, 'my gains?');
  expect((await other.json<List>('GET', '/v1/ai/messages')).data).toEqual([]);
  const { content } = await other.json<Reply>('POST', '/v1/ai/messages', {
    body: { content: 'gains of AAPL in 2024?' },
  });
  expect(content).toContain('These books are empty');
});

test('repeating an Idempotency-Key asks and counts once', async () => {
  const person = await withBooks();
  const key = { 'idempotency-key': 'question-1' };
  const first = (await (await ask(person, 'my gains?', key)).json()) as Reply;
  const again = await ask(person, 'my gains?', key);
  expect(await again.json()).toEqual(first);
  expect((await ask(person, 'my lots?', key)).status).toBe(422);
  expect(await used(person)).toBe(1);
  const replayed = eventsOf(await (await ask(person, 'my gains?', { ...key, ...streamed })).text());
  expect(replayed).toEqual([{ event: 'message', data: first as never }]);
});

test('an unclear question gets suggestions, and does not count', async () => {
  const person = await withBooks();
  for (let time = 0; time < 6; time += 1) {
    const { content, usage } = await person.json<Reply>('POST', '/v1/ai/messages', { body: { content: 'color?' } });
    expect(content).toStartWith('I did not understand that.');
    expect(usage.used).toBe(0);
  }
  expect(await used(person)).toBe(0);
  expect((await person.json<List>('GET', '/v1/ai/messages')).data).toHaveLength(12);
});

test('an invalid question is refused and does not count', async () => {
  const person = await withBooks();
  const bodies = [
    {},
    { content: '' },
    { content: '  \n' },
    { content: 'x'.repeat(4_001) },
    { content: 1 },
    { content: 'a', more: 1 },
  ];
  for (const body of bodies) expect((await person.request('POST', '/v1/ai/messages', { body })).status).toBe(422);
  expect((await service.request('POST', '/v1/ai/messages', { body: { content: 'hi' } })).status).toBe(401);
  expect(await used(person)).toBe(0);
});

test('an answer is streamed as text first, and then as the whole message', async () => {
  const person = await withBooks();
  const response = await ask(person, 'my gains in 2024?', streamed);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toStartWith('text/event-stream');
  const events = eventsOf(await response.text());
  const last = events.pop();
  expect(last).toMatchObject({ event: 'message', data: { role: 'assistant', usage: { used: 1 } } });
  expect(events.length).toBeGreaterThan(1);
  expect(events.map(({ data }) => data.text).join('')).toBe(String(last?.data.content));
});

test('a CPA asks about the books of a client, and the citations link to them', async () => {
  const cpa = await withBooks(service, 'CPA');
  const { id } = await cpa.json<{ id: string }>('POST', '/v1/clients', { body: { name: 'Client' } }, 201);
  const csv = 'date,type,account,asset,quantity,amount\n2024-01-02,buy,A,TSLA,1,10\n2024-02-02,sell,A,TSLA,1,30\n';
  await cpa.json('POST', `/v1/transactions/import?client=${id}`, {
    body: csv,
    headers: { 'content-type': 'text/csv' },
  });
  const reply = await cpa.json<Reply>('POST', `/v1/ai/messages?client=${id}`, { body: { content: 'gains 2024' } });
  expect(reply.content).toContain('2024: a gain of $20.00');
  expect(reply.citations[0]?.href).toBe(`/v1/tax/summary?year=2024&client=${id}`);
  expect((await cpa.request('GET', reply.citations[0]?.href ?? '')).status).toBe(200);
  expect((await cpa.json<List>('GET', '/v1/ai/messages')).data).toEqual([]);
  const stranger = await service.register('CPA');
  expect((await stranger.request('POST', `/v1/ai/messages?client=${id}`, { body: { content: 'gains' } })).status).toBe(
    404,
  );
});

test('a language model reads only the books of the user who asks', async () => {
  const { app, local } = await withModel(
    {
      call: [
        ['overview', '{}'],
        ['year_summary', '{"year":2024}'],
        ['open_lots', '{"asset":"TSLA"}'],
      ],
    },
    { say: 'You gained $200.00.' },
  );
  await withBooks(app, 'FREE', trades.replaceAll('AAPL', 'TSLA'));
  const person = await withBooks(app);
  const reply = await person.json<Reply>('POST', '/v1/ai/messages', { body: { content: 'my gains?' } }, 201);
  expect(reply.content).toBe('You gained $200.00.');
  expect(reply.citations.map(({ href }) => href)).toEqual([
    '/v1/tax/years',
    '/v1/tax/summary?year=2024',
    '/v1/tax/lots?asset=TSLA',
  ]);
  const found = (local.requests[1]?.body.messages ?? [])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => content ?? '');
  expect(JSON.parse(found[0] ?? '')).toEqual({ today: '2025-03-10', years: [2024], assets: ['AAPL', 'BTC'] });
  expect(JSON.parse(found[1] ?? '')).toMatchObject({ total: { gain: '200.00', count: 1 } });
  expect(JSON.parse(found[2] ?? '')).toEqual({ count: 0, first: [] });
});

test("a number that no tool returned is removed from a model's answer, streamed and complete, with a note", async () => {
  const { app } = await withModel(
    { call: [['year_summary', '{"year":2024}']] },
    { say: 'In 2024 you gained $200.00, and you will owe $4,321.00 of tax on it by April 15.' },
  );
  const person = await withBooks(app);
  const events = eventsOf(await (await ask(person, 'did I gain $4,321.00?', streamed)).text());
  const message = events.pop()?.data;
  const content = String(message?.content);
  const usage = message?.usage as { readonly used: number } | undefined;
  expect(content).toStartWith(
    'In 2024 you gained $200.00, and you will owe [left out] of tax on it by [left out].\n\n[left out] replaces',
  );
  expect(events.map(({ data }) => data.text).join('')).toBe(content);
  // Users do not pay for an answer without content.
  expect([await used(person), usage?.used]).toEqual([0, 0]);
});

test('a language model gets the conversation so far', async () => {
  const { app, local } = await withModel({ say: 'Yes.' });
  const person = await withBooks(app);
  await ask(person, 'first question');
  await ask(person, 'second question');
  expect(local.requests[1]?.body.messages.slice(1).map(({ role, content }) => [role, content])).toEqual([
    ['user', 'first question'],
    ['assistant', 'Yes.'],
    ['user', 'second question'],
  ]);
});

test('a message that fails upstream is refused, does not count, and stores nothing', async () => {
  const { app } = await withModel({ fail: 400 });
  const person = await withBooks(app);
  for (const headers of [{}, streamed]) {
    const response = await ask(person, 'my gains?', headers);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).not.toBeNull();
    expect(await response.json()).toMatchObject({ code: 'assistant_failed' });
  }
  expect(await used(person)).toBe(0);
  expect((await person.json<List>('GET', '/v1/ai/messages')).data).toEqual([]);
});

test('an answer that breaks while it streams ends with the problem, and does not count', async () => {
  const { app } = await withModel({ breakAfter: 'You gained ' });
  const person = await withBooks(app);
  const events = eventsOf(await (await ask(person, 'my gains?', streamed)).text());
  expect(events.at(-1)).toMatchObject({ event: 'problem', data: { code: 'assistant_failed', status: 503 } });
  expect(await used(person)).toBe(0);
});

test('fifty concurrent failing messages leave the quota unchanged', async () => {
  const { app } = await withModel({ fail: 400 });
  const person = await withBooks(app);
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask(person, 'my gains?')));
  for (const { status } of answers) expect([429, 503]).toContain(status);
  expect(await used(person)).toBe(0);
});

test('an answer counts if the user disconnects during it, and the part that was sent is stored', async () => {
  const { app } = await withModel({ say: 'You gained a lot, and then some.', stall: true });
  const person = await withBooks(app);
  const response = await ask(person, 'my gains?', streamed);
  const reader = response.body?.getReader();
  let heard = '';
  while (!heard.includes('gained')) heard += new TextDecoder().decode((await reader?.read())?.value);
  await reader?.cancel();
  const read = async () => (await person.json<List>('GET', '/v1/ai/messages')).data;
  await until('the answer is stored', async () => (await read()).length > 1);
  expect(await used(person)).toBe(1);
  const data = await read();
  expect(data[1]?.content).toStartWith('You gained');
});
