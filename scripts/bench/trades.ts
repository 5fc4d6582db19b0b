import { type Day, formatInstant, type Instant } from '../../src/base/day.ts';
import {
  formatMoney,
  formatQuantity,
  type Money,
  type Quantity,
  zeroMoney,
  zeroQuantity,
} from '../../src/base/decimal.ts';
import type { Transaction } from '../../src/engine/model.ts';
import { unstatedMembers } from '../../src/engine/unstated-members.ts';

/**
 * Creates trades of a busy user, always the same ones for the same number. With `rising`, most sales have gains, and
 * some have losses that are washed. With `wild`, nearly every sale is a wash sale that is split over many lots, which
 * is the most expensive kind of trade.
 */
export function tradesCsv(rows: number, symbols = 20, prices: 'rising' | 'wild' = 'rising'): string {
  const lines = ['date,type,account,asset,quantity,amount,fee'];
  const held = new Array<number>(symbols).fill(0);
  const random = generator(20_240_101);
  for (let row = 0; row < rows; row++) {
    const symbol = row % symbols;
    const sells = (held[symbol] ?? 0) > 2_000 || ((held[symbol] ?? 0) > 500 && random() < 0.5);
    const quantity = 1 + Math.floor(random() * 20);
    held[symbol] = (held[symbol] ?? 0) + (sells ? -quantity : quantity);
    const at = new Date(Date.UTC(2021, 0, 1) + Math.floor((row / rows) * 4 * 365) * 86_400_000 + (row % 80_000) * 1000);
    const price = prices === 'wild' ? 50 + random() * 100 : 50 + (row / rows) * 100 - (random() < 0.05 ? 2 : 0);
    const amount = (quantity * price).toFixed(2);
    lines.push(`${at.toISOString()},${sells ? 'sell' : 'buy'},Broker,S${symbol},${quantity},${amount},0.35`);
  }
  return `${lines.join('\n')}\n`;
}

/** The assets that are traded: coins in quantities with 18 decimals, or stocks in whole shares. */
export interface Trading {
  readonly rows: number;
  readonly assets: number;
  readonly assetClass: 'crypto' | 'stock' | 'mixed';
  /**
   * `turns` buys and sells at random around the current holding. `deep` makes all purchases first, then all sales a
   * year later.
   */
  readonly shape: 'turns' | 'deep';
}

/**
 * Creates trades over four years, in the order in which the engine gets them. One sale in a hundred is far below the
 * day's price.
 */
export function trades({ rows, assets, assetClass, shape }: Trading): Transaction[] {
  const random = generator(20_240_101);
  const held = new Array<number>(assets).fill(0);
  const names = Array.from({ length: assets }, (_, asset) => `A${asset}`);
  const first = Date.UTC(2021, 0, 1) / 86_400_000;
  // The time from purchase to sale does not depend on the number of trades.
  const full = rows / assets;
  return Array.from({ length: rows }, (_, row): Transaction => {
    const asset = row % assets;
    const units = 1 + Math.floor(random() * 20);
    const stock = held[asset] ?? 0;
    const sells = shape === 'deep' ? row >= rows / 2 : stock > full || (stock > 0.4 * full && random() < 0.5);
    held[asset] = stock + (sells ? -units : units);
    const day = first + (row / rows) * 4 * 365;
    const price = 50 + (row / rows) * 100 - (sells && random() < 0.01 ? 40 : 0);
    const isCoin = assetClass === 'crypto' || (assetClass === 'mixed' && asset % 2 === 0);
    const parts = isCoin ? (BigInt(Math.floor(random() * 1e9)) * 1_000_000_007n) % 10n ** 18n : 0n;
    return {
      ...unstatedMembers,
      account: 'Broker',
      id: `trade${row}`,
      line: row + 2,
      type: sells ? 'sell' : 'buy',
      on: Math.floor(day) as Day,
      at: (Math.floor(day * 86_400) * 1_000_000) as Instant,
      asset: names[asset] ?? '',
      assetClass: isCoin ? 'crypto' : 'stock',
      quantity: (BigInt(units) * 10n ** 18n + parts) as Quantity,
      amount: (BigInt(Math.round(units * price * 100)) * 1_000_000n) as Money,
      fee: 35_000_000n as Money,
    };
  });
}

/** Formats trades as a Lotbook CSV. */
export function formatTradesCsv(transactions: readonly Transaction[]): string {
  const lines = ['date,type,account,asset,asset_class,quantity,amount,fee'];
  for (const { at, type, account, asset, assetClass, quantity, amount, fee } of transactions) {
    const [units, dollars, cost] = [formatQuantity(quantity ?? zeroQuantity), amount ?? zeroMoney, fee ?? zeroMoney];
    const cells = [formatInstant(at as Instant), type, account, asset, assetClass, units];
    lines.push(`${cells.join(',')},${formatMoney(dollars)},${formatMoney(cost)}`);
  }
  return `${lines.join('\n')}\n`;
}

/** Creates the trades of `tradesCsv` as a history of Schwab, newest first and with quotes around every cell. */
export function formatSchwabCsv(rows: number): string {
  const lines = ['"Date","Action","Symbol","Description","Quantity","Price","Fees & Comm","Amount"'];
  const [, ...written] = tradesCsv(rows).trimEnd().split('\n');
  for (const line of written.reverse()) {
    const [at = '', type = '', , asset = '', quantity = '', amount = ''] = line.split(',');
    const [year, month, day] = at.slice(0, 10).split('-');
    const price = (Number(amount) / Number(quantity)).toFixed(4);
    const isSale = type === 'sell';
    const net = (Number(amount) + (isSale ? -0.35 : 0.35)).toFixed(2);
    const cells = [`${month}/${day}/${year}`, isSale ? 'Sell' : 'Buy', asset, `COMPANY ${asset} INC`, quantity];
    lines.push(`"${[...cells, `$${price}`, '$0.35', `${isSale ? '' : '-'}$${net}`].join('","')}"`);
  }
  return `${lines.join('\n')}\n`;
}

/** Returns the Mulberry32 generator, which is small and produces the same numbers on every machine. */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
