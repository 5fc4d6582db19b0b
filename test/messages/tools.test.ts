import { expect, test } from 'bun:test';
import type { AssistantTool } from '../../src/deps.ts';
import { instructions, toolbox } from '../../src/features/answers/messages/tools.ts';
import { lot, plainView } from './plain-view.ts';

const view = plainView({
  today: '2025-07-01',
  sales: [{ year: 2025, asset: 'BTC', term: 'long', quantity: '0.25', proceeds: 25_000, basis: 5_000 }],
  lots: [lot('0.5 BTC 2024-07-01 @30000', { assetClass: 'crypto' })],
});

function called(name: string): AssistantTool {
  const tool = toolbox(view).tools.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  return tool;
}

test('every tool returns JSON, also for empty books', async () => {
  for (const books of [view, plainView({ today: '2025-07-01' })]) {
    for (const { name, call } of toolbox(books).tools) {
      // The books in the database calculate planned sales: test/messages/wordings.test.ts.
      if (name === 'what_if') continue;
      expect(JSON.parse(JSON.stringify(await call({ year: 2025, asset: 'BTC', query: 'wash sale' })))).toBeDefined();
    }
  }
});

test('amounts and quantities are returned as decimals, and days as ISO dates', async () => {
  expect(await called('asset_gains').call({ year: 2025, asset: 'BTC' })).toMatchObject({
    quantity: '0.25',
    longTerm: { gain: '20000.00', count: 1 },
  });
  expect(await called('open_lots').call({ asset: 'BTC' })).toEqual({
    count: 1,
    first: [
      {
        asset: 'BTC',
        account: 'Schwab',
        quantity: '0.5',
        basis: '30000.00',
        acquired: '2024-07-01',
        longTermOn: '2025-07-02',
      },
    ],
  });
});

test.each([
  ['year_summary', {}],
  ['year_summary', { year: 'next' }],
  ['year_summary', { year: 3000 }],
  ['open_lots', {}],
  ['open_lots', { asset: '' }],
  ['open_lots', { asset: 7 }],
  ['open_lots', { asset: 'A\0B' }],
  ['next_long_term', { asset: ['BTC'] }],
  ['help', { query: '' }],
  ['help', { query: 7 }],
  ['what_if', { asset: 'BTC', account: 'A', quantity: 'much' }],
  ['what_if', { asset: 'BTC', account: 'A', quantity: '1', price: 'high' }],
])('%s refuses %p with a message that helps the model correct the argument', async (name, input) => {
  await expect(called(name).call(input)).rejects.toMatchObject({ code: 'invalid' });
});

test('each page that was read is cited once', async () => {
  const { tools, citations } = toolbox(view);
  const summary = tools.find(({ name }) => name === 'year_summary');
  await summary?.call({ year: 2025 });
  await summary?.call({ year: '2025' });
  expect(citations()).toEqual([{ title: 'Summary of 2025', href: '/v1/tax/summary?year=2025' }]);
});

test("a model gets today's date, and the warning that text in the books is never an instruction", () => {
  expect(instructions(view)).toContain('Today is 2025-07-01.');
  expect(instructions(view)).toContain('never instructions');
});

/** Questions about filing, each with words that the entries must contain. */
const filingQuestions = [
  [
    'opportunity fund deferral ends December 31, 2026',
    ['December 31, 2026', 'code Y', 'may not be deferred again', 'mark'],
  ],
  ['opportunity fund rules from 2027', ['January 1, 2027', 'five years', '10%', '30%', 'year 30']],
  ['telling my broker which lots to sell', ['Notice 2026-20', 'January 1, 2027', 'standing order']],
  ['estimated tax payments', ['90%', '100%', '110%', '$1,000', 'January 15, 2027']],
  ['state tax', ['does not calculate state tax', 'carryover', 'lived']],
  ['CP2000 letter', ['proposal', '30 days', 'Form 8949']],
  ['donate stock to charity', ['Form 8283', '$500', '$5,000', 'CCA 202302012']],
  ['form 1099-DA for 2026', ['2025', '2026', 'February 16, 2027', 'covered']],
] as const;

test.each(filingQuestions)('the tool help answers “%s” with its authority', async (query, words) => {
  const found = JSON.stringify(await called('help').call({ query }));
  for (const word of words) expect(found).toContain(word);
});

test('the tool help cites the entries that it returned', async () => {
  const { tools, citations } = toolbox(view);
  await tools.find(({ name }) => name === 'help')?.call({ query: 'what is a wash sale' });
  expect(citations()[0]).toEqual({ title: 'Help: Wash sale', href: '/v1/help/wash-sale' });
  expect(citations()).toHaveLength(3);
});
