import type { Day } from '../../../../src/base/day.ts';
import type { AssetClass } from '../../../../src/engine/model.ts';
import type { OracleEvent } from '../../events/events.ts';
import { type Exact, least, nothing, portion, wholeUnits } from '../../numbers.ts';
import {
  isRetirement,
  isSame,
  type OracleLine,
  type OracleShort,
  remaining,
  type ShortLoss,
  type ShortSeasonSale,
  type State,
} from '../../state.ts';
import { countsFor, isWashable } from './wash.ts';

const windowDays = 30;

/**
 * Denies a loss on closing a short if, within 30 days, the same asset is sold or another short is entered, in the order
 * of sale (IRC 1091(e)). That other short or that sale bears the loss.
 */
export function denyShortLoss(state: State, line: OracleLine, short: OracleShort, on: Day): void {
  if (line.basis.lte(line.proceeds) || !isWashable(state, line.assetClass, on)) return;
  const loss = {
    line,
    asset: line.asset,
    whole: line.quantity,
    splits: new Set<string>(),
    short: short.origin,
    on,
    matched: nothing,
    denied: nothing,
  };
  state.shortLosses.push(loss);
  for (const bearer of soldNear(state, { ...loss, assetClass: line.assetClass, account: line.account })) {
    const quantity = least(bearer.free, loss.whole.minus(loss.matched));
    if (quantity.gt(0)) bearer.take(quantity, deny(loss, quantity, bearer.retirement));
  }
}

/** A short or a sale that may bear the loss on a short. */
interface Bearer {
  readonly on: number;
  readonly order: number;
  readonly free: Exact;
  /** For a sale in an IRA: no form reports it, so the loss that it bears is permanently denied. */
  readonly retirement: boolean;
  readonly take: (quantity: Exact, disallowed: Exact) => void;
}

/** Returns sales and short sales within 30 days of a day, up to now, in the order of sale. */
export function soldNear(
  state: State,
  loss: {
    readonly asset: string;
    readonly assetClass: AssetClass;
    readonly account: string;
    readonly short: string;
    readonly on: number;
  },
): Bearer[] {
  const counts = (on: number, account: string): boolean =>
    Math.abs(on - loss.on) <= windowDays && countsFor(state, loss.account, account);
  const shorts = state.shorts
    .filter((short) => !short.written && short.origin !== loss.short && isSame(short, loss.asset, loss.assetClass))
    .filter((short) => counts(short.opened, short.account))
    .map((short) => bearerOf(state, short));
  const sales = state.sales
    .filter((sale) => isSame({ ...sale.line, asset: sale.asset }, loss.asset, loss.assetClass))
    .filter((sale) => counts(sale.line.sold, sale.line.account))
    .map(
      (sale): Bearer => ({
        on: sale.line.sold,
        order: sale.order,
        free: sale.whole.minus(sale.matched),
        retirement: isRetirement(state, sale.line.account),
        take: (quantity, disallowed) => {
          sale.matched = sale.matched.plus(quantity);
          // An earlier sale is not changed. An additional line with zero proceeds bears the loss.
          if (!isRetirement(state, sale.line.account)) addBeside(state, sale.line, disallowed);
        },
      }),
    );
  return [...shorts, ...sales].sort((a, b) => a.on - b.on || a.order - b.order);
}

function bearerOf(state: State, short: OracleShort): Bearer {
  return {
    on: short.opened,
    order: short.order,
    free: remaining(short).minus(short.usedAsReplacement),
    retirement: isRetirement(state, short.account),
    take: (quantity, disallowed) => {
      short.proceeds = portion(short.proceeds, short.taken, remaining(short), short.whole).minus(disallowed);
      short.whole = remaining(short);
      short.taken = nothing;
      short.usedAsReplacement = short.usedAsReplacement.plus(quantity);
    },
  };
}

