import type { Outcome } from '../format.ts';

/** No known file has more rows between two rows of one group. */
const rowsHeldMax = 20_000;

/**
 * Gathers rows with the same key, with other rows between them, until the file ends. In a longer file, the oldest group
 * is released when there are too many, which bounds memory.
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
