import { afterAll, beforeAll, expect, test } from 'bun:test';
import { helpEntries } from '../../src/features/answers/help/entries.ts';
import { type TestApp, testApp } from '../support/app.ts';

interface Summary {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly summary: string;
}

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

async function list(query: string): Promise<readonly Summary[]> {
  const response = await app.request('GET', `/v1/help${query}`);
  expect(response.status).toBe(200);
  return ((await response.json()) as { readonly data: readonly Summary[] }).data;
}

test('anyone can search the help center', async () => {
  const [first] = await list('?q=does+the+wash+sale+rule+apply+to+bitcoin');
  expect(first).toEqual({
    id: 'wash-sales-of-crypto',
    title: 'Wash sales of crypto',
    kind: 'rule',
    summary: 'The rule covers stock and securities.',
  });
  expect((await list('?q=wash+sale')).length).toBeLessThanOrEqual(20);
  expect(await list('?q=xqzzy')).toEqual([]);
});

test('all entries are listed by title, or those of one kind', async () => {
  const all = await list('');
  expect(all.map(({ id }) => id)).toEqual(helpEntries.map(({ id }) => id));
  const deadlines = await list('?kind=deadline');
  expect(new Set(deadlines.map(({ kind }) => kind))).toEqual(new Set(['deadline']));
  expect((await list('?q=december+31&kind=deadline')).map(({ id }) => id)).toContain('last-trading-day');
});

test('an entry has its text, its authority and related entries', async () => {
  const entry = await (await app.request('GET', '/v1/help/wash-sale')).json();
  expect(entry).toMatchObject({
    id: 'wash-sale',
    kind: 'rule',
    authority: [
      { title: 'IRC 1091', href: 'https://www.law.cornell.edu/uscode/text/26/1091' },
      { title: '26 CFR 1.1091-1' },
    ],
  });
  expect(entry.text).toContain('within 30 days before or after');
  expect(entry.related).toContainEqual({ id: 'ira-wash-sales', title: 'Purchases in an IRA' });
});

test('an unknown entry, kind or parameter is refused', async () => {
  expect((await app.request('GET', '/v1/help/nothing')).status).toBe(404);
  expect((await app.request('GET', '/v1/help/constructor')).status).toBe(404);
  expect((await app.request('GET', '/v1/help?kind=fact')).status).toBe(422);
  expect((await app.request('GET', '/v1/help?surprise=1')).status).toBe(400);
});

test('a first sentence never ends inside of a number or a citation', async () => {
  const odd = (await list('')).filter(({ summary }) => !/^[A-Z].{15,}[.!?:]$/.test(summary) || summary.length > 320);
  expect(odd).toEqual([]);
});
