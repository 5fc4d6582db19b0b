import { describe, expect, test } from 'bun:test';
import { canonicalName } from '../../src/engine/events/canonical-names.ts';
import { findFormNames, linksOfFormNames } from '../../src/engine/events/form-names.ts';
import type { AssetRules } from '../../src/engine/model.ts';
import { books, history } from '../support/ledger.ts';

function namesIn(text: string, assets?: Readonly<Record<string, AssetRules>>): string[] {
  return Object.entries(findFormNames(history(text), assets) ?? {}).flatMap(([account, names]) =>
    Object.entries(names).map(([key, { asset, by }]) => `${account} ${key} is ${asset} by ${by}`),
  );
}

const bought = 'buy 2023-01-10 100 X @4000';
const guessed = ['BRK1 security:X_CORP is X by sale'];

describe('a form row with a name that its account does not trade', () => {
  test.each([
    ['the same day', 'sell 2024-06-03 100 X @5000', 'reported_sale 2024-06-03 100 X_CORP @5000'],
    ['the day of settlement', 'sell 2024-06-03 100 X @5000', 'reported_sale 2024-06-05 100 X_CORP @5000'],
    ['another year', 'sell 2023-12-29 100 X @5000', 'reported_sale 2024-01-02 100 X_CORP @5000'],
    ['proceeds after the fee', 'sell 2024-06-03 100 X @5000 fee 9.99', 'reported_sale 2024-06-03 100 X_CORP @4990.01'],
    ['proceeds to a dollar', 'sell 2024-06-03 100 X @5000', 'reported_sale 2024-06-03 100 X_CORP @4999.20'],
    ['a fee that no row states', 'sell 2024-06-03 100 X @5000', 'reported_sale 2024-06-03 100 X_CORP @4980'],
    [
      'fills of several days',
      'sell 2024-06-03 60 X @3010\nsell 2024-06-05 10 X @510\nsell 2024-06-06 30 X @1480',
      'reported_sale 2024-06-06 100 X_CORP @5000',
    ],
    [
      'some of the fills of several days',
      'sell 2024-06-03 60 X @3010\nsell 2024-06-05 10 X @510\nsell 2024-06-06 30 X @1480',
      'reported_sale 2024-06-06 40 X_CORP @1990',
    ],
    ['ten days later', 'sell 2024-06-03 100 X @5000', 'reported_sale 2024-06-13 100 X_CORP @5000'],
    ['a part at the same price', 'sell 2024-06-03 100 X @5000', 'reported_sale 2024-06-03 40 X_CORP @2000'],
    [
      'two fills',
      'sell 2024-06-03 60 X @3010\nsell 2024-06-03 40 X @1990',
      'reported_sale 2024-06-03 100 X_CORP @5000',
    ],
    [
      'two lots of one fill at different prices',
      'sell 2024-06-03 100 X @5000',
      'reported_sale 2024-06-03 60 X_CORP @3001\nreported_sale 2024-06-03 40 X_CORP @1999',
    ],
    ['a worthless security in its year', 'worthless 2024-11-05 100 X', 'reported_sale 2024-03-01 100 X_CORP @0'],
    ['a cash merger', 'merger 2024-06-03 X @5000', 'reported_sale 2024-06-05 100 X_CORP @5000'],
    [
      'a short sale that is closed later',
      'short_sell 2024-02-01 50 X @3000\ncover 2024-09-03 50 X @2000',
      'reported_sale 2024-09-05 50 X_CORP @3000',
    ],
  ])('is read under the name that has its sale: %s', (_name, sales, form) => {
    expect(namesIn(`${bought}\n${sales}\n${form}`)).toEqual(guessed);
  });

  test.each([
    ['eleven days later', 'sell 2024-06-03 100 X @5000', 'reported_sale 2024-06-14 100 X_CORP @5000'],
    ['six days later for less', 'sell 2024-06-03 100 X @5000', 'reported_sale 2024-06-09 100 X_CORP @4990'],
    ['other proceeds', 'sell 2024-06-03 100 X @5000', 'reported_sale 2024-06-03 100 X_CORP @4940'],
    ['other units', 'sell 2024-06-03 100 X @5000', 'reported_sale 2024-06-03 101 X_CORP @5000'],
    ['small proceeds', 'sell 2024-06-03 100 X @1.40', 'reported_sale 2024-06-03 100 X_CORP @0.90'],
    [
      'transactions of its own',
      'buy 2022-01-03 1 X_CORP @9\nsell 2024-06-03 100 X @5000',
      'reported_sale 2024-06-03 100 X_CORP @5000',
    ],
  ])('keeps its name: %s', (_name, sales, form) => {
    expect(namesIn(`${bought}\n${sales}\n${form}`)).toEqual([]);
  });

  test('is read under the name of a sale in another account only if no name in its own account matches', () => {
    const rows = `${bought} in A\nsell 2024-06-03 100 X @5000 in A\nreported_sale 2024-06-03 100 X_CORP @5000 in B`;
    expect(namesIn(rows)).toEqual(['B security:X_CORP is X by sale']);
    expect(namesIn(`buy 2022-01-03 1 X_CORP @9 in A\n${rows}`)).toEqual([]);
  });

  test('is read under the name with most of its sales', () => {
    const rows = `
      ${bought}
      buy 2023-01-10 100 Y @4000
      sell 2024-06-03 10 Y @500
      sell 2024-06-03 10 X @500
      sell 2024-07-03 20 X @900
      reported_sale 2024-06-03 10 CO @500
      reported_sale 2024-07-03 20 CO @900`;
    expect(namesIn(rows)).toEqual(['BRK1 security:CO is X by sale']);
    expect(namesIn(rows.split('\n').reverse().join('\n'))).toEqual(['BRK1 security:CO is X by sale']);
  });

  test('follows the taxpayer’s statement, regardless of its sales', () => {
    const rows = `${bought}\nsell 2024-06-03 100 X @5000\nreported_sale 2024-06-03 100 X_CORP @5000`;
    expect(namesIn(rows, { X_CORP: { formNameOf: 'X_CORP' } })).toEqual([]);
    expect(namesIn(rows, { X_CORP: { formNameOf: 'X' } })).toEqual(['BRK1 security:X_CORP is X by word']);
  });
});

