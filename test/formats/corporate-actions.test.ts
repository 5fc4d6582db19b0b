import { describe, expect, test } from 'bun:test';
import { outcomeLines } from './outcome-lines.ts';
import { readWhole } from './reading.ts';

/** Returns the drafts for rows in any order, without their lines. Rejections include their reason. */
async function readRows(header: string, rows: readonly string[]): Promise<string[]> {
  const whole = await readWhole(`${[header, ...rows].join('\n')}\n`);
  const rejected = whole.outcomes.flatMap((outcome) =>
    outcome.kind === 'rejected' ? [`REJECTED ${outcome.issue.code}: ${outcome.issue.reason}`] : [],
  );
  const read = outcomeLines(whole, '')
    .filter((line) => !line.includes(' REJECTED '))
    .map((line) =>
      line
        .replace(/^[\d+]+ /, '')
        .replace(/ @[A-Za-z*]+(?: \d{4})?(?: [A-Z][a-z]+)?(?= )/, '')
        .replace(/T\S+Z/, ''),
    );
  return [...read.sort(), ...rejected.sort()];
}

const sources = {
  schwab: {
    header: 'Date,Action,Symbol,Description,Quantity,Price,Fees & Comm,Amount',
    row: (date: string, action: string, symbol: string, name: string, quantity: string, amount = '') =>
      `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)},${action},${symbol},${name},${quantity},,,${amount}`,
  },
  fidelity: {
    header:
      'Run Date,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),Fees ($),Accrued Interest ($),Amount ($)',
    row: (date: string, action: string, symbol: string, name: string, quantity: string, amount = '') =>
      `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)},${action} ${name} (${symbol}) (Cash),${symbol},${name},Cash,${quantity},,,,,${amount}`,
  },
  tastytrade: {
    header:
      'Date,Type,Sub Type,Action,Symbol,Instrument Type,Description,Value,Quantity,Average Price,Commissions,Fees,Multiplier,Root Symbol,Underlying Symbol,Currency',
    row: (date: string, action: string, symbol: string, _name: string, quantity: string, amount = '0.00') => {
      const closes = quantity.startsWith('-');
      const size = quantity.replace('-', '');
      const kind = /\d/.test(symbol) ? 'Equity Option' : 'Equity';
      return `${date}T16:00:00+0000,Receive Deliver,${action},${closes ? 'SELL_TO_CLOSE' : 'BUY_TO_OPEN'},${symbol},${kind},${action}: ${closes ? 'Close' : 'Open'} ${size} ${symbol},${amount},${size},0.00,--,0.00,,,,USD`;
    },
  },
  vanguard: {
    header:
      'Account Number,Trade Date,Settlement Date,Transaction Type,Transaction Description,Investment Name,Symbol,Shares,Share Price,Principal Amount,Commissions and Fees,Net Amount,Accrued Interest,Account Type,',
    row: (date: string, action: string, symbol: string, name: string, quantity: string, amount = '0.00') =>
      `1111,${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)},,${action},${action},${name},${symbol},${quantity},0.0000,${amount},0.00,${amount},0.00,CASH,`,
  },
  etrade: {
    header:
      'Activity/Trade Date,Transaction Date,Settlement Date,Activity Type,Description,Symbol,Cusip,Quantity #,Price $,Amount $,Commission,Category,Note',
    row: (date: string, action: string, symbol: string, name: string, quantity: string, amount = '0') => {
      const written = `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(2, 4)}`;
      return `${written},${written},${written},${action},${name},${symbol},,${quantity},0,${amount},0,--,--`;
    },
  },
} as const;

const [day, nextDay, weekLater] = ['2024-06-06', '2024-06-07', '2024-06-14'];

interface PairCase {
  readonly of: keyof typeof sources;
  readonly words: readonly [out: string, come: string];
  readonly out: readonly [symbol: string, name: string, quantity: bigint];
  readonly come: readonly [symbol: string, name: string, quantity: bigint];
  readonly is: string;
}

/**
 * Actions whose two sides are separate rows: the texts of the two rows, the shares removed and added, and their type.
 */
