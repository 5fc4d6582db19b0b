import { describe, expect, test } from 'bun:test';
import { Refusal } from '../../src/base/refusal.ts';
import type { Mapping } from '../../src/formats/mapping/mapping.ts';
import { readMapping } from '../../src/formats/mapping/mapping-json.ts';
import type { MappingProposal } from '../../src/formats/mapping/mapping-proposal.ts';
import type { ReadingOptions } from '../../src/formats/opening.ts';
import { outcomeLines } from './outcome-lines.ts';
import { readWhole } from './reading.ts';

const trades: Mapping = {
  columns: { When: 'date', What: 'asset', Way: 'type', Units: 'quantity', Each: 'price', Costs: 'fee' },
};
const file = (...lines: string[]): string => ['When,What,Way,Units,Each,Costs', ...lines, ''].join('\n');

async function readLines(csv: string, options: Partial<ReadingOptions>): Promise<string[]> {
  return outcomeLines(await readWhole(csv, options), 'Imported');
}

async function readRefusal(csv: string, options: Partial<ReadingOptions> = {}): Promise<Refusal> {
  const error = await readWhole(csv, options).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof Refusal) return error;
  throw new Error(`No refusal: ${String(error)}`);
}

describe('a file read by its mapping', () => {
  test('has columns under its own names, amounts from price and units, and common words for types', async () => {
    const csv = file('2024-01-05,AAPL,Bought,10,"1,150.25",$1.00', '2024-02-05,AAPL,SOLD,-4,1160,1');
    expect(await readLines(csv, { mapping: trades })).toEqual([
      '2 2024-01-05 buy AAPL quantity=10 amount=11502.50 fee=1.00',
      '3 2024-02-05 sell AAPL quantity=4 amount=4640.00 fee=1.00',
    ]);
  });

  test('has the header at any position, in any case, with irrelevant columns', async () => {
    const csv = 'My broker\n\nFoo,WHEN,what,Way,Units,Each,Costs,Bar\nx,2024-01-05,AAPL,buy,1,2,,y\n';
    expect(await readLines(csv, { mapping: trades })).toEqual(['4 2024-01-05 buy AAPL quantity=1 amount=2.00']);
  });

  test('reads decimal commas, day-first dates and a separate time if the mapping specifies them', async () => {
    const mapping: Mapping = {
      columns: { Datum: 'date', Zeit: 'time', Art: 'type', Wert: 'asset', Menge: 'quantity', Summe: 'amount' },
      dateOrder: 'dmy',
      decimal: ',',
      timeZone: 'Europe/Berlin',
      constants: { currency: 'EUR' },
    };
    const csv = 'Datum;Zeit;Art;Wert;Menge;Summe\n03.04.2024;10:15;Kauf;SAP;1,5;1.234,56\n';
    expect(await readLines(csv, { mapping })).toEqual([
      '2 2024-04-03T08:15:00Z buy SAP quantity=1.5 amount=1234.56 currency=EUR',
    ]);
  });

  test('distinguishes purchases from sales by the sign of the units, or of the money', async () => {
    const columns = { d: 'date', a: 'asset', q: 'quantity', m: 'amount' } as const;
    const csv = 'd,a,q,m\n2024-01-05,X,2,-10\n2024-01-06,X,-1,7\n2024-01-07,X,0,0\n';
    const lines = ['2 2024-01-05 buy X quantity=2 amount=10.00', '3 2024-01-06 sell X quantity=1 amount=7.00'];
    expect(await readLines(csv, { mapping: { columns, signs: 'quantity' } })).toEqual([
      ...lines,
      '4 REJECTED q: missing',
    ]);
    expect(await readLines(csv, { mapping: { columns, signs: 'amount' } })).toEqual([
      ...lines,
      '4 REJECTED m: missing',
    ]);
  });

  test('splits a pair: against a currency it is a purchase or a sale, and against a coin a trade', async () => {
    const columns = { d: 'date', p: 'pair', s: 'type', q: 'quantity', e: 'price', f: 'fee' } as const;
    const csv =
      'd,p,s,q,e,f\n2024-01-05,BTC-USD,buy,2,100,1\n2024-01-06,ETH/BTC,sell,10,0.05,0.001\n2024-01-07,ETH/BTC,buy,1,0.05,\n2024-01-08,what,buy,1,1,\n';
    expect(await readLines(csv, { mapping: { columns } })).toEqual([
      '2 2024-01-05 buy BTC quantity=2 amount=200.00 fee=1.00',
      '3 2024-01-06 trade ETH quantity=10 received_asset=BTC received_quantity=0.5 fee_asset=BTC fee_quantity=0.001',
      '4 2024-01-07 trade BTC quantity=0.05 received_asset=ETH received_quantity=1',
      '5 REJECTED p: unknown_pair',
    ]);
  });

  test('subtracts the fee from a total that includes it', async () => {
    const columns = { d: 'date', a: 'asset', t: 'type', q: 'quantity', net: 'total', f: 'fee' } as const;
    const csv = 'd,a,t,q,net,f\n2024-01-05,X,buy,2,-101,1\n2024-01-06,X,sell,2,99,1\n';
    expect(await readLines(csv, { mapping: { columns } })).toEqual([
      '2 2024-01-05 buy X quantity=2 amount=100.00 fee=1.00',
      '3 2024-01-06 sell X quantity=2 amount=100.00 fee=1.00',
    ]);
  });

  test('uses the file’s own words for types, skips the words to skip, and rejects an unexplained word', async () => {
    const mapping: Mapping = { ...trades, types: { Acq: 'buy', Noise: 'skip' } };
    const csv = file('2024-01-05,X,ACQ,1,2,', '2024-01-06,,Noise,,,', '2024-01-07,X,Zap,1,2,');
    const reading = await readWhole(csv, { mapping });
    expect(outcomeLines(reading, 'Imported')).toEqual([
      '2 2024-01-05 buy X quantity=1 amount=2.00',
      '4 REJECTED Way: unknown_type',
    ]);
    expect(reading.end).toMatchObject({ rows: 3, read: 1, skipped: 1, rejected: 1 });
  });

  test('reports its own columns in errors, and keeps the cells unchanged', async () => {
    const reading = await readWhole(file('2024-01-05,X,buy,1,much,', '2024-01-05,,buy,1,2,'), { mapping: trades });
    const issues = reading.outcomes.flatMap((outcome) => (outcome.kind === 'rejected' ? [outcome.issue] : []));
    expect(issues.map(({ column, cells }) => [column, cells.join()])).toEqual([
      ['Each', '2024-01-05,X,buy,1,much,'],
      ['What', '2024-01-05,,buy,1,2,'],
    ]);
  });

  test('counts seconds since 1970 if the mapping specifies it', async () => {
    const mapping: Mapping = { columns: { t: 'date', a: 'asset', k: 'type', v: 'amount' }, epoch: true };
    expect(await readLines('t,a,k,v\n1704445200,X,dividend,3\n', { mapping })).toEqual([
      '2 2024-01-05T09:00:00Z dividend X amount=3.00',
    ]);
  });

  test('is refused if one of its columns is missing, and the error names the columns', async () => {
    const refusal = await readRefusal('When,What,Way,Units,Each\n2024-01-05,X,buy,1,2\n', { mapping: trades });
    expect([refusal.code, refusal.more.errors?.map(({ pointer }) => pointer)]).toEqual([
      'invalid',
      ['/mapping/columns/Costs'],
    ]);
  });

  test('is remembered for exactly its header', async () => {
    const remembered = [{ header: ['When', 'What', 'Way', 'Units', 'Each', 'Costs'], mapping: trades }];
    expect(await readLines(file('2024-01-05,X,buy,1,2,'), { remembered })).toEqual([
      '2 2024-01-05 buy X quantity=1 amount=2.00',
    ]);
    const other = 'When,What,Way,Units,Each,Costs,More\n2024-01-05,X,buy,1,2,,\n';
    expect((await readRefusal(other, { remembered })).code).toBe('unknown_format');
  });
});

