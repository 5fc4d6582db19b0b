import { sleepUnless } from '../../../base/deadline.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import { isTemporary } from '../../../db/job-queue.ts';
import type { FileBalance } from '../../../formats/running-balances.ts';
import { withoutAudit } from '../../../http/audit/audited-request.ts';
import { toFailure } from '../../../http/problems.ts';
import { responseSaver } from '../../../http/saved-response.ts';
import type { Taxpayer } from '../../people/auth/access.ts';
import { hasPermission } from '../../people/auth/permissions.ts';
import { notify } from '../../people/notifications.ts';
import { unseal } from '../../people/seal.ts';
import { storeFileBalances } from '../balances/store.ts';
import { selectTaxpayer } from '../books/books.queries.ts';
import type { ImportDeps } from '../imports/import-deps.ts';
import type { ImportOptions } from '../imports/options.ts';
import { runImport } from '../imports/run.ts';
import type { FinishedSync } from '../imports/synced.queries.ts';
import { textUpload } from '../imports/upload.ts';
import { recompute } from '../recompute/recompute.ts';
import { inTurn } from '../transactions/store.ts';
import {
  type ClaimedConnection,
  type ConnectionScope,
  claimConnection,
  deletePages,
  extendConnectionClaim,
  forgetCursor,
  isBeingStored,
  recordEmptySync,
  recordReading,
  releaseConnection,
  type SyncProblem,
  type SyncReading,
  selectDueConnections,
  selectKnownIds,
  selectPages,
  selectRemainingImports,
  selectSyncUser,
} from './connections.queries.ts';
import {
  type ExchangeClient,
  ExchangeFault,
  type ExchangeKeys,
  KeysRefused,
  type SyncFile,
} from './exchanges/exchange.ts';

const lookSeconds = 5;
const claimSeconds = 30;
const extendSeconds = 5;
const atOnceMax = 4;
const secondsPerDay = 86_400;
const busySeconds = 60;
const failedSecondsMin = 300;
const retrySecondsMax = 6 * 3_600;
const storedElsewhereSeconds = 10;
const statementSecondsMax = 3_600;

/** A connection that this server works on, and the books it belongs to. */
interface Session {
  readonly scope: ConnectionScope;
  readonly claim: string;
  readonly connection: ClaimedConnection;
  readonly exchange: ExchangeClient;
  readonly keys: ExchangeKeys;
  readonly taxpayer: Taxpayer;
  readonly signal: AbortSignal;
}

/** When to work on a connection again, and the reason if its sync did not finish. */
interface SyncOutcome {
  readonly seconds: number | null;
  readonly problem: SyncProblem | null;
}

/**
 * Reads the connections that are due, page by page, and imports their rows. Each page is stored as it arrives, so any
 * server continues an interrupted sync. Only one server works on a connection at a time: it holds a claim, which it
 * extends while it works.
 */
export class Syncer {
  readonly #deps: ImportDeps;
  readonly #exchanges: readonly ExchangeClient[];
  readonly #running = new Map<string, Promise<void>>();

  constructor(deps: ImportDeps, exchanges: readonly ExchangeClient[]) {
    this.#deps = deps;
    this.#exchanges = exchanges;
  }

