import type { Sql } from '../../../db/connection.ts';
import { withoutNestedLoops } from '../../../db/integrity.ts';
import {
  applyAliases,
  deletePossibleApart,
  type Family,
  findOthers,
  insertAliases,
  insertPossible,
  type PairRow,
  type PossibleDuplicate,
  type SumRow,
  selectCertainPairs,
  selectEqualSums,
  selectJoinedPairs,
  selectPossiblePairs,
} from './matched.queries.ts';
import type { StageScope } from './rows.queries.ts';

/**
 * Matches trades that occur in two kinds of files: fills and a statement, an old and a new layout, or a file and a
 * manual entry. Rows with the same layout are compared by fingerprint elsewhere. Rows with different layouts never have
 * equal fingerprints, so this compares their meaning.
 *
 * No row is dropped on a guess. A staged row that certainly equals a stored row takes its id. It counts as a duplicate,
 * and the stored row gets both files as sources: it keeps the values of the first file and is removed with the last. A
 * row that may be equal is stored, and the pair is held for review. Each row has at most one partner. Two equal fills
 * in each of two files are two trades. Two equal fills in one file and one in the other are a pair and a new trade.
 */
export async function matchStaged(sql: Sql, scope: StageScope, family: Family): Promise<PossibleDuplicate[]> {
  const { others, aliases } = await findOthers(sql, scope.taxpayerId, family);
  if (aliases) await applyAliases(sql, scope);
  return others ? withoutNestedLoops(sql, () => matchOthers(sql, scope, family)) : [];
}

async function matchOthers(sql: Sql, scope: StageScope, family: Family): Promise<PossibleDuplicate[]> {
  const certain = oneToOne(await selectCertainPairs(sql, scope, family));
  if (certain.length > 0) await insertAliases(sql, scope, certain);
  const pairs = oneToOne(await selectPossiblePairs(sql, scope, family));
  const possible = pairs.map((pair) => ({ id: pair.id, otherId: pair.other_id, detail: alike }));
  const sums = await selectEqualSums(sql, scope, family);
  return [...possible, ...sums.map((sum) => ({ id: sum.id, otherId: sum.other_id, detail: sumDetail(sum) }))];
}

/** Matches a stored transaction that was entered manually with rows from files. */
export async function matchEntered(sql: Sql, taxpayerId: string, enteredId: string): Promise<PossibleDuplicate[]> {
  const pairs = oneToOne(await selectPossiblePairs(sql, { taxpayerId, enteredId }));
  return pairs.map((pair) => ({ id: pair.id, otherId: pair.other_id, detail: alreadyInFile }));
}

/** Removes pairs so that each row on either side is in at most one pair. Keeps the first pair of each row. */
function oneToOne<Pair extends PairRow>(pairs: readonly Pair[]): Pair[] {
  const [taken, matched] = [new Set<string>(), new Set<number>()];
  return pairs.filter(({ number, other_id }) => {
    if (taken.has(other_id) || matched.has(number)) return false;
    taken.add(other_id);
    matched.add(number);
    return true;
  });
}

export const alike =
  'Another kind of file, or a manual entry, has a transaction with the same quantity and value. If they are the same, delete one of them.';

const alreadyInFile =
  'An imported file has a transaction with the same quantity and value. If they are the same, delete one of them.';

function sumDetail({ asset, on_day, rows, other_rows }: SumRow): string {
  return `The ${counted(rows)} of ${asset} on ${on_day} have the same total quantity and value as ${counted(other_rows)} from another kind of file or a manual entry. They may be orders and their fills. If they are the same, delete one side.`;
}

function counted(rows: number): string {
  return `${rows} ${rows === 1 ? 'transaction' : 'transactions'}`;
}

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