const pairs: readonly PairCase[] = [
  {
    of: 'schwab',
    words: ['Reverse Split', 'Reverse Split'],
    out: ['000000AB1', 'OAKS INC XXXREVERSE SPLIT EFF: 06/06/24', 200n],
    come: ['OAKS', 'OAKS INC', 10n],
    is: 'split OAKS ratio=1:20',
  },
  {
    of: 'schwab',
    words: ['Stock Merger', 'Stock Merger'],
    out: ['OAKS', 'OAKS INC', 50n],
    come: ['PINE', 'PINE INC', 25n],
    is: 'merger OAKS received_asset=PINE ratio=1:2',
  },
  {
    of: 'schwab',
    words: ['Name Change', 'Name Change'],
    out: ['OAKS', 'OAKS INC', 50n],
    come: ['PINE', 'PINE INC', 50n],
    is: 'rename OAKS received_asset=PINE',
  },
  {
    of: 'schwab',
    words: ['CUSIP Change', 'CUSIP Change'],
    out: ['OAKS', 'OAKS INC', 50n],
    come: ['PINE', 'PINE INC', 50n],
    is: 'rename OAKS received_asset=PINE',
  },
  {
    of: 'schwab',
    words: ['Conversion', 'Conversion'],
    out: ['OAKPR', 'OAKS PFD', 340n],
    come: ['OAKS', 'OAKS INC', 34n],
    is: 'merger OAKPR received_asset=OAKS ratio=0.1',
  },
  {
    of: 'fidelity',
    words: [
      'REVERSE SPLIT R/S TO 000000AB2#REOR M0000000000001',
      'REVERSE SPLIT R/S FROM 000000AB1#REOR M0000000000001',
    ],
    out: ['000000AB1', 'OAKS INC', 200n],
    come: ['OAKS', 'OAKS INC', 10n],
    is: 'split OAKS ratio=1:20',
  },
  {
    of: 'fidelity',
    words: ['MERGER MER TO 000000AB2#REOR M0000000000001', 'MERGER MER FROM OAKS#REOR M0000000000001'],
    out: ['OAKS', 'OAKS INC', 50n],
    come: ['PINE', 'PINE INC', 25n],
    is: 'merger OAKS received_asset=PINE ratio=1:2',
  },
  {
    of: 'fidelity',
    words: ['NAME CHANGED N/C TO 000000AB2', 'NAME CHANGED N/C FROM 000000AB1'],
    out: ['OAKS', 'OAKS INC', 50n],
    come: ['PINE', 'PINE INC', 50n],
    is: 'rename OAKS received_asset=PINE',
  },
  {
    of: 'fidelity',
    words: ['CONVERSION SHS EXCHANGED TO', 'CONVERSION SHS EXCHANGED FROM'],
    out: ['OAKIX', 'OAKS FUND INV', 50n],
    come: ['OAKAX', 'OAKS FUND ADM', 40n],
    is: 'merger OAKIX received_asset=OAKAX ratio=4:5',
  },
  {
    of: 'tastytrade',
    words: ['Reverse Split', 'Reverse Split'],
    out: ['OAKS', '', 200n],
    come: ['OAKS', '', 10n],
    is: 'split OAKS ratio=1:20',
  },
  {
    of: 'tastytrade',
    words: ['Forward Split', 'Forward Split'],
    out: ['OAKS', '', 10n],
    come: ['OAKS', '', 40n],
    is: 'split OAKS ratio=4:1',
  },
  {
    of: 'tastytrade',
    words: ['Symbol Change', 'Symbol Change'],
    out: ['OAKS', '', 50n],
    come: ['PINE', '', 50n],
    is: 'rename OAKS received_asset=PINE',
  },
  {
    of: 'tastytrade',
    words: ['Stock Merger', 'Stock Merger'],
    out: ['OAKS', '', 50n],
    come: ['PINE', '', 25n],
    is: 'merger OAKS received_asset=PINE ratio=1:2',
  },
  {
    of: 'tastytrade',
    words: ['Symbol Change', 'Symbol Change'],
    out: ['OAKS  241220C00045000', '', 2n],
    come: ['PINE  241220C00045000', '', 2n],
    is: 'rename OAKS 2024-12-20 C 45 received_asset=PINE 2024-12-20 C 45 asset_class=option',
  },
  {
    of: 'tastytrade',
    words: ['Forward Split', 'Forward Split'],
    out: ['OAKS  241220C00045000', '', 2n],
    come: ['OAKS  241220C00022500', '', 4n],
    is: 'merger OAKS 2024-12-20 C 45 received_asset=OAKS 2024-12-20 C 22.5 ratio=2:1 asset_class=option',
  },
  {
    of: 'etrade',
    words: ['Reverse Split', 'Reverse Split'],
    out: ['000000AB1', 'OAKS INC', 200n],
    come: ['OAKS', 'OAKS INC', 10n],
    is: 'split OAKS ratio=1:20',
  },
  {
    of: 'etrade',
    words: ['Stock Merger', 'Stock Merger'],
    out: ['OAKS', 'OAKS INC', 50n],
    come: ['PINE', 'PINE INC', 25n],
    is: 'merger OAKS received_asset=PINE ratio=1:2',
  },
  {
    of: 'etrade',
    words: ['Name Change', 'Name Change'],
    out: ['OAKS', 'OAKS INC', 50n],
    come: ['PINE', 'PINE INC', 50n],
    is: 'rename OAKS received_asset=PINE',
  },
  {
    of: 'vanguard',
    words: ['Conversion (outgoing)', 'Conversion (incoming)'],
    out: ['OAKIX', 'OAKS FUND INV', 50n],
    come: ['OAKAX', 'OAKS FUND ADM', 40n],
    is: 'merger OAKIX received_asset=OAKAX ratio=4:5',
  },
  {
    of: 'vanguard',
    words: ['Corp Action (Merger)', 'Corp Action (Merger)'],
    out: ['OAKS', 'OAKS INC', 50n],
    come: ['PINE', 'PINE INC', 25n],
    is: 'merger OAKS received_asset=PINE ratio=1:2',
  },
  {
    of: 'vanguard',
    words: ['Reverse split', 'Reverse split'],
    out: ['OAKS', 'OAKS INC', 200n],
    come: ['OAKS', 'OAKS INC', 10n],
    is: 'split OAKS ratio=1:20',
  },
];

