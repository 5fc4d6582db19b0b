import type { Deps } from '../../deps.ts';
import type { ServerEvent } from '../../http/sse.ts';
import { lastSequence, type NotificationRow, notificationChannel, notificationsAfter } from './queries.ts';

/** Also asked without being called: a NOTIFY is lost while the listening connection is away. */
const pollSeconds = 15;
const batchMax = 100;

/** A taxpayer's notifications as they come, after `lastEventId` or from now on. */
export async function* feed(
  deps: Deps,
  taxpayerId: string,
  lastEventId: string | undefined,
  signal: AbortSignal,
  itemOf: (row: NotificationRow) => unknown,
): AsyncGenerator<ServerEvent> {
  const bell = await listenFor(deps, taxpayerId);
  try {
    let after = lastEventId !== undefined && /^\d{1,18}$/.test(lastEventId) ? lastEventId : undefined;
    after ??= await deps.database.asTaxpayer(taxpayerId, (sql) => lastSequence(sql, taxpayerId), { readOnly: true });
    while (!signal.aborted) {
      const rung = bell.next();
      const from: string = after;
      const rows = await deps.database.asTaxpayer(
        taxpayerId,
        (sql) => notificationsAfter(sql, taxpayerId, from, batchMax),
        { readOnly: true },
      );
      for (const row of rows) {
        yield { id: row.sequence, event: 'notification', data: itemOf(row) };
        after = row.sequence;
      }
      if (rows.length < batchMax) await firstOf(rung, signal);
    }
  } finally {
    bell.silence();
  }
}

interface Bell {
  /** Resolves when something may have come since it was asked. */
  next(): Promise<void>;
  silence(): void;
}

interface Tower {
  readonly listening: Promise<unknown>;
  readonly ringers: Map<string, Set<() => void>>;
}

const towers = new WeakMap<Deps, Tower>();

/** One listening connection for all streams of a server. */
async function listenFor(deps: Deps, taxpayerId: string): Promise<Bell> {
  const tower = towers.get(deps) ?? openTower(deps);
  towers.set(deps, tower);
  await tower.listening;
  let ring = (): void => {};
  const ringer = (): void => ring();
  const ringers = tower.ringers.get(taxpayerId) ?? new Set();
  tower.ringers.set(taxpayerId, ringers.add(ringer));
  return {
    next: () =>
      new Promise((resolve) => {
        ring = resolve;
      }),
    silence: () => {
      ringers.delete(ringer);
      if (ringers.size === 0) tower.ringers.delete(taxpayerId);
    },
  };
}

function openTower(deps: Deps): Tower {
  const ringers: Tower['ringers'] = new Map();
  const listening = deps.database.listen(notificationChannel, (taxpayerId) => {
    for (const ring of ringers.get(taxpayerId) ?? []) ring();
  });
  // Without it the feed still asks every few seconds; the next stream tries to listen again.
  const settled = listening.catch((error) => {
    towers.delete(deps);
    deps.log.error('notifications are polled only', error);
  });
  return { listening: settled, ringers };
}

function firstOf(rung: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, pollSeconds * 1000);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
    void rung.then(done);
  });
}
