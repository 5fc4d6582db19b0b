import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../../src/base/refusal.ts';
import { judge, layoutOf, unknownLayouts } from '../support/proposal-bench.ts';
import { readWhole } from './reading.ts';

const layouts = unknownLayouts();

test('there are at least 150 layouts, each with a result for every line or none', () => {
  expect(layouts.length).toBeGreaterThanOrEqual(150);
  const names = layouts.map(({ subject, name }) => `${subject}: ${name}`);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  const incomplete = layouts.filter(
    ({ text, hasQuestion, answers }) => text.split('\n').length < 4 || (!hasQuestion && answers.length === 0),
  );
  expect(incomplete.map(({ name }) => name)).toEqual([]);
});

/** The README contains these figures. */
test('proposals are correct unchanged, or raise a question, and none is silently wrong', async () => {
  const verdicts = await Promise.all(
    layouts.map(async (layout) => ({ layout, isRead: await isRead(layout.text), ...(await judge(layout)) })),
  );
  const wrong = verdicts.filter(({ verdict }) => verdict === 'wrong');
  expect(wrong.map(({ layout, why }) => [layout.name, ...why])).toEqual([]);
  const right = verdicts.filter(({ verdict }) => verdict === 'right').map(({ layout }) => layout.name);
  const guessed = layouts.filter(({ answers, name }) => answers.length === 0 && right.includes(name));
  expect(guessed.map(({ name }) => name)).toEqual([]);
  // A file with a format gets no proposal, so only files without one count.
  const unread = verdicts.filter((one) => !one.isRead);
  const counted = (verdict: string, among = unread): number => among.filter((one) => one.verdict === verdict).length;
  const known = verdicts.filter((one) => one.isRead);
  expect({ unread: unread.length, right: counted('right'), asked: counted('asked') }).toEqual({
    unread: 215,
    right: 185,
    asked: 30,
  });
  const readme = readFileSync(join(import.meta.dir, '../../README.md'), 'utf8').replaceAll('\n', ' ');
  const percent = (count: number): string => `(${Math.round((100 * count) / unread.length)}%)`;
  expect(readme).toContain(`Of ${unread.length} layouts without a format`);
  expect(readme).toContain(`${counted('right')} proposals are right without changes`);
  expect(readme).toContain(percent(counted('right')));
  expect(readme).toContain(
    `${counted('asked')} ask a question ${percent(counted('asked'))}, and none is silently wrong`,
  );
  expect(readme).toContain(
    `For ${known.length} layouts with a format, the test ignores the format, and ${counted('right', known)} proposals are right`,
  );
  expect(unread.length).toBeGreaterThanOrEqual(150);
  expect(counted('right') / unread.length).toBeGreaterThanOrEqual(0.85);
  expect(counted('asked') / unread.length).toBeLessThanOrEqual(0.14);
});

test('facts that no reader can determine are asked for', async () => {
  const [, ...sections] = readFileSync(join(import.meta.dir, '../fixtures/open-layouts.txt'), 'utf8').split(/^## /m);
  expect(sections.length).toBeGreaterThan(8);
  for (const section of sections) {
    const { name, text } = layoutOf('open', section);
    expect({ name, verdict: (await judge({ text, answers: [] })).verdict }).toEqual({ name, verdict: 'asked' });
  }
});

test('if two columns contradict each other, the less reliable one is left out, and an amount takes precedence over the price', async () => {
  const rows = (money: string): string =>
    [
      `Date,Pair,Coin,Side,Quantity,Price,${money}`,
      '2023-03-14,BTC/USD,BTC,buy,0.1,25000,2502.50',
      '2023-03-15,ETH/USD,ETH,sell,2,1700,3396.60',
      '2023-03-16,BTC/USD,BTC,sell,0.05,25100,1253.75',
      '',
    ].join('\n');
  const answers = [
    '2 2023-03-14 buy BTC quantity=0.1 amount=2502.50',
    '3 2023-03-15 sell ETH quantity=2 amount=3396.60',
    '4 2023-03-16 sell BTC quantity=0.05 amount=1253.75',
  ];
  for (const money of ['Amount', 'Total', 'Net Amount'])
    expect({ money, ...(await judge({ text: rows(money), answers })) }).toMatchObject({ money, verdict: 'right' });
});

/** Returns true if some format reads the file. The benchmark does not try the formats. */
async function isRead(text: string): Promise<boolean> {
  return readWhole(text).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Refusal) return false;
      throw error;
    },
  );
}
