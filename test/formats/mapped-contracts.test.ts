import { describe, expect, test } from 'bun:test';
import { readFuture } from '../../src/formats/cells/future-symbol.ts';
import { readOption } from '../../src/formats/cells/option-symbol.ts';
import { readSplitTerms } from '../../src/formats/mapping/splits.ts';
import { judge } from '../support/proposal-bench.ts';
import { proposalOf } from '../support/proposed.ts';
import { readLines } from './mapped-lines.ts';

/** A file that is read by its proposed mapping, and the expected lines. */
interface ReadFile {
  readonly name: string;
  readonly file: string;
  readonly lines: readonly string[];
}

const read: readonly ReadFile[] = [
  {
    name: 'closed positions with an entry and an exit',
    file: `Trade #,Instrument,Market pos.,Qty,Entry price,Exit price,Entry time,Exit time,Profit,Commission
1,TSLA,Long,3,250.00,260.00,2025-02-03 10:00:00,2025-02-05 15:00:00,30.00,1.50
2,TSLA,Short,2,262.00,255.00,2025-02-10 10:00:00,2025-02-11 15:00:00,14.00,1.00`,
    lines: [
      '2 2025-02-03T10:00:00Z buy TSLA quantity=3 amount=750.00 id=TSLA opened 2025-02-03T10:00:00Z',
      '2 2025-02-05T15:00:00Z sell TSLA quantity=3 amount=780.00 fee=1.50 lots=TSLA opened 2025-02-03T10:00:00Z:3 stated_gain=30.00',
      '3 2025-02-10T10:00:00Z short_sell TSLA quantity=2 amount=524.00 id=TSLA opened 2025-02-10T10:00:00Z',
      '3 2025-02-11T15:00:00Z cover TSLA quantity=2 amount=510.00 fee=1.00 lots=TSLA opened 2025-02-10T10:00:00Z:2 stated_gain=14.00',
    ],
  },
  {
    name: 'a spreadsheet with a purchase and a sale in one row',
    file: `Ticker,Shares,Buy Date,Buy Price,Sell Date,Sell Price,Net Profit
NKE,10,2024-01-05,100.00,2025-03-05,90.50,-95.00
KO,4,2025-01-06,60.00,2025-03-05,61.00,4.00`,
    lines: [
      '2 2024-01-05 buy NKE quantity=10 amount=1000.00 id=NKE opened 2024-01-05',
      '2 2025-03-05 sell NKE quantity=10 amount=905.00 lots=NKE opened 2024-01-05:10 stated_gain=-95.00',
      '3 2025-01-06 buy KO quantity=4 amount=240.00 id=KO opened 2025-01-06',
      '3 2025-03-05 sell KO quantity=4 amount=244.00 lots=KO opened 2025-01-06:4 stated_gain=4.00',
    ],
  },
  {
    name: 'closed positions in futures with a result before fees',
    file: `Id,ContractName,EnteredAt,ExitedAt,EntryPrice,ExitPrice,Fees,PnL,Size,Type
7,MNQU5,2025-07-01 14:00:00,2025-07-01 14:05:00,22000.25,22010.25,1.48,40.00,2,Long`,
    lines: [
      '2 2025-07-01T14:00:00Z buy /MNQU5 quantity=2 amount=88001.00 id=7 opened 2025-07-01T14:00:00Z',
      '2 2025-07-01T14:05:00Z sell /MNQU5 quantity=2 amount=88041.00 fee=1.48 lots=7 opened 2025-07-01T14:00:00Z:2 stated_gain=40.00 id=7',
    ],
  },
  {
    name: 'closed positions in currencies, with the result after its charges',
    file: `Ticket,Symbol,Side,Open Time,Close Time,Open Price,Close Price,Lots,Commission,Swap,Net Profit
5,GBPUSD,sell,2025-03-03 08:00:00,2025-03-03 12:00:00,1.27000,1.26900,1.00,-7.00,-0.50,92.50`,
    lines: ['2 2025-03-03T12:00:00Z currency_gain amount=92.50'],
  },
  {
    name: 'closed positions from a trading terminal, with lots and lowercase currencies',
    file: `Ticket,Open Time,Type,Size,Item,Open Price,Close Time,Close Price,Commission,Swap,Profit
11,2025.06.02 10:00:00,buy,1.00,eurusd,1.08000,2025.06.02 12:00:00,1.08200,-7.00,-1.50,200.00
12,2025.06.03 10:00:00,sell,0.50,gbpusd,1.27000,2025.06.03 12:00:00,1.27100,-3.50,0,-50.00`,
    lines: ['2 2025-06-02T12:00:00Z currency_gain amount=191.50', '3 2025-06-03T12:00:00Z currency_gain amount=-53.50'],
  },
  {
    name: 'options whose strike, expiration and right have separate columns',
    file: `Trade Date,Side,Underlying,Expiry,Strike,Type,Qty,Price,Commission,Open/Close
2025-01-06,Sell,QCOM,2025-02-21,150,Put,2,3.10,1.30,Open
2025-01-16,Buy,QCOM,2025-02-21,150,Put,2,1.10,1.30,Close`,
    lines: [
      '2 2025-01-06 sell_to_open QCOM 2025-02-21 P 150 quantity=2 amount=620.00 fee=1.30 underlying=QCOM right=put',
      '3 2025-01-16 buy_to_close QCOM 2025-02-21 P 150 quantity=2 amount=220.00 fee=1.30 underlying=QCOM right=put',
    ],
  },
  {
    name: 'options priced per share, with a multiplier column',
    file: `Date,Action,Contract,Qty,Price,Multiplier,Commission
2023-03-14,Buy,AAPL 230616C00150000,2,5.00,100,1.30
2023-03-15,Sell,AAPL 230616C00150000,1,6.00,100,0.65`,
    lines: [
      '2 2023-03-14 buy_to_open AAPL 2023-06-16 C 150 quantity=2 amount=1000.00 fee=1.30 underlying=AAPL right=call',
      '3 2023-03-15 sell_to_close AAPL 2023-06-16 C 150 quantity=1 amount=600.00 fee=0.65 underlying=AAPL right=call',
    ],
  },
  {
    name: 'futures that are sold before they are bought',
    file: `Time,Contract,B/S,Qty,Price,Fee
2025-05-01 10:00:00,CLM5,S,2,62.50,4.00
2025-05-02 10:00:00,CLM5,B,2,61.00,4.00`,
    lines: [
      '2 2025-05-01T10:00:00Z short_sell /CLM5 quantity=2 amount=125000.00 fee=4.00',
      '3 2025-05-02T10:00:00Z cover /CLM5 quantity=2 amount=122000.00 fee=4.00',
    ],
  },
  {
    name: 'a reverse split as two rows with signed share counts',
    file: `Date,Action,Symbol,Quantity,Price,Amount
2025-01-06,Buy,WISH,300,1.00,-300.00
2025-02-03,Reverse Split,WISH,-300,,
2025-02-03,Reverse Split,WISH,10,,
2025-03-03,Sell,WISH,-10,33.00,330.00`,
    lines: [
      '2 2025-01-06 buy WISH quantity=300 amount=300.00',
      '3+4 2025-02-03 split WISH ratio=10:300',
      '5 2025-03-03 sell WISH quantity=10 amount=330.00',
    ],
  },
  {
    name: 'a split whose ratio is in its description',
    file: `Date,Type,Symbol,Shares,Price,Description
2025-01-06,Buy,ANET,5,400.00,
2025-02-03,Split,ANET,15,,4-for-1 forward split
2025-03-03,Sell,ANET,20,110.00,`,
    lines: [
      '2 2025-01-06 buy ANET quantity=5 amount=2000.00',
      '3 2025-02-03 split ANET ratio=4:1',
      '4 2025-03-03 sell ANET quantity=20 amount=2200.00',
    ],
  },
  {
    name: 'tax withheld from a sale, computed from a total after tax',
    file: `Date,Action,Symbol,Shares,Price,Fee,Tax,Net
2025-01-06,Buy,SAP,10,100.00,1.00,0.00,-1001.00
2025-03-03,Sell,SAP,10,120.00,1.00,40.00,1159.00`,
    lines: [
      '2 2025-01-06 buy SAP quantity=10 amount=1000.00 fee=1.00',
      '3 2025-03-03 sell SAP quantity=10 amount=1200.00 fee=1.00',
      '3 2025-03-03 withholding SAP amount=40.00',
    ],
  },
  {
    name: 'options described in the instrument column, next to trade codes',
    file: `Activity Date,Instrument,Trans Code,Quantity,Price,Amount
2025-01-06,PLTR $30 Put 03/21/2025,Buy,2,100.00,-200.00
2025-01-07,PLTR,Buy,5,70.00,-350.00
2025-01-16,PLTR $30 Put 03/21/2025,Sell,2,150.00,300.00`,
    lines: [
      '2 2025-01-06 buy_to_open PLTR 2025-03-21 P 30 quantity=2 amount=200.00 underlying=PLTR right=put',
      '3 2025-01-07 buy PLTR quantity=5 amount=350.00',
      '4 2025-01-16 sell_to_close PLTR 2025-03-21 P 30 quantity=2 amount=300.00 underlying=PLTR right=put',
    ],
  },
  {
    name: 'an expiration in the type column',
    file: `Date,Action,Symbol,Quantity,Price,Amount
2025-01-06,Sell,IBM 250117C00230000,1,2.00,200.00
2025-01-17,Expired,IBM 250117C00230000,1,0.00,0.00`,
    lines: [
      '2 2025-01-06 sell_to_open IBM 2025-01-17 C 230 quantity=1 amount=200.00 underlying=IBM right=call',
      '3 2025-01-17 expire IBM 2025-01-17 C 230 quantity=1 underlying=IBM right=call',
    ],
  },
];