describe.each(pairs.map((pair) => [`${pair.of}, ${pair.words[0]}, ${pair.out[0]}`, pair] as const))(
  '%s',
  (_name, pair) => {
    const { header, row } = sources[pair.of];
    const out = (date: string, quantity = pair.out[2]) =>
      row(date, pair.words[0], pair.out[0], pair.out[1], `-${quantity}`);
    const come = (date: string, quantity = pair.come[2]) =>
      row(date, pair.words[1], pair.come[0], pair.come[1], String(quantity));

    test('the two rows are one action in either order', async () => {
      expect(await readRows(header, [out(day), come(day)])).toEqual([`${day} ${pair.is}`]);
      expect(await readRows(header, [come(day), out(day)])).toEqual([`${day} ${pair.is}`]);
    });

    test('the two rows may be on consecutive days, and the first day counts', async () => {
      expect(await readRows(header, [come(nextDay), out(day)])).toEqual([`${day} ${pair.is}`]);
      expect(await readRows(header, [out(nextDay), come(day)])).toEqual([`${day} ${pair.is}`]);
    });

    test('each lot may have its own row', async () => {
      expect(await readRows(header, [out(day, 1n), come(day), out(day, pair.out[2] - 1n)])).toEqual([
        `${day} ${pair.is}`,
      ]);
      expect(await readRows(header, [come(day, 1n), out(day), come(day, pair.come[2] - 1n)])).toEqual([
        `${day} ${pair.is}`,
      ]);
    });

    test('one row alone is rejected, with the missing row named', async () => {
      expect((await readRows(header, [out(day)])).join()).toMatch(
        /^REJECTED unpaired: The row received in exchange for these shares/,
      );
      expect((await readRows(header, [come(day)])).join()).toMatch(
        /^REJECTED unpaired: The row for the shares exchanged for these/,
      );
      expect((await readRows(header, [out(day), come(weekLater)])).join()).toMatch(
        /^REJECTED unpaired.*REJECTED unpaired/,
      );
    });
  },
);

const { schwab, fidelity, tastytrade, vanguard } = sources;

describe('rows of two actions on one day', () => {
  test('are paired by their symbol', async () => {
    const rows = [
      tastytrade.row(day, 'Reverse Split', 'OAKS', '', '-200'),
      tastytrade.row(day, 'Reverse Split', 'PINE', '', '-300'),
      tastytrade.row(day, 'Reverse Split', 'PINE', '', '30'),
      tastytrade.row(day, 'Reverse Split', 'OAKS', '', '10'),
    ];
    expect(await readRows(tastytrade.header, rows)).toEqual([
      `${day} split OAKS ratio=1:20`,
      `${day} split PINE ratio=0.1`,
    ]);
  });

  test('are paired by the name of the security', async () => {
    const rows = [
      schwab.row(day, 'Reverse Split', '000000AB1', 'OAKS INC XXXREVERSE SPLIT EFF: 06/06/24', '-200'),
      schwab.row(day, 'Reverse Split', '000000AB2', 'PINE INC XXXREVERSE SPLIT EFF: 06/06/24', '-300'),
      schwab.row(day, 'Reverse Split', 'PINE', 'PINE INC', '30'),
      schwab.row(day, 'Reverse Split', 'OAKS', 'OAKS INC', '10'),
    ];
    expect(await readRows(schwab.header, rows)).toEqual([
      `${day} split OAKS ratio=1:20`,
      `${day} split PINE ratio=0.1`,
    ]);
  });

  test('are paired by the symbol in the text', async () => {
    const rows = [
      fidelity.row(day, 'MERGER MER TO 000000AB2', 'OAKS', 'OAKS INC', '-200'),
      fidelity.row(day, 'MERGER MER TO 000000AB3', 'ELMS', 'ELMS INC', '-300'),
      fidelity.row(day, 'MERGER MER FROM ELMS', 'PINE', 'PINE INC', '30'),
      fidelity.row(day, 'MERGER MER FROM OAKS', 'FIRS', 'FIRS INC', '10'),
    ];
    expect(await readRows(fidelity.header, rows)).toEqual([
      `${day} merger ELMS received_asset=PINE ratio=0.1`,
      `${day} merger OAKS received_asset=FIRS ratio=1:20`,
    ]);
  });

  test('are rejected, with the lines in question, if nothing pairs them', async () => {
    const rows = [
      tastytrade.row(day, 'Symbol Change', 'OAKS', '', '-200'),
      tastytrade.row(day, 'Symbol Change', 'ELMS', '', '-200'),
      tastytrade.row(day, 'Symbol Change', 'PINE', '', '200'),
      tastytrade.row(day, 'Symbol Change', 'FIRS', '', '200'),
    ];
    const read = await readRows(tastytrade.header, rows);
    expect(read).toHaveLength(4);
    expect(read[0]).toBe(
      'REJECTED unpaired: It is not clear which rows of this corporate action belong together (lines 2, 3 and 4). Enter it manually',
    );
  });
});

