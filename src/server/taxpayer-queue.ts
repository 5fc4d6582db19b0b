/**
 * Runs the work of one taxpayer one piece after the other. Work waits here before it takes a connection: otherwise a
 * few uploads at once, each waiting for the taxpayer's lock in the database, would hold all connections.
 */
export class TaxpayerQueue {
  /** The last work of each taxpayer. */
  readonly #last = new Map<string, Promise<unknown>>();

  run<T>(taxpayerId: string, work: () => Promise<T>): Promise<T> {
    const result = (this.#last.get(taxpayerId) ?? Promise.resolve()).then(work);
    // The next work runs even if this one fails.
    const settled = result.catch(() => undefined);
    this.#last.set(taxpayerId, settled);
    void settled.then(() => {
      if (this.#last.get(taxpayerId) === settled) this.#last.delete(taxpayerId);
    });
    return result;
  }
}
