import { describe, expect, test } from 'bun:test';
import { outcomeLines } from './outcome-lines.ts';
import { readWhole } from './reading.ts';

/**
 * The table "Transaction History" states money in the base currency, which another section names in the user's
 * language.
 */

const header =
  'Transaction History,Header,Date,Account,Description,Transaction Type,Symbol,Quantity,Price,Price Currency,Gross Amount ,Commission,Net Amount';
const bought =
  'Transaction History,Data,2026-08-05,U1,ACME,Buy,ACME,10,70.5,USD,-111225.123456789,-15.5,-111240.623456789';

const readLines = async (...rows: readonly string[]): Promise<string[]> =>
  outcomeLines(await readWhole(`${rows.join('\n')}\n`), 'U1');

describe('the base currency of a transaction history', () => {
  test.each([
    ['English', ['Statement,Header,Field Name,Field Value', 'Summary,Header,Field Name,Field Value'], 'Base Currency'],
    [
      'Japanese',
      ['Statement,Header,フィールド名,フィールド価値', 'Summary,Header,フィールド名,フィールド価値'],
      '基準通貨',
    ],
    ['German', ['Statement,Header,Feldname,Feldwert', 'Summary,Header,Feldname,Feldwert'], 'Basiswährung'],
  ])('is read in %s', async (_, above, label) => {
    expect(await readLines(...above, `Summary,Data,${label},JPY`, header, bought)).toEqual([
      '5 2026-08-05 buy ACME quantity=10 amount=111225.12345679 fee=15.50 currency=JPY',
    ]);
  });

  test("is the price's currency if the file does not state it and price × units is the amount", async () => {
    const row = 'Transaction History,Data,2026-08-05,U1,ACME,Buy,ACME,10,70.5,CHF,-705.00,-1.5,-706.50';
    expect(await readLines(header, row)).toEqual([
      '2 2026-08-05 buy ACME quantity=10 amount=705.00 fee=1.50 currency=CHF',
    ]);
  });

  test('raises a question if nothing shows it', async () => {
    expect(await readLines(header, bought)).toEqual(['2 REJECTED Price Currency: unknown_currency']);
  });
});
