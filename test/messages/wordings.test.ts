import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { composeReply } from '../../src/features/answers/messages/answers.ts';
import { booksView } from '../../src/features/answers/messages/books-view.ts';
import { toolbox } from '../../src/features/answers/messages/tools.ts';
import { understand } from '../../src/features/answers/messages/understand.ts';
import { type TestApp, testApp, testClock } from '../support/app.ts';
import { day } from './plain-view.ts';

const fixtures = join(import.meta.dir, '..', 'fixtures', 'assistant');
const today = day('2025-07-01');

const wordings = readFileSync(join(fixtures, 'questions.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [kind = '', years = '', has = '', ...question] = line.split('|').map((cell) => cell.trim());
    return {
      kind,
      years: years.split(' ').filter(Boolean).map(Number),
      has: has.split(';').map((each) => each.trim()),
      question: question.join('|'),
    };
  });

/**
 * Kinds in the fixture without a template or a help entry, with the start of the answer and whether the question is unclear.
 */
const refusals: Readonly<Record<string, readonly [start: RegExp, isUnclear: boolean]>> = {
  unclear: [/^I did not understand that\./, true],
  greeting: [/^I answer from your books/, false],
  back: [/\?|^I can only answer for today/, true],
  unknown: [/^These books have no asset named /, false],
};

let app: TestApp;
let taxpayerId = '';
beforeAll(async () => {
  app = await testApp({ clock: testClock('2025-07-01T12:00:00Z') });
  const person = await app.register('PRO');
  const body = readFileSync(join(fixtures, 'books.csv'), 'utf8');
  await person.json('POST', '/v1/transactions/import', { body, headers: { 'content-type': 'text/csv' } }, 201);
  const rows = await app.deps.database.asService(
    (sql) => sql<{ id: string }[]>`
      select taxpayer_id as id from memberships m join users u on u.id = m.user_id where u.email = ${person.email}`,
  );
  taxpayerId = rows[0]?.id ?? '';
});
afterAll(() => app.close());

test('there are at least 150 wordings of at least 30 kinds', () => {
  expect(wordings.length).toBeGreaterThanOrEqual(150);
  expect(new Set(wordings.map(({ kind }) => kind).filter((kind) => !(kind in refusals))).size).toBeGreaterThanOrEqual(
    30,
  );
  expect(new Set(wordings.map(({ question }) => question)).size).toBe(wordings.length);
});

test('every wording gets the answer for its kind and years, with the right figures', async () => {
  const wrong = await app.deps.database.asTaxpayer(
    taxpayerId,
    async (sql) => {
      const view = booksView((look) => look(sql), { taxpayerId, today, client: null });
      const books = {
        thisYear: 2025,
        years: await view.years(),
        assets: await view.assets(),
        accounts: await view.accounts(),
      };
      const faults: string[] = [];
      for (const { kind, years, has, question } of wordings) {
        const { content, citations, isUnclear = false } = await composeReply(question, null, view);
        const { template, entry, question: asked } = understand(question, null, books);
        const [start, counts] = refusals[kind] ?? [/^(?!I did not understand)/, false];
        const found = template?.id ?? (entry === null ? 'unclear' : `help:${entry.id}`);
        const got = kind in refusals ? kind : found;
        const missing = has.filter(
          (each) => ![content, ...citations.map(({ title }) => title)].join('\n').includes(each),
        );
        const isRight =
          got === kind &&
          start.test(content) &&
          isUnclear === counts &&
          missing.length === 0 &&
          (kind in refusals || kind.startsWith('help:') || Bun.deepEquals(asked.years, years));
        if (!isRight)
          faults.push(`${question} → ${got} ${asked.years}, missing ${missing.join('; ')}: ${content.slice(0, 200)}`);
      }
      return faults;
    },
    { readOnly: true },
  );
  expect(wrong).toEqual([]);
});

test('a language model calculates a planned sale with the same books', async () => {
  const result = await app.deps.database.asTaxpayer(
    taxpayerId,
    (sql) => {
      const { tools } = toolbox(booksView((look) => look(sql), { taxpayerId, today, client: null }));
      const asked = { asset: 'AAPL', account: 'Schwab', quantity: '5', price: '150' };
      return tools.find(({ name }) => name === 'what_if')?.call(asked) ?? Promise.resolve();
    },
    { readOnly: true },
  );
  expect(result).toMatchObject({
    proceeds: '750.00',
    basis: '620.00',
    shortTerm: '-70.00',
    longTerm: '200.00',
    oversold: '0',
  });
});
