import type { Cents } from '../../../base/decimal.ts';
import type { Term } from '../../model.ts';

/** A line with its correct amounts, and the differences on the information return. Amounts are in cents. */
export interface LineOnForm1099 {
  readonly proceeds: Cents;
  readonly basis: Cents;
  readonly term: Term;
  /**
   * Codes and amounts of columns (f) and (g) for other reasons: a wash sale, a loss that does not count, an exclusion.
   */
  readonly adjustments: readonly (readonly [letters: string, amount: bigint])[];
  /** The costs of the sale, if the return shows gross proceeds. Otherwise null. */
  readonly unreflectedCosts: bigint | null;
  /** The basis on the return, if it is wrong. Otherwise null. */
  readonly wrongBasis: bigint | null;
  /** Whether the basis was reported to the IRS: boxes A, D, G and J. */
  readonly basisReported: boolean;
  readonly termShown: Term | null;
  /** Whether the return shows a wash sale amount. Code W is then needed even if no loss is disallowed. */
  readonly washShown: boolean;
}

export interface LineColumns {
  readonly proceeds: Cents;
  readonly basis: Cents;
  readonly code: string;
  readonly adjustment: Cents;
}

/**
 * Returns columns (d) to (g) of Form 8949 (i8949, "How To Complete Form 8949, Columns (f) and (g)"). Gross proceeds
 * stay as shown, with code E. A wrong basis has code B. If it was reported to the IRS, it stays in (e). Otherwise (e)
 * is the correct basis. A wrong term has code T. (g) is the net amount of all codes, so that (h) is the correct gain.
 * It does not yet include wash sales that the engine finds, which `buildLines` (`rules/year/year.ts`) adds.
 */
export function toLineColumns(line: LineOnForm1099): LineColumns {
  const { unreflectedCosts, wrongBasis, termShown } = line;
  const gross = unreflectedCosts ?? 0n;
  const basis = wrongBasis !== null && line.basisReported ? wrongBasis : line.basis;
  const adjustment = line.adjustments.reduce((sum, [, amount]) => sum + amount, 0n);
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
    adjustment: (adjustment - gross + basis - line.basis) as Cents,
  };
}

/**
 * Returns each letter once, in alphabetical order. Most lines have one letter or none, and creating a Set per line
 * would take longer than everything else here.
 */
export function lettersOf(code: string): string {
  return code.length < 2 ? code : [...new Set(code)].sort().join('');
}
