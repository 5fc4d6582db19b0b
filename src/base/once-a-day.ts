/**
 * Records which task a server did today and for whom. The record is lost in a restart, so repeating a task must be
 * harmless.
 */
export class OnceADay {
  readonly #keysMax: number;
  readonly #days = new Map<string, string>();

  constructor(keysMax: number) {
    this.#keysMax = keysMax;
  }

  /** Returns true for the first call of a day. */
  take(key: string, today: string): boolean {
    if (this.#days.get(key) === today) return false;
    if (this.#days.size >= this.#keysMax) this.#days.clear();
    this.#days.set(key, today);
    return true;
  }

  /** Records a failure, so the next call retries. */
  giveBack(key: string): void {
    this.#days.delete(key);
  }
}
