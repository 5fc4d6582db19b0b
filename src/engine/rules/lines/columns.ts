import type { Cents } from '../../../base/decimal.ts';
import type { Term } from '../../model.ts';

/** A line as it is true, and what an information return shows of it otherwise. */
export interface LineOnForm1099 {
  readonly proceeds: Cents;
  readonly basis: Cents;
  readonly term: Term;
  /** What stands in columns (f) and (g) for reasons of its own: a wash sale, a loss that does not count, an exclusion. */
  readonly adjustments: readonly (readonly [letters: string, amount: bigint])[];
  /** What the sale cost, where the return shows its gross proceeds. */
  readonly unreflectedCosts: bigint | null;
  /** The basis that the return shows, where it is wrong. */
  readonly wrongBasis: bigint | null;
  /** The basis went to the IRS: boxes A, D, G and J. */
  readonly basisReported: boolean;
  readonly termShown: Term | null;
  /** The return shows a wash sale amount, which needs an answer also where nothing was disallowed. */
  readonly washShown: boolean;
}

export interface LineColumns {
  readonly proceeds: Cents;
  readonly basis: Cents;
  readonly code: string;
  readonly adjustment: Cents;
}

/**
 * Columns (d) to (g) of Form 8949 (i8949, "How To Complete Form 8949, Columns (f) and (g)"): gross proceeds as shown,
 * code E; a wrong basis that was reported stays in (e), else the correct one stands there, code B; the wrong term, code T;
 * one net amount in (g) for all codes. What is true comes out in (h).
 */
export function columnsOf(line: LineOnForm1099): LineColumns {
  const { unreflectedCosts, wrongBasis, termShown } = line;
  const gross = unreflectedCosts ?? 0n;
  const basis = wrongBasis !== null && line.basisReported ? wrongBasis : line.basis;
  const own = line.adjustments.reduce((sum, [, amount]) => sum + amount, 0n);
  const letters = [
    ...line.adjustments.map(([letter]) => letter),
    unreflectedCosts === null ? '' : 'E',
    wrongBasis === null ? '' : 'B',
    termShown === null || termShown === line.term ? '' : 'T',
    line.washShown ? 'W' : '',
  ];
  return {
    proceeds: (line.proceeds + gross) as Cents,
    basis: basis as Cents,
    code: lettersOf(letters.join('')),
    adjustment: (own - gross + basis - line.basis) as Cents,
  };
}

/** Each letter once, in alphabetical order. Most lines have one or none, and a Set a line costs more than all the rest. */
export function lettersOf(code: string): string {
  return code.length < 2 ? code : [...new Set(code)].sort().join('');
}
