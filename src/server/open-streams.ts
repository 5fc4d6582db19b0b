import { Refusal } from '../base/refusal.ts';

export const streamsPerUserMax = 10;
/** A stream that has ended makes room: a browser may soon try again. */
const retryAfterSeconds = 15;

/** Counts the event streams that each user has open. */
export class OpenStreams {
  readonly #counts = new Map<string, number>();

  /** Counts one more stream until the returned function is called. Refuses where the user has too many. */
  enter(userId: string): () => void {
    const count = this.#counts.get(userId) ?? 0;
    if (count >= streamsPerUserMax) {
      throw new Refusal('rate_limited', `At most ${streamsPerUserMax} event streams may be open at once.`, {
        retryAfterSeconds,
      });
    }
    this.#counts.set(userId, count + 1);
    return () => {
      const left = (this.#counts.get(userId) ?? 1) - 1;
      if (left > 0) this.#counts.set(userId, left);
      else this.#counts.delete(userId);
    };
  }
}
