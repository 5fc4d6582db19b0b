/** Returns the browser's time in milliseconds since 1970. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
