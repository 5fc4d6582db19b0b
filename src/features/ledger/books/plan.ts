import type { Day } from '../../../base/day.ts';
import type { TouchedKeys } from '../transactions/rows/columns.ts';

/** The books that a change requires to be replayed or removed. */
export interface BookPlan {
  /** Current books with their keys. `from` is the first affected day. Null replays the whole book. */
  readonly replays: readonly { readonly book: string; readonly keys: readonly string[]; readonly from: Day | null }[];
  /** Previous books that no longer exist, because their keys were joined with others or separated. */
  readonly dissolved: readonly string[];
}

export interface Membership {
  readonly asset_key: string;
  readonly book: string;
}

/**
 * Returns the books to replay. A book with unchanged keys resumes before the first affected day. A book that was joined
 * or split is replayed from the beginning, together with all other books that contain keys of its previous books.
 */
export function planBooks(
  touched: TouchedKeys,
  links: Iterable<readonly [string, string]>,
  stored: readonly Membership[],
): BookPlan {
  const now = new Components(links);
  const linked = now.linkedKeys();
  const bookBefore = new Map(stored.map((row) => [row.asset_key, row.book]));
  const before = Map.groupBy(stored, (row) => row.book);
  const books = new Map<string, readonly string[]>();
  const dissolved = new Set<string>();
  const open = [...touched.keys()];
  const seen = new Set(open);
  const visit = (key: string): void => {
    if (seen.has(key)) return;
    seen.add(key);
    open.push(key);
  };
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    const book = now.resolveBook(key);
    const keys = linked.get(book) ?? [key];
    books.set(book, keys);
    for (const mate of keys) visit(mate);
    const old = bookBefore.get(key);
    if (old === undefined) continue;
    const members = before.get(old) ?? [];
    for (const mate of members) visit(mate.asset_key);
    if (old !== book || members.length !== keys.length) dissolved.add(old);
  }
  const replays = [...books].sort(byName).map(([book, keys]) => {
    const members = before.get(book) ?? [];
    const same = members.length === keys.length && keys.every((key) => bookBefore.get(key) === book);
    return { book, keys, from: same ? firstDay(touched, keys) : null };
  });
  return { replays, dissolved: [...dissolved].sort() };
}

function firstDay(touched: TouchedKeys, keys: readonly string[]): Day | null {
  const days = keys.flatMap((key) => touched.get(key) ?? []);
  return days.length === 0 ? null : (Math.min(...days) as Day);
}

function byName(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : 1;
}

/** Groups linked asset keys into books. The smallest key names the book. */
export class Components {
  private readonly parents = new Map<string, string>();

  constructor(links: Iterable<readonly [string, string]>) {
    for (const [a, b] of links) this.join(a, b);
  }

  /** Returns the name of the book that contains the key. */
  resolveBook(key: string): string {
    let root = key;
    for (
      let parent = this.parents.get(root);
      parent !== undefined && parent !== root;
      parent = this.parents.get(root)
    ) {
      root = parent;
    }
    // Path compression: makes all visited keys point directly at the root.
    for (let node = key; node !== root; ) {
      const next = this.parents.get(node) ?? root;
      this.parents.set(node, root);
      node = next;
    }
    return root;
  }

  /** Returns all linked keys, grouped by book. */
  linkedKeys(): Map<string, string[]> {
    const members = new Map<string, string[]>();
    for (const key of [...this.parents.keys()].sort()) {
      const book = this.resolveBook(key);
      const keys = members.get(book);
      if (keys === undefined) members.set(book, [key]);
      else keys.push(key);
    }
    return members;
  }

  private join(a: string, b: string): void {
    for (const key of [a, b]) if (!this.parents.has(key)) this.parents.set(key, key);
    const [first, second] = [this.resolveBook(a), this.resolveBook(b)];
    if (first < second) this.parents.set(second, first);
    else this.parents.set(first, second);
  }
}
