import type { Sql } from '../../../../db/connection.ts';
import type { FileAccount } from '../../../../formats/accounts/file-accounts.ts';
import { formatById } from '../../../../formats/index.ts';
import { formsByFormat } from '../../../../formats/information-returns.ts';
import type { StageScope } from '../../transactions/rows/rows.queries.ts';
import type { Staged } from '../reading/stage.ts';
import { compareRows, type EarlierImport, insertQuestion, selectEarlier } from './accounts.queries.ts';
import { listAccountsOutsideRows } from './earlier.ts';

/**
 * The minimum number of rows on the same days. Fewer rows prove nothing about the account, because one file may end on
 * the first day of the other.
 */
const rowsMin = 2;
/** The maximum number of earlier files to compare. */
const comparedMax = 20;

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
  for (const other of (await selectEarlier(sql, scope, opened)).slice(0, comparedMax)) {
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