  /** Works on the due connections until each of them has ended or waits. */
  async look(signal: AbortSignal): Promise<void> {
    const { database, clock } = this.#deps;
    const room = atOnceMax - this.#running.size;
    if (room <= 0) return;
    const due = await database.asService((sql) => selectDueConnections(sql, clock.now(), atOnceMax), {
      readOnly: true,
    });
    const fresh = due.filter(({ id }) => !this.#running.has(id)).slice(0, room);
    await Promise.all(
      fresh.map((scope) => {
        const work = this.#work(scope, signal).finally(() => this.#running.delete(scope.id));
        this.#running.set(scope.id, work);
        return work;
      }),
    );
  }

  async #work(scope: ConnectionScope, stopped: AbortSignal): Promise<void> {
    const { database, clock, log } = this.#deps;
    const claim = crypto.randomUUID();
    const connection = await database.asTaxpayer(scope.taxpayerId, (sql) =>
      claimConnection(sql, scope, claim, clock.now(), claimSeconds),
    );
    if (connection === undefined) return;
    const lost = new AbortController();
    const timer = setInterval(() => {
      database
        .asTaxpayer(scope.taxpayerId, (sql) => extendConnectionClaim(sql, scope, claim, claimSeconds))
        .then((isHeld) => isHeld || lost.abort(new Error('Another server works on this connection.')))
        .catch((error: unknown) => log.warn('claim of a connection not extended', { reason: String(error) }));
    }, extendSeconds * 1_000);
    const signal = AbortSignal.any([stopped, lost.signal]);
    try {
      const outcome = await this.#sync(scope, claim, connection, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        if (error instanceof ClaimLost) throw error;
        return this.#toOutcome(connection, error);
      });
      await this.#release(scope, claim, connection, outcome);
    } catch (error) {
      if (!signal.aborted && !(error instanceof ClaimLost)) log.error('connection not synced', error);
    } finally {
      clearInterval(timer);
    }
  }

  /** Gives the connection back. Notifies the taxpayer if its syncs stop until the user acts. */
  async #release(
    scope: ConnectionScope,
    claim: string,
    { kind, failures }: ClaimedConnection,
    { seconds, problem }: SyncOutcome,
  ): Promise<void> {
    const { database, clock } = this.#deps;
    const at = clock.now();
    const dueAt = seconds === null ? null : new Date(at.getTime() + seconds * 1_000);
    const name = this.#exchanges.find((one) => one.kind === kind)?.name ?? 'An exchange';
    await database.asTaxpayer(scope.taxpayerId, async (sql) => {
      const isHeld = await releaseConnection(sql, scope, {
        ...{ claim, dueAt, isDaily: seconds === secondsPerDay, problem },
        failures: problem === null ? 0 : failures + 1,
      });
      // The import itself notifies of a limit.
      if (!isHeld || problem === null || seconds !== null || problem.code === 'plan_limit') return;
      const title = `${name} is no longer synced`;
      await notify(sql, scope.taxpayerId, { kind: 'import_failed', title, body: problem.detail, link: null, at });
    });
  }

  async #sync(
    scope: ConnectionScope,
    claim: string,
    connection: ClaimedConnection,
    signal: AbortSignal,
  ): Promise<SyncOutcome> {
    const exchange = this.#exchanges.find(({ kind }) => kind === connection.kind);
    if (exchange === undefined) return { seconds: null, problem: turnedOff };
    const taxpayer = await this.#findTaxpayer(scope, connection);
    if (taxpayer === undefined) return { seconds: null, problem: noAccess };
    const keys = await this.#readKeys(connection);
    if (keys === undefined) return { seconds: null, problem: keyLost };
    const session = { scope, claim, connection, exchange, keys, taxpayer, signal };
    const beginning = await this.#checkImports(session);
    if (beginning === 'undone') return { seconds: null, problem: undone };
    let reading = await this.#begin(session, beginning);
    for (;;) {
      reading = await this.#readAll(session, reading);
      const { database } = this.#deps;
      const [isStoring, pages] = await database.asTaxpayer(
        scope.taxpayerId,
        async (sql) =>
          [await isBeingStored(sql, scope.taxpayerId, reading.run), await selectPages(sql, scope)] as const,
        { readOnly: true },
      );
      // A server stopped while it stored this sync. Its import is finished or given up soon.
      if (isStoring) return { seconds: storedElsewhereSeconds, problem: null };
      const known = new Set(connection.knownImportIds);
      const file = await exchange.buildFile(pages, reading.position, {
        findKnown: async (ids) => {
          const found = await database.asTaxpayer(
            scope.taxpayerId,
            (sql) => selectKnownIds(sql, scope.taxpayerId, connection.account, ids),
            { readOnly: true },
          );
          for (const importId of found.values()) if (importId !== null) known.add(importId);
          return new Set(found.keys());
        },
      });
      if ('again' in file) {
        reading = { ...reading, position: file.again, isDone: false };
        continue;
      }
      const knownImportIds = [...known].filter((id) => !connection.importIds.includes(id));
      await this.#finish(session, reading, { ...file, knownImportIds });
      const isAutomatic = connection.isAutomatic;
      return { seconds: isAutomatic ? secondsPerDay : null, problem: null };
    }
  }

  /** Returns the books with the plan of the user who set up the connection, if that user may still change them. */
  async #findTaxpayer({ taxpayerId }: ConnectionScope, { userId }: ClaimedConnection): Promise<Taxpayer | undefined> {
    const { database } = this.#deps;
    const user = await database.asService((sql) => selectSyncUser(sql, userId, taxpayerId), { readOnly: true });
    if (user === undefined || !hasPermission(user.role, 'write')) return undefined;
    const { time_zone: timeZone } = await database.asTaxpayer(taxpayerId, (sql) => selectTaxpayer(sql, taxpayerId), {
      readOnly: true,
    });
    return { id: taxpayerId, timeZone, ...user };
  }

  async #readKeys({ id, keyId, sealed }: ClaimedConnection): Promise<ExchangeKeys | undefined> {
    const text = await unseal(this.#deps, { keyId, sealed }, { of: id, purpose: 'connection' });
    return text === undefined ? undefined : (JSON.parse(text) as ExchangeKeys);
  }

  /**
   * Returns whether an import of the connection was undone. Its rows would be missing after the cursor, so the cursor is
   * forgotten, and the next sync reads everything. A daily sync does not bring back what the user removed.
   */
  async #checkImports({
    scope,
    claim,
    connection,
  }: Session): Promise<Pick<ClaimedConnection, 'cursor' | 'reading'> | 'undone'> {
    const { cursor, reading, importIds, knownImportIds, isAutomatic, dueAt, syncedAt } = connection;
    return this.#deps.database.asTaxpayer(scope.taxpayerId, async (sql) => {
      const remaining = await selectRemainingImports(sql, scope.taxpayerId, [...importIds, ...knownImportIds]);
      if (remaining.size === importIds.length + knownImportIds.length) return { cursor, reading };
      const [kept, known] = [importIds, knownImportIds].map((ids) => ids.filter((id) => remaining.has(id))) as [
        string[],
        string[],
      ];
      const isDaily =
        kept.length < importIds.length &&
        isAutomatic &&
        dueAt !== null &&
        syncedAt !== null &&
        dueAt.getTime() >= syncedAt.getTime() + secondsPerDay * 1_000;
      await forgetCursor(sql, scope, {
        claim,
        importIds: kept,
        knownImportIds: known,
        isAutomatic: isAutomatic && !isDaily,
      });
      return isDaily ? 'undone' : { cursor: null, reading: null };
    });
  }

  async #begin(
    session: Session,
    { cursor, reading }: Pick<ClaimedConnection, 'cursor' | 'reading'>,
  ): Promise<SyncReading> {
    const { scope, exchange, keys, signal } = session;
    const now = this.#deps.clock.now();
    // A statement that was requested long ago is no longer kept.
    const isStale = exchange.repeatsRows === true && reading?.isDone === false && isOld(reading, now);
    if (reading !== null && !isStale) return reading;
    const at = now.toISOString();
    const { position, balances } = await exchange.begin(keys, cursor, signal);
    const begun = { run: crypto.randomUUID(), position, pages: 0, isDone: false, balances, at };
    await this.#record(session, begun, null, (sql) => deletePages(sql, scope));
    await sleepUnless(signal, exchange.pauseMilliseconds);
    return begun;
  }

  async #readAll(session: Session, begun: SyncReading): Promise<SyncReading> {
    const { exchange, keys, signal } = session;
    let reading = begun;
    while (!reading.isDone) {
      signal.throwIfAborted();
      const { content, position, isDone } = await exchange.readPage(keys, reading.position, signal);
      const pages = reading.pages + (content === null ? 0 : 1);
      reading = { ...reading, position, isDone, pages };
      await this.#record(session, reading, content);
      if (!isDone) await sleepUnless(signal, exchange.pauseMilliseconds);
    }
    return reading;
  }

  async #record(
    { scope, claim }: Session,
    reading: SyncReading,
    content: string | null,
    before: (sql: Sql) => Promise<void> = async () => undefined,
  ): Promise<void> {
    const isHeld = await this.#deps.database.asTaxpayer(scope.taxpayerId, async (sql) => {
      await before(sql);
      return recordReading(sql, scope, claim, reading, content);
    });
    if (!isHeld) throw new ClaimLost();
  }

  async #finish(
    session: Session,
    { run, balances, at }: SyncReading,
    file: SyncFile & Pick<FinishedSync, 'knownImportIds'>,
  ): Promise<void> {
    const { scope, claim, connection, taxpayer } = session;
    const { account, importIds } = connection;
    const { cursor, knownImportIds } = file;
    const sync: FinishedSync = {
      connectionId: scope.id,
      run,
      ...{ cursor, knownImportIds },
      balances: toFileBalances(account, balances, at),
    };
    if (file.rows > 0 && !(await this.#isKnown(session, file))) {
      await this.#import(session, file, sync);
      return;
    }
    const lastImport = importIds.at(-1) ?? knownImportIds.at(-1);
    await inTurn(this.#deps, taxpayer.id, async (sql) => {
      const ended = { claim, cursor, knownImportIds, at: this.#deps.clock.now() };
      if (!(await recordEmptySync(sql, scope, ended))) throw new ClaimLost();
      if (lastImport === undefined) return;
      const importScope = { taxpayerId: taxpayer.id, importId: lastImport };
      const stated = new Set(await storeFileBalances(this.#deps, sql, importScope, sync.balances));
      if (stated.size > 0) await recompute(sql, taxpayer.id, new Map(), { stated });
    });
  }

  /** Returns whether the file has only rows of earlier files, so that it need not be kept. */
  async #isKnown({ scope, connection, exchange, taxpayer }: Session, file: SyncFile): Promise<boolean> {
    const lastImport = connection.importIds.at(-1);
    if (exchange.repeatsRows !== true || lastImport === undefined) return false;
    const options = { ...this.#toOptions(connection, exchange), dryRun: true };
    const { body } = await withoutAudit(() =>
      runImport(this.#deps, taxpayer, toUpload(file, new AbortController().signal), options, responseSaver(null)),
    );
    const imports = await this.#deps.database.asTaxpayer(
      scope.taxpayerId,
      (sql) => selectRemainingImports(sql, scope.taxpayerId, [lastImport]),
      { readOnly: true },
    );
    return body.transactions === 0 && body.rejected <= (imports.get(lastImport) ?? 0);
  }

  async #import(
    { connection, exchange, taxpayer, signal }: Session,
    file: SyncFile,
    sync: FinishedSync,
  ): Promise<void> {
    const options = this.#toOptions(connection, exchange);
    await withoutAudit(() =>
      runImport(this.#deps, taxpayer, toUpload(file, signal), options, responseSaver(null), { sync }),
    );
  }

  #toOptions({ account }: ClaimedConnection, { repeatsRows, format }: ExchangeClient): ImportOptions {
    // A Flex query names the account of each row.
    const named = repeatsRows === true ? {} : { account };
    return { ...named, format, dryRun: false, async: false };
  }

  #toOutcome({ failures }: ClaimedConnection, error: unknown): SyncOutcome {
    if (error instanceof KeysRefused) {
      return { seconds: null, problem: { code: 'keys_refused', detail: error.message } };
    }
    if (error instanceof ExchangeFault) {
      const { code, message, retrySeconds } = error;
      const least = code === 'busy' ? busySeconds : failedSecondsMin;
      return { seconds: Math.max(retrySeconds ?? 0, waitSeconds(least, failures)), problem: { code, detail: message } };
    }
    // Another server stored this sync.
    if (error instanceof Refusal && error.code === 'conflict')
      return { seconds: storedElsewhereSeconds, problem: null };
    const isFinal = error instanceof Refusal && !isTemporary(error);
    if (!isFinal) this.#deps.log.error('connection not synced', error);
    const { code, detail } = toFailure(error);
    return { seconds: isFinal ? null : waitSeconds(failedSecondsMin, failures), problem: { code, detail } };
  }
}

