import type { Deps } from '../../../deps.ts';
import { engineVersion } from '../../../engine/replay.ts';
import { selectEngine } from '../../ledger/books/books.queries.ts';
import { inTurnTakenBack } from '../../ledger/transactions/store.ts';
import { runCalculation } from './calculation.ts';
import { selectTaxpayersAfter } from './calculations.queries.ts';

interface BooksCheck {
  readonly taxpayers: number;
  readonly transactions: number;
  /**
   * The number of taxpayers whose books were computed by a different engine version. They are recomputed when this
   * version serves requests.
   */
  readonly stale: number;
  readonly differences: readonly { readonly taxpayerId: string; readonly year: number; readonly member: string }[];
}

/**
 * Calculates the books of every taxpayer from the first transaction and compares them with the stored books. Changes no
 * data.
 */
export async function verifyBooks(deps: Deps, onTaxpayer: (done: number) => void): Promise<BooksCheck> {
  const differences: BooksCheck['differences'][number][] = [];
  let [taxpayers, transactions, stale] = [0, 0, 0];
  for (let last = firstId; ; ) {
    const ids = await deps.database.asService((sql) => selectTaxpayersAfter(sql, last, idsAtOnce));
    for (const taxpayerId of ids) {
      const result = await inTurnTakenBack(deps, taxpayerId, async (sql) => {
        const engine = await selectEngine(sql, taxpayerId);
        if (engine !== undefined && engine !== engineVersion) return null;
        return runCalculation(deps, sql, taxpayerId, crypto.randomUUID(), { dryRun: true }, async () => []);
      });
      taxpayers += 1;
      if (result === null) stale += 1;
      transactions += result?.transactions ?? 0;
      for (const { year, member } of result?.differences ?? []) differences.push({ taxpayerId, year, member });
      onTaxpayer(taxpayers);
    }
    const next = ids.at(-1);
    if (next === undefined) return { taxpayers, transactions, stale, differences };
    last = next;
  }
}

const firstId = '00000000-0000-0000-0000-000000000000';
const idsAtOnce = 1_000;
