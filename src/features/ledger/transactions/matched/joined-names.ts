import type { Sql } from '../../../../db/connection.ts';
import { deletePossibleApart, insertPossible } from './matched.queries.ts';
import { selectJoinedPairs } from './pairs.queries.ts';

/**
 * Flags rows that two files of an account contain under two names of a security. Imports compare rows by name, so such
 * pairs only become visible when the settings join the names (`sameAs`). While the names are joined, each pair is a
 * possible duplicate. If they are separated again, the pairs are no longer flagged.
 */
export async function compareJoinedNames(sql: Sql, taxpayerId: string): Promise<void> {
  await deletePossibleApart(sql, taxpayerId);
  const matched = new Set<string>();
  const pairs = (await selectJoinedPairs(sql, taxpayerId)).filter(({ id, other_id }) => {
    if (matched.has(id) || matched.has(other_id)) return false;
    matched.add(id).add(other_id);
    return true;
  });
  if (pairs.length === 0) return;
  await insertPossible(
    sql,
    taxpayerId,
    pairs.map(({ id, other_id }) => ({ id, otherId: other_id, kind: 'names' as const, detail })),
  );
}

const detail =
  'Another file has a transaction with the same date, quantity and value under another name of the security. If they are the same, delete one of them.';
