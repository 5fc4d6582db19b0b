import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatDay, parseDay } from '../../src/base/day.ts';
import { formatMoney, formatQuantity, type Money, type Quantity } from '../../src/base/decimal.ts';
import { resolveAssetClass } from '../../src/engine/events/classes.ts';
import type { Transaction } from '../../src/engine/model.ts';
import type { Draft } from '../../src/formats/format.ts';
import { draws } from '../support/depth.ts';
import { defaultRules } from '../support/golden.ts';
import { replayAll } from '../support/ledger.ts';
import { readWhole } from './reading.ts';

/**
 * Each broker states an exercise or an assignment as rows for the option and rows for the shares. For any division and
 * any dates, the books must equal those from one row that states everything.
 */

/** The history: contracts on ACME at a strike of 25 end on a Friday, and shares are delivered for a fee. */
interface Ending {
  readonly type: 'assign' | 'exercise';
  readonly right: 'call' | 'put';
  /** The contracts in each option row. */
  readonly contracts: readonly number[];
  /** The shares in each stock row. */
  readonly shares: readonly number[];
  readonly on: string;
  readonly deliveredOn: string;
  readonly isShort: boolean;
}

interface StockTrade {
  readonly on: string;
  readonly side: 'buy' | 'sell';
  readonly isShort: boolean;
  readonly shares: number;
  readonly price: string;
  readonly fee: string;
  /** The event that delivers these shares. Null for a separate trade. */
  readonly by: Ending | null;
}

/** How a broker writes its rows. The rows in a file are sorted by day. */
interface Broker {
  readonly header: string;
  readonly option: (on: string, isBought: boolean, right: 'call' | 'put', contracts: number) => string;
  readonly event: (ending: Ending, contracts: number) => string;
  readonly stock: (trade: StockTrade) => string;
  readonly isNewestFirst?: true;
  /** True if all stock rows come before option rows in the file. */
  readonly isByClass?: true;
  /** True if the source writes no short sales. */
  readonly hasNoShorts?: true;
  /** True if the delivery rows are marked. */
  readonly isMarked?: true;
  readonly mapping?: Readonly<Record<string, string>>;
}

const expiry = '2024-09-20';
const readColumns = (fixture: string, at = 0): string => {
  const lines = readFileSync(join(import.meta.dir, `../fixtures/formats/${fixture}.csv`), 'utf8').split('\n');
  return lines.filter((line) => line.includes(','))[at] ?? '';
};
const american = (on: string): string => `${on.slice(5, 7)}/${on.slice(8)}/${on.slice(0, 4)}`;
const compact = (on: string): string => on.replaceAll('-', '');
const letter = (right: string): string => (right === 'call' ? 'C' : 'P');
const occ = (right: string): string => `240920${letter(right)}00025000`;
const cents = (text: string): bigint => BigInt(Math.round(Number(text) * 100));
const dollars = (value: bigint): string => `${value < 0n ? '-' : ''}${sizeOf(value)}`;
const sizeOf = (value: bigint): string => {
  const size = value < 0n ? -value : value;
  return `${size / 100n}.${String(size % 100n).padStart(2, '0')}`;
};
const grossOf = ({ shares, price }: StockTrade): bigint => BigInt(shares) * cents(price);
const netOf = (trade: StockTrade): bigint =>
  (trade.side === 'buy' ? -grossOf(trade) : grossOf(trade)) - cents(trade.fee);
const premium = (isBought: boolean, contracts: number): bigint => (isBought ? -5000n : 5000n) * BigInt(contracts);
const paren = (value: bigint): string => (value < 0n ? `($${sizeOf(value)})` : `$${sizeOf(value)}`);