/** Lets a new short bear the pending losses, in the order in which they arose. */
export function claimByShort(state: State, short: OracleShort): void {
  for (const loss of state.shortLosses) {
    const { line } = loss;
    if (short.origin === loss.short || !isSame(short, loss.asset, line.assetClass)) continue;
    if (Math.abs(short.opened - loss.on) > windowDays || !countsFor(state, line.account, short.account)) continue;
    const bearer = bearerOf(state, short);
    const quantity = least(bearer.free, loss.whole.minus(loss.matched));
    if (quantity.gt(0)) bearer.take(quantity, deny(loss, quantity, bearer.retirement));
  }
}

/** Lets a new sale bear the pending losses, which are added to its basis. */
export function bearShortLosses(state: State, line: OracleLine): void {
  const sale = {
    line,
    order: state.position,
    asset: line.asset,
    whole: line.quantity,
    matched: nothing,
    splits: new Set<string>(),
  };
  for (const loss of state.shortLosses) {
    const borne = denyBySale(state, loss, sale);
    line.basis = line.basis.plus(borne);
    // The form for a sale does not include losses on shorts.
    line.hidden = line.hidden.plus(borne);
  }
  state.sales.push(sale);
}

/** Adds a zero line next to an existing one, with its dates and its term. */
export function addBeside(state: State, line: OracleLine, basis: Exact): void {
  if (basis.isZero()) return;
  const { form: _ofTheSale, ...stands } = line;
  state.lines.push({
    ...stands,
    quantity: nothing,
    proceeds: nothing,
    basis,
    hidden: basis,
    brokerSince: line.heldSince,
    isReported: false,
    adjustment: nothing,
    code: '',
    permanent: nothing,
  });
}

function denyBySale(state: State, loss: ShortLoss, sale: ShortSeasonSale): Exact {
  if (!isSame({ ...sale.line, asset: sale.asset }, loss.asset, loss.line.assetClass)) return nothing;
  if (Math.abs(sale.line.sold - loss.on) > windowDays || !countsFor(state, loss.line.account, sale.line.account))
    return nothing;
  const quantity = least(sale.whole.minus(sale.matched), loss.whole.minus(loss.matched));
  if (quantity.lte(0)) return nothing;
  sale.matched = sale.matched.plus(quantity);
  return deny(loss, quantity, isRetirement(state, sale.line.account));
}

function deny(loss: ShortLoss, quantity: Exact, retirement: boolean): Exact {
  const { line } = loss;
  loss.matched = loss.matched.plus(quantity);
  // Units rounded by a split may represent more or fewer units than have been denied for them.
  const upTo = portion(line.basis.minus(line.proceeds), nothing, loss.matched, loss.whole);
  const disallowed = upTo.minus(loss.denied);
  loss.denied = upTo;
  line.adjustment = line.adjustment.plus(disallowed);
  if (retirement) line.permanent = line.permanent.plus(disallowed);
  return disallowed;
}

/** Converts share counts for a split. Several accounts may state the split, but it counts once. */
export function convertShortLosses(
  state: State,
  event: OracleEvent,
  ratio: { numerator: bigint | Exact; denominator: bigint | Exact },
): void {
  const { asset, assetClass } = event.transaction;
  const split = nameOfSplit(event);
  const times = (units: Exact): Exact =>
    wholeUnits(units.times(ratio.numerator.toString()).div(ratio.denominator.toString()));
  for (const loss of [...state.shortLosses, ...state.sales, ...state.soldPurchases]) {
    if (
      !isSame({ asset: loss.asset, assetClass: loss.line.assetClass }, asset, assetClass) ||
      isCounted(loss.splits, split)
    )
      continue;
    loss.splits.add(split);
    loss.whole = times(loss.whole);
    loss.matched = times(loss.matched);
  }
}

/** Identifies a split by its ratio, or by the shares that one account received on a day. */
export function nameOfSplit(event: OracleEvent): string {
  const { ratio, account } = event.transaction;
  return ratio === null ? `shares ${event.on} ${account}` : `${ratio.numerator}:${ratio.denominator}`;
}

/** Returns true if a count of shares has already been converted for this split, stated either way. */
export function isCounted(splits: ReadonlySet<string>, split: string): boolean {
  if (split.startsWith('shares ')) return [...splits].some((other) => other !== split);
  return splits.has(split) || [...splits].some((other) => other.startsWith('shares '));
}
