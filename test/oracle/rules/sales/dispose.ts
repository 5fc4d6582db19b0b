import type { Day } from '../../../../src/base/day.ts';
import type { AssetClass, Transaction } from '../../../../src/engine/model.ts';
import type { OracleEvent } from '../../events/events.ts';
import { type Exact, isLongTerm, nothing, portion, spread } from '../../numbers.ts';
import {
  dropEmpty,
  isContract,
  isRetirement,
  type Loss,
  type OracleLine,
  type OracleLot,
  raise,
  type Slice,
  type State,
  settle,
} from '../../state.ts';
import { interestOfSale, statedDiscount, takeOutInterest } from '../debt/debt.ts';
import { isOnNoForm } from '../lines/no-form.ts';
import { divide, restartedBySale } from '../lots/holding-periods.ts';
import { takeLots } from '../lots/take.ts';
import { atTenYears, includeSold } from '../opportunity-funds/deferred-gains.ts';
import { askAboutCalls, heldWithoutCalls } from '../options/covered-calls.ts';
import { closePuts, turnedPuts } from '../short-sales/puts.ts';
import { sellUnowned } from '../short-sales/shorts.ts';
import { bearShortLosses } from '../wash-sales/short-losses.ts';
import { rememberSold } from '../wash-sales/sold.ts';
import { claimReplacements, isWashable } from '../wash-sales/wash.ts';
import { longLosses } from './funds.ts';
import { withCompensation } from './plans.ts';

export interface Sale {
  readonly asset: string;
  readonly assetClass: AssetClass;
  readonly account: string;
  readonly quantity: Exact;
  readonly proceeds: Exact;
  readonly named?: Transaction['lots'];
  /** Lots acquired this day come first, because a form identifies them. */
  readonly acquired?: Day | null;
  readonly expired?: boolean;
  /** Units that are not held are sold short. */
  readonly shortsRest?: boolean;
  readonly from?: Slice[];
}

/** Sells units: one line per lot slice, with the proceeds allocated among them. Passes losses to the wash sale rule. */
export function sell(state: State, event: OracleEvent, sale: Sale): void {
  const all = sale.from ?? takeLots(state, event, { ...sale, named: sale.named ?? [] });
  const missing = all.find((slice) => slice.lot === null);
  // An IRA cannot owe stock.
  if (sale.shortsRest !== true || missing === undefined || isRetirement(state, sale.account)) {
    sellTaken(state, event, sale, all);
    return;
  }
  const held = sale.quantity.minus(missing.quantity);
  const whole = settle(state, 'proceeds', sale, sale.proceeds);
  const ofHeld = portion(whole, nothing, held, sale.quantity);
  const { asset, assetClass, account } = sale;
  const rest = {
    asset,
    assetClass,
    account,
    quantity: missing.quantity,
    proceeds: whole.minus(ofHeld),
    byOption: true,
  };
  sellUnowned(state, event, rest);
  const owned = all.filter((slice) => slice.lot !== null);
  if (held.gt(0)) sellTaken(state, event, { ...sale, quantity: held, proceeds: ofHeld }, owned);
}

function sellTaken(state: State, event: OracleEvent, sale: Sale, chosen: readonly Slice[]): void {
  const whole = settle(state, 'proceeds', sale, sale.proceeds);
  const taken = includeSold(state, event, chosen, whole);
  const anew = restartedBySale(state, { ...sale, on: event.on }, taken);
  const restarted = taken.flatMap((slice): Slice[] => {
    const units = anew.get(slice) ?? nothing;
    const [first, ...others] = divide(slice, units);
    return first === undefined ? [] : [units.gt(0) ? { ...first, begun: true } : first, ...others];
  });
  const { all: afterPuts, turned } = turnedPuts(state, event, restarted);
  const { all: slices, long } = longLosses(state, event.on, afterPuts, whole, sale.quantity);
  dropEmpty(state);
  if (slices.some((slice) => slice.lot === null)) raise(state, event.transaction.id, 'oversold');
  const parts = slices.map((slice) => slice.quantity);
  const proceeds = spread(whole, parts, sale.quantity);
  if (isRetirement(state, sale.account)) {
    if (!isContract(sale.assetClass)) for (const slice of slices) sellInRetirement(state, event, sale, slice);
    return;
  }
  if (isContract(sale.assetClass)) {
    slices.forEach((slice, index) => {
      const gain = (proceeds[index] ?? nothing).minus(slice.basis);
      state.contracts.push({ transactionId: event.transaction.id, on: event.on, account: sale.account, gain });
    });
    return;
  }
  const losses: Loss[] = [];
  const stated = statedDiscount(state, event);
  const statedOfSlices = stated === null ? null : spread(stated, parts, sale.quantity);
  slices.forEach((own, index) => {
    const included = atTenYears(state, event, own, proceeds[index] ?? nothing);
    const slice = withCompensation(state, event, included, event.on, proceeds[index] ?? nothing);
    const line = lineOf(event, sale, slice, proceeds[index] ?? nothing);
    const since = line.heldSince;
    if (slice.lot !== null && slice.begun !== true) {
      line.heldSince = heldWithoutCalls(state, slice.lot, since, event.on);
      line.term = line.inherited || isLongTerm(line.heldSince, event.on) ? 'long' : 'short';
    }
    if (long.has(own)) line.term = 'long';
    if (turned.has(own) && line.proceeds.gte(line.basis)) line.term = 'short';
    if (slice.lot !== null) bearShortLosses(state, line);
    if (slice.lot !== null) askAboutCalls(state, line, slice.lot, slice.begun === true ? slice.lot.heldSince : since);
    if (slice.lossBasis !== null && line.basis.equals(line.proceeds)) showDonorsBasis(state, line, slice.basis);
    takeOutInterest(state, event, line, {
      due: slice.lot?.maturity ?? event.transaction.maturity,
      stated: statedOfSlices?.[index] ?? null,
      accretes: slice.lot?.accretes === true,
    });
    state.lines.push(line);
    if (slice.lot !== null) rememberSold(state, line, slice.lot, slice.used);
    if (slice.lot?.basisUnknown === true) raise(state, event.transaction.id, 'basis_missing');
    if (slice.lot !== null) losses.push(...lossOf(state, line, slice.lot, event.on));
  });
  closePuts(state, event, taken);
  interestOfSale(state, event, sale.account, taken);
  settleLosses(state, event, markPartsOfManyPartSale(losses));
}

