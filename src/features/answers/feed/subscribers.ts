import type { Deps } from '../../../deps.ts';
import { notificationChannel } from '../../people/notifications/notifications.queries.ts';

export interface Subscription {
  /** Resolves when a notification may have arrived since the call. */
  next(): Promise<void>;
  close(): void;
}

/** Wakes up a server's open streams when a notification arrives. All streams share one listening connection. */
export class Subscribers {
  readonly #deps: Pick<Deps, 'database' | 'log'>;
  readonly #wakeUps = new Map<string, Set<() => void>>();
  #listening: Promise<unknown> | null = null;

  constructor(deps: Pick<Deps, 'database' | 'log'>) {
    this.#deps = deps;
  }

  async subscribe(taxpayerId: string): Promise<Subscription> {
    this.#listening ??= this.#listen();
    await this.#listening;
    let resolveNext = (): void => {};
    const wakeUp = (): void => resolveNext();
    const wakeUps = this.#wakeUps.get(taxpayerId) ?? new Set();
    this.#wakeUps.set(taxpayerId, wakeUps.add(wakeUp));
    return {
      next: () =>
        new Promise((resolve) => {
          resolveNext = resolve;
        }),
      close: () => {
        wakeUps.delete(wakeUp);
        if (wakeUps.size === 0) this.#wakeUps.delete(taxpayerId);
      },
    };
  }

  async #listen(): Promise<void> {
    const { database, log } = this.#deps;
    try {
      await database.listen(notificationChannel, (taxpayerId) => {
        for (const wakeUp of this.#wakeUps.get(taxpayerId) ?? []) wakeUp();
      });
    } catch (error) {
      // The feed polls until then. The next stream tries to listen again.
      this.#listening = null;
      log.error('notifications are polled only', error);
    }
  }
}