describe('a proposal accepted unchanged reads', () => {
  for (const { name, file, lines } of read) test(name, async () => expect(await readLines(file)).toEqual([...lines]));
});

/** Files that raise a question or an error: the column of the question, or the code of a rejected line. */
const asked: readonly (readonly [name: string, file: string, question: string])[] = [
  [
    'whether the quantity of a split is its ratio',
    'Date,Type,Symbol,Quantity,Price\n2025-01-06,Buy,ANET,10,300.00\n2025-02-03,Split,ANET,3,',
    'Quantity',
  ],
  [
    'about the dollars of one point of a future abroad',
    'Date,Side,Symbol,Quantity,Price\n2025-01-06,Buy,FDAXH5,1,20100\n2025-01-07,Sell,FDAXH5,1,20200',
    'Symbol',
  ],
  [
    'whether a symbol is a share or a future',
    'Date,Side,Symbol,Quantity,Price\n2025-01-06,Buy,HEN3,10,80.10\n2025-01-07,Sell,HEN3,10,81.10',
    'Symbol',
  ],
  [
    'what a purchase of currencies gained',
    'Date,Side,Symbol,Quantity,Price\n2025-01-06,Buy,EURUSD,1000,1.05\n2025-01-07,Sell,EURUSD,1000,1.06',
    'Symbol',
  ],
  [
    'whether a tax on purchases is their cost',
    'Date,Side,Symbol,Quantity,Price,Tax\n2025-01-06,Buy,VOD,1000,1.05,5.25\n2025-01-07,Sell,VOD,1000,1.06,0',
    'Tax',
  ],
  [
    'when a closed position was opened',
    'Time,Symbol,Side,Qty,Entry Price,Exit Price,Closed P&L\n2025-01-06 10:00:00,TSLA,Sell,3,250,260,30',
    'Entry Price',
  ],
  [
    'about a second column that states an event',
    'Date,Side,Symbol,Quantity,Amount,Remarks2\n2025-01-06,Buy,ANET,10,3000.00,\n2025-02-03,Sell,ANET,10,3000.00,Merger',
    'Remarks2',
  ],
  [
    'about contracts and their stock in different columns',
    'Date,Instrument,Description,Side,Quantity,Amount\n2025-01-06,PLTR,PLTR 3/21/2025 Put $30.00,Buy,2,200\n2025-01-16,PLTR,PLTR 3/21/2025 Put $30.00,Sell,2,300',
    'Description',
  ],
  [
    'about rows that a text calls canceled',
    'Date,Side,Symbol,Quantity,Amount,Details\n2025-01-06,Buy,ANET,10,3000.00,filled\n2025-02-03,Sell,ANET,10,3000.00,order was canceled by user',
    'Details',
  ],
  [
    'about dividends next to as many units as they would buy',
    'Date,Type,Symbol,Quantity,Amount\n2025-01-06,Buy,VTI,10,2900.00\n2025-03-25,Dividend,VTI,0.04,11.60',
    'Quantity',
  ],
];

