/** Tracks a server's running work from its first request to its last, and whether it accepts more. */
export class Lifecycle {
  readonly #drained = new AbortController();
  readonly #idle = Promise.withResolvers<void>();
  #inFlight = 0;

  /** True once the server has begun to stop. */
  get draining(): boolean {
    return this.#drained.signal.aborted;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Aborts when draining begins, which ends open-ended work such as an event stream. */
  get drained(): AbortSignal {
    return this.#drained.signal;
  }

  /** Counts a request until the returned function is called. */
  enter(): () => void {
    this.#inFlight += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#inFlight -= 1;
      if (this.#inFlight === 0 && this.draining) this.#idle.resolve();
    };
  }

  /** Makes /readyz return 503 from now on. Resolves when no work is running any more, or after the deadline. */
  async drain(deadlineSeconds: number): Promise<void> {
    this.#drained.abort();
    if (this.#inFlight === 0) return;
    const timer = setTimeout(this.#idle.resolve, deadlineSeconds * 1000);
    await this.#idle.promise;
    clearTimeout(timer);
  }
}
