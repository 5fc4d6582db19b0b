import type { Sql } from '../../../db/connection.ts';
import { selectJoinedPairs } from './pairs/queries.ts';
import { deletePossibleApart, insertPossible } from './queries.ts';

/**
 * Two files of one account may state a trade under two names of its security. Imports compare rows by name, so it is only
 * seen once the settings make the names one (`sameAs`): each such pair is a possible duplicate while they do.
 */
export async function compareJoinedNames(sql: Sql, taxpayerId: string): Promise<void> {
  await deletePossibleApart(sql, taxpayerId, detail);
  const taken = new Set<string>();
  const pairs = (await selectJoinedPairs(sql, taxpayerId)).filter(({ id, other_id }) => {
    if (taken.has(id) || taken.has(other_id)) return false;
    taken.add(id).add(other_id);
    return true;
  });
  if (pairs.length === 0) return;
  await insertPossible(
    sql,
    taxpayerId,
    pairs.map(({ id, other_id }) => ({ id, otherId: other_id, detail })),
  );
}

const detail =
  'Another file has one of the same day, units and value under another name of the security. If they are one, remove one of them.';
