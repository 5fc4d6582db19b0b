import { describe, expect, test } from 'bun:test';
import { readZone } from '../../src/formats/cells/times.ts';
import { zonesInHeader } from '../../src/formats/mapping/header-zones.ts';
import { judge } from '../support/proposal-bench.ts';
import { proposalOf, refusalCode } from '../support/proposed.ts';

/** Time headers, each with the UTC value of 2025-07-01 05:00 below it. */
const headers: readonly (readonly [header: string, instant: string])[] = [
  ['Time(UTC+10)', '2025-06-30T19:00:00Z'],
  ['Filled Time(UTC+02:00)', '2025-07-01T03:00:00Z'],
  ['Time (UTC-05:00)', '2025-07-01T10:00:00Z'],
  ['Time (UTC+5:30)', '2025-06-30T23:30:00Z'],
  ['Date (GMT-3)', '2025-07-01T08:00:00Z'],
  ['Date(UTC+0)', '2025-07-01T05:00:00Z'],
  ['UTC_Time', '2025-07-01T05:00:00Z'],
  ['Date (UTC)', '2025-07-01T05:00:00Z'],
  ['Time (EDT)', '2025-07-01T09:00:00Z'],
  ['Time EST', '2025-07-01T10:00:00Z'],
  ['Trade Time (CET)', '2025-07-01T04:00:00Z'],
  ['Time (CEST)', '2025-07-01T03:00:00Z'],
  ['Time (JST)', '2025-06-30T20:00:00Z'],
  ['date_jst', '2025-06-30T20:00:00Z'],
  ['Time (ET)', '2025-07-01T09:00:00Z'],
  ['Time (Eastern Time)', '2025-07-01T09:00:00Z'],
  ['Time (America/Chicago)', '2025-07-01T10:00:00Z'],
  ['Time', '2025-07-01T05:00:00Z'],
  ['Time (local)', '2025-07-01T05:00:00Z'],
];

describe('the time zone in a header', () => {
  test.each(headers)('%s is read exactly', async (header, instant) => {
    const text = `${header},Symbol,Side,Quantity,Amount\n2025-07-01 05:00:00,AAPL,buy,1,200.00\n2025-07-01 05:00:00,AAPL,sell,1,210.00\n`;
    const answers = [
      `2 ${instant} buy AAPL quantity=1 amount=200.00`,
      `3 ${instant} sell AAPL quantity=1 amount=210.00`,
    ];
    expect(await judge({ text, answers })).toMatchObject({ verdict: 'right' });
  });

  test('raises a question if its name has several meanings', () => {
    const text = 'Time (IST),Symbol,Side,Quantity,Amount\n2025-07-01 05:00:00,AAPL,buy,1,200.00\n';
    expect(Object.keys(proposalOf(text)?.undecided ?? {})).toEqual(['Time (IST)']);
  });

  test('raises a question if a column contains several zones, and is read if it contains one', () => {
    const rows = (zone: string) =>
      `Time,TZ,Symbol,Side,Quantity,Amount\n2025-07-01 05:00:00,EST,AAPL,buy,1,200.00\n2025-07-02 05:00:00,${zone},AAPL,sell,1,210.00\n`;
    expect(Object.keys(proposalOf(rows('EDT'))?.undecided ?? {})).toEqual(['TZ']);
    expect(proposalOf(rows('EST'))?.timeZone).toBe('Etc/GMT+5');
  });

  test('is read from a line above the table', () => {
    const text = 'All times in UTC+8\nTime,Symbol,Side,Quantity,Amount\n2025-07-01 05:00:00,AAPL,buy,1,200.00\n';
    expect(proposalOf(text)?.timeZone).toBe('Etc/GMT-8');
  });

  test('is not a currency, a state or a date format', () => {
    for (const header of ['Date (MM/DD/YYYY)', 'Time (24h)', 'Trade Date', 'Date (EUR)', 'Settled'])
      expect(zonesInHeader(header)).toEqual([]);
  });
});

