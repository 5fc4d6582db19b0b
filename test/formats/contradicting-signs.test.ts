import { expect, test } from 'bun:test';
import { outcomeLines } from './outcome-lines.ts';
import { readWhole } from './reading.ts';

/** A purchase whose money came in has no cost: read as it is, its basis would be negative. */

const files: readonly (readonly [source: string, header: string, row: string])[] = [
  [
    'schwab',
    'Date,Action,Symbol,Description,Quantity,Price,Fees & Comm,Amount',
    '01/15/2026,Buy,ACME,ACME,10,$5.00,,AMOUNT',
  ],
  [
    'fidelity',
    'Run Date,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),Fees ($),Accrued Interest ($),Amount ($),Settlement Date',
    '01/15/2026,YOU BOUGHT ACME (ACME) (Cash),ACME,ACME,Cash,10,5.00,,,,AMOUNT,01/16/2026',
  ],
  [
    'robinhood',
    'Activity Date,Process Date,Settle Date,Instrument,Description,Trans Code,Quantity,Price,Amount',
    '1/15/2026,1/15/2026,1/16/2026,ACME,ACME,Buy,10,$5.00,AMOUNT',
  ],
  [
    'vanguard',
    'Account Number,Trade Date,Settlement Date,Transaction Type,Transaction Description,Investment Name,Symbol,Shares,Share Price,Principal Amount,Commissions and Fees,Net Amount,Accrued Interest,Account Type',
    '12345678,01/15/2026,01/16/2026,Buy,Buy,ACME,ACME,10,5.00,AMOUNT,0.00,AMOUNT,0.0,CASH',
  ],
  [
    'etrade',
    'TransactionDate,TransactionType,SecurityType,Symbol,Quantity,Amount,Price,Commission,Description',
    '01/15/26,Bought,EQ,ACME,10,AMOUNT,5.00,0,ACME',
  ],
  [
    'ibkr-activity',
    'Transaction History,Header,Date,Account,Transaction Type,Symbol,Quantity,Price,Gross Amount,Commission,Net Amount',
    'Transaction History,Data,2026-01-15,U1,Buy,ACME,10,5.00,AMOUNT,0,AMOUNT',
  ],
];

test.each(files)('%s: a purchase with money that came in is rejected', async (format, header, row) => {
  const linesOf = async (amount: string): Promise<string[]> =>
    outcomeLines(await readWhole(`${header}\n${row.replaceAll('AMOUNT', amount)}\n`, { format }), '');
  expect((await linesOf('-50.00')).map((line) => line.replace(/@\S+(?: \d+)? /, ''))).toEqual([
    '2 2026-01-15 buy ACME quantity=10 amount=50.00',
  ]);
  expect(await linesOf('50.00')).toEqual(['2 REJECTED null: negative']);
});
