import type { OracleEvent } from './events.ts';
import { type Exact, least, nothing, portion, wholeUnits } from './numbers.ts';
import {
  isSame,
  type OracleLine,
  type OracleShort,
  remaining,
  type ShortLoss,
  type ShortSeasonSale,
  type State,
} from './state.ts';
import { isWashable } from './wash.ts';

const windowDays = 30;

/**
 * IRC 1091(e): a loss on closing a short is denied where, within 30 days, the same thing is sold or another short is
 * entered: by what was sold first. That other short, or that sale, bears it.
 */
export function denyShortLoss(state: State, line: OracleLine, short: OracleShort): void {
  if (line.basis.lte(line.proceeds) || !isWashable(state, line.assetClass, line.on)) return;
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
  const bearers = [
    ...state.shorts.map((other) => ({ on: other.opened, order: other.order, bear: () => match(loss, other) })),
    ...state.sales.map((sale) => ({
      on: sale.line.sold,
      order: sale.order,
      bear: () => bearBeside(state, loss, sale),
    })),
  ];
  for (const { bear } of bearers.sort((a, b) => a.on - b.on || a.order - b.order)) bear();
}

/** A short just entered bears the losses that wait, in the order in which they arose. */
export function claimByShort(state: State, short: OracleShort): void {
  for (const loss of state.shortLosses) match(loss, short);
}

/** A sale just made bears the losses that wait: they join its basis. */
export function bearShortLosses(state: State, line: OracleLine): void {
  const sale = {
    line,
    order: state.position,
    asset: line.asset,
    whole: line.quantity,
    matched: nothing,
    splits: new Set<string>(),
  };
  for (const loss of state.shortLosses) line.basis = line.basis.plus(denyBySale(loss, sale));
  const open = state.shorts.some((short) => !short.written && isSame(short, line.asset, line.assetClass));
  if (open) state.sales.push(sale);
}

/** An earlier sale is what it was: a line beside it, for nothing, bears the loss. */
function bearBeside(state: State, loss: ShortLoss, sale: ShortSeasonSale): void {
  addBeside(state, sale.line, denyBySale(loss, sale));
}

/** A line of nothing beside one that stands, with its dates and its term. */
export function addBeside(state: State, line: OracleLine, basis: Exact): void {
  if (basis.isZero()) return;
  const { form: _ofTheSale, ...stands } = line;
  state.lines.push({
    ...stands,
    quantity: nothing,
    proceeds: nothing,
    basis,
    adjustment: nothing,
    code: '',
    permanent: nothing,
  });
}

function denyBySale(loss: ShortLoss, sale: ShortSeasonSale): Exact {
  if (!isSame({ ...sale.line, asset: sale.asset }, loss.asset, loss.line.assetClass)) return nothing;
  if (Math.abs(sale.line.sold - loss.on) > windowDays) return nothing;
  const quantity = least(sale.whole.minus(sale.matched), loss.whole.minus(loss.matched));
  if (quantity.lte(0)) return nothing;
  sale.matched = sale.matched.plus(quantity);
  return deny(loss, quantity);
}

function deny(loss: ShortLoss, quantity: Exact): Exact {
  const { line } = loss;
  const disallowed = portion(line.basis.minus(line.proceeds), loss.matched, quantity, loss.whole);
  loss.matched = loss.matched.plus(quantity);
  line.adjustment = line.adjustment.plus(disallowed);
  return disallowed;
}

function match(loss: ShortLoss, short: OracleShort): void {
  const { line } = loss;
  if (short.written || short.origin === loss.short || !isSame(short, loss.asset, line.assetClass)) return;
  if (Math.abs(short.opened - loss.on) > windowDays) return;
  const free = remaining(short).minus(short.usedAsReplacement);
  const quantity = least(free, loss.whole.minus(loss.matched));
  if (quantity.lte(0)) return;
  const disallowed = deny(loss, quantity);
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
  for (const loss of [...state.shortLosses, ...state.sales, ...state.soldPurchases]) {
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
