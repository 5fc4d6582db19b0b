import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { accountStatements, FileAccount } from '../../../formats/accounts/file-accounts.ts';
import { formatById } from '../../../formats/index.ts';
import { formsByFormat } from '../../../formats/information-returns.ts';
import { insertAliases } from '../transactions/matched.queries.ts';
import type { StageScope } from '../transactions/rows.queries.ts';
import type { LastLine } from '../transactions/staged.queries.ts';
import {
  compareRows,
  countShared,
  type EarlierImport,
  type EarlierPair,
  insertAssignments,
  insertQuestion,
  recordAccounts,
  selectAlikePairs,
  selectEarlier,
  selectEarlierPairs,
  selectWithoutAccounts,
  type UnreadImport,
} from './file-accounts.queries.ts';
import type { ImportDeps } from './import-deps.ts';
import type { ImportReadingOptions } from './reading/batches.ts';
import type { Staged } from './reading/reading.ts';
import { originalText } from './reread.ts';

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

/** Returns the accounts that a file names outside of its rows. */
function listAccountsOutsideRows(accounts: readonly FileAccount[]): FileAccount[] {
  return accounts.filter(({ by }) => asideStatements.has(by));
}

const asideStatements: ReadonlySet<(typeof accountStatements)[number]> = new Set(['section', 'title', 'file_name']);

/**
 * Reads the accounts that earlier files name outside of their rows, which earlier versions did not read. Runs if a new
 * file names an account. Reads the files of imports with the same columns again, so that equal rows are recognized.
 */
export async function readEarlierAccounts(
  deps: ImportDeps,
  scope: StageScope,
  staged: Staged,
  reading: ImportReadingOptions,
): Promise<void> {
  if (listAccountsOutsideRows(staged.end.accounts).length === 0) return;
  const { taxpayerId } = scope;
  const unread = await deps.database.asTaxpayer(
    taxpayerId,
    (sql) => selectWithoutAccounts(sql, taxpayerId, staged.opened),
    { readOnly: true },
  );
  for (const file of unread) {
    const accounts = await readAccounts(deps, { taxpayerId, importId: file.id }, file, reading);
    if (accounts === undefined) continue;
    await deps.database.asTaxpayer(taxpayerId, (sql) =>
      recordAccounts(sql, { taxpayerId, importId: file.id }, accounts),
    );
  }
}

/**
 * Reads the accounts of one file. Returns undefined if its text cannot be read now, in which case its accounts stay
 * unknown.
 */
async function readAccounts(
  deps: ImportDeps,
  scope: StageScope,
  { fileName, asked, format }: UnreadImport,
  reading: ImportReadingOptions,
): Promise<readonly FileAccount[] | undefined> {
  const { mapping: _, remembered: __, account: ___, fileName: ____, ...options } = reading;
  try {
    const content = await originalText(deps, scope);
    const { account, dateOrder, side } = asked;
    const batches = deps.readingWorker.read(content, {
      ...options,
      ...{ format, keepText: false, knownAccounts: [] },
      ...(fileName === null ? {} : { fileName }),
      ...(account === undefined ? {} : { account }),
      ...(dateOrder === undefined ? {} : { dateOrder }),
      ...(side === undefined ? {} : { side }),
    });
    for await (const batch of batches) if (batch.kind === 'end') return batch.end.accounts;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
  return undefined;
}

/**
 * The minimum number of rows on the same days. Fewer rows prove nothing about the account, because one file may end on
 * the first day of the other.
 */
const rowsMin = 2;
/** The maximum number of earlier files to compare. */
const namesComparedMax = 20;

/**
 * Asks whether two files from a broker that name no account belong to two accounts, if they cover the same days but
 * have few rows in common. Asks once for each account in the books. Skips exchanges, where a customer has only one
 * account.
 */
export async function askAccounts(sql: Sql, scope: StageScope, staged: Staged, at: Date): Promise<void> {
  const { end, opened, firstDay, lastDay } = staged;
  const source = formatById(opened.format)?.source;
  if (source === undefined || formsByFormat.get(opened.format) !== '1099-B') return;
  if (firstDay === null || lastDay === null) return;
  const unnamed = findUnnamedAccount(end.accounts);
  const named = listAccountsOutsideRows(end.accounts);
  if (unnamed === undefined && named.length === 0) return;
  for (const other of (await selectEarlier(sql, scope, opened)).slice(0, namesComparedMax)) {
    const first = later(other.firstDay, firstDay);
    const last = earlierName(other.lastDay, lastDay);
    if (first >= last) continue;
    const days = { first, last };
    const between = `${first} to ${last}`;
    const others = other.accounts ?? [];
    const unnamedBefore = findUnnamedAccount(others);
    if (unnamed !== undefined && unnamedBefore?.account === unnamed.account) {
      if (!(await mayBeTwo(sql, scope, other, unnamed.account, days))) continue;
      const detail = `Two ${source} files name no account, cover ${between} and have different assets. Do they belong to two accounts?`;
      const { account } = unnamed;
      await insertQuestion(sql, scope, {
        account,
        otherAccount: account,
        of: scope.importId,
        other: other.id,
        detail,
        at,
      });
      continue;
    }
    const [rest, known, of] =
      unnamed === undefined
        ? [unnamedBefore, named[0], other.id]
        : [unnamed, listAccountsOutsideRows(others)[0], scope.importId];
    if (rest === undefined || known === undefined || named.length > 1) continue;
    const detail = `A ${source} file names no account, and another one for ${between} belongs to ${known.account}. Do they belong to one account?`;
    const otherId = of === other.id ? scope.importId : other.id;
    await insertQuestion(sql, scope, {
      ...{ account: rest.account, otherAccount: known.account, of, other: otherId, detail, at },
    });
  }
}

/** Returns the account that is named after the source, because the file names none. */
function findUnnamedAccount(accounts: readonly FileAccount[]): FileAccount | undefined {
  return accounts.find(({ by }) => by === 'source');
}

async function mayBeTwo(
  sql: Sql,
  scope: StageScope,
  { id }: EarlierImport,
  account: string,
  days: { readonly first: string; readonly last: string },
): Promise<boolean> {
  const { own, others, common, ownAssets, otherAssets } = await compareRows(sql, scope, { id, account, ...days });
  const fewer = Math.min(own, others);
  return fewer >= rowsMin && 2 * common <= fewer && ownAssets && otherAssets;
}

const later = (a: string, b: string): string => (a > b ? a : b);
const earlierName = (a: string, b: string): string => (a < b ? a : b);
