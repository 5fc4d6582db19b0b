import { join } from 'node:path';
import { listAssetKeys } from '../../src/engine/events/keys.ts';
import type { LotMethod } from '../../src/engine/model.ts';
import { emptyBook, replay } from '../../src/engine/replay.ts';
import { recompute } from '../../test/oracle/oracle.ts';
import { defaultRules, readTransactions } from '../../test/support/golden.ts';
import { type Measured, median } from './measure.ts';
import { type Trading, tradesCsv } from './trades.ts';

const million = Number(process.env.BENCH_ENGINE_ROWS ?? 1_000_000);
const coins: Trading = { rows: million, assets: 20, assetClass: 'crypto', shape: 'turns' };
const shares: Trading = { rows: 100_000, assets: 20, assetClass: 'stock', shape: 'turns' };

/**
 * Measures only the engine on one core, compared with the slow reference engine that it must equal, and the replay of
 * one more day.
 */
export async function benchEngine(): Promise<Measured[]> {
  const fifo = await fold(coins, 'FIFO');
  const small = await fold({ ...coins, rows: million / 100 }, 'FIFO', 31);
  const hifo = await fold(coins, 'HIFO');
  const read = await fold(coins, 'FIFO', 5, true);
  const deep = { rows: million / 5, assets: 1, assetClass: 'crypto', shape: 'deep' } as const;
  const [deepFifo, deepHifo] = [await fold(deep, 'FIFO', 25), await fold(deep, 'HIFO', 25)];
  const washed = await fold(shares, 'FIFO');
  const size = million.toLocaleString('en-US');
  const lots = (million / 10).toLocaleString('en-US');
  return [
    { what: `engine: trades a second (${size} of 20 coins, FIFO)`, value: fifo.rate, unit: '/s' },
    { what: 'the same with HIFO', value: hifo.rate, unit: '/s' },
    { what: 'with FIFO, and the gains of its lines added up', value: read.rate, unit: '/s' },
    { what: 'peak memory of the process, including its ledger', value: fifo.peak / 1e6, unit: 'MB' },
    {
      what: `time per trade against that of ${(million / 100).toLocaleString('en-US')} trades`,
      value: small.rate / fifo.rate,
      unit: '×',
    },
    { what: `${lots} lots in one book, then as many sales, FIFO`, value: deepFifo.rate, unit: '/s' },
    { what: 'the same with HIFO', value: deepHifo.rate, unit: '/s' },
    { what: '100,000 trades of 20 stocks, a sale of a hundred washed', value: washed.rate, unit: '/s' },
    ...(await againstReference()),
  ];
}

interface Folded {
  /** Trades per second. */
  readonly rate: number;
  /** Bytes. */
  readonly peak: number;
}

/**
 * Runs each measurement in its own process so that none affects the next. `runs` keeps the number of trades about the
 * same for each.
 */
async function fold(trading: Trading, method: LotMethod, runs = 5, reads = false): Promise<Folded> {
  const once = join(import.meta.dir, 'engine-once.ts');
  const command = [process.execPath, once, JSON.stringify([trading, method, runs, reads])];
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit' });
  const output = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error('The engine failed.');
  const { seconds, peak } = JSON.parse(output) as { seconds: number; peak: number };
  return { rate: trading.rows / seconds, peak };
}

async function againstReference(): Promise<Measured[]> {
  const many = readTransactions(tradesCsv(50_000, 1));
  const wild = readTransactions(tradesCsv(10_000, 1, 'wild'));
  const few = readTransactions(tradesCsv(1_000, 1));
  const keys = new Set(many.flatMap(listAssetKeys));
  const whole = (transactions: typeof many, from = emptyBook()) => replay(from, transactions, defaultRules, keys);

  const all = await median(3, () => whole(many));
  const washed = await median(3, () => whole(wild));
  const some = await median(5, () => whole(few));
  const reference = await median(3, () => recompute(few, defaultRules));
  const last = many.at(-1);
  const { book } = whole(many.filter((transaction) => transaction.on < (last?.on ?? 0)));
  const today = many.filter((transaction) => transaction.on === last?.on);
  const appended = await median(5, () => whole(today, book));
  return [
    { what: '10,000 trades of one stock where every sale is washed', value: wild.length / washed, unit: '/s' },
    { what: 'engine against the reference engine (1,000 trades)', value: reference / some, unit: '× faster' },
    { what: 'one more day against the whole replay (50,000 trades)', value: all / appended, unit: '× faster' },
  ];
}
