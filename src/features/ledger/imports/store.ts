import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { formatById, formats } from '../../../formats/index.ts';
import { formsByFormat } from '../../../formats/information-returns.ts';
import type { FileBalance } from '../../../formats/running-balances.ts';
import { type AuditedRequest, withAudit, withoutAudit } from '../../../http/audit/audited-request.ts';
import { type HeldKey, responseSaver } from '../../../http/saved-response.ts';
import type { Taxpayer } from '../../people/auth/access.ts';
import { notify } from '../../people/notifications.ts';
import {
  countTransactions,
  notifyLimitNear,
  releaseTransactions,
  reserveTransactions,
  transactionLimitPassed,
} from '../../people/plans.ts';
import { storeFileBalances, withdrawBalances } from '../balances/store.ts';
import { selectTaxpayer } from '../books/books.queries.ts';
import { readYearsSeen, yearChanges } from '../books/summaries.ts';
import { countReviewItems } from '../issues/causes/causes.queries.ts';
import { recompute } from '../recompute/recompute.ts';
import { matchesSnapshot, reclassifyRows } from '../settings/settings.ts';
import { toClassRules } from '../transactions/elections.ts';
import type { Family } from '../transactions/matched.queries.ts';
import { openRejects } from '../transactions/row-issues.queries.ts';
import type { StageScope } from '../transactions/rows.queries.ts';
import { deleteStaged } from '../transactions/staged.queries.ts';
import { type StoredFile, takeStaged, underLock } from '../transactions/store.ts';
import { insertAssetNames, shareText } from '../transactions/transactions.queries.ts';
import { getToday } from '../transactions/view.ts';
import { askAccounts, recognizeEarlier } from './file-accounts.ts';
import {
  type Completion,
  countTransactionsOf,
  deleteImport,
  type ImportRow,
  insertEvent,
  recordCompletion,
  recordNumbers,
  rememberMapping,
  selectImport,
} from './imports.queries.ts';
import type { ImportOptions, Settings } from './options.ts';
import { type PreviewOptions, readPreview } from './preview.ts';
import type { Staged } from './reading/reading.ts';
import { adoptKind } from './reread.queries.ts';
import { dropReplaced, replaceRows } from './reread.ts';
import { type FinishedSync, finishSync, replaceSyncedImport } from './synced.queries.ts';
import { spaceLimitPassed, takeSpace } from './upload.ts';
import { type ImportView, importView, rereadView } from './view.ts';

/**
 * An import that was read and staged, and how to store it. It contains only plain data, because a large import is sent
 * to a Worker.
 */
export interface StoreRequest {
  readonly taxpayer: Taxpayer;
  readonly scope: StageScope;
  readonly staged: Staged;
  readonly settings: Settings;
  readonly options: ImportOptions;
  /** The request to record in the audit trail, or null if it is not recorded. */
  readonly audit: AuditedRequest | null;
  /** The SHA-256 hash of the file and the request's options. */
  readonly digest: string;
  /** The import to replace if its file is being reread, or null for a new file. */
  readonly replaces: string | null;
  /** The Idempotency-Key that the response is saved under, or null. */
  readonly heldKey: HeldKey | null;
  /** The sync of a connection whose rows the file contains. Null for a file from the user. */
  readonly sync: FinishedSync | null;
}

type StoreDeps = Pick<Deps, 'database' | 'clock' | 'log'>;

const bookEventMilliseconds = 500;

/**
 * Stores rows, lots, facts and summaries in one short transaction, or nothing. A dry run does the same and then rolls
 * back, so it shows the exact effect of the import. `signal` aborts the transaction if the caller no longer waits for
 * it.
 */
