import type { Day } from '../../../../src/base/day.ts';
import { type Exact, isLongTerm, nothing, yearOfDay } from '../../numbers.ts';
import { type OffsetLoss, type OracleLine, raise, type State } from '../../state.ts';
import { listedOption, type Position, positionsIn } from './positions.ts';

/**
 * Records losses on offset positions. "Any loss with respect to 1 or more positions shall be taken into account for any
 * taxable year only to the extent that the amount of such loss exceeds the unrecognized gain (if any) with respect to 1
 * or more positions which were offsetting positions" (IRC 1092(a)(1)(A)). The result depends on the positions open at
 * the close of the year, whose gain is not in the records, so the taxpayer is asked.
 */
export function noteOffsetLosses(state: State, lines: readonly OracleLine[]): void {
  for (const line of lines) {
    const stock = stockOf(line);
    const loss = { line, stock };
    if (stock !== '' && lossOn(line).gt(0) && line.quantity.gt(0) && isOffset(state, loss))
      state.offsetLosses.push(loss);
  }
}

/** Raises the questions at the close of a year or of the records. */
export function closeStraddles(state: State, until: Day | null): void {
  const over = state.offsetLosses.filter(({ line }) => until === null || yearOfDay(line.on) < yearOfDay(until));
  for (const loss of over) if (isOffset(state, loss)) raise(state, loss.line.saleId, 'straddle_suspected');
  state.offsetLosses = state.offsetLosses.filter((loss) => !over.includes(loss));
}

/**
 * Returns the loss before IRC 1091, because a future purchase may deny it. A loss that a form has denied is left out. A
 * deferred gain is not a loss.
 */
function lossOn({ basis, proceeds, code, adjustment, deniedByForm }: OracleLine): Exact {
  const loss = basis.minus(proceeds).minus(deniedByForm ?? nothing);
  return code === '' || code === 'Z' || code === 'Y' ? loss : loss.minus(adjustment);
}

/**
 * Returns the stock in which a line is a position. Empty for a coin, a contract, or an option that was not open
 * overnight.
 */
function stockOf({ asset, assetClass, acquired, sold }: OracleLine): string {
  if (assetClass === 'stock' || assetClass === 'fund') return asset;
  return assetClass === 'option' && acquired !== sold ? (listedOption(asset)?.stock ?? '') : '';
}

function isOffset(state: State, { line, stock }: OffsetLoss): boolean {
  const option = listedOption(line.asset);
  // A written option is bought after it was sold.
  const isWritten = option !== undefined && line.acquired > line.sold;
  const rises = option === undefined ? !line.shortSale : option.isCall !== isWritten;
  return positionsIn(state, stock).some((position) => {
    if (position.rises === rises || position.since > line.on) return false;
    // "Such stock is ... of a type which is actively traded and at least 1 of the positions offsetting such stock": one is an option.
    if (option === undefined && !position.isOption) return false;
    return !isQualifiedCover(line, isWritten, position);
  });
}

/**
 * Returns true for "stock" and "1 or more qualified covered call options" on it, which are not a straddle (IRC
 * 1092(c)(4)(A)), regardless of which side closed at a loss.
 */
function isQualifiedCover(line: OracleLine, isWritten: boolean, { isOption, rises, written }: Position): boolean {
  if (isWritten && !isOption && rises) {
    return isQualifiedCall(line.asset, line.sold, line.proceeds, line.quantity.times(line.sharesOfContract ?? 100));
  }
  if (written === null || listedOption(line.asset) !== undefined || line.shortSale) return false;
  return isQualifiedCall(written.asset, written.opened, written.proceeds, written.whole.times(written.shares));
}

/**
 * Returns true if a call has more than 30 days to run and is not deep in the money: with a premium below 15% of the
 * strike, it cannot be.
 */
export function isQualifiedCall(asset: string, on: Day, premium: Exact, shares: Exact): boolean {
  const option = listedOption(asset);
  if (option === undefined || !option.isCall || option.expires - on <= 30) return false;
  // A term of more than 12 months qualifies only with factors that the Commissioner publishes (26 CFR 1.1092(c)-4).
  if (isLongTerm(on, option.expires)) return false;
  return premium.lt(option.strike.times(shares).times('0.15'));
}
