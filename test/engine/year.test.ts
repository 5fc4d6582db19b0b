import { describe, expect, test } from 'bun:test';
import type { Cents } from '../../src/base/decimal.ts';
import { resolveAssetClass, type UnclassifiedAsset } from '../../src/engine/events/classes.ts';
import { listAssetLinks, parseOption, toAssetKey } from '../../src/engine/events/keys.ts';
import type { AssetClass, Rules } from '../../src/engine/model.ts';
import { rulesHash } from '../../src/engine/replay.ts';
import { boxForTerm, chooseBox } from '../../src/engine/rules/lines/box.ts';
import { carryover } from '../../src/engine/rules/year/year.ts';
import { unstatedMembers } from '../../src/engine/unstated-members.ts';
import { defaultRules } from '../support/golden.ts';
import { books, history } from '../support/ledger.ts';

describe('the box', () => {
  test.each([
    [2024, 'stock', '1099-B', true, 'short', 'A'],
    [2024, 'stock', '1099-B', false, 'long', 'E'],
    [2024, 'stock', 'none', false, 'long', 'F'],
    [2024, 'crypto', 'none', false, 'short', 'C'],
    [2024, 'crypto', '1099-DA', true, 'short', 'C'],
    [2024, 'crypto', '1099-B', true, 'short', 'A'],
    [2025, 'crypto', '1099-DA', true, 'short', 'G'],
    [2025, 'crypto', '1099-DA', false, 'short', 'H'],
    [2025, 'crypto', 'none', false, 'short', 'I'],
    [2025, 'nft', '1099-DA', true, 'long', 'J'],
    [2025, 'tokenized_security', '1099-DA', false, 'long', 'K'],
    [2025, 'crypto', 'none', false, 'long', 'L'],
    [2025, 'crypto', '1099-B', true, 'short', 'A'],
    [2025, 'stock', '1099-DA', true, 'short', 'C'],
  ] as const)('%i %s on %s, basis reported %p, %s → %s', (year, assetClass, form, basisReported, term, box) => {
    expect(chooseBox({ year, assetClass, form, basisReported, term }).box).toBe(box);
  });

  test('a stated box follows the taxpayer’s own term', () => {
    expect([boxForTerm('A', 'long'), boxForTerm('K', 'short'), boxForTerm('F', 'long')]).toEqual(['D', 'H', 'F']);
  });

  const rules = {
    accounts: { BRK1: { type: 'taxable', form: '1099-B' }, EX: { type: 'taxable', form: '1099-DA' } },
  } as const;
  test('is A or D for shares bought there since brokers report basis, B or E for older shares, and unaffected by a stock transfer', () => {
    const { lines } = books(
      `
      b1: buy 2010-12-31 10 X @100
      b2: buy 2011-01-03 10 X @100
      b3: buy 2024-01-03 10 X @100 in OTHER
      transfer 2024-02-01 10 X in OTHER to BRK1
      sell 2025-06-02 30 X @900
    `,
      rules,
    );
    expect(lines.map(({ disposal }) => disposal.box)).toEqual(['E', 'D', 'D']);
    expect(lines[0]?.disposal.boxReason).toBe(
      'Form 1099-B reports this sale, but its basis was not reported to the IRS. This comes from the account settings.',
    );
  });

  test('is H for coins until coins bought in custody from 2026 on are sold', () => {
    const { lines } = books(
      `
      buy 2025-01-03 1 BTC @100 in EX
      buy 2026-01-02 1 BTC @100 in EX
      staking 2026-01-03 1 BTC @100 in EX
      sell 2026-06-02 3 BTC @900 in EX
    `,
      rules,
    );
    expect(lines.map(({ disposal }) => disposal.box)).toEqual(['K', 'G', 'H']);
  });

  test('is H or K for coins sold from 2025 on even if a broker that also trades stock sends Form 1099-B', () => {
    const { lines } = books(
      `
      buy 2024-01-02 2 BTC @500
      buy 2024-01-02 1 X @500
      sell 2024-06-21 1 BTC @1200
      sell 2025-06-21 1 BTC @1200
      sell 2025-06-21 1 X @1200
    `,
      rules,
    );
    expect(lines.map(({ disposal: { asset, box } }) => [asset, box])).toEqual([
      ['BTC', 'B'],
      ['BTC', 'K'],
      ['X', 'D'],
    ]);
  });

  test('is C or F for disposals that no broker reports as a sale, with any form', () => {
    const { lines } = books(
      `
      buy 2015-01-02 50 X @100
      buy 2015-01-02 50 Y @100
      return_of_capital 2024-06-03 X @150
      worthless 2024-03-03 50 Y
    `,
      rules,
    );
    expect(lines.map(({ disposal: { asset, box, boxReason } }) => [asset, box, boxReason])).toEqual([
      [
        'X',
        'F',
        'Form 1099-DIV, not Form 1099-B, reports a distribution. The amount above the basis counts as a sale.',
      ],
      ['Y', 'F', 'No Form 1099-B reports a worthless security. It counts as sold on the last day of the year.'],
    ]);
  });

  test("follows the account's setting about its basis", () => {
    const { lines } = books(
      `
      buy 2024-01-03 10 X @100
      sell 2025-06-02 10 X @900
    `,
      { accounts: { BRK1: { type: 'taxable', form: '1099-B', basisReported: false } } },
    );
    expect(lines.map(({ disposal }) => disposal.box)).toEqual(['E']);
  });
});

