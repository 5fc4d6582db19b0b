import { describe, expect, test } from 'bun:test';
import { outcomeLines } from './outcome-lines.ts';
import { readWhole } from './reading.ts';

const own = 'Box,Description,Date Acquired,Date Sold,Proceeds,Cost Basis,Code,Adjustment,Gain,Term';
const boxes =
  'Description of property,Date acquired,Date sold or disposed of,Proceeds,Cost or other basis,Accrued market discount,Wash sale loss disallowed,Term';
const robinhood =
  '1099-B,ACCOUNT NUMBER,TAX YEAR,DATE ACQUIRED,SALE DATE,DESCRIPTION,SHARES,COST BASIS,SALES PRICE,TERM,ORDINARY,FED TAX WITHHELD,WASH AMT DISALLOWED,ACCRDMKTDISCOUNT,FORM8949CODE,GROSSPROCEEDSINDICATOR,LOSSNOTALLOWED';

async function readMembers(text: string, ...names: string[]): Promise<string[]> {
  const lines = outcomeLines(await readWhole(text), 'A');
  return names.flatMap((name) => new RegExp(`\\b${name}=(\\S+)`).exec(lines.join('\n'))?.[1] ?? []);
}

describe('the accrued market discount of a line', () => {
  test.each([
    [
      'a box of its own',
      `${boxes}\n15000 KEY UTIL 3.5% DUE 05/01/2029,05/02/2022,06/03/2025,14700,14100,210.50,,Long\n`,
    ],
    [
      'code D on Form 8949',
      `${own}\nD,15000 KEY UTIL 3.5% DUE 05/01/2029,05/02/2022,06/03/2025,14700,14100,D,-210.50,389.50,long\n`,
    ],
    [
      'the file of Robinhood',
      `${robinhood}\n1099-B,X,2025,20220502,20250603,KEY UTIL 3.5% DUE 05/01/2029,15000,14100,14700,LONG,N,0,0,210.50,D,N,N\n`,
    ],
  ])('is read from %s, and the line is that of a bond', async (_, text) => {
    expect(await readMembers(text, 'market_discount', 'asset_class', 'maturity')).toEqual([
      '210.50',
      'bond',
      '2029-05-01',
    ]);
  });

  test('is not stated by a zero, which forms also write for stock', async () => {
    const text = `${boxes}\n20 sh. KEY UTIL INC,05/02/2022,06/03/2025,400,300,0.00,,Long\n`;
    expect(await readMembers(text, 'market_discount', 'asset_class')).toEqual([]);
  });

  test('does not apply to a fund of bills', async () => {
    const text = `${boxes}\n20 sh. SHORT T-BILL ETF,05/02/2022,06/03/2025,1830,1829,,,Long\n`;
    expect(await readMembers(text, 'asset_class')).toEqual([]);
  });
});
