import { Refusal } from '../../../../base/refusal.ts';
import type { accountStatements, FileAccount } from '../../../../formats/accounts/file-accounts.ts';
import type { StageScope } from '../../transactions/rows/rows.queries.ts';
import type { ImportDeps } from '../import-deps.ts';
import type { ImportReadingOptions } from '../reading/batches.ts';
import type { Staged } from '../reading/stage.ts';
import { originalText } from '../reread.ts';
import { recordAccounts, selectWithoutAccounts, type UnreadImport } from './accounts.queries.ts';

/** Returns the accounts that a file names outside of its rows. */
export function listAccountsOutsideRows(accounts: readonly FileAccount[]): FileAccount[] {
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
