/** Milliseconds since 1970, by the browser. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