/**
 * Parts that took on a loss before and are sold at another loss: if a sale has more than sixteen parts of less than a
 * share, or more than sixty-four parts of any size, a purchase replaces all parts of one purchase together.
 */
function markPartsOfManyPartSale(losses: readonly Loss[]): Loss[] {
  const again = losses.filter((loss) => loss.again);
  const small = again.filter(({ line }) => line.quantity.lt(1));
  const many = again.length > 64 ? again : small.length > 16 ? small : [];
  return losses.map((loss) => (many.includes(loss) ? { ...loss, manyPartSale: loss.line.saleId } : loss));
}

/** Sells stock in a tax-free account. The sale has no line, but may deny the loss on a short (IRC 1091(e)(1)). */
function sellInRetirement(state: State, event: OracleEvent, sale: Sale, slice: Slice): void {
  if (slice.lot === null) return;
  bearShortLosses(state, { ...lineOf(event, sale, slice, nothing), basis: nothing });
}

/** Matches losses with a time in the order of sale, and the losses of a day without times together at its end. */
export function settleLosses(state: State, event: OracleEvent, losses: readonly Loss[]): void {
  if (!event.timed) {
    state.untimedLosses.push(...losses);
    return;
  }
  for (const loss of inOrderOfAcquisition(losses)) claimReplacements(state, loss);
}

/** Sorts losses by acquisition, because the order of the sales is not known (26 CFR 1.1091-1(b)). */
export function inOrderOfAcquisition(losses: readonly Loss[]): Loss[] {
  return [...losses].sort((a, b) => a.acquired - b.acquired || a.order - b.order || a.sequence - b.sequence);
}

export function lossOf(state: State, line: OracleLine, lot: OracleLot, soldOn: Day): Loss[] {
  if (line.basis.lte(line.proceeds) || !isWashable(state, line.assetClass, line.on)) return [];
  if (line.code !== '') return [];
  const { origin, order } = lot;
  return [
    {
      line,
      account: line.account,
      origin,
      order,
      acquired: lot.acquired,
      soldOn,
      sequence: state.lines.indexOf(line),
      again: lot.washed,
    },
  ];
}

function lineOf(event: OracleEvent, sale: Sale, slice: Slice, proceeds: Exact): OracleLine {
  const { lot } = slice;
  const { on } = event;
  const line: OracleLine = {
    saleId: event.transaction.id,
    asset: sale.asset,
    assetClass: lot?.assetClass ?? sale.assetClass,
    account: sale.account,
    quantity: slice.quantity,
    acquired: lot?.acquired ?? on,
    heldSince: lot?.heldSince ?? on,
    inherited: lot?.inherited ?? false,
    sold: on,
    on,
    proceeds,
    basis: slice.basis,
    hidden: slice.hidden,
    brokerSince: lot?.brokerSince ?? on,
    isReported: false,
    adjustment: nothing,
    code: '',
    permanent: nothing,
    term: 'short',
    shortSale: false,
    expired: sale.expired === true ? 'proceeds' : null,
    basisUnknown: lot?.basisUnknown ?? true,
    covered: lot?.covered ?? false,
    onNoForm: isOnNoForm(event.transaction),
    stated: null,
  };
  if (lot?.gift != null && slice.lossBasis !== null) chooseGiftBasis(line, slice.lossBasis, lot.gift.on);
  if (slice.begun === true) Object.assign(line, { heldSince: on, brokerSince: on });
  line.term = line.inherited || isLongTerm(line.heldSince, on) ? 'long' : 'short';
  return line;
}

/** Shows the donor's basis in a row, and removes the nondeductible loss with code L (P7). */
function showDonorsBasis(state: State, line: OracleLine, donors: Exact): void {
  if (state.rules.giftBetweenBases !== 'donor_basis' || donors.lte(line.proceeds)) return;
  Object.assign(line, { basis: donors, adjustment: donors.minus(line.proceeds), code: 'L' });
}

/**
 * Uses the donor's basis for a gain, the value at the time of the gift for a loss, and neither in between (IRC 1015(a),
 * Pub. 550).
 */
export function chooseGiftBasis(line: OracleLine, lossBasis: Exact, giftDay: Day): void {
  if (line.proceeds.gte(line.basis)) return;
  if (line.proceeds.lt(lossBasis)) {
    line.basis = lossBasis;
    line.acquired = giftDay;
    line.heldSince = giftDay;
    line.brokerSince = giftDay;
    return;
  }
  line.basis = line.proceeds;
}
