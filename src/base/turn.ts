/** Others have their turn: whoever works through many things pauses here between some of them. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
