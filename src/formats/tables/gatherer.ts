import type { Outcome } from '../format.ts';

/** The maximum number of rows held. No known file has more rows between two rows of one group. */
const rowsHeldMax = 20_000;

/**
 * Collects rows with the same key until the end of the file, even if other rows come between them. If too many rows are
 * held, releases the oldest group, which limits memory.
 */
export class Gatherer<Item> {
  private readonly groups = new Map<string, Item[]>();
  private held = 0;

  constructor(private readonly finish: (items: readonly Item[], key: string) => readonly Outcome[]) {}

  has(key: string): boolean {
    return this.groups.has(key);
  }

  add(key: string, ...items: readonly Item[]): readonly Outcome[] {
    const group = this.groups.get(key);
    if (group === undefined) this.groups.set(key, [...items]);
    else group.push(...items);
    this.held += items.length;
    return this.held > rowsHeldMax ? this.release() : [];
  }

  end(): readonly Outcome[] {
    const outcomes = [...this.groups].flatMap(([key, items]) => [...this.finish(items, key)]);
    this.groups.clear();
    this.held = 0;
    return outcomes;
  }

  private release(): readonly Outcome[] {
    const [oldest] = this.groups;
    if (oldest === undefined) return [];
    const [key, items] = oldest;
    this.groups.delete(key);
    this.held -= items.length;
    return this.finish(items, key);
  }
}
