import type { Deps } from '../deps.ts';

export interface ServerEvent {
  /** The client sends this id back as `Last-Event-ID` to resume after this event. */
  readonly id?: string;
  readonly event?: string;
  readonly data: unknown;
}

export interface EventSource {
  /** The number of open streams per user is limited. Each stream ends with its session. */
  readonly caller: { readonly userId: string; readonly sessionId: string };
  /** Yields the events after `lastEventId` until they end or the signal aborts. */
  events(lastEventId: string | undefined, signal: AbortSignal): AsyncIterable<ServerEvent>;
  /** Called before each event and at intervals. If it returns false, nothing more is sent and the stream ends. */
  isAllowed?(): Promise<boolean>;
}

interface StreamContext {
  readonly request: Request;
  readonly server: { timeout(request: Request, seconds: number): void } | null;
}

/** Shorter than the idle limits of proxies and of the server itself. */
const heartbeatSeconds = 15;
/** The stream ends after this time. The browser reconnects automatically, and its session is checked again. */
const streamSecondsMax = 3600;

/**
 * Responds with server-sent events. An error midway breaks the connection because a stream that merely ended would look
 * complete. The stream ends when the client disconnects, when its session ends, when the server drains, or after an
 * hour.
 */
export function eventStream(deps: Deps, { request, server }: StreamContext, source: EventSource): Response {
  const slot = deps.openStreams.enter(source.caller);
  server?.timeout(request, 0);
  const stop = new AbortController();
  const signal = AbortSignal.any([
    stop.signal,
    request.signal,
    slot.sessionEnded,
    deps.lifecycle.drained,
    AbortSignal.timeout(streamSecondsMax * 1000),
  ]);
  const lastEventId = request.headers.get('last-event-id') ?? undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode('retry: 2000\n\n'));
        void pump(deps, controller, filterAllowed(source, source.events(lastEventId, signal)), signal).finally(() => {
          stop.abort();
          slot.leave();
        });
        stopWhenRefused(deps, source, stop);
      },
      cancel() {
        stop.abort();
      },
    },
    { highWaterMark: queuedMax },
  );
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
  });
}

async function* filterAllowed(source: EventSource, events: AsyncIterable<ServerEvent>): AsyncGenerator<ServerEvent> {
  for await (const event of events) {
    if ((await source.isAllowed?.()) === false) return;
    yield event;
  }
}

/** Runs even without events so that revoking access also ends an idle stream. */
function stopWhenRefused(deps: Deps, source: EventSource, stop: AbortController): void {
  if (source.isAllowed === undefined) return;
  const timer = setInterval(() => {
    source
      .isAllowed?.()
      .then((isAllowed) => isAllowed || stop.abort())
      .catch((error: unknown) => deps.log.warn('stream access check failed', { reason: String(error) }));
  }, heartbeatSeconds * 1000);
  timer.unref();
  stop.signal.addEventListener('abort', () => clearInterval(timer));
}

/**
 * Formats an event. No part contains a line break: we generate `id` and `event`, and JSON escapes line breaks in
 * `data`.
 */
export function formatEvent({ id, event, data }: ServerEvent): string {
  const head = `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}`;
  return `${head}data: ${JSON.stringify(data)}\n\n`;
}

const encoder = new TextEncoder();
/**
 * Number of events that may wait for a slow client. A client that falls further behind is disconnected and can resume
 * with Last-Event-ID.
 */
const queuedMax = 1000;

async function pump(
  deps: Deps,
  controller: ReadableStreamDefaultController<Uint8Array>,
  events: AsyncIterable<ServerEvent>,
  signal: AbortSignal,
): Promise<void> {
  const heartbeat = setInterval(() => {
    if (!signal.aborted) controller.enqueue(encoder.encode(': alive\n\n'));
  }, heartbeatSeconds * 1000);
  try {
    for await (const event of events) {
      if (signal.aborted) break;
      if ((controller.desiredSize ?? 0) <= 0) throw new Error('The client reads too slowly.');
      controller.enqueue(encoder.encode(formatEvent(event)));
    }
    closeQuietly(() => controller.close());
  } catch (error) {
    if (!signal.aborted) deps.log.warn('event stream broken', { reason: String(error) });
    closeQuietly(() => (signal.aborted ? controller.close() : controller.error(error)));
  } finally {
    clearInterval(heartbeat);
  }
}

/** Closes the stream. It is already closed if the client has disconnected. */
function closeQuietly(close: () => void): void {
  try {
    close();
  } catch {
    // Closed already.
  }
}
