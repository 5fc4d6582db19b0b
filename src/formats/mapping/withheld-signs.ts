import type { Outcome } from '../format.ts';

/** A row of withheld tax whose meaning is still unknown. `as` reads it as withheld or as refunded. */
interface WithheldRow {
  readonly isNegative: boolean;
  readonly as: (meaning: 'withheld' | 'refund' | 'unclear') => readonly Outcome[];
}

/**
 * Holds rows of withheld tax until the file shows what their signs mean. If most are negative, a positive one is a
 * refund, and vice versa. If both signs are equally common, or if most are positive although purchases are negative,
 * the meaning is unclear.
 */
export class WithheldSigns {
  private readonly waiting: WithheldRow[] = [];
  private purchasesAreNegative = false;

  /** Records a purchase amount, which shows whether outgoing money is negative in this file. */
  notePurchase(amount: bigint | null): void {
    if (amount !== null && amount < 0n) this.purchasesAreNegative = true;
  }

  add(row: WithheldRow): readonly Outcome[] {
    this.waiting.push(row);
    // Limits memory: once this many rows are waiting, they settle the question.
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