const brokers: Readonly<Record<string, Broker>> = {
  schwab: {
    header: readColumns('schwab'),
    isNewestFirst: true,
    option: (on, isBought, right, contracts) =>
      `${american(on)},${isBought ? 'Buy' : 'Sell'} to Open,ACME 09/20/2024 25.00 ${letter(right)},OPTION,${contracts},$0.50,,${dollars(premium(isBought, contracts))}`,
    event: ({ on, type, right }, contracts) =>
      `${american(on)},${type === 'assign' ? 'Assigned' : 'Exchange or Exercise'},ACME 09/20/2024 25.00 ${letter(right)},OPTION,${contracts},,,`,
    stock: (trade) =>
      `${american(trade.on)},${trade.side === 'buy' ? (trade.isShort ? 'Buy to Cover' : 'Buy') : trade.isShort ? 'Sell Short' : 'Sell'},ACME,ACME INC,${trade.shares},$${trade.price},$${trade.fee},${dollars(netOf(trade))}`,
  },
  robinhood: {
    isMarked: true,
    header: readColumns('robinhood'),
    isNewestFirst: true,
    hasNoShorts: true,
    option: (on, isBought, right, contracts) =>
      [
        american(on),
        american(on),
        american(on),
        'ACME',
        `ACME 9/20/2024 ${right === 'call' ? 'Call' : 'Put'} $25.00`,
        isBought ? 'BTO' : 'STO',
        contracts,
        '$0.50',
        paren(premium(isBought, contracts)),
      ].join(','),
    event: ({ on, type, right }, contracts) =>
      [
        american(on),
        american(on),
        american(on),
        'ACME',
        `ACME 9/20/2024 ${right === 'call' ? 'Call' : 'Put'} $25.00`,
        type === 'assign' ? 'OASGN' : 'OEXCS',
        contracts,
        '',
        '',
      ].join(','),
    // True if the amount is net of the fees, which have no column.
    stock: (trade) =>
      [
        american(trade.on),
        american(trade.on),
        american(trade.on),
        'ACME',
        trade.by === null
          ? 'ACME Inc'
          : `"ACME Inc\n${trade.by.contracts.length} ACME Option ${trade.by.type === 'assign' ? 'Assigned' : 'Exercised'}"`,
        trade.side === 'buy' ? 'Buy' : 'Sell',
        trade.shares,
        `$${trade.price}`,
        paren(netOf(trade)),
      ].join(','),
  },
  tastytrade: {
    isMarked: true,
    header: readColumns('tastytrade'),
    isNewestFirst: true,
    option: (on, isBought, right, contracts) =>
      `${on}T15:32:26-0400,Trade,${isBought ? 'Buy' : 'Sell'} to Open,${isBought ? 'BUY' : 'SELL'}_TO_OPEN,ACME  ${occ(right)},Equity Option,x,${dollars(premium(isBought, contracts))},${contracts},50.00,0.00,0.00,100,ACME,ACME,9/20/24,25.0,${right.toUpperCase()},1,USD`,
    event: ({ on, type, right }, contracts) =>
      `${on}T16:00:00-0400,Receive Deliver,${type === 'assign' ? 'Assignment' : 'Exercise'},${type === 'assign' ? 'BUY' : 'SELL'}_TO_CLOSE,ACME  ${occ(right)},Equity Option,Removal of option,0.00,${contracts},0.00,--,0.00,100,ACME,ACME,9/20/24,25.0,${right.toUpperCase()},,USD`,
    stock: (trade) => {
      const action =
        trade.side === 'buy'
          ? trade.isShort
            ? 'BUY_TO_CLOSE'
            : 'BUY_TO_OPEN'
          : trade.isShort
            ? 'SELL_TO_OPEN'
            : 'SELL_TO_CLOSE';
      const [type, sub] =
        trade.by === null
          ? ['Trade', 'Trade']
          : ['Receive Deliver', trade.by.type === 'assign' ? 'Assignment' : 'Exercise'];
      return `${trade.on}T16:00:00-0400,${type},${sub},${action},ACME,Equity,x,"${dollars(netOf({ ...trade, fee: '0' }))}",${trade.shares},${trade.price},--,-${trade.fee},,,,,,,,USD`;
    },
  },
  'ibkr-activity': {
    isMarked: true,
    header:
      'Trades,Header,DataDiscriminator,Asset Category,Currency,Symbol,Date/Time,Quantity,T. Price,C. Price,Proceeds,Comm/Fee,Basis,Realized P/L,MTM P/L,Code',
    isByClass: true,
    option: (on, isBought, right, contracts) =>
      `Trades,Data,Order,Equity and Index Options,USD,ACME 20SEP24 25 ${letter(right)},"${on}, 10:00:00",${isBought ? contracts : -contracts},0.5,0.5,${dollars(premium(isBought, contracts))},0,,,,O`,
    event: ({ on, type, right }, contracts) =>
      `Trades,Data,Order,Equity and Index Options,USD,ACME 20SEP24 25 ${letter(right)},"${on}, 16:20:00",${type === 'assign' ? contracts : -contracts},0,0,0,0,,,,${type === 'assign' ? 'A' : 'Ex'};C`,
    stock: (trade) =>
      `Trades,Data,Order,Stocks,USD,ACME,"${trade.on}, 16:20:00",${trade.side === 'buy' ? trade.shares : -trade.shares},${trade.price},1,${dollars(netOf({ ...trade, fee: '0' }))},-${trade.fee},,,,${trade.by === null ? '' : trade.by.type === 'assign' ? 'A;' : 'Ex;'}${(trade.side === 'buy') === trade.isShort ? 'C' : 'O'}`,
  },
  'ibkr-flex': {
    isMarked: true,
    header:
      'CurrencyPrimary,Symbol,DateTime,TradeDate,Quantity,TradePrice,Buy/Sell,ClientAccountID,AssetClass,TradeID,TradeMoney,Taxes,IBCommission,IBCommissionCurrency,Open/CloseIndicator,Notes/Codes,LevelOfDetail',
    option: (on, isBought, right, contracts) =>
      `USD,ACME  ${occ(right)},${compact(on)};100000,${compact(on)},${isBought ? contracts : -contracts},0.5,${isBought ? 'BUY' : 'SELL'},U1,OPT,${on}o,${dollars(-premium(isBought, contracts))},0,0,USD,O,,EXECUTION`,
    event: ({ on, type, right }, contracts) =>
      `USD,ACME  ${occ(right)},${compact(on)};162000,${compact(on)},${type === 'assign' ? contracts : -contracts},0,${type === 'assign' ? 'BUY' : 'SELL'},U1,OPT,${on}e,0,0,0,USD,C,${type === 'assign' ? 'A' : 'Ex'},EXECUTION`,
    stock: (trade) =>
      `USD,ACME,${compact(trade.on)};162000,${compact(trade.on)},${trade.side === 'buy' ? trade.shares : -trade.shares},${trade.price},${trade.side.toUpperCase()},U1,STK,${trade.on}s,${dollars(-netOf({ ...trade, fee: '0' }))},0,-${trade.fee},USD,${(trade.side === 'buy') === trade.isShort ? 'C' : 'O'},${trade.by === null ? '' : trade.by.type === 'assign' ? 'A' : 'Ex'},EXECUTION`,
  },
  fidelity: {
    isMarked: true,
    header:
      'Run Date,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),Fees ($),Accrued Interest ($),Amount ($),Cash Balance ($),Settlement Date',
    isNewestFirst: true,
    option: (on, isBought, right, contracts) =>
      `${american(on)},YOU ${isBought ? 'BOUGHT' : 'SOLD'} OPENING TRANSACTION (ACME) (Margin),-ACME240920${letter(right)}25,x,Margin,${isBought ? contracts : -contracts},0.5,,,,${dollars(premium(isBought, contracts))},0,`,
    event: ({ on, type, right }, contracts) =>
      `${american(on)},${type === 'assign' ? 'ASSIGNED' : 'EXERCISED'} (ACME) ACME INC SEP 20 24 $25 (100 SHS) (Margin),-ACME240920${letter(right)}25,x,Margin,${contracts},,,,,0,0,`,
    stock: (trade) => {
      const by =
        trade.by === null
          ? ''
          : `${trade.by.type === 'assign' ? 'ASSIGNED' : 'EXERCISED'} ${trade.by.right.toUpperCase()}S `;
      const action = trade.side === 'buy' ? `YOU BOUGHT ${by}` : `YOU SOLD ${by}${trade.isShort ? 'SHORT SALE ' : ''}`;
      return `${american(trade.on)},${action}ACME INC (ACME) (Margin),ACME,x,Margin,${trade.side === 'buy' ? trade.shares : -trade.shares},${trade.price},,${trade.fee},,${dollars(netOf(trade))},0,`;
    },
  },
  etrade: {
    header: readColumns('etrade', 1),
    isNewestFirst: true,
    option: (on, isBought, right, contracts) =>
      `${american(on)},${american(on)},${american(on)},${isBought ? 'Bought' : 'Sold'} To Open,x,ACME${occ(right)},,${isBought ? contracts : -contracts},0.5,${dollars(premium(isBought, contracts))},0,--,--`,
    event: ({ on, type, right }, contracts) =>
      `${american(on)},${american(on)},${american(on)},${type === 'assign' ? 'Option Assigned' : 'Option Exercised'},x,ACME${occ(right)},,${contracts},0,0,0,--,--`,
    stock: (trade) =>
      `${american(trade.on)},${american(trade.on)},${american(trade.on)},${trade.side === 'buy' ? (trade.isShort ? 'Bought To Cover' : 'Bought') : trade.isShort ? 'Sold Short' : 'Sold'},ACME,ACME,,${trade.shares},${trade.price},${dollars(netOf(trade))},${trade.fee},--,--`,
  },
  merrill: {
    header: readColumns('merrill'),
    isNewestFirst: true,
    hasNoShorts: true,
    option: (on, isBought, right, contracts) =>
      `${american(on)},${american(on)},Settled,--,CMA-Edge,BB-20002,x,Option ${isBought ? 'Purchase' : 'Sale'},${right.toUpperCase()} ACME 00025 ACME INC EXP 09-20-24,x,${isBought ? contracts : -contracts},0.5,"${isBought ? `(${sizeOf(premium(true, contracts))})` : sizeOf(premium(false, contracts))}"`,
    event: ({ on, type, right }, contracts) =>
      `${american(on)},${american(on)},Settled,--,CMA-Edge,BB-20002,x,${type === 'assign' ? 'Option Assigned' : 'Option Exercised'},${right.toUpperCase()} ACME 00025 ACME INC EXP 09-20-24,x,${contracts},--,--`,
    stock: (trade) =>
      `${american(trade.on)},${american(trade.on)},Settled,--,CMA-Edge,BB-20002,x,${trade.side === 'buy' ? 'Purchase' : 'Sale'},ACME INC,ACME,${trade.side === 'buy' ? trade.shares : -trade.shares},${trade.price},"${trade.side === 'buy' ? `(${sizeOf(netOf(trade))})` : sizeOf(netOf(trade))}"`,
  },
  tdameritrade: {
    header: readColumns('tdameritrade'),
    option: (on, isBought, right, contracts) =>
      `${american(on)},1,${isBought ? 'Bought' : 'Sold'} ${contracts} ACME Sep 20 2024 25.0 ${right === 'call' ? 'Call' : 'Put'} @ 0.5,${contracts},ACME Sep 20 2024 25.0 ${right === 'call' ? 'Call' : 'Put'},0.50,,${dollars(premium(isBought, contracts))},,,,,`,
    event: ({ on, type, right }, contracts) =>
      `${american(on)},2,REMOVAL OF OPTION DUE TO ${type === 'assign' ? 'ASSIGNMENT' : 'EXERCISE'} (0ACME),${contracts},ACME Sep 20 2024 25.0 ${right === 'call' ? 'Call' : 'Put'},,,0.00,,,,,`,
    stock: (trade) =>
      `${american(trade.on)},3,${trade.side === 'buy' ? (trade.isShort ? 'Bought to Cover' : 'Bought') : trade.isShort ? 'Sold Short' : 'Sold'} ${trade.shares} ACME @ ${trade.price},${trade.shares},ACME,${trade.price},,${dollars(netOf(trade))},,${trade.fee},,,`,
  },
  mapping: {
    header: 'Day,What,Sym,Qty,Cash,Cost',
    mapping: { Day: 'date', What: 'type', Sym: 'asset', Qty: 'quantity', Cash: 'amount', Cost: 'fee' },
    option: (on, isBought, right, contracts) =>
      `${on},${isBought ? 'buy' : 'sell'} to open,ACME ${occ(right)},${contracts},${sizeOf(premium(isBought, contracts))},0`,
    event: ({ on, type, right }, contracts) =>
      `${on},${type},ACME ${occ(right)},${contracts},${dollars(250_000n * BigInt(contracts))},0`,
    stock: (trade) =>
      `${trade.on},${trade.side === 'buy' ? (trade.isShort ? 'cover' : 'buy') : trade.isShort ? 'short sell' : 'sell'},ACME,${trade.shares},${dollars(grossOf(trade))},${trade.fee}`,
  },
};

