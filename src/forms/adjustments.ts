import type { Cents } from '../base/decimal.ts';
import type { Term } from '../engine/model.ts';
import { sortedCode } from './lines.ts';

/** A sale that an information return shows (or none), and what is true of it. Amounts left out are zero. */
export interface ReportedSale {
  readonly proceeds: Cents;
  readonly correctBasis: Cents;
  readonly term: Term;
  /** Form 1099-B box 1e or 1099-DA box 1g; null or left out where no basis is shown. */
  readonly reportedBasis?: Cents | null;
  /** The basis went to the IRS: boxes A, D, G and J. */
  readonly basisReported?: boolean;
  /** The type of gain that the return shows (1099-B box 2, 1099-DA box 6). */
  readonly termShown?: Term | null;
  readonly washDisallowed?: Cents;
  /** The wash amount that the return shows (1099-B box 1g, 1099-DA box 1i). */
  readonly washShown?: Cents;
  /** Selling expenses, option premiums paid and digital asset transaction costs that the return does not reflect. */
  readonly unreflectedCosts?: Cents;
  /** Option premiums received that the return does not reflect. */
  readonly unreflectedPremiums?: Cents;
  readonly homeExclusion?: Cents;
  readonly smallBusinessExclusion?: Cents;
  readonly postponedGain?: Cents;
  readonly nondeductibleLoss?: Cents;
  /** Section 1244 loss taken on Form 4797. */
  readonly ordinaryLoss?: Cents;
  readonly accruedMarketDiscount?: Cents;
  readonly nominee?: boolean;
  readonly collectible?: boolean;
}

export interface ReportedColumns {
  readonly proceeds: Cents;
  readonly basis: Cents;
  readonly code: string;
  readonly adjustment: Cents;
  readonly gain: Cents;
}

/**
 * Columns (d) to (h) of Form 8949 (i8949, "How To Complete Form 8949, Columns (f) and (g)"): one net amount in (g) for
 * all codes, the letters in alphabetical order.
 */
export function columnsOf(sale: ReportedSale): ReportedColumns {
  const basis = basisShown(sale);
  const entries = [...basisCodes(sale, basis), ...lossCodes(sale), ...gainCodes(sale, basis)];
  const gainSoFar = sale.proceeds - basis + entries.reduce((sum, [, amount]) => sum + amount, 0n);
  // A nominee reports the sale and takes all of it out again (row N).
  if (sale.nominee === true) entries.push(['N', -gainSoFar]);
  const adjustment = entries.reduce((sum, [, amount]) => sum + amount, 0n) as Cents;
  return {
    proceeds: sale.proceeds,
    basis,
    code: sortedCode(entries.map(([code]) => code).join('')),
    adjustment,
    gain: (sale.proceeds - basis + adjustment) as Cents,
  };
}

type Entry = [code: string, amount: bigint];

/** A basis that was reported to the IRS stays in (e) even when it is wrong; otherwise the correct one stands there. */
function basisShown(sale: ReportedSale): Cents {
  return sale.basisReported === true && sale.reportedBasis != null ? sale.reportedBasis : sale.correctBasis;
}

function basisCodes(sale: ReportedSale, basis: Cents): Entry[] {
  const wrong = sale.reportedBasis != null && sale.reportedBasis !== sale.correctBasis;
  return [
    ...(wrong ? [['B', basis - sale.correctBasis] satisfies Entry] : []),
    ...(sale.termShown != null && sale.termShown !== sale.term ? [['T', 0n] satisfies Entry] : []),
    ...(sale.collectible === true ? [['C', 0n] satisfies Entry] : []),
  ];
}

function lossCodes(sale: ReportedSale): Entry[] {
  const wash = sale.washDisallowed ?? 0n;
  // The return's wash amount needs an answer, also where nothing was disallowed (row W).
  const washed = wash !== 0n || (sale.washShown ?? 0n) !== 0n;
  return [
    ...(washed ? [['W', wash] satisfies Entry] : []),
    ...entry('L', sale.nondeductibleLoss),
    ...entry('S', sale.ordinaryLoss),
  ];
}

function gainCodes(sale: ReportedSale, basis: Cents): Entry[] {
  const gain = sale.proceeds - basis;
  const discount = sale.accruedMarketDiscount ?? 0n;
  const expenses = (sale.unreflectedPremiums ?? 0n) - (sale.unreflectedCosts ?? 0n);
  return [
    ...(discount === 0n ? [] : [['D', -(gain <= 0n ? 0n : gain < discount ? gain : discount)] satisfies Entry]),
    ...(expenses === 0n ? [] : [['E', expenses] satisfies Entry]),
    ...entry('H', sale.homeExclusion, -1n),
    ...entry('Q', sale.smallBusinessExclusion, -1n),
    ...entry('R', sale.postponedGain, -1n),
  ];
}

function entry(code: string, amount: Cents | undefined, sign = 1n): Entry[] {
  return amount === undefined || amount === 0n ? [] : [[code, sign * amount]];
}
