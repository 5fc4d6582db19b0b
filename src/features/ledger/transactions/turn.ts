import { type Database, type Sql, withTaxpayerLock } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { type IdempotentContext, idempotent } from '../../../http/idempotency.ts';

/** Longer than the limit for other requests, because a whole history may be recomputed. */
const statementSecondsMax = 600;

/** Runs a transaction under the taxpayer's lock, after the work that is already queued on this server. */
export function inTurn<T>(deps: Deps, taxpayerId: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  return deps.taxpayerQueue(taxpayerId, () => underLock(deps.database, taxpayerId, work));
}

/** Runs a change like `inTurn`. Its result is the response, which is saved for the request's `Idempotency-Key`. */
export function onceInTurn<Status extends number, Body>(
  deps: Deps,
  context: IdempotentContext & { readonly taxpayer: { readonly id: string } },
  status: Status,
  work: (sql: Sql) => Promise<Body>,
) {
  return idempotent(deps, context, (saveResponse) =>
    inTurn(deps, context.taxpayer.id, async (sql) => saveResponse(sql, { status, body: await work(sql) })),
  );
}

/** Runs work like `inTurn`, rolls it back, and returns its result. */
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

/** Runs a transaction under the taxpayer's lock. The caller must already have its turn in the queue. */
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
