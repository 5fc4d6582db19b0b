import { expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mapping } from '../../src/formats/mapping/mapping.ts';
import { type ComparedResult, resultDiffers } from '../../src/formats/stated-results.ts';
import { readWhole } from './reading.ts';

interface Comparison {
  /** `gain 3/1` means that three gains were compared, and one of them differs. */
  readonly compared: readonly string[];
  readonly differences: readonly string[];
}

async function compare(source: string | Uint8Array, mapping?: Mapping): Promise<Comparison> {
  const { end, outcomes } = await readWhole(source, mapping === undefined ? {} : { mapping });
  const text = ({ result, compared, differing }: ComparedResult) => `${result} ${compared}/${differing ?? 'books'}`;
  const differences = outcomes.flatMap((outcome) =>
    outcome.kind === 'rejected' && outcome.issue.code === resultDiffers
      ? `${outcome.issue.line}, ${outcome.issue.column}: ${outcome.issue.reason}`
      : [],
  );
  return { compared: end.compared.filter(({ result }) => result !== 'price').map(text), differences };
}

const coinbase =
  'Transaction Type,Transaction ID,Tax lot ID,Asset name,Amount,Date Acquired,Cost basis (USD),Date of Disposition,Proceeds (USD),Gains (Losses) (USD)';
const ibkr = [
  'Statement,Header,Field Name,Field Value',
  'Statement,Data,Title,Activity Statement',
  'Trades,Header,DataDiscriminator,Asset Category,Currency,Symbol,Date/Time,Quantity,T. Price,C. Price,Proceeds,Comm/Fee,Basis,Realized P/L,MTM P/L,Code',
].join('\n');
const schwab = 'Date,Action,Symbol,Description,Quantity,Price,Fees & Comm,Amount';
const trading212 =
  'Action,Time,ISIN,Ticker,Name,No. of shares,Price / share,Currency (Price / share),Exchange rate,Result (GBP),Total (GBP),Notes,ID';
const buy212 = 'Market buy,2024-03-01 10:00:00,US0000000901,OAKS,"Oaks",8,50.00,USD,1.25,,320.00,,a1';

const summary = `${ibkr.split('\n').slice(0, 2).join('\n')}
Account Information,Header,Field Name,Field Value
Account Information,Data,Base Currency,USD
Realized & Unrealized Performance Summary,Header,Asset Category,Symbol,Cost Adj.,Realized S/T Profit,Realized S/T Loss,Realized L/T Profit,Realized L/T Loss,Realized Total,Unrealized S/T Profit,Unrealized S/T Loss,Unrealized L/T Profit,Unrealized L/T Loss,Unrealized Total,Total,Code`;
const robinhood1099 =
  '1099-B,ACCOUNT NUMBER,TAX YEAR,DATE ACQUIRED,SALE DATE,DESCRIPTION,SHARES,COST BASIS,SALES PRICE,TERM,WASH AMT DISALLOWED,FORM8949CODE';

