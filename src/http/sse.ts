import type { Deps } from '../deps.ts';

export interface ServerEvent {
  /** What the client sends back as `Last-Event-ID` to go on after this one. */
  readonly id?: string;
  readonly event?: string;
  readonly data: unknown;
}

export interface EventSource {
  /** A user may have only so many streams open. */
  readonly userId: string;
  /** The events after `lastEventId`, to their end or until the signal aborts. */
  events(lastEventId: string | undefined, signal: AbortSignal): AsyncIterable<ServerEvent>;
}

interface StreamContext {
  readonly request: Request;
  readonly server: { timeout(request: Request, seconds: number): void } | null;
}

/** Below every proxy's and the server's own idle limit. */
const heartbeatSeconds = 15;
/** Then the browser comes back by itself, and its session is looked at again. */
const streamSecondsMax = 3600;

/**
 * Server-sent events. An error midway breaks the connection: an answer that just ended would read as the whole story.
 * The stream ends when the client goes, when the server drains, and after an hour.
 */
export function eventStream(deps: Deps, { request, server }: StreamContext, source: EventSource): Response {
  const leave = deps.openStreams.enter(source.userId);
  server?.timeout(request, 0);
  const stop = new AbortController();
  const signal = AbortSignal.any([
    stop.signal,
    request.signal,
    deps.lifecycle.drained,
    AbortSignal.timeout(streamSecondsMax * 1000),
  ]);
  const lastEventId = request.headers.get('last-event-id') ?? undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode('retry: 2000\n\n'));
        void pump(deps, controller, source.events(lastEventId, signal), signal).finally(leave);
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

/** `id` and `event` are ours; data is JSON, which has no line breaks of its own. */
export function formatEvent({ id, event, data }: ServerEvent): string {
  const head = `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}`;
  return `${head}data: ${JSON.stringify(data)}\n\n`;
}

const encoder = new TextEncoder();
/** Events that wait for a slow client; one slower than that is cut off and resumes by Last-Event-ID. */
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

/** A stream that the client has left is closed already. */
function closeQuietly(close: () => void): void {
  try {
    close();
  } catch {
    // Closed already.
  }
}
