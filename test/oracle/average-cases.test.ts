import { describe } from 'bun:test';
import { type Case, readAlike } from './readings.ts';

const cases: readonly Case[] = [
  {
    name: 'averaged shares are delivered to a short in order of acquisition at their average, even if a row names other lots (1.1012-1(e)(7))',
    rules: { method: 'AVERAGE' },
    rows: [
      '2024-02-01,buy,A,F,10,100,b1,,,fund',
      '2024-03-01,buy,A,F,10,300,b2,,,fund',
      '2024-05-01,short_sell,A,F,10,250,s1,,,fund',
      '2024-06-03,cover,A,F,10,0,,s1:10;b2:10,,fund',
    ],
    lines: ['t000005 A F 2024-02-01 (2024-02-01) → 2024-06-03 in 2024 short C short sale: 10 250 200 0 0 50'],
    lots: ['A F 2024-03-01 (2024-03-01): 10 200'],
  },
  {
    name: 'as many averaged shares as a row names are delivered, and the other shares are bought',
    rules: { method: 'AVERAGE' },
    rows: [
      '2024-02-01,buy,A,F,10,100,b1,,,fund',
      '2024-03-01,buy,A,F,10,300,b2,,,fund',
      '2024-05-01,short_sell,A,F,10,250,s1,,,fund',
      '2024-06-03,cover,A,F,10,120,,s1:10;b2:4,,fund',
    ],
    lines: [
      't000005 A F 2024-02-01 (2024-02-01) → 2024-06-03 in 2024 short C short sale: 4 100 80 0 0 20',
      't000005 A F 2024-06-03 (2024-06-03) → 2024-06-03 in 2024 short C short sale: 6 150 120 0 0 30',
    ],
  },
  {
    name: 'the gain on averaged shares is computed from their average, which may be zero (IRC 1259)',
    rules: { method: 'AVERAGE' },
    rows: [
      '2024-02-01,buy,A,F,10,100,b1,,,fund',
      '2024-04-01,sell,A,F,1,30,,,,fund',
      '2024-05-01T10:00:00Z,buy,A,F,10,310,b2,,,fund',
      '2024-05-01T11:00:00Z,short_sell,A,F,10,200,s1,,,fund',
    ],
    // There is no constructive sale and no question, because the shares were bought before the short sale.
    issues: [],
  },
  {
    name: 'restarting the period of some averaged shares leaves their portions based on the same whole',
    rules: { method: 'AVERAGE' },
    rows: [
      '2024-02-01,buy,A,F,7,1,,,,fund',
      '2024-04-01,sell,A,F,1,2,,,,fund',
      '2024-05-01,short_sell,A,F,1,2,,,,fund',
      '2024-05-02,cover,A,F,1,1,,,,fund',
      '2024-06-03,sell,A,F,1,2,,,,fund',
    ],
    lots: ['A F 2024-02-01 (2024-02-01): 5 0.71'],
  },
  {
    name: 'averaged shares moved to an account that sells the cheapest first keep their average there',
    rules: { methodByAccount: { A: 'AVERAGE', B: 'LOFO' } },
    rows: [
      '2024-02-01,buy,A,F,10,100,,,,fund',
      '2024-02-02,buy,A,F,10,300,,,,fund',
      '2024-02-03,buy,B,F,10,150,,,,fund',
      '2024-04-01,transfer,A,F,10,,,,,fund,,,,,,,,,,,,B',
      '2024-06-03,sell,B,F,10,250,,,,fund',
    ],
    lines: ['t000006 B F 2024-02-03 (2024-02-03) → 2024-06-03 in 2024 short C: 10 250 150 0 0 100'],
  },
  {
    name: 'averaging ends with the method before a share replaces a loss, and that share then has the highest basis',
    rules: {
      method: 'HIFO',
      methodFrom: [
        { year: 2024, method: 'AVERAGE' },
        { year: 2025, method: 'HIFO' },
      ],
    },
    rows: [
      '2024-06-03,buy,B,F,5,50,,,,fund',
      '2024-12-10,buy,A,F,10,100,,,,fund',
      '2024-12-11,buy,A,F,10,300,,,,fund',
      '2024-12-20,sell,A,F,1,25,,,,fund',
      '2025-01-05,sell,B,F,5,45,,,,fund',
      '2025-02-10,sell,A,F,5,200,,,,fund',
    ],
    lines: [
      't000005 A F 2024-12-10 (2024-12-10) → 2024-12-20 in 2024 short C: 1 25 20 0 0 5',
      't000006 B F 2024-06-03 (2024-06-03) → 2025-01-05 in 2025 short C W: 5 45 50 5 0 0',
      't000007 A F 2024-12-10 (2024-05-08) → 2025-02-10 in 2025 short C: 5 200 105 0 0 95',
    ],
  },
  {
    name: 'averaging ends with the method before the period of a share restarts',
    rules: { method: 'AVERAGE', methodFrom: [{ year: 2025, method: 'FIFO' }] },
    rows: [
      '2024-11-04,buy,A,F,1,10,,,,fund',
      '2024-11-13,buy,A,F,1,10,,,,fund',
      '2024-11-22,buy,A,F,10,100,,,,fund',
      '2024-11-30,buy,A,F,10,0.10,,,,fund',
      '2024-12-09,buy,A,F,10,0.10,,,,fund',
      '2024-12-09,short_sell,A,F,13,143,,,,fund',
      '2024-12-14,buy,A,F,10,0.10,,,,fund',
      '2024-12-23,transfer,A,F,6,,,,,fund,,,,,,,,,,,,B',
      '2025-01-01,cover,A,F,13,0.13,,,,fund',
    ],
    lots: [
      'A F 2024-11-22 (2025-01-01): 6 17.19',
      'A F 2024-11-30 (2024-11-30): 9 25.78',
      'A F 2024-11-30 (2025-01-01): 1 2.86',
      'A F 2024-12-09 (2024-12-09): 10 28.64',
      'A F 2024-12-14 (2024-12-14): 10 28.64',
      'B F 2024-11-04 (2025-01-01): 1 2.86',
      'B F 2024-11-13 (2025-01-01): 1 2.87',
      'B F 2024-11-22 (2025-01-01): 4 11.46',
    ],
  },
  {
    name: 'shares that a form dates come first on that day, even if averaged shares leave in their own order',
    rules: { method: 'AVERAGE', accounts: { A: { type: 'taxable', form: '1099-B', basisReported: true } } },
    rows: [
      '2024-10-26,buy,A,F,10,100,,,,fund',
      '2024-10-27T10:00:00Z,buy,A,F,1,10,,,,fund',
      '2024-10-27T10:00:00Z,buy,A,F,1,0.01,,,,fund',
      '2024-10-27T12:00:00Z,reported_sale,A,F,12,120,,,,fund,,2024-10-27,120',
    ],
    lines: [
      't000005 A F 2024-10-26 (2024-10-26) → 2024-10-27 in 2024 short A B: 10 100 100 8.32 0 8.32',
      't000005 A F 2024-10-27 (2024-10-27) → 2024-10-27 in 2024 short A B: 2 20 20 1.67 0 1.67',
    ],
  },
];

describe('both engines apply the average basis rules in the same way', () => readAlike(cases));
