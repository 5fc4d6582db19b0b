import { Refusal } from '../base/refusal.ts';

export const streamsPerUserMax = 10;
/** Called when a stream has ended because a browser may soon try again. */
const retryAfterSeconds = 15;

interface OpenStream {
  readonly sessionId: string;
  readonly end: AbortController;
}

/** The slot that a stream occupies until it calls `leave`. */
interface StreamSlot {
  /** Aborts when the session ends. */
  readonly sessionEnded: AbortSignal;
  leave(): void;
}

/** The event streams that each user has open on this server. */
export class OpenStreams {
  readonly #streams = new Map<string, Set<OpenStream>>();
  #onOpen: () => void = () => {};

  /** `onOpen` is called after each stream opens, to watch its session. */
  watch(onOpen: () => void): void {
    this.#onOpen = onOpen;
  }

  /** Throws an error if the user has too many streams. */
  enter({ userId, sessionId }: { readonly userId: string; readonly sessionId: string }): StreamSlot {
    const streams = this.#streams.get(userId) ?? new Set();
    if (streams.size >= streamsPerUserMax) {
      throw new Refusal(
        'rate_limited',
        `You can have up to ${streamsPerUserMax} event streams open at once. Close one first.`,
        {
          retryAfterSeconds,
        },
      );
    }
    const stream = { sessionId, end: new AbortController() };
    this.#streams.set(userId, streams.add(stream));
    this.#onOpen();
    return {
      sessionEnded: stream.end.signal,
      leave: () => {
        streams.delete(stream);
        if (streams.size === 0 && this.#streams.get(userId) === streams) this.#streams.delete(userId);
      },
    };
  }

  /** The sessions that have streams on this server. */
  sessionIds(): ReadonlySet<string> {
    return new Set([...this.#streams.values()].flatMap((streams) => [...streams].map(({ sessionId }) => sessionId)));
  }

  endSession(ended: string): void {
    for (const streams of this.#streams.values()) {
      for (const { sessionId, end } of streams) if (sessionId === ended) end.abort();
    }
  }
}