describe('a proposal', () => {
  test.each(asked)('asks %s', (_name, file, column) => {
    expect(Object.keys(proposalOf(file)?.undecided ?? {})).toContain(column);
  });

  test('asks with both meanings of a split and their effect on each share', () => {
    const file = 'Date,Type,Symbol,Quantity,Amount\n2025-01-06,Buy,ANET,10,3000.00\n2025-02-03,Split,ANET,3,';
    const question = proposalOf(file)?.undecided?.Quantity;
    expect(question).toContain('10 shares become 30 ($100.00 each) or 13 ($230.77 each)');
  });
});

describe('a mapped row', () => {
  test('is rejected if its stated gain does not match its prices', async () => {
    const file = `Ticker,Shares,Buy Date,Buy Price,Sell Date,Sell Price,Gross P/L
NKE,10,2024-01-05,100.00,2025-03-05,90.50,-95.00
KO,4,2025-01-06,60.00,2025-03-05,61.00,40.00`;
    expect((await readLines(file)).at(-1)).toBe('3 REJECTED Gross P/L: gain_disagrees');
  });

  test('is rejected if its position was charged for overnight financing', async () => {
    const file = `Symbol,Side,Open time,Open price,Close time,Close price,Volume,Swap,Gross P/L
NKE,buy,2025-01-06 10:00:00,100.00,2025-03-05 10:00:00,110.00,10,-3.20,100.00`;
    expect(await readLines(file)).toEqual(['2 REJECTED Swap: unclear_fee']);
  });
});

