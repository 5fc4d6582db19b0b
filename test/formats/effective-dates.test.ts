import { describe, expect, test } from 'bun:test';
import { formatDay, parseDay } from '../../src/base/day.ts';
import { effectiveDays } from '../../src/formats/cells/effective-dates.ts';
import { readTime } from '../../src/formats/cells/times.ts';
import { readWhole } from './reading.ts';

const booked = parseDay('2026-01-02');
if (booked === undefined) throw new Error('The day of the booking is a date.');

const daysIn = (text: string): string[] => effectiveDays(text, booked).map(formatDay);

/** The ways in which brokers write December 30, 2025. */
const variants = [
  'as of 12/30/2025',
  'as of 12/30/25',
  'as of Dec-30-2025',
  'as of DEC-30-25',
  'AS OF 12-30-25',
  'AS OF 12-30-2025',
  'AS OF 12.30.2025',
  'AS OF: 12/30/25',
  'as of 2025-12-30',
  'as of 2025/12/30',
  'as of 20251230',
  'as of December 30, 2025',
  'as of Dec. 30 2025',
  'as of DEC 30 25',
  'as of December 30th, 2025',
  'as of 30 Dec 2025',
  'as of 30-DEC-25',
  'AS-OF 12/30/25',
  'ASOF 12/30/25',
  'A/O 12/30/25',
  'as of 12/30',
];

test.each(variants)('the day in "%s" is read', (variant) => {
  expect(daysIn(variant)).toEqual(['2025-12-30']);
  expect(daysIn(`YOU SOLD ASSIGNED CALLS ${variant} ACME CORP (ACME) (Cash)`)).toEqual(['2025-12-30']);
});

test.each([
  'ACME CORP 100 SHS HELD AS OF 12/30/25',
  'DIVIDEND ON 100 SHARES AS OF 12/30/25',
  'RECORD DATE AS OF 12/30/25',
  'PRICED AS OF 12/30/25',
  'RATE AS OF 12/30/25',
  'as of the close',
  'AS OFFERED 12/30/25',
  'ATLAS OF 12/30/25',
  'as of 13/45/2025',
  'as of Foo 30 2025',
  '',
])('"%s" names no effective day for the row', (text) => expect(daysIn(text)).toEqual([]));

test('a date without a year is the last one before the booking', () => {
  expect(daysIn('AS OF 01/02')).toEqual(['2026-01-02']);
  expect(daysIn('AS OF 01/03')).toEqual(['2025-01-03']);
});

test('the day comes first if the file uses this order', () =>
  expect(effectiveDays('as of 05/12/2025', booked, 'day first').map(formatDay)).toEqual(['2025-12-05']));

test.each([
  ['01/02/2026 as of 12/30/2025', '2025-12-30'],
  ['2026-01-02 as of 2025-12-30', '2025-12-30'],
  ['Jan-02-2026 as of Dec-30-2025', '2025-12-30'],
  ['01/02/26 AS OF 12/30/25', '2025-12-30'],
  ['nonsense as of 12/30/2025', null],
  ['01/02/2026 as of nonsense', null],
  ['01/02/2026 as of 12/30/2025 as of 12/29/2025', null],
])('a date cell "%s" counts on its second date', (cell, day) => {
  const time = readTime(cell, 'UTC', 'UTC');
  expect(time === undefined ? null : formatDay(time.on)).toBe(day);
});