const kinds = [
  { type: 'assign', right: 'put' },
  { type: 'assign', right: 'call' },
  { type: 'exercise', right: 'call' },
  { type: 'exercise', right: 'put' },
] as const;

/** The contracts in the option rows, and the shares in the stock rows. */
const divisions: readonly (readonly [contracts: readonly number[], shares: readonly number[]])[] = [
  [[1], [100]],
  [[2], [100, 100]],
  [[3], [100, 150, 50]],
  [[1, 1], [200]],
  [
    [1, 2],
    [150, 150],
  ],
  [
    [1, 1, 1],
    [200, 100],
  ],
];

/** The days of the option and of the stock: the same day, the following Monday, as of Friday, and around Labor Day. */
const days: readonly (readonly [on: string, deliveredOn: string])[] = [
  ['2024-09-20', '2024-09-20'],
  ['2024-08-30', '2024-09-03'],
  ['2024-09-12', '2024-09-11'],
  ['2024-09-20', '2024-09-23'],
];

const unrelated: StockTrade = {
  ...{ on: '2024-09-20', side: 'buy', isShort: false, shares: 100, price: '25.01', fee: '0.00', by: null },
};

for (const [id, broker] of Object.entries(brokers)) {
  describe(`${id}: options and the shares that they deliver`, () => {
    for (const kind of kinds) {
      test(`produce the same books as one row, for any rows and days: ${kind.type} ${kind.right}`, async () => {
        for (const [at, [contracts, shares]] of divisions.entries()) {
          for (const [on, deliveredOn] of days.filter((_, day) => (at + day) % draws(6, 2) === 0)) {
            if (deliveredOn < on && broker.isMarked !== true) continue;
            for (const isShort of broker.hasNoShorts === true ? [false] : [false, true]) {
              const ending: Ending = { ...kind, contracts, shares, on, deliveredOn, isShort };
              const { rows, stated } = rowsOf(broker, ending);
              const read = await drafts(broker, rows);
              const label = JSON.stringify(ending);
              expect([label, ...booksOf(read)]).toEqual([label, ...booksOf(await draftsOfLotbook(stated))]);
            }
          }
        }
      });
    }

    test('leave a trade at another price or on another day unchanged', async () => {
      const ending: Ending = {
        ...kinds[0],
        contracts: [1],
        shares: [],
        on: expiry,
        deliveredOn: expiry,
        isShort: false,
      };
      for (const changes of [{ price: '25.01' }, { price: '24.99' }, { on: '2024-09-24' }, { on: '2024-09-18' }]) {
        const trade = { ...unrelated, price: '25.00', ...changes };
        const { rows } = rowsOf(broker, ending);
        const types = (await drafts(broker, [...rows, { on: trade.on, text: broker.stock(trade) }])).map(
          ({ type }) => type,
        );
        expect(types.filter((type) => type === 'buy' || type === 'assign').sort()).toEqual([
          'assign',
          'buy',
          'buy',
          'buy',
        ]);
      }
    });
  });
}

