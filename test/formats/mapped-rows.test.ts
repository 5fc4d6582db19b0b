import { describe, expect, test } from 'bun:test';
import type { Mapping } from '../../src/formats/mapping/mapping.ts';
import { proposeMapping } from '../../src/formats/mapping/mapping-proposal.ts';
import { stateOfWord, typeOfWord } from '../../src/formats/mapping/type-words.ts';
import { outcomeLines } from './outcome-lines.ts';
import { readWhole } from './reading.ts';

async function readLines(csv: string, mapping: Mapping, timeZone = 'UTC'): Promise<string[]> {
  return outcomeLines(await readWhole(csv, { mapping, timeZone }), 'Imported');
}

function proposed(csv: string): Mapping | undefined {
  const rows = csv
    .trimEnd()
    .split('\n')
    .map((text, index) => ({ line: index + 1, cells: text.split(',') }));
  return proposeMapping(rows)?.mapping;
}

const columns = { d: 'date', t: 'type', a: 'asset', q: 'quantity', m: 'amount' } as const;

describe('a mapped row', () => {
  test('adds the fees of several columns', async () => {
    const mapping: Mapping = { columns: { ...columns, f: 'fee', g: 'fee' } };
    expect(await readLines('d,t,a,q,m,f,g\n2024-01-05,buy,X,1,10,1.5,0.25\n', mapping)).toEqual([
      '2 2024-01-05 buy X quantity=1 amount=10.00 fee=1.75',
    ]);
  });

  test('is a purchase, a sale, a trade, or a transfer if it has two sides', async () => {
    const two: Mapping = {
      columns: { d: 'date', g: 'sentQuantity', h: 'sentAsset', r: 'receivedQuantity', s: 'receivedAsset', f: 'fee' },
    };
    const rows = ['5,EUR,1,X,0.1 EUR', '1,X,2,Y,', ',,3,Z,', '4,Z,,,0.1 Z', '9,EUR,,,', '1,X,2,X,', ',,,,'];
    const csv = `d,g,h,r,s,f\n${rows.map((row) => `2024-01-05,${row}`).join('\n')}\n`;
    expect(await readLines(csv, two)).toEqual([
      '2 2024-01-05 buy X quantity=1 amount=5.00 fee=0.10 currency=EUR',
      '3 2024-01-05 trade X quantity=1 received_asset=Y received_quantity=2',
      '4 2024-01-05 deposit Z quantity=3',
      '5 2024-01-05 withdrawal Z quantity=4 fee_asset=Z fee_quantity=0.1',
      '7 REJECTED h: unpaired',
      '8 REJECTED g: missing',
    ]);
  });

  test('follows a more specific label, and is rejected if a label is unexplained', async () => {
    const mapping: Mapping = { columns: { d: 'date', t: 'type', l: 'label', a: 'asset', q: 'quantity' } };
    const csv = 'd,t,l,a,q\n2024-01-05,deposit,staking,X,1\n2024-01-06,deposit,,X,2\n2024-01-07,deposit,zap,X,3\n';
    expect(await readLines(csv, mapping)).toEqual([
      '2 2024-01-05 staking X quantity=1',
      '3 2024-01-06 deposit X quantity=2',
      '4 REJECTED l: unknown_type',
    ]);
  });

  test('is skipped if it failed, and rejected if its state is unknown', async () => {
    const mapping: Mapping = { columns: { ...columns, s: 'status' } };
    const row = '2024-01-05,buy,X,1,10';
    expect(await readLines(`d,t,a,q,m,s\n${row},Filled\n${row},Cancelled\n${row},Zap\n`, mapping)).toEqual([
      '2 2024-01-05 buy X quantity=1 amount=10.00',
      '4 REJECTED s: unknown_state',
    ]);
  });

  test('is rejected if its sign contradicts its type', async () => {
    const csv = 'd,t,a,q,m\n2024-01-05,sell,X,-1,10\n2024-01-06,sell,X,1,10\n2024-01-07,buy,X,-1,10\n';
    expect(await readLines(csv, { columns, signs: 'quantity' })).toEqual([
      '2 2024-01-05 sell X quantity=1 amount=10.00',
      '3 REJECTED q: bad_sign',
      '4 REJECTED q: bad_sign',
    ]);
    expect((await readLines(csv, { columns }))[2]).toBe('4 REJECTED q: bad_sign');
  });

  test('continues the row above if it has no date and the mapping allows it, and otherwise raises a question', async () => {
    const csv = 'd,t,a,q,m\n2024-01-05,buy,X,1,10\n,,,2,21\n,a text,,,\nTotal,,,3,31\n';
    const first = '2 2024-01-05 buy X quantity=1 amount=10.00';
    expect(await readLines(csv, { columns, fillDown: true })).toEqual([
      first,
      '3 2024-01-05 buy X quantity=2 amount=21.00',
    ]);
    expect((await readLines(csv, { columns }))[1]).toStartWith('3 REJECTED');
  });

  test('counts serial days in the time zone of its times', async () => {
    const csv = 'd,t,a,q,m\n45001.5,buy,X,1,10\n45001,buy,X,1,10\n';
    expect(await readLines(csv, { columns, serialDays: true }, 'America/New_York')).toEqual([
      '2 2023-03-16T16:00:00Z buy X quantity=1 amount=10.00',
      '3 2023-03-16 buy X quantity=1 amount=10.00',
    ]);
  });

  test('has its pair reversed if a currency comes first, and raises a question if both could be coins', async () => {
    const mapping: Mapping = { columns: { d: 'date', t: 'type', p: 'pair', q: 'quantity', m: 'amount' } };
    const row = (pair: string): string => `2024-01-05,buy,${pair},1,10`;
    expect(await readLines(`d,t,p,q,m\n${['USD-X', 'XXBTZUSD', 'BTC-ETH'].map(row).join('\n')}\n`, mapping)).toEqual([
      '2 2024-01-05 buy X quantity=1 amount=10.00',
      '3 2024-01-05 buy XBT quantity=1 amount=10.00',
      '4 REJECTED p: unknown_pair',
    ]);
  });

  test('is rejected if it has no units, or income of zero', async () => {
    const csv = 'd,t,a,q,m\n2024-01-05,buy,X,1,0\n2024-01-05,staking,X,,0\n';
    expect(await readLines(csv, { columns })).toEqual(['2 REJECTED m: missing', '3 REJECTED m: missing']);
  });

  test('is not read while a column is undecided', async () => {
    const reading = readWhole('d,t,a,q,m\n2024-01-05,buy,X,1,10\n', {
      mapping: { columns, undecided: { m: 'Is the fee in it?' } },
    });
    const refusal: unknown = await reading.catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'ambiguous_file', more: { members: { parameter: 'mapping' } } });
  });
});

