import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { FileBalance } from '../../../formats/running-balances.ts';
import type { StageScope } from '../transactions/rows.queries.ts';

/** A sync of a connection (`features/ledger/connections`) whose rows are being imported. Plain data. */
export interface FinishedSync {
  readonly connectionId: string;
  /** The id of the sync. A sync is stored only once, even if two servers try. */
  readonly run: string;
  /** Everything up to here is then in the books. */
  readonly cursor: object;
  /** Imports of files that already have rows of the account, which this file leaves out. */
  readonly knownImportIds: readonly string[];
  /** What the account held at the end. They are removed with the import. */
  readonly balances: readonly FileBalance[];
}

/**
 * Moves the cursor of the connection in the transaction that stores its rows. Throws `conflict` if the sync was already
 * stored or its connection was deleted, so that the rows are not stored either.
 */
export async function finishSync(sql: Sql, scope: StageScope, sync: FinishedSync, at: Date): Promise<void> {
  const { taxpayerId, importId } = scope;
  const { connectionId, run, cursor, knownImportIds } = sync;
  const rows = await sql`
    update connections set cursor = ${JSON.stringify(cursor)}::text::jsonb, reading = null, synced_at = ${at},
      import_ids = import_ids || ${importId}::uuid, known_import_ids = ${knownImportIds as string[]}::uuid[],
      problem = null, failures = 0
    where taxpayer_id = ${taxpayerId} and id = ${connectionId} and reading ->> 'run' = ${run} returning 1`;
  if (rows.length === 0) throw new Refusal('conflict', 'This sync is already stored, or its connection was deleted.');
  await sql`delete from connection_pages where taxpayer_id = ${taxpayerId} and connection_id = ${connectionId}`;
}

/** Records that an import replaces another one, whose file was reread. */
export async function replaceSyncedImport(
  sql: Sql,
  { taxpayerId, importId }: StageScope,
  replaced: string,
): Promise<void> {
  await sql`
    update connections set import_ids = array_replace(import_ids, ${replaced}::uuid, ${importId}::uuid),
      known_import_ids = array_replace(known_import_ids, ${replaced}::uuid, ${importId}::uuid)
    where taxpayer_id = ${taxpayerId} and ${replaced}::uuid = any(import_ids || known_import_ids)`;
}