const planted: readonly (readonly [string, string, Comparison])[] = [
  [
    'a gain that is not proceeds less basis is found, and the sale is still read',
    `${coinbase}\nSell,t1,l1,SOL,2,02/03/2025,210.00,05/06/2025,300.00,120.00\nSell,t2,l2,SOL,1,02/03/2025,105.00,05/07/2025,160.00,55.00`,
    {
      compared: ['gain 2/1'],
      differences: [
        '2, Gains (Losses) (USD): The file has 120.00, but its other cells (Proceeds (USD), Cost basis (USD)) give 90.00, a difference of 30.00',
      ],
    },
  ],
  [
    'a gain and a subtotal of a section are compared, and those of an assigned option are not',
    `${ibkr}
Trades,Data,Order,Stocks,USD,ELMS,"2024-04-01, 10:00:00",20,30,30,-600,-1,601,0,0,O
Trades,Data,Order,Stocks,USD,ELMS,"2024-04-09, 10:00:00",-20,33,33,660,-1,-601,85,0,C
Trades,SubTotal,,Stocks,USD,ELMS,,0,,,90,-2,,,,
Trades,Data,Order,Equity and Index Options,USD,ELMS 17MAY24 30 P,"2024-04-10, 10:00:00",-1,2,2,200,-1,-199,0,0,O
Trades,Data,Order,Equity and Index Options,USD,ELMS 17MAY24 30 P,"2024-05-17, 16:20:00",1,0,0,0,0,199,0,0,A;C`,
    {
      compared: ['gain 3/1', 'total 3/1'],
      differences: [
        '5, Realized P/L: The file has 85.00, but its other cells (Proceeds, Comm/Fee, Basis) give 58.00, a difference of 27.00',
        '6, Proceeds: The file has 90.00, but the rows it sums give 60.00, a difference of 30.00',
      ],
    },
  ],
  [
    'a total of the file shows that a row is missing',
    `${schwab}\n03/04/2024,Buy,OAKS,OAKS INC,3,$20.00,,-$60.00\n03/01/2024,Credit Interest,,INT,,,,$2.50\nTransactions Total,,,,,,,-$7.50`,
    {
      compared: ['total 1/1'],
      differences: ['4, Amount: The file has -7.50, but the rows it sums give -57.50, a difference of 50.00'],
    },
  ],
  [
    'the gains of a closed position are those of its trades, whichever lots were sold',
    `${trading212}\n${buy212}\nMarket sell,2024-03-05 10:00:00,US0000000901,OAKS,"Oaks",5,60.00,USD,1.25,41.00,240.00,,a2\nMarket sell,2024-03-06 10:00:00,US0000000901,OAKS,"Oaks",3,60.00,USD,1.25,23.00,144.00,,a3`,
    { compared: ['position 1/0'], differences: [] },
  ],
  [
    'a wrong gain of a closed position is found, with the newest row first too',
    `${trading212}\nMarket sell,2024-03-06 10:00:00,US0000000901,OAKS,"Oaks",8,60.00,USD,1.25,46.00,384.00,,a3\n${buy212}`,
    {
      compared: ['position 1/1'],
      differences: [
        '3, Result (GBP): The file has 46.00, but the trades of OAKS from 2024-03-01 to 2024-03-06 give 64.00, a difference of 18.00',
      ],
    },
  ],
  [
    'a position that may be older than the file, or is still open, is not compared',
    `${trading212}\n${buy212.replace('2024-03-01', '2024-03-09')}\nMarket sell,2024-03-06 10:00:00,US0000000901,OAKS,"Oaks",8,60.00,USD,1.25,46.00,384.00,,a3`,
    { compared: [], differences: [] },
  ],
  [
    'a summary of gains shows that a trade is missing, and one with an adjusted cost does not',
    `${summary}
Realized & Unrealized Performance Summary,Data,Stocks,ELMS,0,88,0,0,0,88,0,0,0,0,0,88,
Realized & Unrealized Performance Summary,Data,Stocks,OAKS,25,0,0,0,0,0,0,0,0,0,0,0,
Realized & Unrealized Performance Summary,Data,Stocks,BIRC,0,0,0,40,0,40,0,0,0,0,0,40,
Realized & Unrealized Performance Summary,Data,Total,,25,88,0,40,0,128,0,0,0,0,0,128,
${ibkr.split('\n').at(-1)}
Trades,Data,Order,Stocks,USD,ELMS,"2024-04-01, 10:00:00",20,30,30,-600,-1,601,0,0,O
Trades,Data,Order,Stocks,USD,ELMS,"2024-04-09, 10:00:00",-10,33,33,330,-1,-300.50,28.50,0,C
Trades,Data,Order,Stocks,USD,OAKS,"2024-04-09, 10:00:00",-10,33,33,330,-1,-354,-25,0,C`,
    {
      compared: ['gain 3/0', 'total 3/2', 'sale 2/books'],
      differences: [
        '6, Realized Total: The file has 88.00, but the rows it sums give 28.50, a difference of 59.50',
        '8, Realized Total: The file has 40.00, but the rows it sums give 0.00, a difference of 40.00',
      ],
    },
  ],
  [
    'a summary of gains in the base currency is not compared with trades in another, nor with corporate actions',
    `${summary.replace('USD', 'EUR')}
Realized & Unrealized Performance Summary,Data,Stocks,ELMS,0,88,0,0,0,88,0,0,0,0,0,88,
Realized & Unrealized Performance Summary,Data,Stocks,OAKS,0,15,0,0,0,15,0,0,0,0,0,15,
${ibkr.split('\n').at(-1)}
Trades,Data,Order,Stocks,USD,ELMS,"2024-04-09, 10:00:00",-10,33,33,330,-1,-300.50,28.50,0,C
Corporate Actions,Header,Asset Category,Currency,Report Date,Date/Time,Description,Quantity,Proceeds,Value,Realized P/L,Code
Corporate Actions,Data,Stocks,USD,2024-12-16,"2024-12-13, 20:25:00","OAKS(US0000000001) Merged(Acquisition) for USD 50.00 per Share (OAKS, OAKS INC, US0000000001)",-1,50,-50,15,`,
    { compared: ['gain 1/0', 'sale 2/books'], differences: [] },
  ],
  [
    'the totals of a Form 1099-B are compared by box, by term and as a whole, and a company named Total is no total',
    `${robinhood1099}
1099-B,X,2024,20230601,20240302,ACME INC,5,900.00,700.00,SHORT,50.00,A
1099-B,X,2024,20190601,20240302,TOTAL SE ADR,5,100.00,200.00,LONG,0,D
1099-B,X,2024,20190601,20240303,BIRCH INC,5,100.00,300.00,LONG,0,E
1099-B,X,2024,,,TOTAL BOX A,,900.00,700.00,,50.00,A
1099-B,X,2024,,,LONG TERM TOTAL,,200.00,510.00,LONG,0,
1099-B,X,2024,,,TOTAL,,1100.00,1200.00,,0,`,
    {
      compared: ['total 9/2'],
      differences: [
        '6, SALES PRICE: The file has 510.00, but the rows it sums give 500.00, a difference of 10.00',
        '7, WASH AMT DISALLOWED: The file has 0.00, but the rows it sums give 50.00, a difference of 50.00',
      ],
    },
  ],
  [
    'a cost basis that a sale states without a gain is compared with the books',
    `Reference,Date & Time (UTC),Transaction Type,Amount USD,Fee USD,Amount BTC,Fee BTC,BTC Price,Cost Basis (USD),Destination,Description,Transaction Hash
s-1,Nov 23 2025 02:03:01,Purchase,100.00,0,0.00100000,0.00000000,100000.00,100.00,,Bought,
s-5,Dec 21 2025 08:00:00,Sale,60.00,0,-0.00050000,0.00000000,120000.00,50.00,,Sold,`,
    { compared: ['sale 1/books'], differences: [] },
  ],
];