interface TextRow {
  readonly on: string;
  readonly text: string;
  readonly isOption?: boolean;
}

/** Returns a broker's rows, and the same history with one row for the event. */
function rowsOf(broker: Broker, ending: Ending): { rows: TextRow[]; stated: string[] } {
  const { type, right, contracts, shares, on, deliveredOn, isShort } = ending;
  const buys = (type === 'exercise') === (right === 'call');
  const total = contracts.reduce((sum, part) => sum + part, 0);
  const held: StockTrade = { ...unrelated, on: '2023-01-10', shares: 1000, price: '15.00' };
  const isBought = type === 'exercise';
  const feeOf = (part: number): string => dollars((6n * BigInt(part)) / 100n);
  const rows: TextRow[] = [
    ...(isShort && !buys ? [] : [{ on: held.on, text: broker.stock(held) }]),
    { on: '2024-08-01', text: broker.option('2024-08-01', isBought, right, total), isOption: true },
    ...contracts.map((part) => ({ on, text: broker.event(ending, part), isOption: true })),
    ...shares.map((part) => {
      const trade: StockTrade = {
        on: deliveredOn,
        side: buys ? 'buy' : 'sell',
        isShort: isShort && !buys,
        shares: part,
        price: '25.00',
        fee: feeOf(part),
        by: ending,
      };
      return { on: deliveredOn, text: broker.stock(trade) };
    }),
    { on: unrelated.on, text: broker.stock(unrelated) },
  ];
  const symbol = `ACME 2024-09-20 ${letter(right)} 25`;
  const [firstDay = on] = [on, deliveredOn].sort();
  const fees = feeOf(shares.reduce((sum, part) => sum + part, 0));
  const stated = [
    ...(isShort && !buys ? [] : ['2023-01-10,buy,ACME,1000,15000,0']),
    `2024-08-01,${isBought ? 'buy' : 'sell'}_to_open,${symbol},${total},${sizeOf(premium(true, total))},0`,
    `${firstDay},${type},${symbol},${total},${2500 * total},${fees}`,
    `${unrelated.on},buy,ACME,100,2501,0`,
  ];
  return { rows, stated };
}

