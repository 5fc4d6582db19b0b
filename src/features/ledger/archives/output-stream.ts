import { withDeadline } from '../../../base/deadline.ts';

/** How long a client may stall before it is disconnected. The export keeps a transaction open during that time. */
const idleMilliseconds = 60_000;

/**
 * Returns a function's output as a stream. The function starts with the first read and writes only as fast as the
 * client reads. If the client disconnects, `write` throws an error.
 */
export function createOutputStream(
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