export async function storeImport(
  deps: StoreDeps,
  storeRequest: StoreRequest,
  signal: AbortSignal,
): Promise<ImportView> {
  const { taxpayer, scope, options, audit } = storeRequest;
  const work = async (sql: Sql): Promise<ImportView> => {
    const view = await store(deps, sql, storeRequest, signal);
    if (options.dryRun) throw new DryRunRollback(view);
    return view;
  };
  try {
    return await withAudit(audit, () => underLock(deps.database, taxpayer.id, work));
  } catch (error) {
    if (!(error instanceof DryRunRollback)) throw error;
    return deps.database.asTaxpayer(taxpayer.id, async (sql) => {
      await deleteStaged(sql, scope);
      await deleteImport(sql, scope);
      await saveImportResponse(sql, storeRequest, error.view);
      return error.view;
    });
  }
}

/** Thrown by a dry run to roll back the transaction. */
class DryRunRollback extends Error {
  constructor(readonly view: ImportView) {
    super('A dry run rolls back.');
  }
}

async function store(deps: StoreDeps, sql: Sql, storeRequest: StoreRequest, signal: AbortSignal): Promise<ImportView> {
  const { taxpayer, scope, staged, options, replaces } = storeRequest;
  signal.throwIfAborted();
  const before = options.dryRun || replaces !== null ? await readYearsSeen(sql, taxpayer.id) : null;
  const { stored, replaced } = await storeRows(deps, sql, storeRequest, signal);
  const completedAt = deps.clock.now();
  await complete(sql, storeRequest, {
    duplicates: replaced?.shared ?? stored.duplicateLines,
    transactions: replaced === null ? stored.imported : await countTransactionsOf(sql, scope),
    at: completedAt,
  });
  if (replaces === null) await askAccounts(sql, scope, staged, completedAt);
  const { header, mapping } = staged.opened;
  if (mapping !== null) {
    const confirmedMapping = options.dateOrder === undefined ? mapping : { ...mapping, dateOrder: options.dateOrder };
    await rememberMapping(sql, taxpayer.id, { header, mapping: confirmedMapping, at: completedAt });
  }
  if (storeRequest.sync !== null) await finishSync(sql, scope, storeRequest.sync, completedAt);
  const view = importView((await selectImport(sql, scope)) as ImportRow);
  await insertEvent(sql, scope, 'done', view);
  // A reread sends no notification, because its response shows the result.
  if (replaced === null) await notifyOwner(sql, taxpayer, { view, stored, at: completedAt });
  const years = before === null ? [] : yearChanges(before, await readYearsSeen(sql, taxpayer.id));
  const reread = replaced === null ? {} : { reread: { changes: replaced.changes, years } };
  if (options.dryRun)
    return { ...view, ...reread, preview: await buildPreview(deps, sql, storeRequest, stored, years) };
  signal.throwIfAborted();
  const finalView: ImportView = { ...view, ...reread };
  await saveImportResponse(sql, storeRequest, finalView);
  return finalView;
}

/** Saves the response under the request's Idempotency-Key, in the form that the route returns. */
async function saveImportResponse(sql: Sql, storeRequest: StoreRequest, view: ImportView): Promise<void> {
  const { options, replaces, heldKey, digest } = storeRequest;
  const isNew = replaces === null && !options.dryRun;
  const body: object = replaces === null ? view : rereadView(view, !options.dryRun);
  await responseSaver(heldKey)(sql, { status: isNew ? 201 : 200, body }, digest);
}