for (const [title, source, expected] of planted) {
  test(title, async () => {
    expect(await compare(source)).toEqual(expected);
  });
}

test('the gains of a mapped file are compared with the books', async () => {
  const mapping: Mapping = {
    columns: { Day: 'date', Side: 'type', Coin: 'asset', Units: 'quantity', Value: 'amount', Realized: 'gain' },
  };
  const rows = ['Day,Side,Coin,Units,Value,Realized', '2024-02-01,buy,SOL,4,400,', '2024-02-09,sell,SOL,4,460,95'];
  expect(await compare(rows.join('\n'), mapping)).toEqual({
    compared: ['sale 1/books'],
    differences: [],
  });
});

test('a total in a mapped file shows that a row is missing, but a canceled row does not', async () => {
  const mapping: Mapping = {
    columns: { Day: 'date', Side: 'type', Coin: 'asset', Units: 'quantity', Value: 'amount', State: 'status' },
  };
  const rows = [
    'Day,Side,Coin,Units,Value,State',
    '2024-02-01,buy,SOL,4,400,done',
    '2024-02-02,buy,SOL,9,900,canceled',
    '2024-02-03,buy,SOL,1,110,done',
  ];
  const compareTotal = async (total: string) => compare([...rows, total].join('\n'), mapping);
  expect(await compareTotal('Total,,,,510,')).toEqual({ compared: ['total 1/0'], differences: [] });
  expect(await compareTotal('Grand total,,,,650,')).toEqual({
    compared: ['total 1/1'],
    differences: ['5, Value: The file has 650.00, but the rows it sums give 1410.00, a difference of 760.00'],
  });
});

