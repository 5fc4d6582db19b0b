/**
 * Runs the work for one taxpayer one piece after another. Work waits here before it takes a connection. Otherwise a few
 * concurrent uploads that wait for the taxpayer's lock in the database would hold all connections.
 */
export class TaxpayerQueue {
  /** The last queued work for each taxpayer. */
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
