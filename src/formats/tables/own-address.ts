import type { Outcome } from '../format.ts';

/** An explorer row, from one address to another. One of them is the owner's. */
export interface AddressedRow {
  readonly from: string;
  readonly to: string;
  /** The outcome once the owner's address is known. Null if two are possible. */
  readonly outcome: (own: string | null) => Outcome;
}

const rowsHeldMax = 20_000;

/**
 * Finds the owner's address, which the file does not state: it is in every row. Rows wait until one address is left.
 */
export class OwnAddress {
  private left: ReadonlySet<string> | undefined;
  private held: AddressedRow[] = [];

  add(row: AddressedRow): readonly Outcome[] {
    const both = new Set([row.from, row.to].filter((address) => address !== ''));
    const left = this.left === undefined ? both : this.left.intersection(both);
    // A row between two other addresses, as between contracts, decides nothing.
    if (left.size > 0) this.left = left;
    this.held.push(row);
    return this.left?.size === 1 || this.held.length >= rowsHeldMax ? this.end() : [];
  }

  end(): readonly Outcome[] {
    const own = this.left?.size === 1 ? [...this.left][0] : undefined;
    const rows = this.held;
    this.held = [];
    return rows.map(({ outcome }) => outcome(own ?? null));
  }
}
