import { effect, signal } from '@preact/signals';
import { withClient } from './acting.ts';
import { refresh } from './resource.ts';
import { account } from './session.ts';

/** Whether the stream of notifications is open. `lost`: the browser is trying again by itself. */
export const connection = signal<'closed' | 'open' | 'lost'>('closed');

/** Notifications as they come, the newest last. Shown for a moment, then read in the feed. */
export const arrived = signal<readonly ArrivedNotification[]>([]);

export interface ArrivedNotification {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly body: string;
  readonly link: string | null;
}

/** Counts the streams that the server ended for good, as one that stops does: the browser does not open those again. */
const endings = signal(0);
const openedAgainAfter = 4_000;

/** Follows the feed of whoever is signed in, in the books that are open. The browser resumes it by Last-Event-ID. */
export function followNotifications(): void {
  effect(() => {
    // Nothing happens in the demo books, and all their visitors share the streams of one user.
    if (!account.value || account.value.demo) return;
    let wasLost = endings.value > 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const source = new EventSource(withClient(new URL('/v1/notifications/stream', location.origin)));
    source.addEventListener('open', () => {
      connection.value = 'open';
      // What happened meanwhile is not in the stream of changes: read again.
      if (wasLost) refresh();
      wasLost = false;
    });
    source.addEventListener('error', () => {
      connection.value = 'lost';
      wasLost = true;
      if (source.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(() => {
        // Also says whether the session has ended.
        refresh();
        endings.value += 1;
      }, openedAgainAfter);
    });
    source.addEventListener('notification', (event) => {
      arrived.value = [...arrived.peek().slice(-4), JSON.parse(event.data) as ArrivedNotification];
      refresh();
    });
    return () => {
      clearTimeout(timer);
      source.close();
      connection.value = 'closed';
    };
  });
}
