import type { Sql } from '../../src/db/connection.ts';
import type { Resolution } from '../../src/features/ledger/transactions/derive.ts';
import type { StageScope } from '../../src/features/ledger/transactions/rows.queries.ts';
import { type StagedFile, type StoredFile, takeStaged } from '../../src/features/ledger/transactions/store.ts';

/** Stores staged rows at once, without waiting for their books. */
export async function storeStaged(
  sql: Sql,
  scope: StageScope,
  file: StagedFile,
  resolution: Resolution,
): Promise<StoredFile> {
  const arriving = await takeStaged(sql, scope, file, new Date(0), resolution);
  await arriving.close();
  return arriving;
}
