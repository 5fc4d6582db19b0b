/** Returns the browser's time in milliseconds since 1970. */
export const now = (): number => performance.timeOrigin + performance.now();
