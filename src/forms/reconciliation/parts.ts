import { type Cents, proportion, type Quantity } from '../../base/decimal.ts';
import type { Line } from '../../engine/model.ts';

export interface DeskFigures {
  readonly proceeds: Cents;
  readonly basis: Cents;
  /** The wash sale loss that the form disallows. For Lotbook's lines, column (g). */
  readonly adjustment: Cents;
  readonly gain: Cents;
  readonly count: number;
}

/** Units from one of Lotbook's lines, with their share of its amounts. */
export interface DeskPart extends Omit<DeskFigures, 'count'> {
  readonly line: Line;
  readonly units: Quantity;
}

/**
 * Returns the share of a line's amounts for some of its units. Rounding is cumulative, so that all shares add up to the
 * line.
 */
export function computeLinePart(line: Line, before: bigint, units: bigint): DeskPart {
  const { quantity, proceeds, basis } = line.disposal;
  const share = (amount: bigint): Cents =>
    (proportion(amount, before + units, quantity) - proportion(amount, before, quantity)) as Cents;
  const [d, e, g] = [share(proceeds), share(basis), share(line.adjustment)];
  return { line, units: units as Quantity, proceeds: d, basis: e, adjustment: g, gain: (d - e + g) as Cents };
}
