import type { Outcome } from '../format.ts';

/** A row of an explorer: from one address to another, one of which is the one whose history the file is. */
export interface AddressedRow {
  readonly from: string;
  readonly to: string;
  /** What the row says once the owner's address is known; null where the file leaves two. */
  readonly outcome: (own: string | null) => Outcome;
}

const rowsHeldMax = 20_000;

/** The file does not say whose history it is: it is the address that every row has. Rows wait until one is left. */
export class OwnAddress {
  private left: ReadonlySet<string> | undefined;
  private held: AddressedRow[] = [];

  add(row: AddressedRow): readonly Outcome[] {
    const both = new Set([row.from, row.to].filter((address) => address !== ''));
    const left = this.left === undefined ? both : this.left.intersection(both);
    // A row that is nobody's, as one between contracts, decides nothing.
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
