let last: Promise<void> = Promise.resolve();

/**
 * Gives other requests a turn of the event loop. Long work calls it between its parts. Only one caller continues in
 * each turn, so another request waits for only one part of such work at a time. The order of the turns belongs to the
 * thread, like the event loop, so it is stored in the module.
 */
export function nextTurn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
  return last;
}