async function drafts(broker: Broker, rows: readonly TextRow[]): Promise<readonly Draft[]> {
  const sorted = rows.toSorted((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : 0));
  const ordered = broker.isNewestFirst === true ? sorted.reverse() : sorted;
  const lines =
    broker.isByClass === true
      ? ordered.toSorted((a, b) => Number(a.isOption === true) - Number(b.isOption === true))
      : ordered;
  const file = [broker.header, ...lines.map(({ text }) => text), ''].join('\n');
  const options = broker.mapping === undefined ? {} : { mapping: { columns: broker.mapping } };
  const read = await readWhole(file, options as never);
  expect(read.outcomes.filter(({ kind }) => kind === 'rejected')).toEqual([]);
  expect(read.outcomes.flatMap(({ lines: own }) => own).length).toBe(rows.length);
  return read.drafts;
}

async function draftsOfLotbook(rows: readonly string[]): Promise<readonly Draft[]> {
  return (await readWhole(['date,type,asset,quantity,amount,fee', ...rows].join('\n'), { format: 'lotbook' })).drafts;
}

/** Returns the position and the gains in each asset, regardless of the division into lots. */
function booksOf(all: readonly Draft[]): string[] {
  const rows = all.map((draft, at): Transaction => {
    const row = { ...draft, account: 'A', id: `t${String(at).padStart(4, '0')}`, externalId: '', note: '' };
    return { ...row, at: null, assetClass: resolveAssetClass(row, defaultRules, 'stock') } as Transaction;
  });
  const closing = {
    ...(rows[0] as Transaction),
    type: 'cover',
    on: parseDay('2024-12-02'),
    id: 'u',
    assetClass: 'stock',
  };
  const { lines, lots } = replayAll([...rows, { ...closing, ...covered }] as Transaction[], defaultRules);
  const sums = new Map<string, [bigint, bigint, bigint]>();
  const add = (name: string, quantity: bigint, first: bigint, second: bigint): void => {
    const [a, b, c] = sums.get(name) ?? [0n, 0n, 0n];
    sums.set(name, [a + quantity, b + first, c + second]);
  };
  for (const { disposal } of lines) {
    const { asset, sold, acquired, quantity, proceeds, basis } = disposal;
    add(`line ${asset} ${formatDay(acquired)} ${formatDay(sold)}`, quantity, proceeds, basis);
  }
  for (const { asset, acquired, quantity, basis } of lots)
    add(`lot ${asset} ${formatDay(acquired)}`, quantity, 0n, basis);
  return [...sums]
    .map(([name, [quantity, first, second]]) => {
      const money = (value: bigint): string => formatMoney((value * 1_000_000n) as Money);
      return `${name} ${formatQuantity(quantity as Quantity)} ${money(first)} ${money(second)}`;
    })
    .sort();
}

