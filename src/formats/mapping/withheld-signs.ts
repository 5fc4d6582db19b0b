import type { Outcome } from '../format.ts';

/** A row of tax withheld that waits for the others. `as` reads it as withheld or as refunded. */
interface WithheldRow {
  readonly isNegative: boolean;
  readonly as: (meaning: 'withheld' | 'refund' | 'unclear') => readonly Outcome[];
}

/**
 * Holds rows of tax withheld until the file shows what their signs mean. If most are negative, a positive one is a
 * refund, and vice versa. If the signs are evenly split, or only other outgoing money is negative, the user is asked.
 */
export class WithheldSigns {
  private readonly waiting: WithheldRow[] = [];
  private purchasesAreNegative = false;

  /** A purchase with its amount: outgoing money may be negative in this file. */
  notePurchase(amount: bigint | null): void {
    if (amount !== null && amount < 0n) this.purchasesAreNegative = true;
  }

  add(row: WithheldRow): readonly Outcome[] {
    this.waiting.push(row);
    // Bounds memory: this many rows decide by themselves.
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