describe('a proposal', () => {
  const asked = (csv: string): string[] => Object.keys(proposed(csv)?.undecided ?? {});

  test('asks if a net amount exceeds the amount plus the fees that are read', () => {
    const header = 'Date,Type,Symbol,Qty,Price,Gross,Brokerage,Handling,Net';
    expect(asked(`${header}\n2023-03-14,Buy,BHP,100,45,4500,19.95,2.00,4521.95\n`)).toEqual(['Net', 'Handling']);
  });

  test('asks about the currency of amounts, if the file suggests that it may not be dollars', () => {
    const german = 'Datum,Art,Wertpapier,Stück,Betrag';
    expect(asked(`${german}\n2023-03-14,Kauf,SAP,10,1150\n`)).toEqual(['Betrag']);
    expect(asked(`${german},Währung\n2023-03-14,Kauf,SAP,10,1150,EUR\n`)).toEqual([]);
    const unread = 'Date,Side,Symbol,Shares,Amount,Booking currency';
    const rows = (currency: string) => `2023-03-14,Buy,SAP,10,1150,${currency}\n2023-03-15,Buy,SAP,10,1150,points\n`;
    expect(asked(`${unread}\n${rows('EUR')}`)).toEqual(['Booking currency']);
    expect(asked(`${unread}\n${rows('USD')}`)).toEqual([]);
  });

  test('asks if a column with an unknown name may contain costs', () => {
    const header = 'Date,Side,Symbol,Shares,Price,Amount,Zuzu';
    expect(asked(`${header}\n2023-03-14,Buy,SAP,10,115,1150,4.90\n`)).toEqual(['Zuzu']);
    expect(asked(`${header}\n2023-03-14,Buy,SAP,10,115,1150,0.00\n`)).toEqual([]);
    expect(asked(`${header}\n2023-03-14,Buy,SAP,10,115,1150,17\n`)).toEqual([]);
  });

  test('asks if tax was withheld in a separate column, and if a contract has several units', () => {
    const dividends = 'Date,Type,Symbol,Amount,Currency,Withholding tax';
    expect(asked(`${dividends}\n2023-03-14,Dividend,SAP,20,EUR,3.00\n`)).toEqual(['Withholding tax']);
    const contracts = 'Date,Side,Symbol,Shares,Price,Multiplier';
    expect(asked(`${contracts}\n2023-03-14,Buy,MESM3,2,3950,5\n`)).toEqual([]);
    expect(asked(`${contracts}\n2023-03-14,Buy,WOODM3,2,3950,5\n`)).toEqual(['Multiplier']);
    expect(asked(`${contracts}\n2023-03-14,Buy,AAPL 230616C00150000,2,5,100\n`)).toEqual([]);
    expect(asked(`${contracts}\n2023-03-14,Buy,AAPL 230616C00150000,2,5,10\n`)).toEqual(['Multiplier']);
  });

  test('asks whether incoming units belong to the user, if no row shows it', () => {
    const header = 'Time,Action,Amount In,Asset In,Amount Out,Asset Out';
    const swap = '2023-03-14 10:00:00,swap,3000,USDC,1,ETH';
    expect(asked(`${header}\n${swap}\n`)).toEqual(['Amount In']);
    expect(asked(`${header}\n${swap}\n2023-03-15 10:00:00,receive,5,UNI,,\n`)).toEqual([]);
  });

  test('asks about fees with both signs, margin that was used, and the unit of contracts', () => {
    const header = 'Time,Market,Side,Size,Price,Value,Fee,Margin';
    const buy = '2023-03-14 10:00:00,BTC/USD,buy,0.1,25000,2500,2.5,0';
    expect(asked(`${header}\n${buy}\n`)).toEqual([]);
    expect(asked(`${header}\n${buy}\n2023-03-15 10:00:00,BTC/USD,sell,0.1,25000,2500,-1,0\n`)).toEqual(['Fee']);
    expect(asked(`${header}\n${buy}\n2023-03-15 10:00:00,BTC/USD,sell,0.1,25000,2500,2.5,500\n`)).toEqual(['Margin']);
  });

  test('asks if a fee is a percentage', () => {
    expect(asked('Date,Type,Pair,Amount,Price,Fee\n2023-03-14,Buy,ADA-USD,2,45,0.2%\n')).toEqual(['Fee']);
  });

  test('asks if the file reports sales with their basis', () => {
    const header = 'Date Sold,Type,Symbol,Quantity,Proceeds,Cost Basis,Date Acquired';
    expect(asked(`${header}\n2023-03-14,Sell,X,2,45,40,2022-01-05\n`)).toEqual(['Cost Basis']);
  });

  test('asks if rows at the same moment may be the sides of one trade', () => {
    const rows = '2023-03-14 10:00:00,deposit,BTC,1\n2023-03-14 10:00:00,withdrawal,ETH,15\n';
    expect(asked(`Time,Side,Coin,Amount\n${rows}`)).toEqual(['Amount']);
  });

  test('asks if a reinvested dividend may be listed twice', () => {
    const rows = '2023-03-14,Dividend,X,,5\n2023-03-15,Reinvest Shares,X,0.1,5\n';
    expect(asked(`Date,Action,Symbol,Quantity,Amount\n${rows}`)).toEqual(['Action']);
  });

  test('asks if signs would determine the type although a column may state it', () => {
    const rows = '2023-03-14,X,1,-10,calm,Buy\n2023-03-15,X,-1,9,note,Zap\n2023-03-16,X,-2,9,text,Zip\n';
    expect(asked(`Date,Symbol,Quantity,Amount,Mood,Zug\n${rows}`)).toEqual(['Zug']);
  });

  test('asks if there are rows above the header', () => {
    const table = 'Date,Details,Amount,Balance\n2023-03-14,Coffee,3,97\n';
    expect(asked(`${table}Date,Action,Symbol,Quantity,Price,Fee\n2023-03-14,Buy,X,1,2,0\n`)).toEqual(['Date']);
  });
});

test('types are recognized by words in a text, unless another word reverses their meaning', () => {
  const meant = [
    'Buy Trade',
    'Sell at market price',
    'Stocks/ETF purchase',
    'crypto_deposit',
    'Interest Payment',
    'Prelievo',
  ];
  expect(meant.map(typeOfWord)).toEqual(['buy', 'sell', 'buy', 'deposit', 'interest', 'withdrawal']);
  const unknown = [
    'Cancelled buy',
    'Dividend tax',
    'Buy/Sell',
    'Charity-Sent',
    'payment',
    'Short term sale',
    'swap_bonus_deposit',
  ];
  expect(unknown.map(typeOfWord)).toEqual(unknown.map(() => undefined));
});

test('states are recognized in several languages, and a partial order raises a question', () => {
  expect(['Completed', 'Ausgeführt', 'FAILED', 'annullato', 'Unfilled'].map(stateOfWord)).toEqual([
    'done',
    'done',
    'not done',
    'not done',
    'not done',
  ]);
  expect(['Partially cancelled', 'zap'].map(stateOfWord)).toEqual([undefined, undefined]);
});