test('rows of two actions whose counterparts are on other days are not paired', async () => {
  const rows = [
    tastytrade.row('2024-06-04', 'Symbol Change', 'OAKS', '', '-200'),
    tastytrade.row('2024-06-05', 'Symbol Change', 'FIRS', '', '200'),
    tastytrade.row('2024-06-05', 'Symbol Change', 'ELMS', '', '-200'),
    tastytrade.row('2024-06-06', 'Symbol Change', 'PINE', '', '200'),
  ];
  expect((await readRows(tastytrade.header, rows)).every((line) => line.startsWith('REJECTED unpaired'))).toBe(true);
});

test('pairs on several days each keep their own day', async () => {
  const rows = [
    tastytrade.row('2024-06-04', 'Symbol Change', 'OAKS', '', '-200'),
    tastytrade.row('2024-06-04', 'Symbol Change', 'FIRS', '', '200'),
    tastytrade.row('2024-06-06', 'Symbol Change', 'ELMS', '', '-200'),
    tastytrade.row('2024-06-06', 'Symbol Change', 'PINE', '', '200'),
  ];
  expect(await readRows(tastytrade.header, rows)).toEqual([
    '2024-06-04 rename OAKS received_asset=FIRS',
    '2024-06-06 rename ELMS received_asset=PINE',
  ]);
});

describe('shares listed under a CUSIP', () => {
  const pair = [
    schwab.row(day, 'Stock Merger', 'PINE', 'PINE INC', '50'),
    schwab.row(day, 'Stock Merger', '000000AB1', 'OAKS INC CL A XXXMANDATORY MERGER EFF: 06/06/24', '-50'),
  ];

  test('belong to the symbol that another row gives the same name', async () => {
    const bought = schwab.row('2024-01-03', 'Buy', 'OAKS', 'OAKS INC CL A', '50', '-500');
    expect(await readRows(schwab.header, [...pair, bought])).toContain(
      `${day} merger OAKS received_asset=PINE ratio=1:1`,
    );
  });

  test('raise a question if no other row names them', async () => {
    const other = schwab.row('2024-01-03', 'Buy', 'OAKW', 'OAKS INC WARRANTS', '50', '-500');
    for (const rows of [pair, [...pair, other]]) {
      const rejected = (await readRows(schwab.header, rows)).filter((line) => line.startsWith('REJECTED'));
      expect(rejected).toHaveLength(2);
      expect(rejected[0]).toContain(
        '50 PINE replaced 50 000000AB1, a CUSIP with no symbol in the file (lines 2 and 3)',
      );
    }
  });

  test('raise a question if two symbols have the name', async () => {
    const bought = ['OAKS', 'OAKB'].map((symbol) =>
      schwab.row('2024-01-03', 'Buy', symbol, 'OAKS INC CL A', '50', '-500'),
    );
    const rejected = (await readRows(schwab.header, [...pair, ...bought])).filter((line) =>
      line.startsWith('REJECTED'),
    );
    expect(rejected).toHaveLength(2);
  });
});