/** Adds a purchase at the end that covers all short positions. */
const covered = {
  asset: 'ACME',
  quantity: 600n * 10n ** 18n,
  amount: 10_000n * 10n ** 8n,
  fee: null,
  underlying: '',
  right: null,
  shares: null,
  lots: [],
};

describe('rows that options deliver', () => {
  const schwabHeader = readColumns('schwab');
  const readTypes = async (rows: readonly string[], header = schwabHeader): Promise<string[]> =>
    (await readWhole([header, ...rows, ''].join('\n'))).drafts.map(
      ({ type, asset, amount }) => `${type} ${asset} ${amount === null ? '' : formatMoney(amount)}`,
    );
  const ended = (symbol: string): string => `09/20/2024,Assigned,${symbol},OPTION,1,,,`;
  const bought = (asset: string, shares: number, price: number): string =>
    `09/20/2024,Buy,${asset},x,${shares},$${price},,-${shares * price}`;

  test('are distinguished by their strikes, to the cent', async () => {
    const rows = [25, 26].flatMap((strike) => [ended(`ACME 09/20/2024 ${strike}.00 P`), bought('ACME', 100, strike)]);
    expect(await readTypes([...rows, bought('ACME', 100, 25.5)])).toEqual([
      'assign ACME 2024-09-20 P 25 2500.00',
      'assign ACME 2024-09-20 P 26 2600.00',
      'buy ACME 2550.00',
    ]);
  });

  test('match the number that the symbol implies, and may name the stock differently', async () => {
    expect(await readTypes([ended('ACME7 09/20/2024 25.00 P'), bought('ACME', 10, 25)])).toEqual([
      'assign ACME7 2024-09-20 P 25 250.00',
    ]);
    expect(await readTypes([ended('BRKB 09/20/2024 400.00 P'), bought('BRK/B', 100, 400)])).toEqual([
      'assign BRKB 2024-09-20 P 400 40000.00',
    ]);
  });

  test('never belong to an option that settles in cash', async () => {
    const rows = ['09/20/2024,Assigned,SPXW 09/20/2024 25.00 P,OPTION,1,,,-$300.00', bought('SPXW', 100, 25)];
    expect((await readTypes(rows)).map((text) => text.split(' ')[0])).toEqual(['assign', 'buy']);
  });

  test('remain trades if they are not all the shares in the event, and the engine asks', async () => {
    expect(await readTypes([ended('ACME 09/20/2024 25.00 P'), bought('ACME', 60, 25)])).toEqual([
      'assign ACME 2024-09-20 P 25 2500.00',
      'buy ACME 1500.00',
    ]);
  });

  test('may close a position and open the opposite (IBKR, A;C;O)', async () => {
    const of = (category: string, symbol: string, quantity: number, price: number, proceeds: number, code: string) =>
      `Trades,Data,Order,${category},USD,${symbol},"2024-09-20, 16:20:00",${quantity},${price},1,${proceeds},0,,,,${code}`;
    const rows = [
      of('Stocks', 'ACME', -100, 25, 2500, 'A;C;O'),
      of('Equity and Index Options', 'ACME 20SEP24 25 C', 1, 0, 0, 'A;C'),
    ];
    const header = brokers['ibkr-activity']?.header;
    expect(await readTypes(rows, header)).toEqual(['assign ACME 2024-09-20 C 25 2500.00']);
  });

  test('give their fees to the event', async () => {
    const rows = [ended('ACME 09/20/2024 25.00 P'), '09/20/2024,Buy,ACME,x,100,$25.00,$1.25,-$2501.25'];
    const { drafts: read } = await readWhole([schwabHeader, ...rows, ''].join('\n'));
    expect(read.map(({ amount, fee }) => [amount, fee])).toEqual([[250_000_000_000n, 125_000_000n]] as never);
  });
});

