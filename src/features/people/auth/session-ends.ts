import type { Deps } from '../../../deps.ts';
import { selectOpenSessions, sessionEndChannel } from './sessions.queries.ts';

/**
 * How often sessions are also checked by a query. This is needed because a NOTIFY is lost while the listening
 * connection is down, and because sessions expire.
 */
const lookSeconds = 15;

/** Ends a session's event streams when the session ends on any server. */
export function endStreamsWithSessions(deps: Deps): void {
  new SessionEnds(deps).watch();
}

class SessionEnds {
  readonly #deps: Pick<Deps, 'database' | 'log' | 'openStreams'>;
  #listening: Promise<unknown> | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(deps: Pick<Deps, 'database' | 'log' | 'openStreams'>) {
    this.#deps = deps;
  }

  watch(): void {
    this.#deps.openStreams.watch(() => void this.#look());
  }

  /**
   * Checks the sessions of open streams. Also runs after each stream opens, because the session may have ended just
   * before.
   */
  async #look(): Promise<void> {
    const { database, log, openStreams } = this.#deps;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#listening ??= this.#listen();
    await this.#listening;
    const ids = [...openStreams.sessionIds()];
    if (ids.length === 0) return;
    try {
      const open = new Set(await database.asService((sql) => selectOpenSessions(sql, ids), { readOnly: true }));
      for (const id of ids) if (!open.has(id)) openStreams.endSession(id);
    } catch (error) {
      log.warn('sessions of streams not looked up', { reason: String(error) });
    }
    this.#timer ??= setTimeout(() => void this.#look(), lookSeconds * 1000);
    this.#timer.unref();
  }

  async #listen(): Promise<void> {
    const { database, log, openStreams } = this.#deps;
    try {
      await database.listen(sessionEndChannel, (id) => openStreams.endSession(id));
    } catch (error) {
      // Keeps checking by query. The next check tries to listen again.
      this.#listening = null;
      log.error('ends of sessions are looked up only', error);
    }
  }
}
