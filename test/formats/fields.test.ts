import { expect, test } from 'bun:test';
import { formatDay, formatInstant } from '../../src/base/day.ts';
import { formatMoney, formatQuantity } from '../../src/base/decimal.ts';
import { plainNumber, readMoneyRounded, readQuantityRounded, splitUnit } from '../../src/formats/cells/fields.ts';
import { formatOption, looksLikeOption, readOption } from '../../src/formats/cells/option-symbol.ts';
import { readTime } from '../../src/formats/cells/times.ts';

test('numbers as brokers and exchanges write them', () => {
  const numbers: Record<string, string | undefined> = {
    '1234.5': '1234.5',
    '1,234.50': '1234.50',
    '"1': undefined,
    '$1,234.56': '1234.56',
    '-$3320.05': '-3320.05',
    '$-3320.05': '-3320.05',
    '($462.50)': '-462.50',
    '$(462.50)': '-462.50',
    '€6.68990': '6.68990',
    '-£271.49': '-271.49',
    'USD 1,500.00': '1500.00',
    '12.5 USD': '12.5',
    '$0.93 ': '0.93',
    '+5': '5',
    '−5': '-5',
    '.5': '.5',
    '5.': '5.',
    '0.00E+00': '0',
    '-3.605E-05': '-.00003605',
    '1.5e3': '1500',
    '500,135': '500135',
    '1,23': undefined,
    '1.234,56': undefined,
    '12,34,567': undefined,
    '(-5)': undefined,
    '-+5': undefined,
    '1e99': undefined,
    '12 BTC': undefined,
    '': undefined,
    '.': undefined,
    ',': undefined,
  };
  for (const [text, plain] of Object.entries(numbers))
    expect({ text, plain: plainNumber(text) }).toEqual({ text, plain });
});

test('units behind numbers', () => {
  expect(splitUnit('500DOGE')).toEqual({ number: '500', unit: 'DOGE' });
  expect(splitUnit('0.0101601 BTC ')).toEqual({ number: '0.0101601', unit: 'BTC' });
  expect(splitUnit('(0.07 BTC)')).toEqual({ number: '(0.07)', unit: 'BTC' });
  expect(splitUnit('4.5S')).toEqual({ number: '4.5', unit: 'S' });
  expect(splitUnit('12.5')).toEqual({ number: '12.5', unit: '' });
});

test('digits beyond the supported decimals are rounded half away from zero, exactly', () => {
  const money = (text: string): string => formatMoney(readMoneyRounded(text) ?? (0n as never));
  expect(money('0.000000005')).toBe('0.00000001');
  expect(money('-0.000000005')).toBe('-0.00000001');
  expect(money('0.0000000049999')).toBe('0.00');
  expect(money('99.999999999')).toBe('100.00');
  expect(money('1234567890.123456789012')).toBe('1234567890.12345679');
  expect(formatQuantity(readQuantityRounded('0.0000000000000000005') ?? (0n as never))).toBe('0.000000000000000001');
});

test('dates and times in the notations of exports', () => {
  const times: Record<string, string | undefined> = {
    '2024-01-02': '2024-01-02',
    '01/02/2024': '2024-01-02',
    '1/2/2024': '2024-01-02',
    '1/2/24': '2024-01-02',
    'Jan 2, 2024': '2024-01-02',
    '2024-01-02T03:04:05Z': '2024-01-02T03:04:05Z',
    '2024-01-02 03:04:05 UTC': '2024-01-02T03:04:05Z',
    '2024-01-02 03:04:05.1234': '2024-01-02T08:04:05.1234Z',
    '2024-01-02, 03:04:05': '2024-01-02T08:04:05Z',
    '2024-07-02 03:04:05': '2024-07-02T07:04:05Z',
    '2024-01-02T03:04:05+0200': '2024-01-02T01:04:05Z',
    '2024-01-02 03:04:05-08:00': '2024-01-02T11:04:05Z',
    '06/10/2026 09:30:00 EDT': '2026-06-10T13:30:00Z',
    '2025-10-09 16:29:46 PST': '2025-10-10T00:29:46Z',
    '12/01/2023, 12:34:56': '2023-12-01T17:34:56Z',
    'Jan. 28, 2022, 12:13 AM': '2022-01-28T05:13:00Z',
    'Nov 23 2025 02:03:01': '2025-11-23T07:03:01Z',
    '01/02/2024 3:04 PM': '2024-01-02T20:04:00Z',
    '2023-02-29': undefined,
    '2024-1-2x': undefined,
    '13/01/2024': undefined,
    '2024-01-02 24:00:00': undefined,
    '2024-01-02 10:00:00 XYZ': undefined,
    '2024-01-02 13:00 PM': undefined,
    '31.12.2024': undefined,
    Tuesday: undefined,
  };
  for (const [text, expected] of Object.entries(times)) {
    const time = readTime(text, 'America/New_York', 'UTC');
    const read = time === undefined ? undefined : time.at === null ? formatDay(time.on) : formatInstant(time.at);
    expect({ text, read }).toEqual({ text, read: expected });
  }
});

test('an instant is dated in the taxpayer’s zone', () => {
  const time = readTime('2025-01-01T01:00:00Z', 'UTC', 'America/New_York');
  expect(formatDay(time?.on ?? (0 as never))).toBe('2024-12-31');
});

test('option names in the notations of several brokers are one option', () => {
  const spellings = [
    'AAPL 2025-01-17 C 150',
    'AAPL 2025-01-17 Call $150.00',
    'AAPL  250117C00150000',
    'AAPL250117C00150000',
    '-AAPL250117C150',
    ' -AAPL250117C150',
    'AAPL 01/17/2025 150.00 C',
    'AAPL 1/17/2025 Call $150.00',
    'AAPL 17JAN25 150 C',
    'AAPL--250117C00150000',
    "AAPL Jan 17 '25 $150 Call",
    "AAPL JAN 17 '25 $150 CALL",
  ];
  for (const spelling of spellings) {
    const option = readOption(spelling);
    expect({ spelling, read: option && formatOption(option) }).toEqual({ spelling, read: 'AAPL 2025-01-17 C 150' });
  }
  expect(readOption('BRK.B 06/20/2025 472.50 P')).toMatchObject({ underlying: 'BRK.B', right: 'put', strike: '472.5' });
  for (const other of ['AAPL', 'BTC-USD', 'AAPL 2025-02-30 C 150', 'C 150', 'AAPL 01/17/2025', '123456AB7']) {
    expect(readOption(other)).toBeUndefined();
  }
});

test('a name that looks like an option is never the name of shares, and names of shares and bonds are accepted', () => {
  const options = [
    'CALL ACME 12/29/23 25.000',
    'ACME 25 CALL DEC 29 2023',
    'ACME DEC29 25 PUT 231229',
    'ACME231229C0025000',
    'PUT (ACME) ACME INC 29DEC23 $25',
  ];
  expect(options.filter((name) => !looksLikeOption(name))).toEqual([]);
  const others = [
    'CALL',
    'PUT',
    'CALLAWAY GOLF 2023',
    'ACME 4.5% 03/15/28 CALLABLE',
    'PUTNAM FUND 12/31/23',
    '91279FT0',
    'ACME',
  ];
  expect(others.filter(looksLikeOption)).toEqual([]);
});
