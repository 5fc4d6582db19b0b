import type { Sql } from '../../../../db/connection.ts';
import type { FileAccount } from '../../../../formats/accounts/file-accounts.ts';
import { formatById } from '../../../../formats/index.ts';
import { insertAliases } from '../../transactions/matched.queries.ts';
import type { StageScope } from '../../transactions/rows/rows.queries.ts';
import type { LastLine } from '../../transactions/staged/staged.queries.ts';
import type { Staged } from '../reading/stage.ts';
import {
  countShared,
  type EarlierImport,
  type EarlierPair,
  insertAssignments,
  selectAlikePairs,
  selectEarlier,
  selectEarlierPairs,
} from './accounts.queries.ts';
import { listAccountsOutsideRows } from './earlier.ts';

/**
 * Recognizes rows that were stored under the name of their source because the account of their file was not known. Runs
 * when the file is imported again. An earlier import belongs to the account if its own file names the account. If its
 * file names none, both files must have the same rows on the days that they both cover.
 */
export async function recognizeEarlier(sql: Sql, scope: StageScope, staged: Staged, lastLine: LastLine): Promise<void> {
  const { end, opened } = staged;
  const source = formatById(opened.format)?.source;
  const [named, unnamed] = [listAccountsOutsideRows(end.accounts), end.accounts.find(({ by }) => by === 'source')];
  if (source === undefined || (named.length === 0 && unnamed === undefined)) return;
  const earlier = await selectEarlier(sql, scope, opened);
  if (earlier.length === 0) return;
  const matching = { sql, scope, staged, earlier, lastLine };
  const certain = named.length > 0 ? await pairNamedAccounts(matching, named) : [];
  if (unnamed !== undefined) certain.push(...(await ofUnnamed(matching, unnamed)));
  const once = oneToOne(certain);
  if (once.length > 0) await insertAliases(sql, scope, once);
  if (named.length > 0) await insertAssignments(sql, scope, source);
}

interface Matching {
  readonly sql: Sql;
  readonly scope: StageScope;
  readonly staged: Staged;
  readonly earlier: readonly EarlierImport[];
  readonly lastLine: LastLine;
}

/**
 * Returns pairs of rows for a file that names its account, if an earlier file with the same rows does not name one or
 * its account was not read.
 */
async function pairNamedAccounts(matching: Matching, named: readonly FileAccount[]): Promise<EarlierPair[]> {
  const { sql, scope, earlier, lastLine } = matching;
  const ids = earlier.map(({ id }) => id);
  const pairs = await selectEarlierPairs(sql, scope, ids, lastLine);
  const certain: EarlierPair[] = [];
  for (const one of earlier)
    for (const account of named) {
      const accountPairs = pairs.filter((pair) => pair.import_id === one.id && pair.account === account.account);
      const isSame = accountPairs.length === 0 ? 'no' : matchFileAccount(one, account);
      if (isSame === 'yes' || (isSame === 'unknown' && (await agree(matching, one, account, accountPairs.length))))
        certain.push(...accountPairs);
    }
  return certain;
}

/**
 * Returns pairs of rows for a file that names no account, if earlier files with the same rows named exactly one
 * account.
 */
async function ofUnnamed(matching: Matching, unnamed: FileAccount): Promise<EarlierPair[]> {
  const { sql, scope, earlier, lastLine } = matching;
  const fits = new Map<string, EarlierPair[]>();
  for (const one of earlier.slice(0, comparedMax)) {
    const [account, ...others] = listAccountsOutsideRows(one.accounts ?? []);
    if (account === undefined || others.length > 0) continue;
    const pairs = await selectAlikePairs(sql, scope, { account: unnamed.account, earlier: one.id }, lastLine);
    if (pairs.length > 0 && (await agree(matching, one, unnamed, pairs.length)))
      fits.set(account.account, [...(fits.get(account.account) ?? []), ...pairs]);
  }
  return fits.size === 1 ? ([...fits.values()][0] ?? []) : [];
}

/** The maximum number of earlier files to compare row by row. */
const comparedMax = 20;

/** Returns whether the file of an earlier import names this account. */
function matchFileAccount({ accounts }: EarlierImport, { account, stated }: FileAccount): 'yes' | 'no' | 'unknown' {
  if (accounts === null) return 'unknown';
  if (accounts.some((one) => one.stated === stated || one.account === account)) return 'yes';
  return accounts.some(({ by }) => by === 'source') ? 'unknown' : 'no';
}

/**
 * Returns whether two files have the same rows. A few rows may be equal by chance. More equal rows are the same
 * history, unless one of the files has additional rows in between.
 */
async function agree(
  { sql, scope, staged: { firstDay, lastDay } }: Matching,
  earlier: EarlierImport,
  { account }: FileAccount,
  pairs: number,
): Promise<boolean> {
  if (pairs < pairsMin || firstDay === null || lastDay === null) return false;
  const first = earlier.firstDay > firstDay ? earlier.firstDay : firstDay;
  const last = earlier.lastDay < lastDay ? earlier.lastDay : lastDay;
  const days = { import: earlier.id, account, first, last };
  const { earlier: before, staged } = await countShared(sql, scope, days);
  return pairs >= before && pairs * 10 >= staged * 9;
}

const pairsMin = 3;

function oneToOne(pairs: readonly EarlierPair[]): EarlierPair[] {
  const [numbers, others] = [new Set<number>(), new Set<string>()];
  return pairs.filter(({ number, other_id }) => {
    if (numbers.has(number) || others.has(other_id)) return false;
    numbers.add(number);
    others.add(other_id);
    return true;
  });
}
