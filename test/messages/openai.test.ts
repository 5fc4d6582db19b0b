import { afterEach, expect, test } from 'bun:test';
import { Refusal } from '../../src/base/refusal.ts';
import { type AssistantTool, silentLog } from '../../src/deps.ts';
import { type AssistantBounds, assistantBounds, openAiAssistant } from '../../src/features/answers/messages/openai.ts';
import { type LocalAssistant, localAssistant, type Turn } from '../support/assistant.ts';

const open: LocalAssistant[] = [];
afterEach(async () => {
  for (const service of open.splice(0)) await service.close();
});

const summary: AssistantTool = {
  name: 'summary',
  description: 'The totals of a year.',
  parameters: { type: 'object', properties: { year: { type: 'integer' } }, required: ['year'] },
  call: async ({ year }) => {
    if (year === 1800) throw new Refusal('invalid', 'Years run from 1900 to 2100.');
    return { year, gain: '12.50' };
  },
};
const checkPermission = async (): Promise<void> => {};
const huge: AssistantTool = { ...summary, name: 'huge', call: async () => 'x'.repeat(100_000) };

async function ask(turns: readonly Turn[], bounds: Partial<AssistantBounds> = {}) {
  const service = localAssistant(...turns);
  open.push(service);
  const port = openAiAssistant({ baseUrl: service.baseUrl, apiKey: 'key-1', model: 'model-1' }, silentLog, {
    ...assistantBounds,
    ...bounds,
  });
  const pieces: string[] = [];
  const question = {
    instructions: 'Answer from the books.',
    messages: [{ role: 'user' as const, content: 'My gains of 2025?' }],
    tools: [summary, huge],
    checkPermission,
  };
  const result = (async () => {
    for await (const piece of port.answer(question, new AbortController().signal)) pieces.push(piece);
    return pieces.join('');
  })();
  return { result, service, pieces };
}

test('the answer is streamed, with the configured key and model', async () => {
  const { result, service, pieces } = await ask([{ say: 'A gain of $12.50.' }]);
  expect(await result).toBe('A gain of $12.50.');
  expect(pieces.length).toBeGreaterThan(1);
  expect(service.requests[0]?.authorization).toBe('Bearer key-1');
  expect(service.requests[0]?.body).toMatchObject({ model: 'model-1', stream: true, tool_choice: 'auto' });
  expect(service.requests[0]?.body.messages.map(({ role }) => role)).toEqual(['system', 'user']);
});

test('the model can call tools and gets their results', async () => {
  const { result, service } = await ask([
    {
      call: [
        ['summary', '{"year":2025}'],
        ['summary', '{"year":2024}'],
      ],
    },
    { say: 'Done.' },
  ]);
  expect(await result).toBe('Done.');
  const found = service.requests[1]?.body.messages.filter(({ role }) => role === 'tool');
  expect(found?.map(({ content }) => JSON.parse(content ?? ''))).toEqual([
    { year: 2025, gain: '12.50' },
    { year: 2024, gain: '12.50' },
  ]);
  expect(found?.map(({ tool_call_id }) => tool_call_id)).toEqual(['call_0', 'call_1']);
});

test('the model is told about its mistakes: an unknown tool, invalid JSON, an error, too many calls', async () => {
  const calls = [
    ['nothing', '{}'],
    ['summary', '{oops'],
    ['summary', '{"year":1800}'],
    ['huge', '{}'],
  ] as const;
  const { result, service } = await ask([{ call: calls }, { say: 'Sorry.' }]);
  expect(await result).toBe('Sorry.');
  const found = service.requests[1]?.body.messages.filter(({ role }) => role === 'tool') ?? [];
  for (const { content } of found) expect(Object.keys(JSON.parse(content ?? ''))).toEqual(['error']);
  expect(found[2]?.content).toContain('Years run from 1900 to 2100.');
});

test('a model that keeps calling tools gets no tools in the last round', async () => {
  const { result, service } = await ask([{ call: [['summary', '{"year":2025}']] }], { rounds: 3 });
  await expect(result).rejects.toMatchObject({ code: 'assistant_failed' });
  expect(service.requests.map(({ body }) => body.tool_choice)).toEqual(['auto', 'auto', 'none']);
});

test('an endless answer is cut off', async () => {
  const { result } = await ask([{ say: 'word '.repeat(1000) }], { answerCharacters: 100 });
  expect((await result).length).toBe(100);
});

const failures: readonly (readonly [string, readonly Turn[]])[] = [
  ['refuses the key', [{ fail: 401 }]],
  ['is overloaded, also the second time', [{ fail: 500 }]],
  ['says nothing', [{ say: '' }]],
  ['breaks off in the middle', [{ breakAfter: 'A gain of ' }]],
  ['sends an invalid event', [{ garbage: 'data: {not json}\n\n' }]],
  ['fails after a tool call', [{ call: [['summary', '{"year":2025}']] }, { fail: 400 }]],
  ['hangs', [{ hang: true }]],
];
for (const [what, turns] of failures) {
  test(`a service that ${what} causes an error that reveals nothing about it`, async () => {
    const { result } = await ask(turns, { seconds: 0.7 });
    const error = await result.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(Refusal);
    expect(error).toMatchObject({ code: 'assistant_failed' });
    expect(String(error)).not.toContain('secret');
  });
}

test('an unreachable service causes an error', async () => {
  const port = openAiAssistant({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: null, model: 'm' }, silentLog);
  const question = {
    instructions: '',
    messages: [{ role: 'user' as const, content: 'hello' }],
    tools: [],
    checkPermission,
  };
  const asking = Array.fromAsync(port.answer(question, new AbortController().signal));
  await expect(asking).rejects.toMatchObject({ code: 'assistant_failed' });
});

test('a request to a service that fails once is retried', async () => {
  const { result } = await ask([{ fail: 503 }, { say: 'Here I am.' }]);
  expect(await result).toBe('Here I am.');
});

test('a question above the limit is refused, and the end of an answer frees a slot', async () => {
  const service = { baseUrl: 'http://127.0.0.1:9/v1', apiKey: null, model: 'm' };
  const port = openAiAssistant(service, silentLog, { ...assistantBounds, questions: 1 });
  const asking = () =>
    Array.fromAsync(
      port.answer({ instructions: '', messages: [], tools: [], checkPermission }, new AbortController().signal),
    );
  const first = asking();
  await expect(asking()).rejects.toMatchObject({ code: 'overloaded' });
  await expect(first).rejects.toMatchObject({ code: 'assistant_failed' });
  await expect(asking()).rejects.toMatchObject({ code: 'assistant_failed' });
});

test('a service that redirects causes an error, so the books are sent nowhere else', async () => {
  const elsewhere = localAssistant({ say: 'Mine now.' });
  open.push(elsewhere);
  const to = `${elsewhere.baseUrl}/chat/completions`;
  const redirecting = Bun.serve({ port: 0, fetch: () => Response.redirect(to, 307) });
  const port = openAiAssistant(
    { baseUrl: `http://127.0.0.1:${redirecting.port}/v1`, apiKey: 'key-1', model: 'model-1' },
    silentLog,
  );
  const asked = {
    instructions: '',
    messages: [{ role: 'user' as const, content: 'My gains?' }],
    tools: [],
    checkPermission,
  };
  const answer = Array.fromAsync(port.answer(asked, new AbortController().signal));
  await expect(answer).rejects.toMatchObject({ code: 'assistant_failed' });
  expect(elsewhere.requests).toEqual([]);
  await redirecting.stop(true);
});
