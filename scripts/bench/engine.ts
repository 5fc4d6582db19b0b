import { assetKeysOf } from '../../src/engine/keys.ts';
import { emptyBook, replay } from '../../src/engine/replay.ts';
import { recompute } from '../../test/oracle/oracle.ts';
import { defaultRules, readTransactions } from '../../test/support/golden.ts';
import { type Measured, median } from './measure.ts';
import { tradesCsv } from './trades.ts';

/** The fold over one asset's trades, against the slow reference engine that it must equal; and one more day on top. */
export async function benchEngine(): Promise<Measured[]> {
  const many = readTransactions(tradesCsv(50_000, 1));
  const wild = readTransactions(tradesCsv(10_000, 1, 'wild'));
  const few = readTransactions(tradesCsv(1_000, 1));
  const keys = new Set(many.flatMap(assetKeysOf));
  const fold = (transactions: typeof many, from = emptyBook()) => replay(from, transactions, defaultRules, keys);

  const all = await median(3, () => fold(many));
  const washed = await median(3, () => fold(wild));
  const some = await median(5, () => fold(few));
  const reference = await median(3, () => recompute(few, defaultRules));
  const last = many.at(-1);
  const { book } = fold(many.filter((transaction) => transaction.on < (last?.on ?? 0)));
  const today = many.filter((transaction) => transaction.on === last?.on);
  const appended = await median(5, () => fold(today, book));
  return [
    { what: 'engine: trades a second (50,000 of one stock, FIFO)', value: many.length / all, unit: '/s' },
    { what: 'the same where every sale is washed (10,000)', value: wild.length / washed, unit: '/s' },
    { what: 'engine against the reference engine (1,000 trades)', value: reference / some, unit: '× faster' },
    { what: 'one more day against the whole replay (50,000 trades)', value: all / appended, unit: '× faster' },
  ];
}
