let last: Promise<void> = Promise.resolve();

/**
 * Gives other requests a turn of the event loop. Long work calls it between its parts. Of all callers only one goes on in
 * each turn, so that another request waits for one part of such work at a time, and not for a part of each. The order of
 * the turns belongs to the thread, as the event loop does; so it is kept in the module.
 */
export function nextTurn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
  return last;
}
