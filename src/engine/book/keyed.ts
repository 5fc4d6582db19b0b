/** A list that is read from the front. */
export interface Queue<T> {
  members: T[];
  /** Items before this index are used up or too old. */
  head: number;
  /** How often a used up item after the head was passed since such items were last dropped. */
  passed: number;
}

export function getOrCreateQueue<T>(map: Map<string, Queue<T>>, key: string): Queue<T> {
  return getOrCreateMember(map, key, () => ({ members: [], head: 0, passed: 0 }));
}

/**
 * Frees the memory of the items before the head. Runs only when they are at least half of the list, so the cost per
 * item is negligible.
 */
export function dropPassed<T>(queue: Queue<T>): void {
  if (queue.head < 1024 || queue.head * 2 < queue.members.length) return;
  queue.members = queue.members.slice(queue.head);
  queue.head = 0;
}

/**
 * Frees the items that are used up although an item before them is not, for example purchases after a large lot that is
 * sold in small parts. Runs only when passing them has taken as many steps as the list has items, so the cost per step
 * is negligible.
 */
export function dropUsedUp<T>(queue: Queue<T>, isUsedUp: (member: T) => boolean): void {
  if (queue.passed === 0 || queue.passed < queue.members.length - queue.head) return;
  queue.members = queue.members.slice(queue.head).filter((member) => !isUsedUp(member));
  queue.head = 0;
  queue.passed = 0;
}

export function getOrCreateList<T>(map: Map<string, T[]>, key: string): T[] {
  return getOrCreateMember(map, key, () => []);
}

export function getOrCreateMember<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/**
 * Returns the items of all lists, sorted by key. The stored order must not depend on the order in which keys were
 * added.
 */
export function listByKey<T>(map: ReadonlyMap<string, readonly T[]>): T[] {
  return [...map.keys()].sort().flatMap((key) => map.get(key) ?? []);
}

export function byKey<T extends { readonly key: string }>(members: readonly T[]): Map<string, T[]> {
  const map = new Map<string, T[]>();
  for (const member of members) getOrCreateList(map, member.key).push(member);
  return map;
}
