import type { Sql } from '../../src/db/connection.ts';
import type { Resolution } from '../../src/features/transactions/derived/derive.ts';
import type { StageScope } from '../../src/features/transactions/rows/queries.ts';
import { type StagedFile, type StoredFile, takeStaged } from '../../src/features/transactions/store.ts';

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
