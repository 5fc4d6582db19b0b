import type { Outcome } from '../format.ts';

/** A block explorer row, from one address to another. One of the two is the owner's. */
interface AddressedRow {
  readonly from: string;
  readonly to: string;
  /** Returns the outcome once the owner's address is known. `own` is null if two are possible. */
  readonly outcome: (ownAddress: string | null) => Outcome;
}

const rowsHeldMax = 20_000;

/**
 * Finds the owner's address, which the file does not name, as the one that appears in every row. Holds rows until only
 * one address is possible.
 */
export class OwnAddress {
  private left: ReadonlySet<string> | undefined;
  private held: AddressedRow[] = [];

  add(row: AddressedRow): readonly Outcome[] {
    const both = new Set([row.from, row.to].filter((address) => address !== ''));
    const left = this.left === undefined ? both : this.left.intersection(both);
    // Ignores a row between two other addresses, such as two contracts.
    if (left.size > 0) this.left = left;
    this.held.push(row);
    return this.left?.size === 1 || this.held.length >= rowsHeldMax ? this.end() : [];
  }

  end(): readonly Outcome[] {
    const ownAddress = this.left?.size === 1 ? [...this.left][0] : undefined;
    const rows = this.held;
    this.held = [];
    return rows.map(({ outcome }) => outcome(ownAddress ?? null));
  }
}