function isOld({ at }: SyncReading, now: Date): boolean {
  return now.getTime() - Date.parse(at) >= statementSecondsMax * 1_000;
}

/** Returns twice the wait after each further failure. */
function waitSeconds(least: number, failures: number): number {
  return Math.min(least * 2 ** Math.min(failures, 10), retrySecondsMax);
}

/** Thrown if another server works on the connection, or if it was deleted. */
class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
}

function toUpload({ fileName, text }: SyncFile, signal: AbortSignal) {
  return textUpload(fileName, new TextEncoder().encode(text), { signal });
}

/** Returns balances that count rows up to the moment when the service was asked. */
function toFileBalances(account: string, balances: SyncReading['balances'], at: string): FileBalance[] {
  const until = Date.parse(at) * 1_000;
  const day = at.slice(0, 10);
  return balances.map(({ asset, quantity }) => ({ account, asset, day, until, quantity, isLeast: false }));
}

const turnedOff: SyncProblem = {
  code: 'exchange_unconfigured',
  detail: 'This server no longer connects to the service. Import its files instead.',
};
const noAccess: SyncProblem = {
  code: 'forbidden',
  detail: 'The person who set up this connection can no longer change these books. Disconnect it and connect again.',
};
const keyLost: SyncProblem = {
  code: 'keys_refused',
  detail: 'This server can no longer read the stored key. Disconnect it and connect again.',
};
const undone: SyncProblem = {
  code: 'conflict',
  detail: 'You undid an import of this connection, so daily syncs are off. "Sync now" reads everything again.',
};

/** Looks for due connections until it is stopped. Does nothing if the operator turned on no service. */
export function keepSyncing(deps: ImportDeps, exchanges: readonly ExchangeClient[]): () => void {
  if (exchanges.length === 0) return () => undefined;
  const leaving = new AbortController();
  const syncer = new Syncer(deps, exchanges);
  for (const { kind, host } of exchanges) deps.log.info('connections are read', { kind, host });
  const look = (): void => {
    syncer.look(leaving.signal).catch((error: unknown) => {
      if (!leaving.signal.aborted) deps.log.warn('connections not looked at', { reason: String(error) });
    });
  };
  look();
  const timer = setInterval(look, lookSeconds * 1_000);
  timer.unref();
  return () => {
    clearInterval(timer);
    leaving.abort();
  };
}
