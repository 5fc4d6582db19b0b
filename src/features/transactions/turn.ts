import { type Database, type Sql, withTaxpayerLock } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';

/** Longer than the limit for statements of a request, because a whole history may be recalculated. */
const statementSecondsMax = 600;

/** Runs one transaction under the taxpayer's lock, after those already queued on this server. */
export function inTurn<T>(deps: Deps, taxpayerId: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  return deps.taxpayerQueue.run(taxpayerId, () => underLock(deps.database, taxpayerId, work));
}

/** Runs work like `inTurn` and rolls it back. Returns the result that it would have had. */
export async function inTurnTakenBack<T>(deps: Deps, taxpayerId: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  try {
    await inTurn(deps, taxpayerId, async (sql) => {
      throw new TakenBack(await work(sql));
    });
  } catch (error) {
    if (error instanceof TakenBack) return error.result as T;
    throw error;
  }
  throw new Error('A dry run was committed.');
}

/** Thrown to roll back the transaction. */
class TakenBack extends Error {
  constructor(readonly result: unknown) {
    super('A dry run rolls back.');
  }
}

/** Runs one transaction under the taxpayer's lock. The caller has its turn in the queue. */
export function underLock<T>(database: Database, taxpayerId: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  return database.asTaxpayer(
    taxpayerId,
    async (sql) => {
      await withTaxpayerLock(sql, taxpayerId);
      return work(sql);
    },
    { statementSecondsMax },
  );
}
