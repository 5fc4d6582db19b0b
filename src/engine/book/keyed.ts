/** Lists and queues of a replay's working memory, by the key of their asset. */

/** A list read from its front. */
export interface Queue<T> {
  members: T[];
  /** Members before it are gone, used up or too old for good. */
  head: number;
}

export function queueOf<T>(map: Map<string, Queue<T>>, key: string): Queue<T> {
  return memberOf(map, key, () => ({ members: [], head: 0 }));
}

/** Gives back the room of what lies before the head, seldom enough to cost nothing. */
export function forgetGone<T>(queue: Queue<T>): void {
  if (queue.head < 1024 || queue.head * 2 < queue.members.length) return;
  queue.members = queue.members.slice(queue.head);
  queue.head = 0;
}

export function listOf<T>(map: Map<string, T[]>, key: string): T[] {
  return memberOf(map, key, () => []);
}

export function memberOf<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Maps forget keys that have run empty when they are stored: the order of a stored list must not depend on it. */
export function byOrderOfKey<T>(map: ReadonlyMap<string, readonly T[]>): T[] {
  return [...map.keys()].sort().flatMap((key) => map.get(key) ?? []);
}

export function byKey<T extends { readonly key: string }>(members: readonly T[]): Map<string, T[]> {
  const map = new Map<string, T[]>();
  for (const member of members) listOf(map, member.key).push(member);
  return map;
}
