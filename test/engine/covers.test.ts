import { describe, expect, test } from 'bun:test';
import { books, lineWords, lotWords } from '../support/ledger.ts';

const kinds = (issues: ReturnType<typeof books>['issues']): string[] => issues.map(({ issue }) => issue);

describe('a cover for more than was short', () => {
  test('is a purchase of the other units if it has an amount', () => {
    const { lines, lots, issues } = books(`
      short_sell 2024-11-04 10 X @100
      cover 2025-02-03 15 X @120
    `);
    expect(lines.map(lineWords)).toEqual(['2025-02-03 10 X: 100.00 - 80.00 = 20.00 short']);
    expect(lots.map(lotWords)).toEqual(['5 X in BRK1 2025-02-03 40.00']);
    expect(kinds(issues)).toEqual(['short_exceeded']);
  });

  test('creates no shares if it has no payment', () => {
    const { lines, lots, issues } = books(`
      buy 2024-10-01 12 X @60
      short_sell 2024-11-04 10 X @50
      cover 2025-02-03 15 X @0
    `);
    expect(lines.map(lineWords)).toEqual(['2025-02-03 10 X: 50.00 - 50.00 = 0.00 short']);
    expect(lots.map(lotWords)).toEqual(['2 X in BRK1 2024-10-01 10.00']);
    expect(kinds(issues)).toEqual(['short_exceeded']);
  });

  test('leaves the other units in named lots unchanged, to the cent', () => {
    const { lines, lots } = books(`
      b1: buy 2024-10-01 3 X @1
      s1: short_sell 2024-11-04 1 X @2
      cover 2025-02-03 2 X @0 lots s1:1;b1:2
    `);
    expect(lines.map(lineWords)).toEqual(['2025-02-03 1 X: 2.00 - 0.33 = 1.67 short']);
    expect(lots.map(({ id, basis }) => [id, basis])).toEqual([['t0001/0', 67n]] as never);
  });
});

test('coins bought beyond the short are added to the pool if one was elected', () => {
  const { lots } = books('cover 2024-02-03 2 BTC @90000 class crypto', { digitalAssetScopeBefore2025: 'universal' });
  expect(lots.map(lotWords)).toEqual(['2 BTC in UNIVERSAL 2024-02-03 90000.00']);
});

describe('units delivered to close a short', () => {
  test('have an unknown basis if there is no payment and no holding', () => {
    const { lines, lots, issues } = books(`
      short_sell 2024-11-04 10 X @100
      cover 2025-02-03 10 X @0
    `);
    expect(lines.map(({ disposal }) => disposal.basisUnknown)).toEqual([true]);
    expect(lots).toEqual([]);
    expect(kinds(issues)).toEqual(['basis_missing']);
  });

  test('raise the same issue as a sale if their basis is unknown', () => {
    const { issues } = books(`
      b1: opening_lot 2024-10-01 10 X
      s1: short_sell 2024-11-04 10 X @100
      cover 2025-02-03 10 X @0 lots s1:10;b1:10
    `);
    expect(kinds(issues)).toEqual(['basis_missing', 'constructive_sale', 'basis_missing']);
  });
});

