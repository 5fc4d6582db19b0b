import type { Sql } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import { formatById, formats } from '../../formats/index.ts';
import { type HeldKey, responseSaver } from '../../http/idempotency.ts';
import type { Taxpayer } from '../auth/access.ts';
import { seeYears } from '../books/summaries/year-changes.ts';
import { notify } from '../notifications/notify.ts';
import { countTransactions, takeTransactionRoom, transactionLimitPassed } from '../plans/limits.ts';
import { recompute } from '../recompute/recompute.ts';
import { matchesSnapshot, reclassifyRows } from '../settings/settings.ts';
import { classRulesOf } from '../transactions/elections.ts';
import { todayOf } from '../transactions/read.ts';
import { openRejects } from '../transactions/rejected/queries.ts';
import type { StageScope } from '../transactions/rows/queries.ts';
import { deleteStaged } from '../transactions/staged/queries.ts';
import { type StoredFile, takeStaged } from '../transactions/store.ts';
import { shareText } from '../transactions/texts/queries.ts';
import { underLock } from '../transactions/turn.ts';
import { rememberMapping } from './mappings/remember.ts';
import type { ImportOptions } from './options.ts';
import { readPreview } from './preview/read.ts';
import type { Staged } from './reading/stage.ts';
import type { Settings } from './settings.ts';
import { takeSpace } from './space.ts';
import { deleteImport, type ImportRow, insertEvent, recordCompletion, selectImport } from './status/queries.ts';
import { type ImportView, importView } from './view.ts';

/** An import that was read and staged, and what is to become of it. Plain data: a large one goes to a Worker. */
export interface StoreOrder {
  readonly taxpayer: Taxpayer;
  readonly scope: StageScope;
  readonly staged: Staged;
  readonly settings: Settings;
  readonly options: ImportOptions;
  /** SHA-256 of the file and what was asked of it. */
  readonly digest: string;
  /** The Idempotency-Key under which the response is saved; null without one. */
  readonly heldKey: HeldKey | null;
}

export type StoreDeps = Pick<Deps, 'database' | 'clock' | 'log'>;

const bookEventMilliseconds = 500;

/**
 * The one short transaction: rows, lots, facts and summaries, or nothing. A dry run does all of it too and then rolls
 * back, so that it shows exactly what would happen. `signal` aborts it where nobody waits for the import any more.
 */
export async function storeImport(deps: StoreDeps, order: StoreOrder, signal: AbortSignal): Promise<ImportView> {
  const { taxpayer, scope, options } = order;
  try {
    return await underLock(deps.database, taxpayer.id, async (sql) => {
      const view = await store(deps, sql, order, signal);
      if (options.dryRun) throw new DryRunRollback(view);
      return view;
    });
  } catch (error) {
    if (!(error instanceof DryRunRollback)) throw error;
    return deps.database.asTaxpayer(taxpayer.id, async (sql) => {
      await deleteStaged(sql, scope);
      await deleteImport(sql, scope);
      return (await responseSaver(order.heldKey)(sql, { status: 200 as const, body: error.view }, order.digest)).body;
    });
  }
}

/** A dry run throws it, so that the transaction rolls back. */
class DryRunRollback extends Error {
  constructor(readonly view: ImportView) {
    super('A dry run rolls back.');
  }
}