describe('mergers for cash', () => {
  test('Schwab reports the cash and the shares in two rows', async () => {
    const rows = [
      schwab.row(day, 'Cash Merger', 'OAKS', 'OAKS INC', '', '$500.00'),
      schwab.row(nextDay, 'Cash Merger Adj', 'OAKS', 'OAKS INC', '-20'),
    ];
    for (const order of [rows, rows.toReversed()])
      expect(await readRows(schwab.header, order)).toEqual([`${day} sell OAKS quantity=20 amount=500.00`]);
  });

  test('Schwab reports cash together with new shares, and the engine asks for their value', async () => {
    const rows = [
      schwab.row(day, 'Cash/Stock Merger', 'PINE', 'PINE INC', '10'),
      schwab.row(day, 'Cash/Stock Merger', 'OAKS', 'OAKS INC', '-20'),
      schwab.row(day, 'Cash/Stock Merger', 'OAKS', 'OAKS INC', '', '$500.00'),
    ];
    expect(await readRows(schwab.header, rows)).toEqual([
      `${day} merger OAKS amount=500.00 received_asset=PINE ratio=1:2`,
    ]);
  });

  test('Fidelity reports both in one row', async () => {
    const row = fidelity.row(day, 'MERGER MER PAYOUT #REORCM0000000000001', 'OAKS', 'OAKS INC', '-20', '500.00');
    expect(await readRows(fidelity.header, [row])).toEqual([`${day} sell OAKS quantity=20 amount=500.00`]);
  });

  test('Fidelity’s value of received shares is not cash', async () => {
    const row = fidelity.row(day, 'MERGER MER FROM 000000AB1#REOR M0000000000001', 'PINE', 'PINE INC', '20', '500.00');
    expect((await readRows(fidelity.header, [row])).join()).toContain(
      'whether this amount is cash or the value of the shares',
    );
  });

  test('E*TRADE reports both in one row or in two', async () => {
    const { header, row } = sources.etrade;
    const whole = row(day, 'Cash Merger', 'OAKS', 'OAKS INC', '-20', '500');
    const parts = [
      row(day, 'Cash Merger', 'OAKS', 'OAKS INC', '-20'),
      row(day, 'Cash Merger', 'OAKS', 'OAKS INC', '0', '500'),
    ];
    for (const rows of [[whole], parts, parts.toReversed()])
      expect(await readRows(header, rows)).toEqual([`${day} sell OAKS quantity=20 amount=500.00`]);
  });

  test('tastytrade reports both in one row', async () => {
    const row = tastytrade.row(day, 'Cash Merger', 'OAKS', '', '-20', '500.00');
    expect(await readRows(tastytrade.header, [row])).toEqual([`${day} sell OAKS quantity=20 amount=500.00`]);
  });
});

describe('Fidelity', () => {
  const read = (...rows: string[]): Promise<string[]> => readRows(fidelity.header, rows);
  const bought = (symbol: string, name: string, quantity: string) =>
    fidelity.row('2024-01-03', 'YOU BOUGHT', symbol, name, quantity, '-100');

  test('rows for one action have one number, regardless of the other rows that day', async () => {
    const rows = [
      fidelity.row(day, 'MERGER MER PAYOUT #REORCM0051000010000', 'ELMS', 'ELMS INC', '-20', '500.00'),
      fidelity.row(day, 'MERGER MER FROM 000000AB1#REOR M0051000020001', 'PINE', 'PINE INC', '5'),
      fidelity.row(day, 'MERGER MER PAYOUT #REOR M0051000020000', 'OAKS', 'OAKS INC', '-10'),
    ];
    for (const order of [rows, rows.toReversed()])
      expect(await read(...order)).toEqual([
        `${day} merger OAKS received_asset=PINE ratio=1:2`,
        `${day} sell ELMS quantity=20 amount=500.00`,
      ]);
  });

  test('a payout may include the new shares', async () =>
    expect(
      await read(
        fidelity.row(day, 'MERGER MER FROM 000000AB1#REOR M0051000020000', 'OAKS', 'OAKS INC', '-10'),
        fidelity.row(day, 'MERGER MER PAYOUT #REOR M0051000020001', 'PINE', 'PINE INC', '5'),
      ),
    ).toEqual([`${day} merger OAKS received_asset=PINE ratio=1:2`]));

  test('a payout in cash and shares is boot', async () =>
    expect(
      await read(
        fidelity.row(day, 'MERGER MER PAYOUT #REOR M0051000020000', 'OAKS', 'OAKS INC', '-10', '30.00'),
        fidelity.row(day, 'MERGER MER FROM OAKS#REOR M0051000020001', 'PINE', 'PINE INC', '5'),
      ),
    ).toEqual([`${day} merger OAKS amount=30.00 received_asset=PINE ratio=1:2`]));

  test('the value of the shares of a reverse split is not cash', async () => {
    const rows = (value: string) => [
      fidelity.row(day, 'REVERSE SPLIT R/S TO 000000AB2#REOR M0051000030000', 'OAKS', 'OAKS INC', '-200', '637.48'),
      fidelity.row(day, 'REVERSE SPLIT R/S FROM 000000AB1#REOR M0051000030001', 'OAKS', 'OAKS INC', '10', value),
    ];
    expect(await read(...rows('637.48'))).toEqual([`${day} split OAKS ratio=1:20`]);
    expect((await read(...rows('600.00'))).join()).toContain('whether this amount is cash or the value of the shares');
  });

  test('shares that the file lists under their CUSIP are removed there', async () =>
    expect(
      await read(
        fidelity.row(day, 'REVERSE SPLIT R/S TO 000000AB2#REOR M0051000030000', '000000AB1', 'OAKS INC', '-200'),
        fidelity.row(day, 'REVERSE SPLIT R/S FROM 000000AB1#REOR M0051000030001', 'OAKS', 'OAKS INC', '10'),
        fidelity.row('2024-01-03', 'DIVIDEND RECEIVED', '000000AB1', 'OAKS INC', '', '1.00'),
      ),
    ).toContain(`${day} merger 000000AB1 received_asset=OAKS ratio=1:20`));

  test('a missing symbol is taken from the text', async () =>
    expect(
      await read(
        '06/06/2024,REVERSE SPLIT R/S TO 000000AB2#REOR M0051000030000 OAKS INC (000000AB1) (Cash),,OAKS INC,Cash,-200,,,,,',
        '06/06/2024,REVERSE SPLIT R/S FROM 000000AB1#REOR M0051000030001 OAKS INC (OAKS) (Cash),,OAKS INC,Cash,10,,,,,',
        bought('OAKS', 'OAKS INC', '200'),
      ),
    ).toContain(`${day} split OAKS ratio=1:20`));
});