/** Turns staged rows into transactions and recomputes the gains. */
async function storeRows(deps: StoreDeps, sql: Sql, storeRequest: StoreRequest, signal: AbortSignal) {
  const { taxpayer, scope, staged, settings, options, replaces } = storeRequest;
  const at = deps.clock.now();
  const resolution = { ...toClassRules(settings.stored), timeZone: settings.timeZone };
  const lastLine = staged.end.descending ? staged.end.lastLine : null;
  const days = toDayRange(staged);
  const family = findFormatFamily(staged.opened);
  // A reread already knows the account of its rows.
  const recognize = replaces === null ? () => recognizeEarlier(sql, scope, staged, lastLine) : undefined;
  const { drafts: rows, repeats } = staged;
  const file = {
    rows,
    repeats,
    lastLine,
    family,
    correction: options.correction,
    recognize,
    ...(days === null ? {} : { days }),
  };
  if (replaces !== null) await adoptKind(sql, { ...scope, importId: replaces }, staged.opened);
  const stored = await takeStaged(sql, scope, file, at, resolution);
  if (!options.dryRun && replaces === null) await takeSpace(sql, taxpayer, staged.end.bytesRead);
  const { arrivals } = stored;
  const now = await selectTaxpayer(sql, taxpayer.id);
  if (!matchesSnapshot(settings, now)) await arrivals.bring();
  if (staged.rejected > 0) await openRejects(sql, scope, staged.lastDay ?? getToday(deps, settings.timeZone));
  const replaced = replaces === null ? null : await replaceRows(sql, scope, { replaces, stored, resolution, at });
  await reserveRows(sql, storeRequest, stored.imported + (replaced?.added ?? 0));
  const snapshots = { read: settings, now };
  const touched = await reclassifyRows(sql, taxpayer.id, snapshots, replaced?.touched ?? stored.touched);
  const format = staged.opened.format;
  const sources = stored.accounts.map((row) => ({ ...row, format }));
  const withdrawn = replaces === null ? [] : await withdrawBalances(deps, sql, { ...scope, importId: replaces });
  const balances = joinBalances(staged.balances, storeRequest.sync?.balances ?? []);
  const stated = new Set([...withdrawn, ...(await storeFileBalances(deps, sql, scope, balances))]);
  if (staged.end.numbers.length > 0) await recordNumbers(sql, scope, staged.end.numbers);
  if (staged.end.names.length > 0) await insertAssetNames(sql, scope, staged.end.names);
  const onBook = bookReporter(deps, scope, signal);
  await recompute(sql, taxpayer.id, touched, { onBook, arrivals, sources, stated });
  await stored.close();
  return { stored, replaced };
}

/** Counts `rows` added rows against the plan. `rows` is negative if a reread produced fewer rows. */
async function reserveRows(sql: Sql, { taxpayer, options }: StoreRequest, rows: number): Promise<void> {
  if (rows < 0) await releaseTransactions(sql, taxpayer.id, -rows);
  else if (options.dryRun) await countTransactions(sql, taxpayer.id, rows);
  else if (rows > 0) await reserveTransactions(sql, taxpayer, rows);
}

async function complete(
  sql: Sql,
  { scope, staged, replaces }: StoreRequest,
  { duplicates, transactions, at }: Pick<Completion, 'duplicates' | 'transactions' | 'at'>,
): Promise<void> {
  const running = await recordCompletion(sql, scope, {
    bytes: staged.end.bytesRead,
    rows: staged.end.rows,
    imported: staged.lines - duplicates,
    transactions,
    duplicates,
    skipped: staged.end.skipped,
    rejected: staged.rejected,
    firstDate: staged.firstDay,
    lastDate: staged.lastDay,
    years: staged.years,
    skips: staged.skips,
    warnings: staged.warnings,
    accounts: staged.end.accounts,
    at,
  });
  if (!running) throw new Error('The import was given up while it was being stored.');
  await shareText(sql, scope);
  if (replaces === null) return;
  await dropReplaced(sql, { ...scope, importId: replaces });
  await replaceSyncedImport(sql, scope, replaces);
}

/** Adds the balances at the end of a sync. They replace those after the last row of the same day. */
function joinBalances(ofRows: readonly FileBalance[], ofSync: readonly FileBalance[]): readonly FileBalance[] {
  const keyOf = ({ account, asset, day }: FileBalance): string => JSON.stringify([account, asset, day]);
  const later = new Set(ofSync.map(keyOf));
  return [...ofRows.filter((one) => !later.has(keyOf(one))), ...ofSync];
}