describe('identical stock behind a short', () => {
  test('makes the gain short-term for its own quantity, once, if it was acquired later, even if closed in parts (IRC 1233(e)(1))', () => {
    const { lines } = books(`
      b1: buy 2021-03-01 20 X @100
      s1: short_sell 2024-07-01 20 X @400
      buy 2024-08-01 10 X @150
      cover 2024-11-01 10 X @0 lots s1:10;b1:10
      cover 2024-12-02 10 X @0 lots s1:10;b1:10
    `);
    expect(lines.map(lineWords)).toEqual([
      '2024-11-01 10 X: 200.00 - 50.00 = 150.00 short',
      '2024-12-02 10 X: 200.00 - 50.00 = 150.00 long',
    ]);
  });

  test('restarts its period at the closing if it was bought later, regardless of tacking ("notwithstanding section 1223")', () => {
    const { lots } = books(`
      buy 2021-03-01 10 X @400
      short_sell 2024-07-01 10 X @300 in BRK2
      sell 2024-07-05 10 X @300
      buy 2024-07-10 10 X @310
      cover 2024-12-02 10 X @200 in BRK2
    `);
    expect(lots.map(({ heldSince }) => heldSince)).toEqual([20059] as never); // 2024-12-02
  });

  test('is stock acquired before the closing, even if a row reported it later', () => {
    const { lots } = books(`
      buy 2024-01-05 1 AAA @100
      buy_to_open 2026-12-01 1 AAA 2027-01-15 P 20 @100
      sell 2026-12-17 1 AAA @10
      buy 2027-01-16 1 AAA @10
      dividend 2027-02-14 AAA @1
    `);
    // Its period is that of the share sold at a loss, which ended in December.
    expect(lots.map(({ heldSince, acquired }) => acquired - heldSince)).toEqual([1077]);
  });

  test('is stock: coins sold short are not securities (IRC 1233(e)(2)(A))', () => {
    const { lines, lots, issues } = books(`
      b1: buy 2024-02-01 1 BTC @40000 class crypto
      s1: short_sell 2024-07-01 1 BTC @60000 class crypto
      cover 2024-11-01 1 BTC @50000 class crypto
    `);
    expect(lines.map(({ disposal }) => disposal.term)).toEqual(['short']);
    expect(lots.map(lotWords)).toEqual(['1 BTC in BRK1 2024-02-01 40000.00']);
    expect(issues).toEqual([]);
  });
});

describe('units delivered to a short are identified as for a sale', () => {
  const short = `
    b1: buy 2023-01-02 100 X @1000
    b2: buy 2023-02-02 100 X @2000
    s1: short_sell 2023-03-02 100 X @1800
  `;
  const delivered = (row: string, rules: Parameters<typeof books>[1] = {}): string[] => {
    const { lines, issues } = books(`${short}${row}`, rules);
    const words = lines.map(({ disposal }) => `${disposal.lotId.slice(0, 5)} ${disposal.identified}`);
    return [...words, ...kinds(issues).filter((kind) => kind !== 'constructive_sale')];
  };

  test('by a standing order made earlier', () => {
    const cover = 'cover 2023-06-02 100 X @0 lots s1:100';
    const order = { method: 'HIFO' as const, madeAt: '2022-01-01' };
    expect(delivered(cover)).toEqual(['t0001 default']);
    expect(delivered(cover, { standingOrders: [order] })).toEqual(['t0002 identified']);
    const late = { ...order, madeAt: '2023-07-01', from: '2023-01-01' };
    expect(delivered(cover, { standingOrders: [late] })).toEqual(['t0001 late', 'identified_late']);
  });

  test('by names stated in time, or stated late if that is elected', () => {
    const named = 'cover 2023-06-02 100 X @0 lots s1:100;b2:100 identified';
    expect(delivered(`${named} 2023-06-06T12:00:00Z`)).toEqual(['t0002 identified']);
    expect(delivered(`${named} 2023-09-02T00:00:00Z`)).toEqual(['t0001 late', 'identified_late']);
    const accepted = { lateIdentification: 'accepted' as const };
    expect(delivered(`${named} 2023-09-02T00:00:00Z`, accepted)).toEqual(['t0002 late', 'identified_late']);
  });

  test('by the method if the names were stated too late, while the other units are bought', () => {
    const { lines } = books(`${short}cover 2023-06-02 100 X @600 lots s1:100;b2:40 identified 2023-09-02T00:00:00Z`);
    expect(lines.map(lineWords)).toEqual([
      '2023-06-02 40 X: 720.00 - 400.00 = 320.00 short',
      '2023-06-02 60 X: 1080.00 - 600.00 = 480.00 short',
    ]);
  });
});
