import { describe } from 'bun:test';
import { type Case, readAlike } from './readings.ts';

const cases: readonly Case[] = [
  {
    name: 'units bought to cover beyond the short are a purchase and replace units sold at a loss (1.1091-1(f))',
    rows: ['2025-01-02,buy,A,X,10,100', '2025-06-02,sell,A,X,10,80', '2025-06-10,cover,A,X,10,90'],
    lines: ['t000003 A X 2025-01-02 (2025-01-02) → 2025-06-02 in 2025 short C W: 10 80 100 20 0 0'],
    lots: ['A X 2025-06-10 (2025-01-10): 10 110'],
    issues: ['t000004 short_exceeded'],
  },
  {
    name: 'a short closed by the same cover bears no loss on the other short',
    rows: ['2025-06-02,short_sell,A,X,10,100', '2025-06-03,short_sell,A,X,10,100', '2025-06-04,cover,A,X,20,260'],
    lines: ['t000004 A X 2025-06-04 (2025-06-04) → 2025-06-04 in 2025 short C short sale: 20 200 260 0 0 -60'],
  },
  {
    name: 'units bought while the short was open and delivered after a year: the gain is short-term (IRC 1233(b)(1))',
    rows: [
      '2023-01-10,short_sell,A,X,100,3000,s1',
      '2023-02-01,buy,A,X,100,1000,b1',
      '2024-06-03,cover,A,X,100,0,,s1:100;b1:100',
    ],
    lines: ['t000004 A X 2023-02-01 (2023-02-01) → 2024-06-03 in 2024 short C short sale: 100 3000 1000 0 0 2000'],
  },
  {
    name: 'a short closed in two steps restarts the periods of only as many units as were sold short (IRC 1233(b)(2))',
    rows: [
      '2025-06-02,buy,B,X,10,50',
      '2025-06-03,short_sell,A,X,10,100',
      '2025-06-10,cover,A,X,5,40',
      '2025-06-20,cover,A,X,5,40',
    ],
    lots: ['B X 2025-06-02 (2025-06-10): 5 25', 'B X 2025-06-02 (2025-06-20): 5 25'],
  },
  {
    name: 'a short seller of a merged stock owes the successor, even without a holding',
    rows: [
      '2025-06-02,short_sell,A,OLD,10,100',
      '2025-06-03,merger,,OLD,,,,,,stock,2:1,,,,,,,NEW',
      '2025-06-04,cover,A,NEW,20,80',
    ],
    lines: ['t000004 A NEW 2025-06-04 (2025-06-04) → 2025-06-04 in 2025 short C short sale: 20 100 80 0 0 20'],
  },
  {
    name: 'a rename that one broker reports does not affect the shorts at another',
    rows: [
      '2025-06-02,short_sell,A,OLD,10,100',
      '2025-06-02,short_sell,B,OLD,10,100',
      '2025-06-03,rename,A,OLD,,,,,,stock,,,,,,,,NEW',
      '2025-06-04,cover,A,NEW,10,80',
      '2025-06-04,cover,B,OLD,10,80',
    ],
    lines: [
      't000005 A NEW 2025-06-04 (2025-06-04) → 2025-06-04 in 2025 short C short sale: 10 100 80 0 0 20',
      't000006 B OLD 2025-06-04 (2025-06-04) → 2025-06-04 in 2025 short C short sale: 10 100 80 0 0 20',
    ],
  },
  {
    name: 'a loss on a short is also denied by a later short under the new name (IRC 1091(e))',
    rows: [
      '2025-06-02,short_sell,A,OLD,10,100',
      '2025-06-10,cover,A,OLD,10,150',
      '2025-06-11,rename,,OLD,,,,,,stock,,,,,,,,NEW',
      '2025-06-20,short_sell,A,NEW,10,140',
    ],
    lines: ['t000003 A OLD 2025-06-10 (2025-06-10) → 2025-06-10 in 2025 short C W short sale: 10 100 150 50 0 0'],
  },
  {
    name: 'the lots delivered by one cover leave together: their losses are matched in order of acquisition',
    rows: [
      '2025-01-02,buy,A,X,10,200,b1',
      '2025-01-03,buy,A,X,10,150,b2',
      '2025-06-02T10:00:00Z,short_sell,A,X,20,200,s1',
      '2025-06-03T10:00:00Z,buy,B,X,10,90',
      '2025-06-20T10:00:00Z,cover,A,X,20,0,,s1:20;b2:10;b1:10',
    ],
    lines: [
      't000006 A X 2025-01-02 (2025-01-02) → 2025-06-20 in 2025 short C W short sale: 10 100 200 100 0 0',
      't000006 A X 2025-01-03 (2025-01-03) → 2025-06-20 in 2025 short C short sale: 10 100 150 0 0 -50',
    ],
  },
  {
    name: 'a gift with two bases delivered to a short: between them there is neither gain nor loss (IRC 1015(a))',
    rows: [
      '2025-03-03,gift_in,A,X,10,,g1,,,stock,,2025-01-02,300,50',
      '2025-06-02,short_sell,A,X,10,200,s1',
      '2025-06-20,cover,A,X,10,0,,s1:10;g1:10',
    ],
    lines: ['t000004 A X 2025-01-02 (2025-01-02) → 2025-06-20 in 2025 short C short sale: 10 200 200 0 0 0'],
  },
  {
    name: 'every slice delivered to a short has the period that it had before the closing',
    rows: [
      '2025-06-02,buy,A,X,10,50,b1',
      '2025-06-03,buy,A,X,10,60,b2',
      '2025-06-04,short_sell,A,X,15,150,s1',
      '2025-06-20,cover,A,X,15,0,,s1:15;b2:10;b1:5',
    ],
    lines: [
      't000005 A X 2025-06-02 (2025-06-02) → 2025-06-20 in 2025 short C short sale: 5 50 25 0 0 25',
      't000005 A X 2025-06-03 (2025-06-03) → 2025-06-20 in 2025 short C short sale: 10 100 60 0 0 40',
    ],
  },
  {
    name: 'a split reported twice on a day does not affect short sales or purchases between the reports',
    rows: [
      '2025-06-02,short_sell,A,X,1,10',
      '2025-06-03T10:00:00Z,split,,X,,,,,,stock,2:1',
      '2025-06-03T11:00:00Z,short_sell,A,X,1,5',
      '2025-06-03T12:00:00Z,split,,X,,,,,,stock,2:1',
      '2025-06-04,cover,A,X,4,8',
    ],
    lots: ['A X 2025-06-04 (2025-06-04): 1 2'],
    issues: ['t000006 short_exceeded'],
  },
  {
    name: 'a loss on a short is denied at most in full, even if a split rounds its units',
    rows: [
      '2024-11-04,short_sell,A,X,10,0',
      '2024-11-12,buy,A,X,1,10',
      '2024-11-13T10:00:00Z,cover,A,X,1.428571428571428571,6.95',
      '2024-11-13T11:00:00Z,sell,A,X,1,10',
      '2024-11-14T10:00:00Z,split,,X,,,,,,stock,1:4',
      '2024-11-14T11:00:00Z,short_sell,A,X,10,10.10',
    ],
    lines: [
      't000004 A X 2024-11-13 (2024-11-13) → 2024-11-13 in 2024 short C W short sale: 1.428571428571428571 0 6.95 6.95 0 0',
      't000005 A X 2024-11-12 (2024-11-13) → 2024-11-13 in 2024 short C: 1 10 14.87 0 0 -4.87',
    ],
  },
];

describe('both engines apply the short sale rules in the same way', () => readAlike(cases));
