import { withDeadline } from '../../base/deadline.ts';

/** A reader that stalls this long is disconnected, because it keeps a transaction open. */
const idleMilliseconds = 60_000;

/**
 * Returns a function's output as a stream. It starts with the first read and follows the reader's pace. If the reader
 * leaves, the function's `write` throws an error.
 */
export function writtenStream(
  work: (write: (piece: Uint8Array) => Promise<void>) => Promise<void>,
  over: () => void,
): ReadableStream<Uint8Array> {
  let wanted = Promise.withResolvers<void>();
  wanted.promise.catch(() => {});
  let [hasBegun, isLeft] = [false, false];
  const begin = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    try {
      await work(async (piece) => {
        if (isLeft) throw new Error('The reader is gone.');
        wanted = Promise.withResolvers<void>();
        wanted.promise.catch(() => {});
        controller.enqueue(piece);
        await withDeadline(wanted.promise, idleMilliseconds, 'The reader accepts no more data.');
      });
      if (!isLeft) controller.close();
    } catch (error) {
      if (!isLeft) controller.error(error);
    } finally {
      over();
    }
  };
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (hasBegun) return wanted.resolve();
        hasBegun = true;
        void begin(controller);
      },
      cancel() {
        isLeft = true;
        wanted.reject(new Error('The reader is gone.'));
        if (!hasBegun) over();
      },
    },
    { highWaterMark: 0 },
  );
}