/** A row from each source, with a placeholder for the words in its texts. It is booked on January 2, 2026. */
const rows: readonly (readonly [name: string, format: string, header: string, row: (words: string) => string])[] = [
  [
    'Fidelity, the sale of an assignment',
    'fidelity',
    'Run Date,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),Fees ($),Accrued Interest ($),Amount ($),Cash Balance ($),Settlement Date',
    (words) =>
      `01/02/2026,YOU SOLD ASSIGNED CALLS ${words} ACME INC (ACME) (Cash),ACME,ACME INC,Cash,-100,25,,,,2500,0,`,
  ],
  [
    'Fidelity, an assignment',
    'fidelity',
    'Run Date,Account,Account Number,Action,Symbol,Description,Type,Price ($),Quantity,Commission ($),Fees ($),Accrued Interest ($),Amount ($),Settlement Date',
    (words) =>
      `01/02/2026,Mine,Z1,ASSIGNED ${words} CALL (ACME) ACME INC DEC 31 25 $25 (100 SHS) (Cash), -ACME251231C25,CALL (ACME),Cash,,1,,,,0.00,`,
  ],
  [
    'Fidelity, a dividend',
    'fidelity',
    'Run Date,Action,Symbol,Quantity,Price,Amount',
    (words) => `01/02/2026,DIVIDEND RECEIVED ${words} ACME INC (ACME) (Cash),ACME,0,,12.00`,
  ],
  [
    'Fidelity, a reinvestment',
    'fidelity',
    'Run Date,Action,Symbol,Quantity,Price,Amount',
    (words) => `01/02/2026,REINVESTMENT ${words} ACME INC (ACME) (Cash),ACME,0.5,24,-12.00`,
  ],
  [
    'Fidelity, a capital gain distribution',
    'fidelity',
    'Run Date,Action,Symbol,Quantity,Price,Amount',
    (words) => `01/02/2026,LONG-TERM CAP GAIN ${words} FUND (FUNDX) (Cash),FUNDX,0,,12.00`,
  ],
  [
    'Schwab',
    'schwab',
    'Date,Action,Symbol,Description,Quantity,Price,Fees & Comm,Amount',
    (words) => `01/02/2026 ${words},Sell,ACME,ACME CORP,100,$25.00,,"$2,500.00"`,
  ],
  [
    'E*TRADE, the 2026 layout',
    'etrade',
    'Activity/Trade Date,Transaction Date,Settlement Date,Activity Type,Description,Symbol,Cusip,Quantity #,Price $,Amount $,Commission,Category,Note',
    (words) => `01/02/26,01/02/26,01/05/26,Sold,ACME CORP ${words},ACME,,-100,25,2500,0,--,--`,
  ],
  [
    'E*TRADE, the older layout',
    'etrade',
    'TransactionDate,TransactionType,SecurityType,Symbol,Quantity,Amount,Price,Commission,Description',
    (words) => `01/02/26,Sold,EQ,ACME,-100,2500,25,0,ACME CORP ${words}`,
  ],
  [
    'Merrill',
    'merrill',
    'Trade Date,Settlement Date,Pending/Settled,Account Nickname,Account Registration,Account #,Type,Description 1 ,Description 2,Symbol/CUSIP #,Quantity,Price ($),Amount ($)',
    (words) => `1/2/2026,1/5/2026,Settled,,--,--,,Sale,ACME CORP ${words},ACME,-100,25,2500`,
  ],
  [
    'TD Ameritrade',
    'tdameritrade',
    'DATE,TRANSACTION ID,DESCRIPTION,QUANTITY,SYMBOL,PRICE,COMMISSION,AMOUNT,REG FEE',
    (words) => `01/02/2026,1,Sold 100 ACME @ 25 ${words},100,ACME,25,,2500,`,
  ],
  [
    'Vanguard',
    'vanguard',
    'Account Number,Trade Date,Settlement Date,Transaction Type,Transaction Description,Investment Name,Symbol,Shares,Share Price,Principal Amount,Commissions and Fees,Net Amount,Accrued Interest,Account Type,',
    (words) => `1111,01/02/2026,01/05/2026,Sell,Sell ${words},ACME CORP,ACME,-100,25,2500,0,2500,0,CASH,`,
  ],
  [
    'Robinhood',
    'robinhood',
    'Activity Date,Process Date,Settle Date,Instrument,Description,Trans Code,Quantity,Price,Amount',
    (words) => `1/2/2026,1/2/2026,1/5/2026,ACME,Acme Corp ${words},Sell,100,$25.00,"$2,500.00"`,
  ],
  [
    'Firstrade',
    'firstrade',
    'Symbol,Quantity,Price,Action,Description,TradeDate,SettledDate,Interest,Amount,Commission,Fee,CUSIP,RecordType',
    (words) => `ACME,-100,25,SELL,ACME CORP ${words},2026-01-02,2026-01-05,0,2500,0,0,,Trade`,
  ],
  [
    'Chase',
    'chase',
    'Trade Date,Post Date,Settlement Date,Account Name,Account Number,Account Type,Type,Description,Ticker,Security Type,Price USD,Quantity,Amount USD,Tax Withheld',
    (words) =>
      `01/02/2026,01/02/2026,01/05/2026,Mine,...1111,Brokerage,Sell,ACME CORP ${words},ACME,Stock,25,-100,2500,`,
  ],
];

/** Returns the days in the drafts for a row with these words. */
async function readDays(header: string, row: string): Promise<readonly string[]> {
  const { drafts } = await readWhole(`${header}\n${row}\n`);
  return drafts.map(({ on, at }) => (at === null ? formatDay(on) : 'a time'));
}

describe.each(rows)('%s', (_name, _format, header, row) => {
  const quoted = (words: string): string => row(words.includes(',') ? words.replace(',', '') : words);
  test.each(variants.filter((one) => header.includes('Description') || !one.includes(',')))(
    'counts on the day %s',
    async (words) => {
      expect(await readDays(header, quoted(words))).toEqual(['2025-12-30']);
    },
  );
  test('counts on its own day if it contains no such words', async () =>
    expect(await readDays(header, quoted('').replace('01/02/2026 ,', '01/02/2026,'))).toEqual(['2026-01-02']));
});

describe('a mapped file', () => {
  const mapping = {
    columns: { When: 'date', Kind: 'type', Ticker: 'asset', Units: 'quantity', Money: 'amount', Memo: 'note' },
    types: { Sold: 'sell' },
    dateOrder: 'mdy',
  } as const;
  const of = async (when: string, memo: string): Promise<readonly string[]> => {
    const file = `When,Kind,Ticker,Units,Money,Memo\n${when},Sold,ACME,100,2500,${memo}\n`;
    const { drafts } = await readWhole(file, { mapping });
    return drafts.map(({ on }) => formatDay(on));
  };

  test('counts on the second date of its date cell', async () =>
    expect(await of('01/02/2026 as of 12/30/2025', '')).toEqual(['2025-12-30']));

  test('counts on the day that its note names', async () =>
    expect(await of('2026-01-02', 'ASSIGNED CALLS AS OF 12-30-25')).toEqual(['2025-12-30']));

  test('counts on the day in a text that is otherwise ignored', async () => {
    const file = 'When,Kind,Ticker,Units,Money,Details\n2026-01-02,Sold,ACME,100,2500,SOLD AS OF 12/30/2025\n';
    const { Memo: _, ...columns } = mapping.columns;
    const { drafts } = await readWhole(file, { mapping: { ...mapping, columns } });
    expect(drafts.map(({ on }) => formatDay(on))).toEqual(['2025-12-30']);
  });

  test('is rejected if its note names a later day, or one long past', async () => {
    expect(await of('2026-01-02', 'AS OF 02/30/2026')).toEqual(['2026-01-02']);
    expect(await of('2026-01-02', 'AS OF 02/03/2026')).toEqual([]);
    expect(await of('2026-01-02', 'AS OF 12/30/2023')).toEqual([]);
  });
});
