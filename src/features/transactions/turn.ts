import { type Sql, withTaxpayerLock } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';

/** Longer than a request's own statements may take: a whole history may be replayed. */
const statementSecondsMax = 600;
const lines = new WeakMap<Deps, Map<string, Promise<unknown>>>();

/**
 * One transaction under the taxpayer's lock. Those of one taxpayer wait for their turn here, before they take a
 * connection: else a few uploads at once, each waiting for the lock in the database, would hold all connections.
 */
export async function inTurn<T>(deps: Deps, taxpayerId: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const line = lines.get(deps) ?? new Map<string, Promise<unknown>>();
  lines.set(deps, line);
  const before = line.get(taxpayerId) ?? Promise.resolve();
  const turn = before.then(() =>
    deps.database.asTaxpayer(
      taxpayerId,
      async (sql) => {
        await withTaxpayerLock(sql, taxpayerId);
        return work(sql);
      },
      { statementSecondsMax },
    ),
  );
  // The next one comes whatever became of this one.
  const over = turn.catch(() => undefined);
  line.set(taxpayerId, over);
  void over.then(() => {
    if (line.get(taxpayerId) === over) line.delete(taxpayerId);
  });
  return turn;
}
