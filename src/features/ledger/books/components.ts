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
