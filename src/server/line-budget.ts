/** Log lines per minute that clients can cause, per network and in total. */
const perMinute = { network: 30, all: 600 } as const;

/** A client that sends many refused requests must not fill the log. */
export class LineBudget {
  readonly #now: () => Date;
  readonly #written = new Map<string, number>();
  #minute = 0;
  #all = 0;
  #leftOut = 0;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Returns null if the budget is used up. Otherwise returns the number of lines omitted since the last one. */
  take(network: string): number | null {
    const minute = Math.floor(this.#now().getTime() / 60_000);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#all = 0;
      this.#written.clear();
    }
    const written = this.#written.get(network) ?? 0;
    if (written >= perMinute.network || this.#all >= perMinute.all) {
      this.#leftOut += 1;
      return null;
    }
    this.#written.set(network, written + 1);
    this.#all += 1;
    const leftOut = this.#leftOut;
    this.#leftOut = 0;
    return leftOut;
  }
}
