/** Waits for work that may never end, and throws after the deadline. The work continues, and its result is ignored. */
export function withDeadline<Value>(work: Promise<Value>, milliseconds: number, otherwise: string): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(otherwise)), milliseconds);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

/** Sleeps for the given time, or until the signal aborts. */
export function sleepUnless(signal: AbortSignal, milliseconds: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) return Promise.resolve();
  const done = (): void => {
    clearTimeout(timer);
    signal.removeEventListener('abort', done);
    resolve();
  };
  const timer = setTimeout(done, milliseconds);
  signal.addEventListener('abort', done);
  return promise;
}
