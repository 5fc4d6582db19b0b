import { effect, signal } from '@preact/signals';
import { refresh } from './api.ts';
import { withClient } from './page-url.ts';
import { account } from './session.ts';

/** State of the notification stream. `lost` means that the browser is reconnecting. */
export const connection = signal<'closed' | 'open' | 'lost'>('closed');

/** Notifications received over the stream, newest last. Each is shown briefly, and then remains in the feed. */
export const arrivedNotifications = signal<readonly ArrivedNotification[]>([]);

export interface ArrivedNotification {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly body: string;
  readonly link: string | null;
}

/** Counts the streams that the server ended for good, as when it shuts down. The browser does not reopen those. */
const endings = signal(0);
const openedAgainAfter = 4_000;

/** Follows the notification feed of the signed-in user in the open books. The browser resumes it with Last-Event-ID. */
export function followNotifications(): void {
  effect(() => {
    // Nothing happens in the demo books, and all their visitors share one user's streams.
    if (!account.value || account.value.demo) return;
    let wasLost = endings.value > 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const source = new EventSource(withClient(new URL('/v1/notifications/stream', location.origin)));
    source.addEventListener('open', () => {
      connection.value = 'open';
      // The stream does not replay changes made while it was down, so everything is reloaded.
      if (wasLost) refresh();
      wasLost = false;
    });
    source.addEventListener('error', () => {
      connection.value = 'lost';
      wasLost = true;
      if (source.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(() => {
        // Also detects whether the session has ended.
        refresh();
        endings.value += 1;
      }, openedAgainAfter);
    });
    source.addEventListener('notification', (event) => {
      arrivedNotifications.value = [
        ...arrivedNotifications.peek().slice(-4),
        JSON.parse(event.data) as ArrivedNotification,
      ];
      refresh();
    });
    return () => {
      clearTimeout(timer);
      source.close();
      connection.value = 'closed';
    };
  });
}
