import { describe, expect, test } from 'bun:test';
import { formatDay, formatInstant } from '../../src/base/day.ts';
import { readRatio } from '../../src/formats/cells/amounts.ts';
import { Cells, HeaderColumns } from '../../src/formats/cells/cells.ts';
import { toPlainNumber } from '../../src/formats/cells/fields.ts';
import { Joiner } from '../../src/formats/cells/joiner.ts';
import { readEpoch, readTime } from '../../src/formats/cells/times.ts';
import type { Outcome } from '../../src/formats/format.ts';
import { nameRepeatedColumns } from '../../src/formats/reader.ts';
import { splitPair } from '../../src/formats/tables/pairs.ts';
import { unitsAndName } from '../../src/formats/tables/reported.ts';

/** Functions that several formats share. */

test('numbers with decimal commas are read, and ambiguous thousands are not guessed', () => {
  const numbers: Record<string, string | undefined> = {
    '1,23': '1.23',
    '0,766': '0.766',
    '1,234': '1.234',
    '1.234,56': '1234.56',
    '-2.379.000,35': '-2379000.35',
    ' 1 757,95 ': '1757.95',
    '(0,10)': '-0.10',
    '€ 5,50': '5.50',
    '-97.93': '-97.93',
    '0.039': '0.039',
    '1.079': undefined,
    '1,2,3': undefined,
    '12,5x': undefined,
    '': undefined,
  };
  for (const [text, plain] of Object.entries(numbers))
    expect({ text, plain: toPlainNumber(text, 'decimal comma') }).toEqual({ text, plain });
});

test('a file with both notations is tried with decimal points first', () => {
  expect(toPlainNumber('4,581.91', 'either')).toBe('4581.91');
  expect(toPlainNumber('100,00', 'either')).toBe('100.00');
  expect(toPlainNumber('0,76672417', 'either')).toBe('0.76672417');
  expect(toPlainNumber('0,766')).toBeUndefined();
});

describe('dates', () => {
  const day = (text: string, order?: 'day first'): string | undefined => {
    const time = readTime(text, 'UTC', 'UTC', order);
    return time === undefined ? undefined : formatDay(time.on);
  };

  test('days come before months if the format requires it', () => {
    expect(day('03/04/2025', 'day first')).toBe('2025-04-03');
    expect(day('03.04.2025', 'day first')).toBe('2025-04-03');
    expect(day('25-Mar-2021', 'day first')).toBe('2021-03-25');
    expect(day('2025-04-03', 'day first')).toBe('2025-04-03');
    expect(day('12/31/2025', 'day first')).toBeUndefined();
    expect(day('03/04/2025')).toBe('2025-03-04');
    expect(day('03.04.2025')).toBeUndefined();
  });

  test('compact dates, with and without a time', () => {
    expect(day('20240229')).toBe('2024-02-29');
    expect(day('20230229')).toBeUndefined();
    expect(formatInstant(readTime('20230403;095853', 'America/New_York', 'UTC')?.at ?? (0 as never))).toBe(
      '2023-04-03T13:58:53Z',
    );
  });

  test('counts since 1970 in seconds or milliseconds', () => {
    expect(formatInstant(readEpoch('1659085200000', 'UTC')?.at ?? (0 as never))).toBe('2022-07-29T09:00:00Z');
    expect(formatInstant(readEpoch('1659085200', 'UTC')?.at ?? (0 as never))).toBe('2022-07-29T09:00:00Z');
    expect(formatDay(readEpoch('1704085200', 'America/Los_Angeles')?.on ?? (0 as never))).toBe('2023-12-31');
    for (const text of ['', '165908520', '16590852000000', '-1659085200', '1659085200.5'])
      expect(readEpoch(text, 'UTC')).toBeUndefined();
  });
});

test('columns with the same name are matched in order', () => {
  const named = (cells: string[], name: string, partners: string[]): readonly string[] =>
    nameRepeatedColumns({ line: 1, cells }, name, partners).cells;
  const partners = ['Buy', 'Sell'];
  expect(named(['Buy', 'Cur.', 'Sell', 'Cur.', 'Date'], 'Cur.', partners)).toEqual([
    'Buy',
    'Buy Cur.',
    'Sell',
    'Sell Cur.',
    'Date',
  ]);
  expect(named(['Date', 'CUR.', 'SELL', 'CUR.', 'BUY'], 'Cur.', partners)[1]).toBe('SELL Cur.');
  expect(named(['Mutatie', '', 'Saldo', ''], '', ['Mutatie', 'Saldo'])).toEqual([
    'Mutatie',
    'Mutatie (unnamed)',
    'Saldo',
    'Saldo (unnamed)',
  ]);
});

test('pairs with a separator are split there, and others by known quote currencies', () => {
  const split = (pair: string): readonly [string, string] | null => {
    const columns = new HeaderColumns({ line: 1, cells: ['Pair'] });
    const context = { timeZone: 'UTC', preamble: [] };
    return splitPair(new Cells({ line: 2, cells: [pair] }, columns, context), 'Pair');
  };
  expect(split('KCS-USDT')).toEqual(['KCS', 'USDT']);
  expect(split('XMR/BTC')).toEqual(['XMR', 'BTC']);
  expect(split('BTCFDUSD')).toEqual(['BTC', 'FDUSD']);
  expect(split('BTCUSD')).toEqual(['BTC', 'USD']);
  expect(split('FOOBAR')).toBeNull();
});

test('ratios, and units in a description', () => {
  expect(readRatio('4:1')).toEqual({ numerator: 4n, denominator: 1n });
  expect(readRatio('3-for-2')).toEqual({ numerator: 3n, denominator: 2n });
  for (const text of ['', '4', '4:0', '0:1', 'a:b', '-4:1']) expect(readRatio(text)).toBeUndefined();
  expect(unitsAndName('10 shares Fictional Company')).toEqual({ units: '10', name: 'FICTIONAL COMPANY' });
  expect(unitsAndName('0.5 BTC')).toEqual({ units: '0.5', name: 'BTC' });
  expect(unitsAndName('100 sh. XYZ Co.')).toEqual({ units: '100', name: 'XYZ CO.' });
  expect(unitsAndName('XLM')).toEqual({ units: '', name: 'XLM' });
});

test('rows are joined while their key stays the same, within limits', () => {
  const joiner = new Joiner<number>((legs, key): Outcome[] => [{ kind: 'skipped', lines: legs, reason: key }], 3);
  const outcomes = [
    ...joiner.add('a', 1),
    ...joiner.add('a', 2),
    ...joiner.add('b', 3),
    ...joiner.add('a', 4),
    ...joiner.add('a', 5),
    ...joiner.add('a', 6),
    ...joiner.add('a', 7),
    ...joiner.end(),
    ...joiner.end(),
  ];
  expect(outcomes.map(({ lines }) => lines)).toEqual([[1, 2], [3], [4, 5, 6], [7]]);
});
