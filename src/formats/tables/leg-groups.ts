import type { Quantity } from '../../base/decimal.ts';
import type { Cells } from '../cells/cells.ts';
import { isCurrency } from '../cells/currencies.ts';
import { type StatedFields, toDraft } from '../cells/drafts.ts';
import { withLines } from '../cells/joiner.ts';
import { rejections } from '../cells/reasons.ts';
import type { Time } from '../cells/times.ts';
import type { Outcome } from '../format.ts';
import { type Exchange, readExchange, type Side } from './legs.ts';

/** One row in a ledger that lists each leg and fee of a trade separately. */
export interface LedgerLeg {
  readonly cells: Cells;
  readonly side: Side;
  readonly out: boolean;
  readonly isFee: boolean;
}

/**
 * Joins legs into one exchange with units sent, units received, and fees. Rejects the rows, naming `column`, if a side
 * contains several coins, because the file does not show how they were exchanged. `worth` is the value of the coins
 * received, if the source provides it.
 */
export function exchangeOfLegs(
  group: readonly LedgerLeg[],
  time: Time | null,
  column: string,
  common: Partial<StatedFields> = {},
  worth: Pick<Exchange, 'value' | 'currency'> = {},
): Outcome[] {
  const given = totals(group.filter((leg) => leg.out && !leg.isFee));
  const received = totals(group.filter((leg) => !leg.out && !leg.isFee));
  const [fee = null, ...otherFees] = totals(group.filter((leg) => leg.isFee)).sort(
    (a, b) => Number(isOneOf(b, given, received)) - Number(isOneOf(a, given, received)),
  );
  const rows = [...new Map(group.map(({ cells }) => [cells.line, cells])).values()];
  const [first] = rows;
  if (first === undefined) return [];
  const [paid, got] = [given[0], received[0]];
  if (paid === undefined || got === undefined || given.length > 1 || received.length > 1) {
    const reason = given.length > 1 || received.length > 1 ? rejections.assetsUnclear : rejections.legsMissing;
    return rows.map((cells) => cells.rejected(column, reason));
  }
  const outcome = readExchange(first, time, { given: paid, received: got, fee, ...worth }, common);
  if (outcome.kind === 'rejected') return rows.map((cells) => cells.rejected(column, outcome.issue));
  const lines = rows.map(({ line }) => line);
  if (outcome.kind !== 'read' || time === null) return [withLines(outcome, lines)];
  const fees = otherFees
    .filter((other) => !isCurrency(other.asset))
    .map((other) => toDraft(first.line, time, { type: 'fee', ...other }));
  const drafts = [...outcome.drafts, ...fees].map((draft) =>
    rows.slice(1).reduce((warned, cells) => cells.warned(warned), draft),
  );
  return [withLines({ ...outcome, drafts }, lines)];
}

/** Adds up the units of each coin. */
function totals(group: readonly LedgerLeg[]): Side[] {
  const sums = new Map<string, bigint>();
  for (const { side } of group) sums.set(side.asset, (sums.get(side.asset) ?? 0n) + side.quantity);
  return [...sums]
    .filter(([, quantity]) => quantity !== 0n)
    .map(([asset, quantity]) => ({ asset, quantity: quantity as Quantity }));
}

/** Returns whether a fee is in one of the traded coins. Such a fee is matched first. */
function isOneOf(fee: Side, ...sides: readonly (readonly Side[])[]): boolean {
  return sides.flat().some(({ asset }) => asset === fee.asset);
}