describe('an IBKR Flex query without TradeMoney', () => {
  const flex = async (columns: Readonly<Record<string, string>>): Promise<string[]> => {
    const row = {
      CurrencyPrimary: 'USD',
      TradeDate: '20240503',
      IBCommission: '-1.05',
      LevelOfDetail: 'EXECUTION',
      ...columns,
    };
    const file = [Object.keys(row), Object.values(row)].map((cells) => cells.join(',')).join('\n');
    const read = await readWhole(file);
    return read.outcomes.flatMap((outcome) =>
      outcome.kind === 'read'
        ? outcome.drafts.map(
            ({ type, amount, fee }) => `${type} ${formatMoney(amount as Money)} ${formatMoney(fee as Money)}`,
          )
        : outcome.kind,
    );
  };
  const option = {
    Symbol: 'ACME  240621P00150000',
    AssetClass: 'OPT',
    Quantity: '-2',
    'Buy/Sell': 'SELL',
    'Open/CloseIndicator': 'O',
  };

  test('uses price times quantity times multiplier', async () => {
    expect(await flex({ ...option, TradePrice: '1.50' })).toEqual(['sell_to_open 300.00 1.05']);
    expect(await flex({ ...option, TradePrice: '1.50', Multiplier: '10' })).toEqual(['sell_to_open 30.00 1.05']);
  });

  test('uses its net cash without the fees', async () => {
    expect(await flex({ ...option, TradePrice: '', NetCash: '298.95' })).toEqual(['sell_to_open 300.00 1.05']);
    expect(await flex({ ...option, TradePrice: '' })).toEqual(['rejected']);
  });

  test('opens and covers short sales according to its indicator', async () => {
    const stock = { Symbol: 'ACME', AssetClass: 'STK', TradePrice: '20' };
    expect(await flex({ ...stock, Quantity: '-5', 'Buy/Sell': 'SELL', 'Open/CloseIndicator': 'O' })).toEqual([
      'short_sell 100.00 1.05',
    ]);
    expect(await flex({ ...stock, Quantity: '5', 'Buy/Sell': 'BUY', 'Open/CloseIndicator': 'C' })).toEqual([
      'cover 100.00 1.05',
    ]);
    expect(await flex({ ...stock, Quantity: '5', 'Buy/Sell': 'BUY', 'Open/CloseIndicator': 'C;O' })).toEqual([
      'rejected',
    ]);
  });
});
