import { addDays, type Day, formatDay, yearOf } from '../../../base/day.ts';
import { type Cents, formatCents } from '../../../base/decimal.ts';
import type { CoveredCall, OpenLot, WrittenOption } from '../../book/book.ts';
import { type Fold, isRetirement, raise } from '../../book/fold.ts';
import { rowsToday } from '../../book/rows-today.ts';
import { dollars, type Event } from '../../events/event.ts';
import { toAssetKey } from '../../events/keys.ts';
import type { Term } from '../../model.ts';
import { computeTerm } from '../lines/term.ts';
import { isLong, listHeldLots, ownedSince, sum } from '../lots/holding-periods.ts';
import { type NamedOption, namedOption } from '../questions/positions.ts';
import { hasQualifiedTerm, isQualifiedCall } from '../questions/straddles.ts';

/**
 * Covered calls and the holding period of their stock. While a qualified covered call in the money is open, the stock's
 * holding period is suspended (IRC 1092(f)(2)), and a loss on the call is long-term if the stock is (1092(f)(1)). A
 * call that is not qualified creates a straddle: the holding period of stock held for a year or less starts when the
 * call ends (1.1092(b)-2T(a)). Whether a call was in the money is determined from a row of the same day that states the
 * stock price. If a term depends on a fact that no row states, an issue is raised.
 */
const unit = 10n ** 18n;

/** Records the calls written today on stock that is held, if they are still open. Runs at the end of a day. */
export function noteCoveredCalls(fold: Fold): void {
  for (const call of [...fold.written.values()].flat()) {
    const option = call.on === fold.day ? namedOption(call.asset) : undefined;
    if (option?.right !== 'call' || call.quantity <= 0n || isRetirement(fold, call.account)) continue;
    const held = sum(listHeldLots(fold, option.stock));
    if (held === 0n) continue;
    const prices = pricesToday(fold, option.stock);
    fold.coveredCalls.push({
      id: call.id,
      openedBy: call.openedBy,
      asset: call.asset,
      key: option.stock,
      on: call.on,
      sequence: fold.sequence,
      to: null,
      isIn: isInTheMoney(option, prices),
      isQualified: isQualified(call, option, prices),
      coversAll: sharesOfCalls(fold, option.stock) >= held,
      lossSoFar: 0n,
    });
  }
}

/** Returns the prices per share, in 10⁻⁸ dollars, from today's trades in the stock. */
function pricesToday(fold: Fold, key: string): bigint[] {
  return [...rowsToday(fold).values()].flatMap((row) => {
    const amount = dollars(row, row.amount);
    const isTrade = row.type === 'buy' || row.type === 'sell' || row.type === 'short_sell' || row.type === 'cover';
    if (!isTrade || toAssetKey(row.asset, row.assetClass) !== key || amount === null || amount <= 0n) return [];
    return row.quantity === null || row.quantity <= 0n ? [] : [(amount * unit) / row.quantity];
  });
}

function isInTheMoney({ strike }: NamedOption, prices: readonly bigint[]): boolean | null {
  if (prices.length === 0) return null;
  if (prices.every((price) => strike < price)) return true;
  return prices.every((price) => strike >= price) ? false : null;
}

/**
 * Returns whether a call is qualified. This depends on the lowest benchmark if the stock price is known, otherwise on
 * the premium.
 */
function isQualified(call: WrittenOption, option: NamedOption, prices: readonly bigint[]): boolean {
  if (prices.length === 0) {
    const shares = (call.wholeQuantity * call.shares) / unit;
    return isQualifiedCall(call.asset, call.on, call.wholePremium, shares);
  }
  const days = option.expires - call.on;
  return (
    hasQualifiedTerm(option.expires, call.on) &&
    prices.every((price) => option.strike >= computeBenchmark(option, price, days))
  );
}

/**
 * Returns the lowest qualified benchmark. It is the highest strike below the price, or the second highest for calls of
 * more than 90 days with strikes above $50. It is at least 85% of a price up to $25, and at most $10 below a price up
 * to $150 (IRC 1092(c)(4)(C), (D)). Strikes are assumed to be $2.50 apart up to $25, $5 up to $200, and $10 above.
 */
function computeBenchmark({ strike }: NamedOption, price: bigint, days: number): bigint {
  const dollar = 100_000_000n;
  const step = price <= 25n * dollar ? (5n * dollar) / 2n : price <= 200n * dollar ? 5n * dollar : 10n * dollar;
  const highest = ((price - 1n) / step) * step;
  const usual = days > 90 && strike > 50n * dollar ? highest - step : highest;
  const least = price <= 25n * dollar ? (price * 85n) / 100n : price <= 150n * dollar ? price - 10n * dollar : 0n;
  return usual > least ? usual : least;
}

function sharesOfCalls(fold: Fold, stock: string): bigint {
  return [...fold.written.values()].flat().reduce((shares, call) => {
    const option = namedOption(call.asset);
    const counts = option?.right === 'call' && option.stock === stock && !isRetirement(fold, call.account);
    return counts ? shares + (call.quantity * call.shares) / unit : shares;
  }, 0n);
}

export function endCoveredCall(fold: Fold, { id }: WrittenOption, on: Day): void {
  for (const call of fold.coveredCalls) if (call.id === id) call.to = on;
}

/** A holding period without the days of covered calls. */
export interface SuspendedPeriod {
  readonly heldSince: Day;
  /** The latest possible start of the holding period, and the calls it depends on. */
  readonly atLatest: Day;
  readonly doubtful: readonly CoveredCall[];
}

