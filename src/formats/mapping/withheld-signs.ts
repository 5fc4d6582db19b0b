import type { Outcome } from '../format.ts';

/** A row of tax withheld that waits for the others: `as` reads it, as withheld or as given back. */
interface WithheldRow {
  readonly isNegative: boolean;
  readonly as: (meaning: 'withheld' | 'refund' | 'unclear') => readonly Outcome[];
}

/**
 * Rows of tax withheld, until the file shows what their signs mean. Where most are negative, a positive one was given
 * back, and the reverse. Where the signs are as many, or where only other money that went out is negative, it is asked.
 */
export class WithheldSigns {
  private readonly waiting: WithheldRow[] = [];
  private purchasesAreNegative = false;

  /** A purchase with its amount: what leaves the account may be negative in this file. */
  notePurchase(amount: bigint | null): void {
    if (amount !== null && amount < 0n) this.purchasesAreNegative = true;
  }

  add(row: WithheldRow): readonly Outcome[] {
    this.waiting.push(row);
    // Memory is bounded: so many rows decide by themselves.
    return this.waiting.length < waitingMax ? [] : this.end();
  }

  end(): readonly Outcome[] {
    const rows = this.waiting.splice(0);
    const negative = rows.filter((row) => row.isNegative).length;
    const positive = rows.length - negative;
    const usual =
      negative > positive ? 'negative' : positive > negative && !this.purchasesAreNegative ? 'positive' : null;
    return rows.flatMap(({ isNegative, as }) =>
      as(usual === null ? 'unclear' : (usual === 'negative') === isNegative ? 'withheld' : 'refund'),
    );
  }
}

const waitingMax = 10_000;
