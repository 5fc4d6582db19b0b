/** What may never answer is waited for so long; the work itself goes on, and nobody listens to it any more. */
export function withDeadline<Value>(work: Promise<Value>, milliseconds: number, otherwise: string): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(otherwise)), milliseconds);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
