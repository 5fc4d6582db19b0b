import type { Sql } from '../../../db/connection.ts';
import { joinedWhole } from '../../../db/joined.ts';
import type { StageScope } from '../rows/queries.ts';
import {
  enteredByHand,
  type Family,
  type PairRow,
  type SumRow,
  selectCertainPairs,
  selectEqualSums,
  selectPossiblePairs,
} from './pairs/queries.ts';
import { applyAliases, findOthers, insertAliases, nameStaged, type PossibleDuplicate } from './queries.ts';

/**
 * The same trade out of two kinds of files: fills and a statement, an old layout and a new one, a file and what was
 * entered by hand. Rows of one layout differ by their fingerprints; two layouts never agree on those, so here
 * they are compared by what they mean.
 *
 * Nothing is dropped on a guess. A staged row that is certainly a stored one takes its name, so that it counts as a
 * duplicate and the stored one has both files as its sources (it stays as the first one stated it, and leaves with the last). One
 * that may be is stored, and the pair waits for somebody to look. Each row has one partner at most: two equal fills of
 * one file against two of the other are two, against one they are one and a new one.
 */
export async function matchStaged(sql: Sql, scope: StageScope, family: Family): Promise<PossibleDuplicate[]> {
  const { others, aliases } = await findOthers(sql, scope.taxpayerId, family);
  if (aliases) await applyAliases(sql, scope);
  return others ? joinedWhole(sql, () => matchOthers(sql, scope, family)) : [];
}

async function matchOthers(sql: Sql, scope: StageScope, family: Family): Promise<PossibleDuplicate[]> {
  const certain = oneToOne(await selectCertainPairs(sql, scope, family));
  if (certain.length > 0) await insertAliases(sql, scope, certain);
  const pairs = oneToOne(await selectPossiblePairs(sql, scope, family));
  const possible = pairs.map((pair) => ({ id: pair.id, otherId: pair.other_id, detail: alike }));
  const sums = await selectEqualSums(sql, scope, family);
  return [...possible, ...sums.map((sum) => ({ id: sum.id, otherId: sum.other_id, detail: sumDetail(sum) }))];
}

/** As `matchStaged`, of the one row that is entered by hand: it is stored in any case, under that name. */
export async function matchEntered(sql: Sql, scope: StageScope, id: string): Promise<PossibleDuplicate[]> {
  await nameStaged(sql, scope, id);
  const pairs = oneToOne(await selectPossiblePairs(sql, scope, enteredByHand));
  return pairs.map((pair) => ({ id: pair.id, otherId: pair.other_id, detail: alreadyInFile }));
}

/** The first pair of each row, on either side. */
function oneToOne<Pair extends PairRow>(pairs: readonly Pair[]): Pair[] {
  const [taken, matched] = [new Set<string>(), new Set<number>()];
  return pairs.filter(({ number, other_id }) => {
    if (taken.has(other_id) || matched.has(number)) return false;
    taken.add(other_id);
    matched.add(number);
    return true;
  });
}

const alike =
  'Another kind of file, or an entry by hand, has one of the same units and value. If they are one, remove one of them.';

const alreadyInFile = 'A file has one of the same units and value. If they are one, remove one of them.';

function sumDetail({ asset, on_day, rows, other_rows }: SumRow): string {
  return `The ${counted(rows)} of ${asset} on ${on_day} come to the same units and value as ${counted(other_rows)} of another kind of file or by hand: fills and their orders? If they are one, remove one side.`;
}

function counted(rows: number): string {
  return `${rows} ${rows === 1 ? 'row' : 'rows'}`;
}
