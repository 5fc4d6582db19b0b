/** Records which task a server did today and for whom. A restart forgets it, so repeating a task must be harmless. */
export class OnceADay {
  readonly #keysMax: number;
  readonly #days = new Map<string, string>();

  constructor(keysMax: number) {
    this.#keysMax = keysMax;
  }

  /** True the first time in a day. */
  take(key: string, today: string): boolean {
    if (this.#days.get(key) === today) return false;
    if (this.#days.size >= this.#keysMax) this.#days.clear();
    this.#days.set(key, today);
    return true;
  }

  /** It failed: the next one tries again. */
  giveBack(key: string): void {
    this.#days.delete(key);
  }
}
