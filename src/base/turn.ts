let last: Promise<void> = Promise.resolve();

/**
 * Others have their turn: whoever works through many things pauses here between some of them. Of all who pause one goes
 * on at a time, so that what is asked meanwhile, an answer of many steps, waits for one of them at each step and not for
 * all.
 */
export function nextTurn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
  return last;
}
