import type { FileAccount } from '../../formats/accounts/file-accounts.ts';
import { formsByFormat } from '../../formats/information-returns.ts';
import type { FileHistory, HistoryFile } from './history.ts';
import { buildRowIds } from './row-order.ts';

/** A file and the accounts in its rows. */
export interface AccountOfFile {
  readonly file: HistoryFile;
  readonly accounts: readonly FileAccount[];
}

/** If there are fewer common days, the files are no evidence about the account. */
const rowsMin = 2;
/** The largest number of files that are compared with one another. */
const filesMax = 50;

/**
 * Finds broker files without an account name that may belong to two accounts, or to one. Uses the same rule as the
 * service (features/ledger/imports/accounts), and returns a sentence per account.
 */
export function accountDoubts(files: readonly AccountOfFile[], history: FileHistory): string[] {
  const doubts = new Map<string, string>();
  const brokers = files.filter(({ file }) => formsByFormat.get(file.format) === '1099-B').slice(0, filesMax);
  for (const [at, later] of brokers.entries())
    for (const earlier of brokers.slice(0, at)) {
      if (earlier.file.format !== later.file.format || earlier.file.layout !== later.file.layout) continue;
      const [one, other] = [earlier, later].map(({ accounts }) => accounts.find(({ by }) => by === 'source'));
      const names = `${earlier.file.name} and ${later.file.name}`;
      if (one !== undefined && other !== undefined) {
        if (mayBeTwo(earlier.file, later.file, history))
          doubts.set(one.account, `${names} name no account, cover the same days and have different assets. ${remedy}`);
        continue;
      }
      const named = [earlier, later].flatMap(({ accounts }) => accounts.filter(({ stated }) => stated !== null))[0];
      const unnamed = one ?? other;
      if (
        named === undefined ||
        unnamed === undefined ||
        findSharedDays(earlier.file, later.file, history) === undefined
      )
        continue;
      const which = one === undefined ? later.file.name : earlier.file.name;
      doubts.set(
        `${unnamed.account} ${named.account}`,
        `${which} names no account and is treated as a different account than ${named.account}, although they cover the same days. ${remedy}`,
      );
    }
  return [...doubts.values()];
}

const remedy = 'Put the account in the file name, as in trades_account_1234.csv.';

function mayBeTwo(one: HistoryFile, other: HistoryFile, history: FileHistory): boolean {
  const days = findSharedDays(one, other, history);
  if (days === undefined) return false;
  const [own, others] = [collectRowsBetween(one, history, days), collectRowsBetween(other, history, days)];
  const fewer = Math.min(own.ids.size, others.ids.size);
  const common = [...own.ids].filter((id) => others.ids.has(id)).length;
  const lacks = (a: Rows, b: Rows): boolean => [...a.assets].some((asset) => !b.assets.has(asset));
  return fewer >= rowsMin && 2 * common <= fewer && lacks(own, others) && lacks(others, own);
}

interface Rows {
  readonly ids: ReadonlySet<string>;
  readonly assets: ReadonlySet<string>;
}

function collectRowsBetween(file: HistoryFile, history: FileHistory, [first, last]: readonly [number, number]): Rows {
  const [ids, assets] = [new Set<string>(), new Set<string>()];
  for (const [id, row] of buildRowIds(file, history)) {
    const on = history.getDay(row);
    const [, , asset] = JSON.parse(history.toRowMark(row).key) as readonly string[];
    if (on < first || on > last || asset === undefined || asset === '') continue;
    ids.add(id);
    assets.add(asset);
  }
  return { ids, assets };
}

/** Returns the days that both files cover, if there are more than one. */
function findSharedDays(
  one: HistoryFile,
  other: HistoryFile,
  history: FileHistory,
): readonly [number, number] | undefined {
  const [a, b] = [history.getDaySpan(one), history.getDaySpan(other)];
  const [first, last] = [Math.max(a[0], b[0]), Math.min(a[1], b[1])];
  return first < last ? [first, last] : undefined;
}
