import { expect, test } from 'bun:test';
import { outcomeLines } from './outcome-lines.ts';
import { readWhole } from './reading.ts';

test('a substitute payment of Robinhood is other income, not a dividend', async () => {
  const rows = [
    'Activity Date,Process Date,Settle Date,Instrument,Description,Trans Code,Quantity,Price,Amount',
    '1/15/2026,1/15/2026,1/16/2026,ACME,Cash Div: R/D 2026-01-02,CDIV,,,$2.50',
    '1/15/2026,1/15/2026,1/16/2026,ACME,Manufactured Div: R/D 2026-01-02,MDIV,,,$1.25',
  ];
  expect(outcomeLines(await readWhole(`${rows.join('\n')}\n`), 'Robinhood')).toEqual([
    '2 2026-01-15 dividend ACME amount=2.50',
    '3 2026-01-15 other_income ACME amount=1.25',
  ]);
});
