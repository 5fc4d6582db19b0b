import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueKinds } from '../../src/engine/issue-kinds.ts';
import { findHelpEntry, helpEntries, helpKinds, parseEntries } from '../../src/features/answers/help/entries.ts';
import { entryOfIssue, entryOfProblem } from '../../src/features/answers/help/help-links.ts';
import { searchHelp } from '../../src/features/answers/help/search.ts';
import { planLimits } from '../../src/features/people/auth/plan.ts';
import { planPrices } from '../../src/features/people/plans.ts';
import { accountTabs } from '../../src/web/destinations.ts';
import { entryOfBox, entryOfCode, entryOfMethod } from '../../src/web/format/help-entries.ts';
import { elections } from '../../src/web/pages/settings/election-facts.ts';

const wordsOf = (text: string): number => text.split(/\s+/).length;

test('there are entries of every kind, with different ids and titles', () => {
  expect(helpEntries.length).toBeGreaterThanOrEqual(150);
  expect(new Set(helpEntries.map(({ id }) => id)).size).toBe(helpEntries.length);
  expect(new Set(helpEntries.map(({ title }) => title)).size).toBe(helpEntries.length);
  expect(new Set(helpEntries.map(({ kind }) => kind))).toEqual(new Set(helpKinds));
});

test('every entry is short, and its id can be an address', () => {
  expect(helpEntries.filter(({ text }) => wordsOf(text) < 20 || wordsOf(text) > 120).map(({ id }) => id)).toEqual([]);
  expect(helpEntries.filter(({ id }) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id)).map(({ id }) => id)).toEqual([]);
});

test('every related entry exists', () => {
  const broken = helpEntries.flatMap(({ id, see }) =>
    see.filter((other) => other === id || findHelpEntry(other) === undefined).map((other) => `${id} → ${other}`),
  );
  expect(broken).toEqual([]);
});

test('every rule and deadline of law cites the law or the IRS', () => {
  const official =
    /^(IRC \d|\d+ CFR \d|Pub\. \d|Rev\. (Rul|Proc)\. \d|Notice \d|CCA \d|IRS, |Form \S+|Schedule D instructions)/;
  const uncited = helpEntries.filter(
    ({ id, kind, authority }) =>
      (kind === 'rule' || kind === 'deadline') &&
      id !== 'forms-final' &&
      !authority.some(({ title }) => official.test(title)),
  );
  expect(uncited.map(({ id }) => id)).toEqual([]);
  expect(helpEntries.filter(({ authority }) => authority.length === 0)).toEqual([]);
});

test('a citation of the law links to its public page', () => {
  const hrefs = new Map(helpEntries.flatMap(({ authority }) => authority.map(({ title, href }) => [title, href])));
  expect(hrefs.get('IRC 1091')).toBe('https://www.law.cornell.edu/uscode/text/26/1091');
  expect(hrefs.get('IRC 1(h)')).toBe('https://www.law.cornell.edu/uscode/text/26/1');
  expect(hrefs.get('26 CFR 1.1012-1')).toBe('https://www.ecfr.gov/current/title-26/section-1.1012-1');
  expect(hrefs.get('Form 8949 instructions')).toBe('https://www.irs.gov/instructions/i8949');
  expect(hrefs.get('Lotbook')).toBeNull();
});

test('bold words are names of pages', () => {
  const pages = 'Overview Import Review Transactions Forms Holdings Planning Settings'.split(' ');
  pages.push(...accountTabs.map(({ label }) => label));
  const named = helpEntries.flatMap(({ text }) => [...text.matchAll(/\*\*(.+?)\*\*/g)].map(([, name = '']) => name));
  expect([...new Set(named)].filter((name) => !pages.includes(name))).toEqual([]);
});

test('plans are described with their limits and prices', () => {
  const text = findHelpEntry('plans-and-limits')?.text ?? '';
  expect(text).toContain(`stores ${planLimits.FREE.transactionsMax} transactions`);
  expect(text).toContain(`with ${planLimits.FREE.aiMessagesPerDay} assistant messages`);
  expect(text).toContain(`USD ${planPrices.PRO.cents / 100} a ${planPrices.PRO.interval}`);
  expect(text).toContain(`USD ${planPrices.CPA.cents / 100} a ${planPrices.CPA.interval}`);
  expect(text).toContain(`includes ${planLimits.CPA.clientsMax} clients`);
  const storage = findHelpEntry('storage-limit')?.text ?? '';
  expect(storage).toContain(
    `${planLimits.FREE.importBytesMax / 1_000_000} MB and ${planLimits.FREE.importsMax} imports`,
  );
});

test('every kind of issue, and every problem in the table, has an entry', () => {
  expect(Object.keys(entryOfIssue).sort()).toEqual([...issueKinds].sort());
  const ids = [...Object.values(entryOfIssue), ...entryOfProblem.values()];
  expect(ids.filter((id) => findHelpEntry(id) === undefined)).toEqual([]);
});

test('every entry that a page names exists', () => {
  const root = join(import.meta.dir, '..', '..');
  const named = [...new Bun.Glob('src/web/**/*.tsx').scanSync(root)].flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/ entry="([^"]+)"/g)].map(([, id = '']) => id),
  );
  expect(named.length).toBeGreaterThan(20);
  const inTables = [
    ...Object.values(entryOfBox),
    ...Object.values(entryOfMethod),
    ...elections.map(({ entry }) => entry),
    ...'BCDEHLMNOPQRSTWXYZ'.split('').map(entryOfCode),
    entryOfCode('BW'),
  ];
  expect([...named, ...inTables].filter((id) => findHelpEntry(id) === undefined)).toEqual([]);
});

test('an entry without a member or with an unknown kind is refused', () => {
  expect(() => parseEntries('---\nid: a\ntitle: A\nkind: term\nkeywords: b\n---\nText.')).toThrow('no authority');
  expect(() => parseEntries('---\nid: a\ntitle: A\nkind: fact\nkeywords: b\nauthority: c\n---\nText.')).toThrow('fact');
});

describe('the best match', () => {
  const questions: readonly (readonly [question: string, id: string])[] = [
    ['what is a wash sale', 'wash-sale'],
    ['do wash sales apply to crypto?', 'wash-sales-of-crypto'],
    ['how long do I have to wait to buy back after selling at a loss?', 'wash-sale'],
    ['my T-bill matured', 'treasury-bill'],
    ['bond bought at market discount', 'market-discount'],
    ['which settlement day is T+1', 'settlement-day'],
    ['form 8997', 'form-8997'],
    ['shares moved into my IRA in kind', 'contribution-in-kind'],
    ['payments in lieu of dividends', 'payment-in-lieu'],
    ['when is my 1099-DA due', 'forms-1099-due'],
    ['box K', 'box-h-k'],
    ['hifo', 'hifo'],
    ['gas fees', 'network-fees'],
    ['how do I import a file from Coinbase', 'import-files'],
    ['turbo tax', 'turbotax'],
    ['forgot my password', 'password-and-sign-in'],
    ['opportunity zone fund december 2026', 'opportunity-funds-2026'],
    ['washsale', 'wash-sale'],
  ];
  for (const [question, id] of questions) {
    test(`for “${question}” is ${id}`, () => expect(searchHelp(question)[0]?.entry.id).toBe(id));
  }

  test('for words without meaning is nothing', () => {
    expect(searchHelp('')).toEqual([]);
    expect(searchHelp('what is the')).toEqual([]);
    expect(searchHelp('xqzzy')).toEqual([]);
  });
});