async function store(deps: StoreDeps, sql: Sql, order: StoreOrder, signal: AbortSignal): Promise<ImportView> {
  const { taxpayer, scope, staged, settings, options, digest, heldKey } = order;
  signal.throwIfAborted();
  const at = deps.clock.now();
  const resolution = { ...classRulesOf(settings.stored), timeZone: settings.timeZone };
  const lastLine = staged.end.descending ? staged.end.lastLine : null;
  const days = daysOf(staged);
  const family = familyOf(staged.opened);
  const file = { rows: staged.drafts, repeats: staged.repeats, lastLine, family, ...(days === null ? {} : { days }) };
  const before = options.dryRun ? await seeYears(sql, taxpayer.id) : null;
  const stored = await takeStaged(sql, scope, file, at, resolution);
  if (!options.dryRun) await takeSpace(sql, taxpayer, staged.end.bytesRead);
  if (options.dryRun) await countTransactions(sql, taxpayer.id, stored.imported);
  else if (stored.imported > 0) await takeTransactionRoom(sql, taxpayer, stored.imported);
  const { arrivals } = stored;
  if (!(await matchesSnapshot(sql, taxpayer.id, settings))) await arrivals.bring();
  await openRejects(sql, scope, staged.lastDay ?? todayOf(deps, settings.timeZone));
  const touched = await reclassifyRows(sql, taxpayer.id, settings, stored.touched);
  const format = staged.opened.format;
  const sources = stored.accounts.map((row) => ({ ...row, format }));
  await recompute(sql, taxpayer.id, touched, { onBook: bookReporter(deps, scope, signal), arrivals, sources });
  await stored.close();
  const completedAt = deps.clock.now();
  const running = await recordCompletion(sql, scope, {
    bytes: staged.end.bytesRead,
    rows: staged.end.rows,
    imported: staged.lines - stored.duplicateLines,
    duplicates: stored.duplicateLines,
    skipped: staged.end.skipped,
    rejected: staged.rejected,
    firstDate: staged.firstDay,
    lastDate: staged.lastDay,
    years: staged.years,
    skips: staged.skips,
    warnings: staged.warnings,
    at: completedAt,
  });
  if (!running) throw new Error('The import was given up while it was being stored.');
  await shareText(sql, scope);
  const { header, mapping } = staged.opened;
  if (mapping !== null) {
    const said = options.dateOrder === undefined ? mapping : { ...mapping, dateOrder: options.dateOrder };
    await rememberMapping(sql, taxpayer.id, { header, mapping: said, at });
  }
  const view = importView((await selectImport(sql, scope)) as ImportRow);
  await insertEvent(sql, scope, 'done', view);
  await notifyOwner(sql, taxpayer, { view, stored, at: completedAt });
  if (before !== null) {
    const { possibleDuplicates } = stored;
    const passed = await transactionLimitPassed(sql, taxpayer, stored.imported);
    const seen = {
      staged,
      before,
      possibleDuplicates,
      passed: passed?.detail ?? null,
      timeZone: options.timeZone ?? settings.timeZone,
    };
    return { ...view, preview: await readPreview(sql, scope, { ...seen, today: todayOf(deps, settings.timeZone) }) };
  }
  signal.throwIfAborted();
  return (await responseSaver(heldKey)(sql, { status: 201 as const, body: view }, digest)).body;
}

function daysOf({ firstDay, lastDay }: Staged) {
  return firstDay === null || lastDay === null ? null : { first: firstDay, last: lastDay };
}

/** Other formats of the same source cover the same accounts. */
function familyOf({ format, layout }: Staged['opened']) {
  const source = formatById(format)?.source;
  return { format, layout, formats: formats.filter((one) => one.source === source).map(({ id }) => id) };
}

/**
 * Book by book, in transactions of their own: watchers see them before the import commits. Nobody waits for them: the
 * import holds a connection already, and must not want a second one to go on.
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
    deps.database
      .asTaxpayer(scope.taxpayerId, (sql) => insertEvent(sql, scope, 'books', { done, of }))
      .catch((error: unknown) => deps.log.warn('event not reported', { reason: String(error) }))
      .finally(() => {
        reporting = false;
      });
  };
}

async function notifyOwner(
  sql: Sql,
  taxpayer: Taxpayer,
  { view, stored, at }: { readonly view: ImportView; readonly stored: StoredFile; readonly at: Date },
): Promise<void> {
  const name = view.fileName ?? 'Your file';
  const link = `/v1/imports/${view.id}`;
  await notify(sql, taxpayer.id, {
    kind: 'import_completed',
    title: 'Import finished',
    body: `${name}: ${counted(stored.imported, 'new transaction')}, ${counted(stored.duplicates, 'duplicate')}, ${counted(view.rejected, 'rejected line')}.`,
    link,
    at,
  });
  if (view.issues > 0 || view.rejected > 0 || view.possibleDuplicates > 0 || stored.proposed > 0) {
    const parts = [
      ...(view.issues > 0 ? [counted(view.issues, 'open question')] : []),
      ...(view.possibleDuplicates > 0 ? [counted(view.possibleDuplicates, 'possible duplicate')] : []),
      ...(stored.proposed > 0 ? [`${counted(stored.proposed, 'row')} that an earlier file states otherwise`] : []),
      ...(view.rejected > 0 ? [`${counted(view.rejected, 'line')} that could not be read`] : []),
    ];
    await notify(sql, taxpayer.id, {
      kind: 'review_needed',
      title: 'Rows need review',
      body: `${name} left ${parts.join(' and ')}.`,
      link,
      at,
    });
  }
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