describe('a mapping', () => {
  const faultsOf = (value: unknown): string[] => {
    const read = readMapping(value);
    return 'faults' in read ? read.faults.map(({ pointer }) => pointer) : [];
  };

  test('has only known fields, types, words and constants', () => {
    expect(faultsOf([])).toEqual(['']);
    expect(faultsOf({ columns: {} })).toEqual(['/columns']);
    expect(faultsOf({ columns: { 'a/b': 'cheese' }, color: 1 })).toEqual(['/color', '/columns/a~1b']);
    expect(faultsOf({ ...trades, types: { x: 'cheese' }, decimal: ';', timeZone: 'Mars' })).toEqual([
      '/types/x',
      '/decimal',
      '/timeZone',
    ]);
    expect(faultsOf({ ...trades, constants: { currency: 'dollars', asset: 3, who: 'me' } })).toEqual([
      '/constants/who',
      '/constants/currency',
      '/constants/asset',
    ]);
  });

  test('does not contradict itself', () => {
    const columns = { d: 'date', a: 'asset', t: 'type' };
    expect(faultsOf({ columns: { ...columns, e: 'asset' } })).toEqual(['/columns/e']);
    expect(faultsOf({ columns, constants: { type: 'buy' } })).toEqual(['/constants/type']);
    expect(faultsOf({ columns: { a: 'asset', t: 'type' } })).toEqual(['/columns']);
    expect(faultsOf({ columns, signs: 'quantity' })).toEqual(['/signs']);
    expect(faultsOf({ columns: { ...columns, p: 'pair' } })).toEqual(['/columns']);
    expect(faultsOf({ columns, types: { x: 'sign' } })).toEqual(['/types']);
    expect(faultsOf({ columns, epoch: true, dateOrder: 'dmy' })).toEqual(['/epoch']);
  });

  test('works normally with a header named like a member of every object', async () => {
    const mapping = JSON.parse(
      '{"columns": {"__proto__": "date", "constructor": "asset", "t": "type", "v": "amount"}}',
    );
    expect(faultsOf(mapping)).toEqual([]);
    const csv = '__proto__,constructor,t,v\n2024-01-05,X,dividend,3\n';
    expect(await readLines(csv, { mapping })).toEqual(['2 2024-01-05 dividend X amount=3.00']);
  });
});