describe('Robinhood', () => {
  const header = 'Activity Date,Process Date,Settle Date,Instrument,Description,Trans Code,Quantity,Price,Amount';
  const row = (date: string, code: string, symbol: string, quantity: string, amount = '') =>
    `${date},${date},${date},${symbol},Oaks Corp,${code},${quantity},,${amount}`;
  const read = (...rows: string[]): Promise<string[]> => readRows(header, rows);

  test('a reverse split lists the old and the new shares, and there are more old ones', async () => {
    const rows = [row('6/6/2024', 'SPR', 'OAKS', '200S'), row('6/7/2024', 'SPR', 'OAKS', '10')];
    for (const order of [rows, rows.toReversed()])
      expect(await read(...order)).toEqual([`${day} split OAKS ratio=1:20`]);
  });

  test.each([
    [[row('6/6/2024', 'SPR', 'OAKS', '10')]],
    [[row('6/6/2024', 'SPR', 'OAKS', '200'), row('6/26/2024', 'SPR', 'OAKS', '10')]],
    [[row('6/6/2024', 'SPR', 'OAKS', '200'), row('6/6/2024', 'SPR', 'PINE', '10')]],
    [
      [
        row('6/6/2024', 'SPR', 'OAKS', '200'),
        row('6/6/2024', 'SPR', 'OAKS', '10'),
        row('6/6/2024', 'SPR', 'OAKS', '5'),
      ],
    ],
  ])('a reverse split without its pair raises a question', async (rows) => {
    const lines = await read(...rows);
    expect(lines).toHaveLength(rows.length);
    expect(lines[0]).toContain('A reverse split needs one row for the old shares and one for the new shares');
  });

  test('a merger for cash is a sale, and one for shares raises a question', async () => {
    const cash = row('6/6/2024', 'MRGS', 'OAKS', '20S', '$500.00');
    expect(await read(cash)).toEqual([`${day} sell OAKS quantity=20 amount=500.00`]);
    const both = await read(cash, row('6/6/2024', 'MRGS', 'PINE', '5'));
    expect(both).toHaveLength(2);
    expect(both[0]).toContain('The terms of this merger are missing');
  });

  test('a spin-off asks for its allocation', async () =>
    expect((await read(row('6/6/2024', 'SOFF', 'ACRN', '30'))).join()).toContain(
      'the share of the basis of the stock they came from that goes to 30 ACRN',
    ));
});

describe('Interactive Brokers', () => {
  const header = 'Statement,Header,Field Name,Field Value\nStatement,Data,Title,Activity Statement';
  const columns =
    'Corporate Actions,Header,Asset Category,Currency,Report Date,Date/Time,Description,Quantity,Proceeds,Value,Realized P/L,Code';
  const action = (description: string, quantity: string, proceeds = '0', gain = '0') =>
    `Corporate Actions,Data,Stocks,USD,${nextDay},"${day}, 20:25:00","${description}",${quantity},${proceeds},0,${gain},`;
  const read = (...rows: string[]): Promise<string[]> => readRows(header, [columns, ...rows]);

  test('a merger for cash is a sale on its day, and the lots below it are ignored', async () => {
    expect(
      await read(
        action(
          'OAKS(US0000000001) Merged(Acquisition)  FOR USD 25.00 PER SHARE (OAKS, OAKS INC, US0000000001)',
          '-20',
          '500',
          '200',
        ),
        'Corporate Actions,Data,Stocks,USD,Closed Lot:,2023-02-13,Basis: 300,20,,,200,LT',
      ),
    ).toEqual([`${day} sell OAKS quantity=20 amount=500.00 stated_gain=200.00`]);
  });

  // 8:25 PM in New York is the next day in UTC, the time zone of these tests.
  test('a merger for shares has one row for the old and one for the new shares', async () => {
    const what = 'OAKS(US0000000001) Merged(Acquisition)  WITH US0000000002 1 for 2';
    expect(
      await read(
        action(`${what} (PINE, PINE INC, US0000000002)`, '10'),
        action(`${what} (OAKS, OAKS INC, US0000000001)`, '-20'),
      ),
    ).toEqual([`${nextDay} merger OAKS received_asset=PINE ratio=1:2`]);
  });

  test('a new ISIN changes nothing', async () => {
    const what = 'OAKS(US0000000001) CUSIP/ISIN Change to (US0000000002)';
    expect(
      await read(
        action(`${what} (OAKS, OAKS INC, US0000000002)`, '20'),
        action(`${what} (OAKS.OLD, OAKS INC, US0000000001)`, '-20'),
      ),
    ).toEqual([]);
  });

  test('a spin-off names both stocks and asks for the allocation', async () => {
    const [rejected] = await read(action('OAKS(US0000000001) Spinoff  1 for 5 (ACRN, ACORN INC, US0000000003)', '4'));
    expect(rejected).toContain(
      "issuer's basis allocation (Form 8937): the share of the basis of OAKS that goes to 4 ACRN",
    );
  });

  test.each(['Tendered to US0000000002 1 FOR 1', 'Subscribable Rights Issue 1 for 1', 'Delisted', 'Something new'])(
    '%s raises a question',
    async (what) => {
      const [rejected] = await read(action(`OAKS(US0000000001) ${what} (OAKS, OAKS INC, US0000000001)`, '-20', '100'));
      expect(rejected).toMatch(/^REJECTED incomplete_action/);
    },
  );
});