/** Returns the holding period of units sold on a day. */
export function computeSuspendedPeriod(fold: Fold, lot: OpenLot, heldSince: Day, sold: Day): SuspendedPeriod {
  const calls = fold.coveredCalls.filter((call) => isOn(call, lot) && call.on < sold && !lot.inherited);
  const decided = calls.filter(isDecided);
  const doubtful = calls.filter((call) => !isDecided(call) && (call.isIn !== false || !call.isQualified));
  const suspendedStart = addDays(heldSince, countOpenDays(decided, sold));
  let atLatest = addDays(heldSince, countOpenDays([...decided, ...doubtful], sold));
  for (const call of doubtful) {
    const ended = endOf(call, sold);
    if (!call.isQualified && !isLong(lot, call.on) && ended > atLatest) atLatest = ended;
  }
  return { heldSince: suspendedStart, atLatest, doubtful };
}

/** Returns whether a call was written on a lot held at the time. */
function isOn(call: CoveredCall, lot: OpenLot): boolean {
  return call.key === lot.key && lot.sequence < call.sequence && ownedSince(lot) <= call.on;
}

function isDecided({ isIn, isQualified, coversAll }: CoveredCall): boolean {
  return isIn === true && isQualified && coversAll;
}

function endOf({ to }: CoveredCall, sold: Day): Day {
  return to === null || to > sold ? sold : to;
}

/** Counts the days when at least one of the calls was open. */
function countOpenDays(calls: readonly CoveredCall[], sold: Day): number {
  let [days, until] = [0, Number.NEGATIVE_INFINITY];
  for (const call of [...calls].sort((a, b) => a.on - b.on)) {
    const end = endOf(call, sold);
    days += Math.max(0, end - Math.max(until, call.on));
    until = Math.max(until, end);
  }
  return days;
}

/** Raises issues about a line of stock whose term or year depends on covered calls. */
export function askAboutCoveredCalls(
  fold: Fold,
  event: Event,
  line: { readonly term: Term; readonly sold: Day; readonly gain: bigint; readonly key: string; readonly row: number },
  { atLatest, doubtful }: SuspendedPeriod,
): void {
  const { term, sold, gain, key, row } = line;
  if (term === 'long' && computeTerm(false, atLatest, sold) === 'short' && doubtful.length > 0) {
    const dollars = (gain < 0n ? -gain : gain) as Cents;
    const detail =
      `${event.asset} was sold on ${formatDay(sold)}, with $${formatCents(dollars)} reported as long-term. Calls on it: ${describeCalls(doubtful)}. The holding period does not ` +
      'include the days on which a covered call in the money was open (IRC 1092(f)(2)), and restarts after a call that is not qualified ' +
      '(1.1092(b)-2T). Calculated that way, it is short-term. The rows do not show whether the call was in the money, or on these shares.';
    raise(fold, event, 'covered_call', detail, {
      dollars,
      transactions: doubtful.map((call) => call.openedBy),
      suffix: row,
    });
  }
  if (gain <= 0n) return;
  const lost = fold.coveredCalls.filter(
    (call) =>
      call.key === key &&
      call.to !== null &&
      call.lossSoFar > 0n &&
      sold - call.to < 30 &&
      yearOf(call.to) < yearOf(sold),
  );
  for (const call of lost) {
    const detail =
      `The covered call ${call.asset} was closed on ${formatDay(call.to as Day)} at a loss of $${formatCents(call.lossSoFar as Cents)}, and ${event.asset} was sold at a gain less ` +
      `than 30 days later, on ${formatDay(sold)}. The call is then not qualified, and the loss may belong to the later year (IRC 1092(c)(4)(E)).`;
    raise(fold, event, 'covered_call', detail, {
      dollars: call.lossSoFar as Cents,
      transactions: [call.openedBy],
      suffix: `${row} ${call.id}`,
    });
  }
}

function describeCalls(calls: readonly CoveredCall[]): string {
  const names = calls.map((call) => {
    const money =
      call.isIn === true ? 'in the money' : call.isIn === false ? 'out of the money' : 'stock price unknown';
    return `${call.asset} was written on ${formatDay(call.on)} (${money}${call.isQualified ? '' : ', not qualified'})`;
  });
  return names.join(', ');
}

/**
 * Returns the term of a loss on a covered call (IRC 1092(f)(1)). All other gains and losses of an option's writer are
 * short-term (1234(b)).
 */
export function termOfCoveredCall(fold: Fold, event: Event, option: WrittenOption, loss: bigint, row: number): Term {
  const call = fold.coveredCalls.find(({ id }) => id === option.id);
  if (call === undefined || loss <= 0n) return 'short';
  call.lossSoFar += loss;
  if (call.isIn === false || !call.isQualified) return 'short';
  const stock = listHeldLots(fold, call.key).filter((lot) => isOn(call, lot));
  const terms = stock.map((lot) =>
    computeTerm(lot.inherited, computeSuspendedPeriod(fold, lot, lot.heldSince, event.on).heldSince, event.on),
  );
  if (!terms.includes('long')) return 'short';
  if (isDecided(call) && !terms.includes('short')) return 'long';
  const detail =
    `${event.asset} was closed on ${formatDay(event.on)} at a loss of $${formatCents(loss as Cents)}. It was written on ${formatDay(call.on)} on stock that is held long-term. If it was in the ` +
    'money when it was written, the loss is long-term (IRC 1092(f)(1)). It is reported as short-term.';
  raise(fold, event, 'covered_call', detail, { dollars: loss as Cents, transactions: [call.openedBy], suffix: row });
  return 'short';
}
