import { type Database, type Sql, withTaxpayerLock } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';

/** Longer than a request's own statements may take: a whole history may be replayed. */
const statementSecondsMax = 600;
const lines = new WeakMap<Deps, Map<string, Promise<unknown>>>();

/** One transaction under the taxpayer's lock, in line with the others of this taxpayer. */
export function inTurn<T>(deps: Deps, taxpayerId: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  return inLine(deps, taxpayerId, () => underLock(deps.database, taxpayerId, work));
}

/**
 * Transactions of one taxpayer wait for their turn here, before they take a connection: else a few uploads at once, each
 * waiting for the lock in the database, would hold all connections.
 */
export async function inLine<T>(deps: Deps, taxpayerId: string, work: () => Promise<T>): Promise<T> {
  const line = lines.get(deps) ?? new Map<string, Promise<unknown>>();
  lines.set(deps, line);
  const turn = (line.get(taxpayerId) ?? Promise.resolve()).then(work);
  // The next one comes whatever became of this one.
  const over = turn.catch(() => undefined);
  line.set(taxpayerId, over);
  void over.then(() => {
    if (line.get(taxpayerId) === over) line.delete(taxpayerId);
  });
  return turn;
}

/** One transaction under the taxpayer's lock, by whoever has its turn. */
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
