import { withDeadline } from '../../base/deadline.ts';

/** A reader that takes nothing for so long is gone: what it waits for holds a transaction open. */
const idleMilliseconds = 60_000;

/**
 * What a function writes, as a stream. It begins when somebody reads, goes on as they do, and ends by an error thrown into
 * its `write` once they are gone.
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
        if (isLeft) throw new Error('Nobody reads on.');
        wanted = Promise.withResolvers<void>();
        wanted.promise.catch(() => {});
        controller.enqueue(piece);
        await withDeadline(wanted.promise, idleMilliseconds, 'The reader takes nothing more.');
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
        wanted.reject(new Error('Nobody reads on.'));
        if (!hasBegun) over();
      },
    },
    { highWaterMark: 0 },
  );
}
