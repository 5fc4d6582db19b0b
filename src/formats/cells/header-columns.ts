import type { Row } from '../format.ts';

/** The form in which headers are compared: without case, blanks and invisible characters. */
export function normalizeHeader(name: string): string {
  return name
    .replace(/[\u200b-\u200f\u2060\ufeff]/g, '')
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase();
}

/**
 * The positions of the columns of a header row. If two columns have the same name, the first is read and the other must
 * agree.
 */
export class HeaderColumns {
  readonly names: readonly string[];
  private readonly places = new Map<string, readonly number[]>();

  constructor(header: Row) {
    this.names = header.cells.map((cell) => cell.trim());
    this.names.forEach((name, index) => {
      const key = normalizeHeader(name);
      if (key === '') return;
      this.places.set(key, [...(this.places.get(key) ?? []), index]);
    });
  }

  has(name: string): boolean {
    return this.places.has(normalizeHeader(name));
  }

  /** The first of these spellings that the header contains, or else the first spelling. */
  pick(...names: readonly [string, ...string[]]): string {
    return names.find((name) => this.has(name)) ?? names[0];
  }

  findColumnIndexes(name: string): readonly number[] {
    // Cached as written, because readers look up the same few spellings on every row.
    const known = this.places.get(name);
    if (known !== undefined) return known;
    const indexes = this.places.get(normalizeHeader(name)) ?? [];
    this.places.set(name, indexes);
    return indexes;
  }
}