describe('a file in an unknown format', () => {
  const readProposal = async (csv: string): Promise<MappingProposal | undefined> => {
    const refusal = await readRefusal(csv);
    expect(refusal.code).toBe('unknown_format');
    return refusal.more.members?.proposal as MappingProposal | undefined;
  };
  const everyday =
    'Trade Date,Ticker,Side,Qty,Unit Price (EUR),Commission,Mood\n2024-01-05,AAPL,Bought,10,150.25,1.00,good\n';

  test('gets a proposed mapping that can be sent back unchanged', async () => {
    const proposal = await readProposal(everyday);
    expect(proposal?.mapping).toEqual({
      columns: {
        'Trade Date': 'date',
        Ticker: 'asset',
        Side: 'type',
        Qty: 'quantity',
        'Unit Price (EUR)': 'price',
        Commission: 'fee',
      },
      constants: { currency: 'EUR' },
    });
    expect(proposal?.unclear).toEqual(['Mood']);
    expect(proposal?.missing).toEqual([]);
    expect(await readLines(everyday, { mapping: proposal?.mapping as Mapping })).toEqual([
      '2 2024-01-05 buy AAPL quantity=10 amount=1502.50 fee=1.00 currency=EUR',
    ]);
  });

  test('gets a confidence for each column, and a list of words that are not types', async () => {
    const proposal = await readProposal(
      'Executed,Symbol,Action,Shares,Amount\n2024-01-05,AAPL,Bought,10,x\n2024-01-06,AAPL,Zap,1,y\n',
    );
    expect(proposal?.columns.map(({ column, field, confidence }) => [column, field, confidence])).toEqual([
      ['Executed', 'date', 0.5],
      ['Symbol', 'asset', 1],
      ['Action', 'type', 0.7],
      ['Shares', 'quantity', 1],
      ['Amount', 'amount', 0.2],
    ]);
    expect(proposal?.unclear).toEqual(['Executed', 'Amount', 'Action: Zap']);
    expect(proposal?.missing).toEqual(['amount']);
  });

  test('gets the sides from the signs if no column has them, and decimal commas from the numbers', async () => {
    const proposal = await readProposal(
      'Datum;Symbol;Anzahl;Betrag (EUR)\n05.01.2024;SAP;10;-1.500,25\n08.01.2024;SAP;-10;1.600,00\n',
    );
    expect(proposal?.mapping).toMatchObject({ signs: 'quantity', decimal: ',' });
    expect(
      await readLines('Datum;Symbol;Anzahl;Betrag (EUR)\n05.01.2024;SAP;10;-1.500,25\n', {
        mapping: proposal?.mapping as Mapping,
      }),
    ).toEqual(['2 2024-01-05 buy SAP quantity=10 amount=1500.25 currency=EUR']);
  });

  test('gets letters by their header, units of a fund by its words, and a coin by the header of its units', async () => {
    const letters = await readProposal(
      'Date,K/V,Symbol,Units,Amount EUR\n2024-01-05,K,SAP,10,1500\n2024-01-08,V,SAP,4,640\n',
    );
    expect(letters?.mapping.types).toEqual({ K: 'buy', V: 'sell' });
    const fund = await readProposal('Date,Type,Fund,Units,NAV,Amount\n2024-01-05,Redemption,VFIAX,2,360,720\n');
    expect(fund?.mapping.types).toEqual({ Redemption: 'sell' });
    const savings = await readProposal('Date,Type,Coin,Amount,Value\n2024-01-05,Redemption,BTC,2,36000\n');
    expect(savings?.mapping.types).toBeUndefined();
    const coin = await readProposal('Date,Type,BTC Amount,Fee BTC\n2024-01-05,Withdrawal,0.1,0.0001\n');
    expect(coin?.mapping.constants).toEqual({ asset: 'BTC' });
  });

  test('rejects a fee with a different sign than the fees before it', async () => {
    const mapping: Mapping = {
      columns: { Date: 'date', Side: 'type', Symbol: 'asset', Units: 'quantity', Amount: 'amount', Fee: 'fee' },
    };
    const rows = '2024-01-05,Buy,SAP,10,1500,-1\n2024-01-08,Sell,SAP,4,640,0\n2024-01-09,Sell,SAP,4,640,0.5\n';
    expect(await readLines(`Date,Side,Symbol,Units,Amount,Fee\n${rows}`, { mapping })).toEqual([
      '2 2024-01-05 buy SAP quantity=10 amount=1500.00 fee=1.00',
      '3 2024-01-08 sell SAP quantity=4 amount=640.00',
      '4 REJECTED Fee: ambiguous_sign',
    ]);
  });

  test('is judged by rows that took place', async () => {
    const canceled = '2024-01-06,SAP,Sell,10,0,0,Canceled\n';
    const proposal = await readProposal(
      `Date,Symbol,Side,Units,Filled Value,Fee,Status\n2024-01-05,SAP,Buy,10,1500,1,Filled\n${canceled.repeat(3)}`,
    );
    expect(proposal?.mapping.columns).toMatchObject({ Units: 'quantity', 'Filled Value': 'amount', Status: 'status' });
  });

  test('gets pairs proposed if it trades pairs', async () => {
    const csv =
      'Time,Market,Side,Size,Price\n2024-01-05T10:00:00Z,BTC-USD,BUY,2,100\n2024-01-06T10:00:00Z,ETH-USD,SELL,1,10\n';
    const proposal = await readProposal(csv);
    expect(proposal?.mapping.columns).toEqual({
      Time: 'date',
      Market: 'pair',
      Side: 'type',
      Size: 'quantity',
      Price: 'price',
    });
  });

  test('gets amounts proposed as units if it counts units as amounts', async () => {
    const csv = 'Time,Coin,Action,Amount,Exchange rate\n2024-01-05T10:00:00Z,BTC,deposit,2,1.5\n';
    const proposal = await readProposal(csv);
    expect(proposal?.mapping.columns).toEqual({ Time: 'date', Coin: 'asset', Action: 'type', Amount: 'quantity' });
    expect(proposal?.unclear).toEqual(['Exchange rate']);
  });

  test('gets no mapping if it is not a list of transactions', async () => {
    expect(await readProposal('Name,Color\nRex,brown\n')).toBeUndefined();
  });
});

