/** A binary heap: the first of its members by an order is always at hand; adding and taking cost log n. */
export class Heap<T> {
  #members: T[];
  readonly #order: (a: T, b: T) => number;

  constructor(order: (a: T, b: T) => number, members: Iterable<T> = []) {
    this.#order = order;
    this.#members = [...members];
    for (let i = (this.#members.length >> 1) - 1; i >= 0; i--) this.#sink(i);
  }

  get first(): T | undefined {
    return this.#members[0];
  }

  add(member: T): void {
    this.#members.push(member);
    this.#rise(this.#members.length - 1);
  }

  removeFirst(): void {
    const last = this.#members.pop();
    if (last === undefined || this.#members.length === 0) return;
    this.#members[0] = last;
    this.#sink(0);
  }

  #rise(start: number): void {
    const members = this.#members;
    const member = members[start] as T;
    let at = start;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = members[parent] as T;
      if (this.#order(member, above) >= 0) break;
      members[at] = above;
      at = parent;
    }
    members[at] = member;
  }

  #sink(start: number): void {
    const members = this.#members;
    const member = members[start] as T;
    let at = start;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= members.length) break;
      if (child + 1 < members.length && this.#order(members[child + 1] as T, members[child] as T) < 0) child++;
      const below = members[child] as T;
      if (this.#order(below, member) >= 0) break;
      members[at] = below;
      at = child;
    }
    members[at] = member;
  }
}
