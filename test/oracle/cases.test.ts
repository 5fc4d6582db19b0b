import { describe } from 'bun:test';
import { type Case, readAlike } from './readings.ts';

const cases: readonly Case[] = [
  {
    name: 'the lots of one sale leave together: their losses are matched in order of acquisition (1.1091-1(b))',
    rules: { method: 'LIFO' },
    rows: [
      '2024-10-25,buy,A,X,5,50',
      '2025-04-25T10:00:00Z,buy,A,X,11,110',
      '2025-04-26T10:00:00Z,sell,A,X,16,16',
      '2025-04-26T11:00:00Z,buy,B,X,10,1',
    ],
    lines: [
      't000004 A X 2024-10-25 (2024-10-25) → 2025-04-26 in 2025 short C W: 5 5 50 45 0 0',
      't000004 A X 2025-04-25 (2025-04-25) → 2025-04-26 in 2025 short C W: 11 11 110 45 0 -54',
    ],
  },
  {
    name: 'an allocation moves exactly the named lots to their wallets, and asks about differences in the records (Rev. Proc. 2024-28)',
    rules: { digitalAssetScopeBefore2025: 'universal' },
    rows: [
      '2020-03-05,buy,W,BTC,1,5000,b0,,,crypto',
      '2021-01-10,buy,W,BTC,1,18000,b1,,,crypto',
      '2022-01-10,buy,W,BTC,2,40000,b2,,,crypto',
      '2025-01-01,transfer,UNIVERSAL,BTC,1,,,b1:1,,crypto,,2021-01-10,17000,,,,,,,,,W',
      '2025-01-01,transfer,UNIVERSAL,BTC,0.5,,,elsewhere:0.5,,crypto,,2022-01-10,10000,,,,,,,,,W',
      '2025-01-01,transfer,UNIVERSAL,BTC,1.5,,,b2:1.5,,crypto,,2022-01-10,30000,,,,,,,,,X',
      '2025-01-01,transfer,UNIVERSAL,BTC,1,,,b4:1,,crypto,,2023-01-10,50000,,,,,,,,,X',
    ],
    lots: [
      'UNIVERSAL BTC 2020-03-05 (2020-03-05): 1 5000',
      'W BTC 2021-01-10 (2021-01-10): 1 18000',
      'W BTC 2022-01-10 (2022-01-10): 0.5 10000',
      'X BTC 2022-01-10 (2022-01-10): 1.5 30000',
    ],
    issues: ['t000005 unreconciled', 't000008 unreconciled'],
  },
  {
    name: 'cash for a fraction without a holding is a line with an unknown basis',
    rows: ['2025-06-02,split,A,X,0.5,10,,,,stock,2:1'],
    lines: ['t000002 A X 2025-06-02 (2025-06-02) → 2025-06-02 in 2025 short C: 0.5 10 0 0 0 10'],
    issues: ['t000002 oversold'],
  },
  {
    name: 'after a change from the average method, each share keeps its basis, and later shares have their own (1.1012-1(e)(7)(v), Example 3)',
    rules: { method: 'AVERAGE', methodFrom: [{ year: 2025, method: 'FIFO' }] },
    rows: [
      '2024-02-01,buy,A,F,10,100,,,,fund',
      '2024-03-01,buy,A,F,10,200,,,,fund',
      '2024-06-03,sell,A,F,5,100,,,,fund',
      '2025-03-03,buy,A,F,10,400,,,,fund',
      '2025-06-03,sell,A,F,20,800,,,,fund',
    ],
    lines: [
      't000004 A F 2024-02-01 (2024-02-01) → 2024-06-03 in 2024 short C: 5 100 75 0 0 25',
      't000006 A F 2024-02-01 (2024-02-01) → 2025-06-03 in 2025 long F: 5 200 75 0 0 125',
      't000006 A F 2024-03-01 (2024-03-01) → 2025-06-03 in 2025 long F: 10 400 150 0 0 250',
      't000006 A F 2025-03-03 (2025-03-03) → 2025-06-03 in 2025 short C: 5 200 200 0 0 0',
    ],
  },
  {
    name: 'averaged shares are sold in order of acquisition, even if a row names other lots (1.1012-1(e)(7)(ii))',
    rules: { method: 'AVERAGE' },
    rows: [
      '2024-02-01,buy,A,F,10,100,b1,,,fund',
      '2024-03-01,buy,A,F,10,200,b2,,,fund',
      '2024-06-03,sell,A,F,10,150,,b2:10,,fund',
    ],
    lines: ['t000004 A F 2024-02-01 (2024-02-01) → 2024-06-03 in 2024 short C: 10 150 150 0 0 0'],
  },
  {
    name: 'once an averaged share replaces a loss, even one of zero cents, portions are counted from the remaining shares',
    rules: { method: 'AVERAGE' },
    rows: [
      '2024-06-03,buy,A,F,4,48.06,,,,fund',
      '2024-06-03,buy,A,F,0.0004,0.001,,,,fund',
      '2024-06-03,sell,A,F,2,23.5,,,,fund',
      '2024-06-04,sell,A,F,1.0002,13,,,,fund',
    ],
    lines: [
      't000004 A F 2024-06-03 (2024-06-03) → 2024-06-03 in 2024 short C: 2 23.5 24.03 0 0 -0.53',
      't000005 A F 2024-06-03 (2024-06-03) → 2024-06-04 in 2024 short C: 1.0002 13 12.02 0 0 0.98',
    ],
  },
  {
    name: 'an order for another method also ends the averaging of shares bought on that day',
    rules: { method: 'AVERAGE', standingOrders: [{ method: 'LOFO', madeAt: '2024-06-04T00:00:00Z' }] },
    rows: [
      '2024-06-03,buy,A,F,10,100,,,,fund',
      '2024-06-03,sell,A,F,1,10,,,,fund',
      '2024-06-04,buy,A,F,9,45,,,,fund',
      '2024-06-04,sell,A,F,9,90,,,,fund',
    ],
    lines: [
      't000003 A F 2024-06-03 (2024-06-03) → 2024-06-03 in 2024 short C: 1 10 10 0 0 0',
      't000005 A F 2024-06-03 (2024-06-03) → 2024-06-04 in 2024 short C: 9 90 67.5 0 0 22.5',
    ],
    lots: ['A F 2024-06-04 (2024-06-04): 9 67.5'],
  },
  {
    name: 'a gift with two bases is not averaged (1.1012-1(e)(8))',
    rules: { method: 'AVERAGE' },
    rows: [
      '2024-01-02,buy,A,F,10,100,,,,fund',
      '2024-03-01,gift_in,A,F,10,,,,,fund,,2023-01-03,300,50',
      '2024-06-03,sell,A,F,10,120,,,,fund',
    ],
    lines: ['t000004 A F 2023-01-03 (2023-01-03) → 2024-06-03 in 2024 long F: 10 120 120 0 0 0'],
    lots: ['A F 2024-01-02 (2024-01-02): 10 100'],
  },
  {
    name: 'the two sides of a transfer on one date are matched in any order of their lines',
    rows: [
      '2025-01-02,buy,A,BTC,1,100,,,,crypto',
      '2025-06-02,deposit,B,BTC,1,,,,,crypto',
      '2025-06-02,withdrawal,A,BTC,1,,,,,crypto',
    ],
    lots: ['B BTC 2025-01-02 (2025-01-02): 1 100'],
    issues: [],
  },
  {
    name: 'a dividend paid in shares is not a purchase, but a reinvested dividend is (1.1091-1(f))',
    rows: [
      '2025-01-02,buy,A,X,20,200',
      '2025-06-02,sell,A,X,20,100',
      '2025-06-03,dividend,A,X,10,50',
      '2025-06-04,reinvest,A,X,5,25',
    ],
    lines: ['t000003 A X 2025-01-02 (2025-01-02) → 2025-06-02 in 2025 short C W: 20 100 200 25 0 -75'],
  },
  {
    name: 'losses on one purchase on the same day are matched in the order of the sales',
    rows: [
      '2025-01-02,buy,A,X,30,300',
      ...Array.from({ length: 11 }, (_none, at) => `2025-06-02,sell,A,X,1,${at === 10 ? 1 : 5}`),
      '2025-06-03,buy,A,X,10,50',
    ],
    lines: [
      ...Array.from(
        { length: 10 },
        (_none, at) =>
          `t0000${String(at + 3).padStart(2, '0')} A X 2025-01-02 (2025-01-02) → 2025-06-02 in 2025 short C W: 1 5 10 5 0 0`,
      ),
      't000013 A X 2025-01-02 (2025-01-02) → 2025-06-02 in 2025 short C: 1 1 10 0 0 -9',
    ],
  },
  {
    name: 'a purchase replaces the pending losses on the option and on its stock in order of sale',
    rows: [
      '2025-01-02,buy,A,X,100,5000',
      '2025-01-02,buy_to_open,A,X 2027-01-15 C 40,1,300,,,,option',
      '2025-06-02,sell,A,X,100,4000',
      '2025-06-03,sell_to_close,A,X 2027-01-15 C 40,1,100,,,,option',
      '2025-06-10,buy_to_open,A,X 2027-01-15 C 40,1,200,,,,option',
    ],
    lines: [
      't000004 A X 2025-01-02 (2025-01-02) → 2025-06-02 in 2025 short C W: 100 4000 5000 1000 0 0',
      't000005 A X 2027-01-15 C 40 2025-01-02 (2025-01-02) → 2025-06-03 in 2025 short C: 1 100 300 0 0 -200',
    ],
  },
  {
    name: 'the shares of an exercised call that replaced a loss replace no other loss (1.1091-1(e))',
    rows: [
      '2025-01-02,buy,A,X,200,10000',
      '2025-06-02,sell,A,X,100,4000',
      '2025-06-05,buy_to_open,A,X 2027-01-15 C 40,1,200,,,,option',
      '2025-06-10,sell,A,X,100,4000',
      '2025-06-20,exercise,A,X 2027-01-15 C 40,1,4000,,,,option,,,,,100,X',
    ],
    lines: [
      't000003 A X 2025-01-02 (2025-01-02) → 2025-06-02 in 2025 short C W: 100 4000 5000 1000 0 0',
      't000005 A X 2025-01-02 (2025-01-02) → 2025-06-10 in 2025 short C: 100 4000 5000 0 0 -1000',
    ],
    lots: ['A X 2025-06-20 (2025-01-20): 100 5200'],
  },
  {
    name: 'only the unused shares of an exercised call replace a loss (1.1091-1(e))',
    rows: [
      '2025-01-02,buy,A,X,41,2050',
      '2025-06-02,sell,A,X,1,40',
      '2025-06-05,buy_to_open,A,X 2027-01-15 C 40,1,200,,,,option',
      '2025-06-10,exercise,A,X 2027-01-15 C 40,1,4000,,,,option,,,,,100,X',
      '2025-06-11,sell,A,X,40,1600',
      '2025-06-12,buy,B,Y,1,1',
      '2025-06-13T10:00:00Z,buy,C,X,59,5900,c1',
      '2025-06-14T10:00:00Z,sell,C,X,59,5841,,c1:59',
      '2025-06-15T10:00:00Z,buy,D,X,60,6000,d1',
      '2025-06-16T10:00:00Z,sell,D,X,1,99,,d1:1',
    ],
    lots: [
      'A X 2025-06-10 (2025-01-01): 40 2080',
      'A X 2025-06-10 (2025-01-10): 1 52',
      'A X 2025-06-10 (2025-06-09): 59 2537',
      'B Y 2025-06-12 (2025-06-12): 1 1',
      'D X 2025-06-15 (2025-06-15): 59 5900',
    ],
  },
  {
    name: 'reversing an averaged purchase restores the state before it',
    rules: { method: 'AVERAGE' },
    rows: [
      '2025-01-02,buy,A,F,10,100,,,,fund',
      '2025-01-03,buy,A,F,5,200,,,,fund',
      '2025-02-03,sell,A,F,5,100,,,,fund',
      '2025-03-03,buy,A,F,5,-200,,,,fund',
    ],
    lots: ['A F 2025-01-02 (2025-01-02): 5 50'],
    issues: [],
  },
  {
    name: 'fractions of a cent count once in a merger for cash alone',
    rows: ['2025-01-02,buy,A,OLD,10,1', '2025-06-03,merger,,OLD,,0.1025,,,,stock'],
    lines: ['t000003 A OLD 2025-01-02 (2025-01-02) → 2025-06-03 in 2025 short C: 10 0.1 1 0 0 -0.9'],
  },
  {
    name: 'reversing a reinvestment reverses its dividend, too',
    rows: ['2025-06-02,reinvest,A,X,10,100', '2025-06-03,reinvest,A,X,10,-100', '2025-06-04,reinvest,A,X,1,7'],
    lots: ['A X 2025-06-04 (2025-06-04): 1 7'],
    years: ['2025 reinvest: 7 1'],
  },
  {
    name: 'units withheld from a trade leave before the received units can be moved (1.1012-1(j)(3)(iii))',
    rows: [
      '2025-01-02,buy,A,ETH,10,100,,,,crypto',
      '2025-06-02,trade,A,ETH,10,200,,,,crypto,,,,,,,2,BTC,2,BTC,0.02',
      '2025-06-02,transfer,A,BTC,1.98,,,,,crypto,,,,,,,,,,,,B',
    ],
    lines: [
      't000003 A BTC 2025-06-02 (2025-06-02) → 2025-06-02 in 2025 short I: 0.02 2 2 0 0 0',
      't000003 A ETH 2025-01-02 (2025-01-02) → 2025-06-02 in 2025 short I: 10 198 100 0 0 98',
    ],
    lots: ['B BTC 2025-06-02 (2025-06-02): 1.98 198'],
  },
  {
    name: 'an option that expires by the end of a year is not open then, even if a row reports it later (IRC 1256(a)(1))',
    rows: [
      '2024-12-20,buy_to_open,A,SPX 2024-12-31 C 6000,1,900,,,,section_1256',
      '2024-12-20,sell_to_open,A,SPX 2024-12-30 P 5000,1,200,,,,section_1256',
      '2024-12-20,buy_to_open,A,SPX 2024-12-02 C 6000,1,50,,,,section_1256',
      '2024-12-20,buy_to_open,A,X 2024-12-31 C 50,1,500,,,,option',
      '2025-01-02,expire,A,SPX 2024-12-31 C 6000,1,,,,,section_1256',
      '2025-01-02,expire,A,X 2024-12-31 C 50,1,,,,,option',
      '2025-02-03,buy,A,ES,1,100,,,,section_1256',
    ],
    lines: [
      't000007 A X 2024-12-31 C 50 2024-12-20 (2024-12-20) → 2024-12-31 in 2024 short C expired proceeds: 1 0 500 0 0 -500',
    ],
    issues: ['t000003 option_expired', 't000004 value_missing'],
    years: [
      '2024 A in box C: 1',
      '2024 box C: 0 500 0 -500',
      '2024 contracts: -700 -280 -420',
      '2024 option X 2024-12-31 C 50: 0 500 0 -500',
      '2024 short: 0 500 0 -500',
      '2024 total: 0 500 0 -500',
    ],
  },
];

describe('both engines apply the law in the same way', () => readAlike(cases));