test('an offset or an abbreviation is the same zone all year', () => {
  const zones = ['UTC+10', 'GMT-3', '+05:30', 'EDT', 'CET', 'ET', 'Europe/Berlin', 'IST', 'UTC+15', 'USD', ''];
  expect(zones.map(readZone)).toEqual([
    'Etc/GMT-10',
    'Etc/GMT+3',
    '+05:30',
    'Etc/GMT+4',
    'Etc/GMT-1',
    'America/New_York',
    'Europe/Berlin',
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

describe('a date of two digits each', () => {
  const file = (...dates: string[]): string =>
    ['Date,Symbol,Side,Quantity,Amount', ...dates.map((date) => `${date},AAPL,buy,1,200.00`), ''].join('\n');
  const linesOf = (...days: string[]): string[] =>
    days.map((day, row) => `${row + 2} ${day} buy AAPL quantity=1 amount=200.00`);

  test.each(['25-03-15 25-06-20', '25/03/15 25/06/20', '25.03.15 25.06.20', '05-03-04 05-06-07'])(
    'raises a question if several parts may be its year, as %s',
    async (dates) => {
      expect(await refusalCode(file(...dates.split(' ')))).toBe('ambiguous_file');
    },
  );

  test('is read in the only order that all rows allow', async () => {
    for (const [dates, days] of [
      [
        ['25-03-15', '32-06-20'],
        ['2025-03-15', '2032-06-20'],
      ],
      [
        ['25-03-99', '24-06-98'],
        ['2099-03-25', '2098-06-24'],
      ],
      [
        ['03/15/25', '04/05/25'],
        ['2025-03-15', '2025-04-05'],
      ],
      [['25-03-15', '2025-06-20'], null],
    ] as const) {
      const judged = await judge({ text: file(...dates), answers: days === null ? [] : linesOf(...days) });
      expect({ dates, verdict: judged.verdict }).toEqual({ dates, verdict: days === null ? 'asked' : 'right' });
    }
  });

  test('is read in the only order in which six rows are sorted', async () => {
    const yearFirst = ['25-01-31', '25-02-20', '25-03-15', '25-04-01', '25-05-28', '25-06-11', '25-07-02'];
    const dayFirst = ['31-01-25', '20-02-25', '15-03-25', '01-04-25', '28-05-25', '11-06-25', '02-07-25'];
    const days = yearFirst.map((text) => `20${text}`);
    expect(await judge({ text: file(...yearFirst), answers: linesOf(...days) })).toMatchObject({ verdict: 'right' });
    expect(await judge({ text: file(...dayFirst), answers: linesOf(...days) })).toMatchObject({ verdict: 'right' });
    // A plan that buys on the 25th of each month from 2015 on, sorted only in its own order.
    const monthly = ['25-11-15', '25-12-15', '25-01-16', '25-02-16', '25-03-16', '25-04-16', '25-05-16'];
    const bought = monthly.map((text) => `20${text.slice(6)}-${text.slice(3, 5)}-25`);
    expect(await judge({ text: file(...monthly), answers: linesOf(...bought) })).toMatchObject({ verdict: 'right' });
  });

  test('is sorted by its year if it has dots and four digits', async () => {
    expect(
      await judge({ text: file('2025.03.15', '2025.06.20'), answers: linesOf('2025-03-15', '2025-06-20') }),
    ).toMatchObject({
      verdict: 'right',
    });
  });
});

test('a KuCoin header states any offset', async () => {
  const { readWhole } = await import('./reading.ts');
  const header = (zone: string) =>
    `UID,Account Type,Order ID,Symbol,Side,Order Type,Avg. Filled Price,Filled Amount,Filled Volume,Filled Volume (USDT),Filled Time(${zone}),Fee,Fee Currency`;
  const row = 'u,main,o1,BTC-USDT,buy,MARKET,90000,0.01,900,900,2026-01-01 05:00:00,0.9,USDT';
  for (const zone of ['UTC+10', 'UTC+10:00']) {
    const { format, drafts } = await readWhole(`${header(zone)}\n${row}\n`);
    expect([format, new Date((drafts[0]?.at ?? 0) / 1000).toISOString()]).toEqual([
      'kucoin',
      '2025-12-31T19:00:00.000Z',
    ]);
  }
});

test('a Spanish Binance export puts the year first', async () => {
  const { readWhole } = await import('./reading.ts');
  const csv =
    'Date(UTC),Pair,Side,Price,Executed,Amount,Fee\n25-12-31 01:00:45,BTCEUR,BUY,80000,0.01BTC,800EUR,0.8EUR\n';
  const { drafts } = await readWhole(csv);
  expect(new Date((drafts[0]?.at ?? 0) / 1000).toISOString()).toBe('2025-12-31T01:00:45.000Z');
});