describe('the year', () => {
  test('sums its lines to the cent, by term, box and asset', () => {
    const { summaries } = books(`
      buy 2023-01-03 3 X @100
      buy 2025-01-03 3 Y @100
      sell 2025-06-02 1 X @50.01
      sell 2025-06-02 1 Y @20
      dividend 2025-03-03 X @7
      interest 2025-03-03 @1.25
    `);
    const summary = summaries.find(({ year }) => year === 2025);
    expect(summary?.longTerm).toEqual({
      proceeds: 5001n,
      basis: 3333n,
      adjustment: 0n,
      gain: 1668n,
      count: 1,
    } as never);
    expect(summary?.shortTerm.gain).toBe(-1333n as never);
    expect(summary?.total.gain).toBe(335n as never);
    expect(summary?.boxes.map(({ box, gain }) => [box, gain])).toEqual([
      ['C', -1333n],
      ['F', 1668n],
    ] as never);
    expect(summary?.assets.map(({ asset }) => asset)).toEqual(['X', 'Y']);
    expect(summary?.income.map(({ type, amount }) => [type, amount])).toEqual([
      ['dividend', 700000000n],
      ['interest', 125000000n],
    ] as never);
  });
});

describe('the carryover worksheet', () => {
  const cents = (dollars: number): Cents => BigInt(dollars * 100) as Cents;
  test.each([
    ['short-term losses go first', 50000, -2000, -6000, 'single', [3000, 0, 5000]],
    ['a negative income uses less of the deduction up', -1000, -5000, 0, 'single', [3000, 3000, 0]],
    ['half of it for those who file separately', 40000, -4000, 0, 'mfs', [1500, 2500, 0]],
    ['a long-term gain meets the short-term loss', 50000, -10000, 4000, 'single', [3000, 3000, 0]],
    ['a small loss carries nothing', 50000, -1000, 0, 'single', [1000, 0, 0]],
    ['a gain deducts nothing', 50000, 1000, 0, 'single', [0, 0, 0]],
  ] as const)('%s', (_, income, line7, line15, filingStatus, [deductible, short, long]) => {
    const question = { line7: cents(line7), line15: cents(line15), taxableIncome: cents(income), filingStatus };
    expect(carryover(question)).toEqual({ deductible: cents(deductible), short: cents(short), long: cents(long) });
  });
});

describe('the class of an asset', () => {
  const plain = { ...unstatedMembers, type: 'buy', asset: 'XYZ' } as const;
  const of = (row: UnclassifiedAsset, account: AssetClass | null, source: AssetClass | null): AssetClass => {
    const accounts = account === null ? {} : { '': { type: 'taxable' as const, assetClass: account } };
    return resolveAssetClass(row, { accounts }, source);
  };
  test('the class is the stated one, else an option by its symbol, else by account, source and list, else a stock', () => {
    expect(of({ ...plain, assetClass: 'bond' }, 'crypto', 'crypto')).toBe('bond');
    expect(of({ ...plain, asset: 'AAPL 2025-01-17 C 150' }, 'stock', 'stock')).toBe('option');
    expect(of(plain, 'fund', 'crypto')).toBe('fund');
    expect(of(plain, null, 'crypto')).toBe('crypto');
    expect(of({ ...plain, asset: 'BTC' }, null, null)).toBe('crypto');
    expect(of(plain, null, null)).toBe('stock');
  });

  test.each([
    ['SPXW 2025-01-17 C 6000', 'option', 'section_1256'],
    ['$RUT 2025-01-17 P 2000', null, 'section_1256'],
    ['SPY 2025-01-17 C 600', 'option', 'option'],
    ['QQQ 2025-01-17 P 500', null, 'option'],
    ['/ESZ4', null, 'future'],
    ['./ESZ4 2024-12-20 C 6000', null, 'future'],
    ['SPX', null, 'stock'],
  ] as const)('%s stated as %s is %s: an index option by its root, a future by its slash', (asset, stated, is) => {
    expect(of({ ...plain, asset, assetClass: stated }, 'stock', 'stock')).toBe(is);
  });

  test('an option whose symbol cannot be parsed has its underlying as the root', () => {
    const option = { ...plain, type: 'buy_to_open', asset: 'weekly call' } as const;
    expect(of({ ...option, underlying: 'NDXP' }, null, null)).toBe('section_1256');
    expect(of({ ...option, underlying: 'NVDA' }, null, null)).toBe('option');
  });

  test('keeps assets with the same name separate, and keeps an option with its underlying', () => {
    expect(toAssetKey('ATOM', 'crypto')).not.toBe(toAssetKey('ATOM', 'stock'));
    expect(toAssetKey('X', 'fund')).toBe(toAssetKey('X', 'stock'));
    expect(parseOption('BRK B 2025-01-17 P 412.5')).toEqual({
      underlying: 'BRK B',
      expires: '2025-01-17',
      right: 'put',
      strike: '412.5',
    });
    const [option] = history('buy_to_open 2025-01-02 1 AAPL 2025-01-17 C 150 @200');
    expect(option && listAssetLinks(option)).toEqual([['security:AAPL 2025-01-17 C 150', 'security:AAPL']]);
  });
});

test('rules are identified by their content, not by their notation', () => {
  const swapped = Object.fromEntries(Object.entries(defaultRules).reverse()) as typeof defaultRules;
  expect(rulesHash(swapped)).toBe(rulesHash(defaultRules));
  expect(rulesHash({ ...defaultRules, method: 'LIFO' })).not.toBe(rulesHash(defaultRules));
});

test('another time zone changes the rules only if there are standing orders', () => {
  const timeZone = 'Asia/Tokyo';
  expect(rulesHash({ ...defaultRules, timeZone })).toBe(rulesHash(defaultRules));
  const ordered: Rules = { ...defaultRules, standingOrders: [{ method: 'HIFO', madeAt: '2024-06-07T01:00:00Z' }] };
  expect(rulesHash({ ...ordered, timeZone })).not.toBe(rulesHash(ordered));
});
