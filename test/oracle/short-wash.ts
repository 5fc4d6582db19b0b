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
export function convertShortLosses(state: State, event: OracleEvent): void {
  const { ratio, asset, assetClass } = event.transaction;
  if (ratio === null) return;
  const told = `${ratio.numerator}:${ratio.denominator}`;
  const times = (units: Exact): Exact =>
    wholeUnits(units.times(ratio.numerator.toString()).div(ratio.denominator.toString()));
  for (const loss of state.shortLosses) {
    if (!isSame({ asset: loss.asset, assetClass: loss.line.assetClass }, asset, assetClass) || loss.splits.has(told))
      continue;
    loss.splits.add(told);
    loss.whole = times(loss.whole);
    loss.matched = times(loss.matched);
  }
}