test('a form row under another name counts once, with its lots, dates and box', () => {
  const rows = `
    buy 2023-01-10 100 X @9000
    sell 2024-06-03 100 X @5000
    reported_sale 2024-06-05 100 X_CORP @5000 acquired 2023-01-10 basis 9000 box D`;
  const formNames = findFormNames(history(rows), undefined);
  const { lines, issues } = books(rows, formNames === undefined ? {} : { formNames });
  expect(lines.map(({ disposal }) => `${disposal.box} ${disposal.asset} ${disposal.formRows}`)).toEqual([
    'D X 100 t0003',
  ]);
  expect(issues.map(({ issue }) => issue)).toEqual(['unreconciled']);
  expect(linesOfNames(formNames)).toEqual(['security:X_CORP security:X']);
});

function linesOfNames(names: Parameters<typeof linksOfFormNames>[0]): string[] {
  return linksOfFormNames(names).map((link) => link.join(' '));
}

test('spelling variants are recognized for one security, and not for others', () => {
  const alike = [
    ['security:BRK.B', 'security:BRK B', 'security:BRK/B', 'security:brk-b'],
    ['security:BAC-PL', 'security:BAC PR L', 'security:BAC.PRL'],
    ['security:US0378331005', 'security:037833100'],
    ['coin:BTC', 'coin:Bitcoin', 'security:BITCOIN', 'coin:XBT'],
  ];
  for (const names of alike) expect(new Set(names.map(canonicalName)).size).toBe(1);
  expect(new Set(alike.map(([name = '']) => canonicalName(name))).size).toBe(alike.length);
  expect(canonicalName('security:BTC')).not.toBe(canonicalName('coin:BTC'));
  expect(canonicalName('security:GOOG')).not.toBe(canonicalName('security:GOOGL'));
});