test('a row with a wrong result counts once and is read', async () => {
  const [, source] = planted[0] ?? ['', ''];
  const { end, drafts } = await readWhole(source ?? '');
  expect({ ...end, drafts: drafts.length }).toMatchObject({ rows: 2, read: 2, rejected: 0, drafts: 2 });
});

/**
 * Files whose results all match, with the columns that state them: for every row, or for rows that begin with these
 * words.
 */
const agreeing: readonly {
  readonly name: string;
  readonly lines: readonly string[];
  readonly mapping?: Mapping;
  readonly stating: readonly (readonly [row: RegExp, place: number])[];
}[] = [
  {
    name: 'gains next to proceeds and basis',
    lines: [
      ...coinbase.split('\n'),
      'Sell,t1,l1,SOL,2,02/03/2025,210.00,05/06/2025,300.00,90.00',
      'Sell,t2,l2,SOL,1,02/03/2025,105.00,05/07/2025,95.00,-10.00',
    ],
    stating: [[/^Sell/, 9]],
  },
  {
    name: 'gains, subtotals and totals in a statement with sections',
    lines: [
      ...ibkr.split('\n'),
      'Trades,Data,Order,Stocks,USD,ELMS,2024-04-01 10:00:00,20,30,30,-600,-1,601,0,0,O',
      'Trades,Data,Order,Stocks,USD,ELMS,2024-04-09 10:00:00,-20,33,33,660,-1,-601,58,0,C',
      'Trades,SubTotal,,Stocks,USD,ELMS,,0,,,60,-2,,,,',
      'Trades,Data,Order,Stocks,USD,OAKS,2024-04-02 10:00:00,5,10,10,-50,-1,51,0,0,O',
      'Trades,SubTotal,,Stocks,USD,OAKS,,5,,,-50,-1,,,,',
      'Trades,Total,,Stocks,USD,,,,,,10,-3,51,58,,',
    ],
    stating: [
      [/^Trades,Data/, 13],
      [/^Trades,SubTotal/, 10],
      [/^Trades,SubTotal/, 11],
      [/^Trades,Total/, 10],
      [/^Trades,Total/, 11],
      [/^Trades,Total/, 12],
      [/^Trades,Total/, 13],
    ],
  },
  {
    name: 'the total in a history',
    lines: [
      ...schwab.split('\n'),
      '03/04/2024,Buy,OAKS,OAKS INC,3,$20.00,,-60.00',
      '03/01/2024,Credit Interest,,INT,,,,2.50',
      'Transactions Total,,,,,,,-57.50',
    ],
    stating: [[/^Transactions Total/, 7]],
  },
  {
    name: 'the gain on a closed position in another currency than its price',
    lines: [
      ...trading212.split('\n'),
      buy212,
      'Market sell,2024-03-06 10:00:00,US0000000901,OAKS,"Oaks",8,60.00,USD,1.25,64.00,384.00,,a3',
    ],
    stating: [[/^Market sell/, 9]],
  },
  {
    name: 'gains and totals in a mapped file',
    mapping: {
      columns: {
        Day: 'date',
        Side: 'type',
        Coin: 'asset',
        Units: 'quantity',
        Worth: 'amount',
        Cost: 'basis',
        Won: 'gain',
      },
    },
    lines: [
      'Day,Side,Coin,Units,Worth,Cost,Won',
      '2024-02-01,buy,SOL,4,400.00,,',
      '2024-02-09,sell,SOL,4,460.00,400.00,60.00',
      'Total,,,,860.00,400.00,60.00',
    ],
    stating: [
      [/sell/, 6],
      [/^Total/, 4],
      [/^Total/, 5],
      [/^Total/, 6],
    ],
  },
];

