import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { outcomeLines } from './outcome-lines.ts';
import { readWhole } from './reading.ts';

/**
 * The symbol determines the multiplier of a contract: 100 shares, or 10 for a mini. For an adjusted contract, the user
 * is asked.
 */

const columns = {
  Date: 'date',
  Type: 'type',
  Symbol: 'asset',
  Qty: 'quantity',
  Price: 'price',
  Amount: 'amount',
} as const;
const mapped = async (row: string): Promise<{ line: string; warnings: string[] }> => {
  const file = `Date,Type,Symbol,Qty,Price,Amount\n2024-05-03,${row}\n`;
  const read = await readWhole(file, { mapping: { columns } });
  return {
    line: outcomeLines(read, 'Imported').join(),
    warnings: read.drafts.flatMap(({ warning }) => warning ?? []),
  };
};

describe('in a mapped file', () => {
  test("an option's price is per share of a contract", async () => {
    const { line, warnings } = await mapped('buy to open,AAPL 250117C00150000,2,2.50,');
    expect(line).toBe(
      '2 2024-05-03 buy_to_open AAPL 2025-01-17 C 150 quantity=2 amount=500.00 underlying=AAPL right=call',
    );
    expect(warnings).toEqual([]);
  });

  test('a mini covers ten shares, and a share is one unit', async () => {
    const mini = (await mapped('buy to open,AAPL7 250117C00150000,2,2.50,')).line;
    expect(mini).toEndWith('AAPL7 2025-01-17 C 150 quantity=2 amount=50.00 shares=10 underlying=AAPL right=call');
    const exercised = (await mapped('exercise,AAPL7 250117C00150000,2,,3000')).line;
    expect(exercised).toContain('amount=3000.00 shares=20 underlying=AAPL');
    expect((await mapped('buy,AAPL,2,2.50,')).line).toContain('amount=5.00');
  });

  test('the stated amount matches a price per share or per contract, and shows its fee', async () => {
    expect((await mapped('buy,AAPL 2025-01-17 C 150,2,2.500,501.30')).line).toEndWith(
      'amount=500.00 fee=1.30 underlying=AAPL right=call',
    );
    expect(await mapped('buy,AAPL 2025-01-17 C 150,2,250,500')).toMatchObject({ warnings: [] });
    expect(await mapped('buy,AAPL 2025-01-17 C 150,2,2.50,500')).toMatchObject({ warnings: [] });
    expect(await mapped('buy,AAPL 2025-01-17 C 150,2,2.50,900')).toMatchObject({
      warnings: ['Check line 2: the value in the file, 900.00, does not equal price times units, 500.00.'],
    });
  });
});