async function buildPreview(
  deps: StoreDeps,
  sql: Sql,
  { taxpayer, scope, staged, settings, options }: StoreRequest,
  { imported, possibleDuplicates }: StoredFile,
  years: PreviewOptions['years'],
) {
  const passed =
    (await transactionLimitPassed(sql, taxpayer, imported)) ??
    (await spaceLimitPassed(sql, taxpayer, staged.end.bytesRead));
  return readPreview(sql, scope, {
    staged,
    years,
    possibleDuplicates,
    passed: passed?.detail ?? null,
    timeZone: options.timeZone ?? settings.timeZone,
    today: getToday(deps, settings.timeZone),
  });
}

function toDayRange({ firstDay, lastDay }: Staged) {
  return firstDay === null || lastDay === null ? null : { first: firstDay, last: lastDay };
}

/** Returns the formats of the same source, and the others that may cover the same accounts. */
function findFormatFamily({ format, layout }: Staged['opened']): Family {
  const own = formatById(format);
  const isOfBroker = formsByFormat.get(format) === '1099-B';
  const inFamily = formats.filter((one) => one.source === own?.source);
  const shared = formats.filter(
    (one) =>
      isOfBroker &&
      formsByFormat.get(one.id) === '1099-B' &&
      (own?.ofAnyBroker === true || one.ofAnyBroker === true) &&
      !inFamily.includes(one),
  );
  return { format, layout, formats: inFamily.map(({ id }) => id), shared: shared.map(({ id }) => id) };
}

/**
 * Reports each book in a separate transaction, so that event streams show it before the import commits. It is not
 * awaited, because the import already holds a connection and must not depend on a second one.
 */
function bookReporter(
  deps: StoreDeps,
  scope: StageScope,
  signal: AbortSignal,
): (done: number, of: number) => Promise<void> {
  let reportedAt = deps.clock.now().getTime();
  let reporting = false;
  return async (done, of) => {
    signal.throwIfAborted();
    const at = deps.clock.now().getTime();
    if (reporting || at - reportedAt < bookEventMilliseconds) return;
    reportedAt = at;
    reporting = true;
    withoutAudit(() =>
      deps.database.asTaxpayer(scope.taxpayerId, (sql) => insertEvent(sql, scope, 'books', { done, of })),
    )
      .catch((error: unknown) => deps.log.warn('event not reported', { reason: String(error) }))
      .finally(() => {
        reporting = false;
      });
  };
}

/** Sends one notification. It leads to the open items if there are any. */
async function notifyOwner(
  sql: Sql,
  taxpayer: Taxpayer,
  { view, stored, at }: { readonly view: ImportView; readonly stored: StoredFile; readonly at: Date },
): Promise<void> {
  const { issues, rejected, possibleDuplicates } = view;
  const hasItems = issues + rejected + stored.proposed > 0;
  const items = hasItems ? await countReviewItems(sql, taxpayer.id) : 0;
  const review = [
    ...(items > 0 ? [countNoun(items, 'item')] : []),
    ...(possibleDuplicates > 0 ? [countNoun(possibleDuplicates, 'possible duplicate')] : []),
  ];
  const results = `${view.fileName ?? 'Your file'}: ${countNoun(view.transactions, 'new transaction')}, ${countNoun(view.duplicates, 'duplicate')}.`;
  const needsReview = review.length > 0;
  await notify(sql, taxpayer.id, {
    kind: needsReview ? 'review_needed' : 'import_completed',
    title: needsReview ? 'Import finished: items to review' : 'Import finished',
    body: needsReview ? `${results} To review now: ${review.join(' and ')}.` : results,
    link: hasItems ? '/v1/tax/issues' : `/v1/imports/${view.id}`,
    at,
  });
  await notifyLimitNear(sql, taxpayer, at);
}

function countNoun(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