for (const { name, lines, mapping, stating } of agreeing) {
  test(`${name}: each changed number raises an issue for its row`, async () => {
    expect((await compare(lines.join('\n'), mapping)).differences).toEqual([]);
    for (const [row, place] of stating) {
      for (const [at, line] of lines.entries()) {
        if (!row.test(line)) continue;
        for (const change of [0.07, -731.21]) {
          const cells = line.split(',');
          const more = (size(cells[place]) / 5_000) * Math.sign(change);
          cells[place] = (Number(cells[place]) + change + more).toFixed(2);
          const changed = lines.with(at, cells.join(','));
          const { differences } = await compare(changed.join('\n'), mapping);
          expect({ changed: cells.join(','), named: differences.some((one) => one.startsWith(`${at + 1}, `)) }).toEqual(
            {
              changed: cells.join(','),
              named: true,
            },
          );
        }
      }
    }
  });
}

/** Returns the number in a cell, without its sign. */
function size(cell: string | undefined): number {
  return Math.abs(Number(cell));
}

/** Real exports that state results, kept outside this project. */
const folder = join(process.env.LOTBOOK_SHARED ?? join(import.meta.dir, '../../../shared'), 'formats');

const given: Readonly<Record<string, readonly string[]>> = {
  'cashapp/report_2025_date_first.csv': ['total 1/0'],
  'cashapp/report_btc_2020_parentheses.csv': ['total 2/0'],
  'coinbase-gainloss/gain_loss_report_2025.csv': ['gain 2/0'],
  'coinbase-pro/account_statement.csv': ['balance 9/books'],
  'etrade/gains_losses_expanded.csv': ['gain 4/0', 'total 1/0'],
  'ibkr-flex/trades_all_columns_vti.csv': ['gain 1/0'],
  'ibkr/activity_statement_sections.csv': ['gain 2/0', 'total 3/0', 'sale 1/books'],
  'kraken/ledgers_airdrops_transfers.csv': ['balance 7/books'],
  'kraken/ledgers_wallet_2024.csv': ['balance 5/books'],
  'schwab-realized/lot_details_all_accounts.csv': ['gain 2/0'],
  'schwab/brokerage_2023_title_totals.csv': ['total 1/0'],
  // In these files, rows were changed or left out, but their totals and results were kept.
  'schwab/individual_2024_title_totals.csv': ['total 1/1'],
  'schwab/intelligent_2020_crlf.csv': ['total 1/1'],
  'schwab/reinvest_2023_mixed_quoting.csv': ['total 1/1'],
  'trading212/2020_result_gbp.csv': ['position 1/1'],
  'trading212/2026_crlf.csv': ['position 2/0'],
};

if (!existsSync(folder)) {
  console.log(`The given exports are not at ${folder}: the results that they state are not compared here.`);
} else {
  test('no other given export states a result that its rows do not match', async () => {
    const files = (readdirSync(folder, { recursive: true }) as string[]).filter((file) => file.endsWith('.csv'));
    const alarms: string[] = [];
    for (const file of files) {
      const bytes = new Uint8Array(readFileSync(join(folder, file)));
      const { differences } = await compare(bytes).catch(() => ({ differences: [] }));
      if (differences.length > 0) alarms.push(file);
    }
    const known = Object.keys(given).filter((file) => given[file]?.some((text) => /\/[1-9]/.test(text)));
    expect(alarms.sort()).toEqual(known.sort());
  });
  for (const [file, compared] of Object.entries(given)) {
    test(`${file}: the stated results are compared`, async () => {
      const comparison = await compare(new Uint8Array(readFileSync(join(folder, file))));
      const differing = compared.filter((text) => /\/[1-9]/.test(text)).length;
      expect({ ...comparison, differences: comparison.differences.length }).toEqual({
        compared,
        differences: differing,
      });
    });
  }
}