describe('an open question about a file', () => {
  test('between day and month is settled by any of its rows', async () => {
    const csv = file('03/04/2024,X,buy,1,2,', '13/04/2024,X,sell,1,3,');
    expect(await readLines(csv, { mapping: trades })).toEqual([
      '2 2024-04-03 buy X quantity=1 amount=2.00',
      '3 2024-04-13 sell X quantity=1 amount=3.00',
    ]);
    const months = file('03/04/2024,X,buy,1,2,', '03/14/2024,X,sell,1,3,');
    expect((await readLines(months, { mapping: trades }))[0]).toBe('2 2024-03-04 buy X quantity=1 amount=2.00');
  });

  test('is also settled by a row far below', async () => {
    const many = Array.from({ length: 5_000 }, (_, index) => `0${(index % 9) + 1}/04/2024,X,buy,1,2,`);
    const [first] = await readLines(file(...many, '13/04/2024,X,sell,1,3,'), { mapping: trades });
    expect(first).toBe('2 2024-04-01 buy X quantity=1 amount=2.00');
  });

  test('is asked if no row settles it, with both readings of a value', async () => {
    const refusal = await readRefusal(file('2024-01-05,X,buy,1,2,', '03/04/2024,X,buy,1,2,'), { mapping: trades });
    expect(refusal.code).toBe('ambiguous_file');
    expect(refusal.detail).toContain('"03/04/2024" on line 3');
    expect(refusal.more).toMatchObject({
      errors: [{ code: 'ambiguous_date', line: 3, column: 'When' }],
      members: {
        parameter: 'dateOrder',
        readings: [
          { value: 'mdy', reads: '2024-03-04' },
          { value: 'dmy', reads: '2024-04-03' },
        ],
      },
    });
    const asked = { mapping: trades, dateOrder: 'dmy' } as const;
    expect(await readLines(file('03/04/2024,X,buy,1,2,'), asked)).toEqual([
      '2 2024-04-03 buy X quantity=1 amount=2.00',
    ]);
  });

  test('is asked if rows contradict one another, but not if both readings are the same', async () => {
    const both = file('13/04/2024,X,buy,1,2,', '04/13/2024,X,buy,1,2,', '03/04/2024,X,buy,1,2,');
    expect((await readRefusal(both, { mapping: trades })).code).toBe('ambiguous_file');
    expect(await readLines(file('04/04/2024,X,buy,1,2,'), { mapping: trades })).toEqual([
      '2 2024-04-04 buy X quantity=1 amount=2.00',
    ]);
  });

  test('is asked for a source whose users choose how dates are written', async () => {
    const header = '"Type","Buy","Cur.","Sell","Cur.","Fee","Cur.","Exchange","Group","Comment","Date"';
    const rows = ['"Trade","1","BTC","100","USD","","","K","","","03/04/2024 10:00"'];
    expect((await readRefusal([header, ...rows, ''].join('\n'))).code).toBe('ambiguous_file');
    const decided = [...rows, '"Trade","1","BTC","100","USD","","","K","","","03/14/2024 10:00"'];
    const { drafts } = await readWhole([header, ...decided, ''].join('\n'));
    expect(outcomeLines(await readWhole([header, ...decided, ''].join('\n')), 'K')[0]).toStartWith(
      '2 2024-03-04T10:00:00Z buy',
    );
    expect(drafts).toHaveLength(2);
  });

  test('is asked about the direction of its rows, for a mapping and for a format', async () => {
    const columns = { d: 'date', a: 'asset', q: 'quantity', m: 'amount' } as const;
    const csv = 'd,a,q,m\n2024-01-05,X,2,10\n';
    const refusal = await readRefusal(csv, { mapping: { columns } });
    expect(refusal.more).toMatchObject({ members: { parameter: 'side' }, errors: [{ line: 2 }] });
    expect(await readLines(csv, { mapping: { columns }, side: 'sell' })).toEqual([
      '2 2024-01-05 sell X quantity=2 amount=10.00',
    ]);
    const binance =
      'Date(UTC),Coin,Amount,TransactionFee,Address,TXID,SourceAddress,PaymentID,Status\n2021-01-05 10:00:00,BTC,1,0.001,a,t,s,,Completed\n';
    expect((await readRefusal(binance)).more.members?.readings).toMatchObject([
      { value: 'deposit' },
      { value: 'withdrawal' },
    ]);
    expect(outcomeLines(await readWhole(binance, { side: 'deposit' }), 'Binance')).toEqual([
      '2 2021-01-05T10:00:00Z deposit BTC quantity=1 id=t',
    ]);
    expect(outcomeLines(await readWhole(binance, { side: 'withdrawal' }), 'Binance')).toEqual([
      '2 2021-01-05T10:00:00Z withdrawal BTC quantity=1 fee_asset=BTC fee_quantity=0.001 id=t',
    ]);
  });

  test('is not asked if the file answers it, and an answer is then refused', async () => {
    expect((await readRefusal(file('2024-01-05,X,buy,1,2,'), { mapping: trades, side: 'buy' })).code).toBe('invalid');
  });
});
