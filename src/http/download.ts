import type { Deps } from '../deps.ts';

export interface Download {
  readonly fileName: string;
  readonly mediaType: string;
  readonly body: ReadableStream<Uint8Array>;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Streams a file while it is created. The guard counts a request only until its response starts. A download counts as
 * in flight until it ends, so a stopping server lets it finish.
 */
export function download(deps: Deps, { fileName, mediaType, body, headers }: Download): Response {
  return new Response(trackStream(deps, body), {
    headers: {
      'content-type': mediaType,
      'content-disposition': `attachment; filename="${fileName.replace(/[^\w. -]/g, '_')}"`,
      'cache-control': 'no-store',
      ...headers,
    },
  });
}

/**
 * Returns the same stream, which counts as in flight until it ends, is canceled or fails. An error breaks the
 * connection so that a partial file cannot be mistaken for the whole.
 */
function trackStream({ lifecycle, log }: Deps, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const leave = lifecycle.enter();
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          leave();
          controller.close();
        } catch (error) {
          leave();
          log.warn('download broken', { reason: String(error) });
          throw error;
        }
      },
      async cancel(reason) {
        leave();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
