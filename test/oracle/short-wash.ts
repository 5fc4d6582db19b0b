import type { OracleEvent } from './events.ts';
import { type Exact, least, nothing, portion, wholeUnits } from './numbers.ts';
import { isSame, type OracleLine, type OracleShort, remaining, type ShortLoss, type State } from './state.ts';
import { isWashable } from './wash.ts';

const windowDays = 30;

/** IRC 1091(e): a loss on closing a short is denied where another short is entered within 30 days; that one bears it. */
export function denyShortLoss(state: State, line: OracleLine, short: OracleShort): void {
  if (line.basis.lte(line.proceeds) || !isWashable(state, line.assetClass)) return;
  const loss = {
    line,
    asset: line.asset,
    whole: line.quantity,
    splits: new Set<string>(),
    short: short.origin,
    on: line.on,
    matched: nothing,
  };
  state.shortLosses.push(loss);
  for (const other of state.shorts) match(loss, other);
}

/** A short just entered bears the losses that wait, in the order in which they arose. */
export function claimByShort(state: State, short: OracleShort): void {
  for (const loss of state.shortLosses) match(loss, short);
}

function match(loss: ShortLoss, short: OracleShort): void {
  const { line } = loss;
  if (short.written || short.origin === loss.short || !isSame(short, loss.asset, line.assetClass)) return;
  if (Math.abs(short.opened - loss.on) > windowDays) return;
  const free = remaining(short).minus(short.usedAsReplacement);
  const quantity = least(free, loss.whole.minus(loss.matched));
  if (quantity.lte(0)) return;
  const disallowed = portion(line.basis.minus(line.proceeds), loss.matched, quantity, loss.whole);
  loss.matched = loss.matched.plus(quantity);
  line.adjustment = line.adjustment.plus(disallowed);
  short.proceeds = portion(short.proceeds, short.taken, remaining(short), short.whole).minus(disallowed);
  short.whole = remaining(short);
  short.taken = nothing;
  short.usedAsReplacement = short.usedAsReplacement.plus(quantity);
}

/** Share counts are compared after the split; every account may tell it, it counts once. */
export function convertShortLosses(
  state: State,
  event: OracleEvent,
  ratio: { numerator: bigint | Exact; denominator: bigint | Exact },
): void {
  const { asset, assetClass } = event.transaction;
  const told = nameOfSplit(event);
  const times = (units: Exact): Exact =>
    wholeUnits(units.times(ratio.numerator.toString()).div(ratio.denominator.toString()));
  for (const loss of state.shortLosses) {
    if (
      !isSame({ asset: loss.asset, assetClass: loss.line.assetClass }, asset, assetClass) ||
      isCounted(loss.splits, told)
    )
      continue;
    loss.splits.add(told);
    loss.whole = times(loss.whole);
    loss.matched = times(loss.matched);
  }
}

/** A split is told by its ratio, or by the shares that came into one account on a day. */
export function nameOfSplit(event: OracleEvent): string {
  const { ratio, account } = event.transaction;
  return ratio === null ? `shares ${event.on} ${account}` : `${ratio.numerator}:${ratio.denominator}`;
}

/** Whether a count of shares has been converted for this split, however it was told then. */
export function isCounted(splits: ReadonlySet<string>, told: string): boolean {
  if (told.startsWith('shares ')) return [...splits].some((other) => other !== told);
  return splits.has(told) || [...splits].some((other) => other.startsWith('shares '));
}