describe('fractions that are rounded up', () => {
  const rounding = (date: string) =>
    `${date}T17:00:00+0000,Receive Deliver,Buy to Open,BUY_TO_OPEN,OAKS,Equity,Bought 0.5 OAKS @ 0.00 - Rounding Correction - Reverse Split,0.00,0.5,0.00,0.00,0.00,,,,USD`;
  const split = [
    tastytrade.row(day, 'Reverse Split', 'OAKS', '', '-190', '100.00'),
    tastytrade.row(day, 'Reverse Split', 'OAKS', '', '9.5', '-100.00'),
  ];

  test('belong to the split of their day', async () =>
    expect(await readRows(tastytrade.header, [rounding(day), ...split])).toEqual([`${day} split OAKS ratio=1:19`]));

  test('are added on a later day at no cost', async () =>
    expect(await readRows(tastytrade.header, [...split, rounding(nextDay)])).toEqual([
      `${day} split OAKS ratio=1:20`,
      `${nextDay} split OAKS quantity=0.5`,
    ]));
});

describe('distributed shares', () => {
  const distributed = async (words: string, name = 'ACORN INC COM', quantity = '30') =>
    (
      await readRows(fidelity.header, [
        `06/06/2024,${words},ACRN,${name},Cash,${quantity},,,,,`,
        fidelity.row('2024-01-03', 'YOU BOUGHT', 'ACRN', 'ACORN INC COM', '10', '-100'),
      ])
    )[1] ?? '';

  test.each([
    'DISTRIBUTION ACORN INC COM (ACRN) (Cash)',
    'DISTRIBUTION as of Jun-05-2024 ACORN INC COM (ACRN) (Cash)',
    'DISTRIBUTION STOCK SPLIT ACORN INC COM (ACRN) (Cash)',
    'DISTRIBUTION STOCK DIVIDEND ACORN INC COM (ACRN) (Cash)',
    'STOCK SPLIT ACORN INC COM (ACRN) (Cash)',
  ])('%s is a split', async (words) => expect(await distributed(words)).toContain('split ACRN quantity=30'));

  test.each([
    ['DISTRIBUTION SPINOFF FROM:(OAKS ) ACORN INC COM (ACRN) (Cash)', 'OAKS'],
    ['DISTRIBUTION SPIN-OFF FROM OAKS ACORN INC COM (ACRN) (Cash)', 'OAKS'],
    ['DISTRIBUTION OF ACRN FROM OAKS (ACRN) (Cash)', 'OAKS'],
    ['DISTRIBUTION ACORN INC COM SPIN OFF FROM (OAKS) (ACRN) (Cash)', 'OAKS'],
    ['SPIN-OFF ACORN INC COM (ACRN) (Cash)', 'the stock they came from'],
    ['SPINOFF ACORN INC COM (ACRN) (Cash)', 'the stock they came from'],
  ])('%s asks for the allocation', async (words, parent) => {
    expect(await distributed(words)).toContain(
      `REJECTED incomplete_action: A spin-off needs the issuer's basis allocation (Form 8937): the share of the basis of ${parent} that goes to 30 ACRN`,
    );
  });

  test.each([
    'DISTRIBUTION RIGHTS ACORN INC COM (ACRN) (Cash)',
    'DISTRIBUTION LIQUIDATING ACORN INC COM (ACRN) (Cash)',
    'DISTRIBUTION IN KIND (ACRN) (Cash)',
    'DISTRIBUTION STOCK DIVIDEND WARRANTS ACORN INC COM (ACRN) (Cash)',
  ])('%s raises a question', async (words) =>
    expect(await distributed(words)).toContain(
      'REJECTED incomplete_action: The terms of this distribution are missing',
    ),
  );

  test.each([
    ['Schwab', schwab, 'Spin-off'],
    ['Schwab', schwab, 'Stock Spin Off'],
    ['Vanguard', vanguard, 'Corp Action (Spin-off)'],
    ['tastytrade', tastytrade, 'Spin Off'],
    ['E*TRADE', sources.etrade, 'Spin-off'],
  ] as const)('%s asks for the allocation of a spin-off', async (_name, source, word) => {
    const [rejected] = await readRows(source.header, [
      source.row(day, word, 'ACRN', 'ACORN INC', '30'),
      source.row(nextDay, 'Reverse Split', 'OAKS', 'OAKS INC', '-200'),
      source.row(nextDay, 'Reverse Split', 'OAKS', 'OAKS INC', '10'),
    ]).then((lines) => lines.filter((line) => line.startsWith('REJECTED')));
    expect(rejected).toContain("A spin-off needs the issuer's basis allocation");
  });

  test('shares that Vanguard adds belong to a split', async () =>
    expect(await readRows(vanguard.header, [vanguard.row(day, 'Stock split', 'OAKS', 'OAKS INC', '30.0000')])).toEqual([
      `${day} split OAKS quantity=30`,
    ]));
});

