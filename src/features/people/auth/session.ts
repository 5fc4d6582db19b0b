import { sha256 } from '@oslojs/crypto/sha2';
import { constantTimeEqual } from '@oslojs/crypto/subtle';
import { encodeBase32LowerCaseNoPadding } from '@oslojs/encoding';
import type { Config } from '../../../config.ts';
import type { Deps } from '../../../deps.ts';
import { cookieHeader, readCookie, sessionCookieName } from '../../../http/cookies.ts';
import { selectOpenSessions, sessionEndChannel } from './sessions.queries.ts';

/** Seven days from sign-in. Using the session does not extend it. */
export const sessionSeconds = 604_800;

export interface SessionToken {
  readonly id: string;
  readonly secret: string;
}

/** Creates a token: a 120-bit id that finds the row, and a 160-bit secret that proves ownership of the session. */
export function newToken(): SessionToken {
  return { id: randomText(15), secret: randomText(20) };
}

export function secretHash(secret: string): Uint8Array {
  return sha256(new TextEncoder().encode(secret));
}

/** Compares a secret with its hash in constant time. */
export function isSecret(secret: string, hash: Uint8Array): boolean {
  return constantTimeEqual(secretHash(secret), hash);
}

/** Returns the session token of a request, or undefined if it is missing or malformed. */
export function readToken(request: Request): SessionToken | undefined {
  const match = /^([a-z2-7]{24})\.([a-z2-7]{32})$/.exec(readCookie(request, sessionCookieName) ?? '');
  return match === null ? undefined : { id: match[1] ?? '', secret: match[2] ?? '' };
}

export function sessionCookie(token: SessionToken, config: Config, maxAgeSeconds = sessionSeconds): string {
  const attributes = { path: '/', maxAgeSeconds, secure: config.secure };
  return cookieHeader(sessionCookieName, `${token.id}.${token.secret}`, attributes);
}

/** Returns the response headers for the end of the browser's own session. They clear the cookie and all cached data. */
export function endedSessionHeaders(config: Config): Record<string, string> {
  const attributes = { path: '/', maxAgeSeconds: 0, secure: config.secure };
  return { 'set-cookie': cookieHeader(sessionCookieName, '', attributes), 'clear-site-data': '"cache", "storage"' };
}

function randomText(byteCount: number): string {
  return encodeBase32LowerCaseNoPadding(crypto.getRandomValues(new Uint8Array(byteCount)));
}

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