describe('in a known format', () => {
  const header = readFileSync(join(import.meta.dir, '../fixtures/formats/webull.csv'), 'utf8').split('\n')[0] ?? '';
  const webull = async (symbol: string): Promise<string> => {
    const cells: Readonly<Record<string, string>> = {
      Name: symbol,
      Symbol: symbol,
      Side: 'Buy',
      Status: 'Filled',
      Filled: '3',
      'Total Qty': '3',
      'Avg Price': '1.20',
      'Filled Time': '06/02/2025 10:00:00 EDT',
    };
    const row = header.split(',').map((name) => cells[name.trim()] ?? '');
    return outcomeLines(await readWhole(`${header}\n${row.join(',')}\n`), 'Webull').join();
  };

  test('a price per share gives the amount of its contracts', async () => {
    expect(await webull('AAPL250117C00150000')).toContain('amount=360.00');
    expect(await webull('AAPL7250117C00150000')).toContain('amount=36.00');
    // Prices of adjusted contracts still assume 100 shares.
    expect(await webull('AAPL1250117C00150000')).toContain('amount=360.00');
    expect(await webull('AAPL')).toContain('amount=3.60');
  });

  const warned = async (fixture: string, cells: Readonly<Record<string, string>>): Promise<(string | undefined)[]> => {
    const names = fixture.split(',');
    const row = names.map((name) => cells[name] ?? '');
    return (await readWhole(`${names.join(',')}\n${row.join(',')}\n`)).drafts.map(({ warning }) => warning);
  };

  test("a multiplier in the file that differs from the symbol's raises a warning", async () => {
    const flex =
      'CurrencyPrimary,Symbol,AssetClass,Multiplier,TradeDate,Quantity,TradePrice,TradeMoney,IBCommission,Buy/Sell,Open/CloseIndicator';
    const trade = {
      CurrencyPrimary: 'USD',
      Symbol: 'AAPL 250117C00150000',
      AssetClass: 'OPT',
      TradeDate: '20240503',
      Quantity: '2',
      TradePrice: '2.50',
      TradeMoney: '500',
      IBCommission: '-1.30',
      'Buy/Sell': 'BUY',
      'Open/CloseIndicator': 'O',
    };
    expect(await warned(flex, { ...trade, Multiplier: '100' })).toEqual([undefined]);
    expect(await warned(flex, { ...trade, Multiplier: '' })).toEqual([undefined]);
    expect(await warned(flex, { ...trade, Multiplier: '150' })).toEqual([
      'Check line 2: the Multiplier is 150, but the symbol means 100 shares of AAPL per contract.',
    ]);
    expect(await warned(flex, { ...trade, Symbol: 'AAPL7 250117C00150000', Multiplier: '10' })).toEqual([undefined]);
    const stock = { ...trade, Symbol: 'AAPL', AssetClass: 'STK', Multiplier: '1' };
    expect(await warned(flex, stock)).toEqual([undefined]);
  });

  test('the same applies if tastytrade states it, and when a contract ends', async () => {
    const tasty =
      readFileSync(join(import.meta.dir, '../fixtures/formats/tastytrade.csv'), 'utf8').split('\n')[0] ?? '';
    const trade = {
      Date: '2024-05-03T10:00:00-0400',
      Type: 'Trade',
      'Sub Type': 'Buy to Open',
      Action: 'BUY_TO_OPEN',
      Symbol: 'AAPL  250117C00150000',
      'Instrument Type': 'Equity Option',
      Value: '-500.00',
      Quantity: '2',
      Commissions: '-2.00',
      Fees: '-0.20',
      'Underlying Symbol': 'AAPL',
    };
    const warning = 'Check line 2: the Multiplier is 10, but the symbol means 100 shares of AAPL per contract.';
    expect(await warned(tasty, { ...trade, Multiplier: '100' })).toEqual([undefined]);
    expect(await warned(tasty, { ...trade, Multiplier: '10' })).toEqual([warning]);
    const expired = {
      ...trade,
      Type: 'Receive Deliver',
      'Sub Type': 'Expiration',
      Action: '',
      Value: '0.00',
      Commissions: '',
      Fees: '',
    };
    expect(await warned(tasty, { ...expired, Multiplier: '10' })).toEqual([warning]);
  });

  const robinhood =
    '"Activity Date","Process Date","Settle Date","Instrument","Description","Trans Code","Quantity","Price","Amount"';
  const assigned = async (symbol: string): Promise<string> =>
    outcomeLines(
      await readWhole(
        `${robinhood}\n"6/24/2024","6/24/2024","6/24/2024","AAPL","${symbol} 6/21/2024 Put $20.00","OASGN","2","",""\n`,
      ),
      'Robinhood',
    ).join();

  test('an assignment takes the shares of its contracts at the strike', async () => {
    expect(await assigned('AAPL')).toContain('amount=4000.00 shares=200 underlying=AAPL');
    expect(await assigned('AAPL7')).toContain('amount=400.00 shares=20 underlying=AAPL');
  });

  test('an assignment of adjusted contracts raises a question', async () => {
    expect(await assigned('AAPL1')).toBe('2 REJECTED null: incomplete_action');
  });
});