test('the first sale of a contract that the file never closes is a sale without its purchase', async () => {
  const file = 'Date,Side,Symbol,Qty,Price,Fee\n2025-01-06,Sell,IBM 250117C00230000,1,2.00,0.65\n';
  expect(await readLines(file)).toEqual([
    '2 2025-01-06 sell_to_close IBM 2025-01-17 C 230 quantity=1 amount=200.00 fee=0.65 underlying=IBM right=call',
  ]);
});

test('a split with two meanings is read according to the answer', async () => {
  const file = 'Date,Type,Symbol,Quantity,Price\n2025-01-06,Buy,ANET,10,300.00\n2025-02-03,Split,ANET,3,\n';
  const { undecided, ...mapping } = proposalOf(file) ?? { columns: {} };
  expect(undecided).toBeDefined();
  expect((await readLines(file, { ...mapping, splitQuantity: 'ratio' })).at(-1)).toBe(
    '3 2025-02-03 split ANET ratio=3:1',
  );
  expect((await readLines(file, { ...mapping, splitQuantity: 'added' })).at(-1)).toBe(
    '3 2025-02-03 split ANET quantity=3',
  );
  expect((await readLines(file, mapping)).at(-1)).toBe('3 REJECTED Quantity: ambiguous_split');
});

test('the terms of a split are read from its text', () => {
  const terms = (text: string): string => {
    const read = readSplitTerms(text);
    return read === undefined ? '' : `${read.fresh}:${read.old}`;
  };
  const texts = [
    '3-for-1 stock split',
    '1 for 10',
    'Reverse split 1:10',
    'reverse split 10:1',
    'Split 4:1',
    'split 1:4',
  ];
  expect(texts.map(terms)).toEqual(['3:1', '1:10', '1:10', '1:10', '4:1', '']);
  expect(['Bought at 10:30', 'split on 03/04/2025', 'split', 'sold 3 of 4'].map(terms)).toEqual(['', '', '', '']);
});

test('futures are recognized by their symbols, and shares are not read as futures', () => {
  const futures = ['ESZ6', '/ESZ26', 'ESZ6.CME', 'CON.F.US.MNQ.Z25', 'ES 12-26', 'GC DEC26', '6EH7', '/ES'];
  expect(futures.map((text) => readFuture(text)?.multiplier ?? '')).toEqual([
    '50',
    '50',
    '50',
    '2',
    '50',
    '100',
    '125000',
    '50',
  ]);
  expect(['AAPL', 'ES', 'VOW3', 'PETR4', 'ESZ6.TO', 'BRK.B', 'X'].map(readFuture)).toEqual(Array(7).fill(undefined));
  expect(readOption('TSLA $250 Call 12/20/2024')).toMatchObject({ underlying: 'TSLA', right: 'call', strike: '250' });
});

test('earlier questions are still asked', async () => {
  const { verdict } = await judge({ text: 'Date,Side,Symbol,Qty,Price\n2025-01-06,Buy,FESXH5,1,5000\n', answers: [] });
  expect(verdict).toBe('asked');
});