describe('Schwab', () => {
  const of = async (action: string, quantity = '', amount = '$12.00', description = 'OAKS FUND') => {
    const whole = await readWhole(
      `${schwab.header}\n${schwab.row('2025-01-04', action, 'OAKSX', description, quantity, amount)}\n`,
    );
    const [outcome] = whole.outcomes;
    if (outcome?.kind === 'skipped') return `skipped: ${outcome.reason}`;
    return outcomeLines(whole, 'Schwab').join().replace(/^\d+ /, '');
  };

  test.each([
    ['Pr Yr Lt C/G Rein', 'capital_gain_distribution'],
    ['Pr Yr Lt C/G Reinvest', 'capital_gain_distribution'],
    ['Pr Yr Lt C/G', 'capital_gain_distribution'],
    ['Pr Yr Long Term Cap Gain', 'capital_gain_distribution'],
    ['Pr Yr St C/G Rein', 'dividend'],
    ['Pr Yr St C/G', 'dividend'],
    ['Pr Yr Cash Div', 'dividend'],
    ['Pr Yr Div Reinvest', 'dividend'],
    ['Pr Yr Spec Div', 'dividend'],
    ['Pr Yr Special Div', 'dividend'],
    ['Pr Yr Qual Div', 'dividend'],
    ['Pr Yr Non Qual Div', 'dividend'],
    ['Pr Yr Non-Qual Div', 'dividend'],
    ['Pr Yr Non-Qualified Div Rein', 'dividend'],
    ['Pr Yr Reinvest Dividend', 'dividend'],
    ['Pr Yr Return Of Capital', 'return_of_capital'],
  ])('%s belongs to the previous year', async (action, type) =>
    expect(await of(action)).toBe(`2024-12-31 ${type} OAKSX amount=12.00`),
  );

  test.each([
    ['Long Term Cap Gain', 'capital_gain_distribution'],
    ['Long Term Cap Gain Reinvest', 'capital_gain_distribution'],
    ['Short Term Cap Gain', 'dividend'],
    ['Short Term Cap Gain Rein', 'dividend'],
    ['Qualified Dividend', 'dividend'],
    ['Qual Div Reinvest', 'dividend'],
    ['Non-Qualified Div', 'dividend'],
    ['Special Qual Div', 'dividend'],
    ['Special Dividend', 'dividend'],
    ['Cash Dividend', 'dividend'],
    ['Reinvest Dividend', 'dividend'],
    ['Bank Interest', 'interest'],
    ['Bond Interest', 'interest'],
    ['CD Interest', 'interest'],
  ])('%s belongs to its own day', async (action, type) =>
    expect(await of(action)).toBe(`2025-01-04 ${type} OAKSX amount=12.00`),
  );

  test.each([
    'Substitute Dividend',
    'Div Tax Reclaim',
    'Interest Charged',
    'Pr Yr Something',
    'Misc Cash Entry',
    'Misc Credits',
  ])('%s raises a question', async (action) => expect(await of(action)).toBe('REJECTED Action: unknown_type'));

  test.each(['$307.00', '-$4460.97'])("a sweep of %s between the taxpayer's accounts is skipped", async (amount) =>
    expect(await of('Futures MM Sweep', '', amount, 'Sweep from Futures')).toBe(
      'skipped: Cash transfer between your own accounts',
    ),
  );

  test('a miscellaneous charge is a fee', async () =>
    expect(await of('Misc Cash Entry', '', '-$3.00')).toBe('skipped: Cash fees are not part of a gain'));
});
