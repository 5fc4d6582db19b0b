import type { Row } from '../format.ts';

/** Normalizes a header for comparison by removing case, blanks and invisible characters. */
export function normalizeHeader(name: string): string {
  return name
    .replace(/[\u200b-\u200f\u2060\ufeff]/g, '')
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase();
}

/**
 * Finds columns by the names in a header row. If two columns have the same name, the first is read and the second must
 * match it.
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

  /** Returns the first of these spellings that the header contains, or else the first spelling. */
  pick(...names: readonly [string, ...string[]]): string {
    return names.find((name) => this.has(name)) ?? names[0];
  }

  findColumnIndexes(name: string): readonly number[] {
    // Cached by spelling, because readers look up the same few spellings for every row.
    const known = this.places.get(name);
    if (known !== undefined) return known;
    const indexes = this.places.get(normalizeHeader(name)) ?? [];
    this.places.set(name, indexes);
    return indexes;
  }
}
