import { addDays, type Day, formatDay } from '../../../../src/base/day.ts';
import { parseOption } from '../../../../src/engine/events/keys.ts';
import type { AssetClass } from '../../../../src/engine/model.ts';
import { isTakenBack, type OracleEvent } from '../../events/events.ts';
import { isListedLot, listedPurchase } from '../../events/form-sales.ts';
import { Exact, least, nothing, portion, sum, units, wholeUnits } from '../../numbers.ts';
import {
  type Claim,
  isRetirement,
  isSame,
  type Loss,
  lotOf,
  type OracleLot,
  placeOf,
  raise,
  remaining,
  type Slice,
  type State,
  takeFrom,
  type Unreplaced,
} from '../../state.ts';
import { brokersLoss, isOneBrokers } from '../lines/broker.ts';
import { averageAnew } from '../lots/lots.ts';
import { optionOf, sharesPerContract } from '../options/option.ts';
import { bothPlans } from '../sales/plans.ts';
import { ofThisReturn } from '../year/separate-returns.ts';
import { addBeside, isCounted, nameOfSplit, soldNear } from './short-losses.ts';
import { soldReplacements } from './sold.ts';

/** The days of the window before and after the sale, including both ends (IRC 1091(a)). */
const windowDays = 30;

/**
 * Returns true for stock and securities. Tokenized securities count by policy, coins only in the what-if, and contracts
 * never (IRC 1256(f)(5)).
 */
export function isWashable(state: State, assetClass: AssetClass, on: Day): boolean {
  if (assetClass === 'section_1256' || assetClass === 'future') return false;
  // The scope in effect on the day of the sale (P1).
  const changes = (state.rules.washSalesFrom ?? []).filter((change) => change.date <= formatDay(on));
  const scope = changes.at(-1)?.washSales ?? state.rules.washSales;
  if (assetClass === 'crypto' || assetClass === 'nft') return scope === 'all_assets';
  return assetClass !== 'tokenized_security' || scope !== 'securities_only';
}

/**
 * Finds replacements for the shares of one loss over the whole history, earliest acquired first: lots still held after
 * the sale, then future purchases, which are claimed in advance.
 */
export function claimReplacements(state: State, loss: Loss): void {
  let whole = loss.line.quantity;
  const total = loss.line.basis.minus(loss.line.proceeds);
  let matched = nothing;
  const match = (quantity: Exact, retirement: boolean): Exact => {
    const disallowed = portion(total, matched, quantity, whole);
    hidden = portion(broker.hidden, matched, quantity, whole);
    matched = matched.plus(quantity);
    loss.line.adjustment = loss.line.adjustment.plus(disallowed);
    if (retirement) loss.line.permanent = loss.line.permanent.plus(disallowed);
    return disallowed;
  };
  const held = { days: loss.soldOn - loss.line.heldSince, since: loss.line.heldSince };
  const broker = brokersLoss(loss);
  /** The acquisition that was matched last. */
  let hidden = nothing;
  const { manyPartSale, origin: of } = loss;
  const sold = soldReplacements(state, loss).filter((sale) => countsFor(state, loss.account, sale.line.account));
  const bearUntil = (day: number): void => {
    for (const sale of sold.filter((one) => one.purchasedOn <= day)) {
      const quantity = least(whole.minus(matched), sale.whole.minus(sale.matched));
      if (quantity.lte(0)) continue;
      sale.matched = sale.matched.plus(quantity);
      addBeside(state, sale.line, match(quantity, false));
    }
  };
  for (const lot of heldReplacements(state, loss)) {
    bearUntil(lot.purchasedOn ?? 0);
    const shares = isSame(lot, loss.line.asset, loss.line.assetClass) ? new Exact(1) : lot.callShares;
    const quantity = least(whole.minus(matched), remaining(lot).minus(lot.used).times(shares));
    if (quantity.lte(0)) continue;
    const retirement = isRetirement(state, lot.account);
    const disallowed = match(quantity, retirement);
    const taken = cut(quantity.div(shares));
    wash(state, lot, { quantity: taken, disallowed, hidden, held, broker, manyPartSale, of });
  }
  bearUntil(loss.soldOn);
  if (loss.short !== undefined) bearSold(state, loss, { short: loss.short, left: () => whole.minus(matched), match });
  const replaced: { readonly on: number; readonly left: Exact }[] = [
    { on: Number.NEGATIVE_INFINITY, left: whole.minus(matched) },
  ];
  const coming = comingEvents(state, loss);
  let converted = 0;
  for (const purchase of comingPurchases(state, loss, coming)) {
    // Converts the count of shares for each split between the two days, each time rounded to 18 decimals.
    for (const ratio of purchase.splits.slice(converted)) {
      whole = wholeUnits(whole.times(ratio));
      matched = wholeUnits(matched.times(ratio));
      converted += 1;
    }
    if (!countsFor(state, loss.account, purchase.account)) continue;
    const claims = state.claims.get(purchase.key) ?? [];
    const free = purchase.quantity.minus(sum(claims.map((claim) => claim.quantity)));
    const quantity = least(whole.minus(matched), free.times(purchase.sharesPerUnit));
    if (quantity.lte(0)) continue;
    const disallowed = match(quantity, isRetirement(state, purchase.account));
    replaced.push({ on: purchase.on, left: whole.minus(matched) });
    const claimed = least(cut(quantity.div(purchase.sharesPerUnit)), free);
    claims.push({ quantity: claimed, disallowed, hidden, held, broker, manyPartSale, of });
    state.claims.set(purchase.key, claims);
  }
  const asOf = (day: Day): ReturnType<Unreplaced['asOf']> => {
    const splits = coming.findLast(({ event }) => event.on <= day)?.splits ?? [];
    return {
      left: replaced.findLast(({ on }) => on <= day)?.left ?? nothing,
      whole: splits.reduce((units, times) => wholeUnits(units.times(times)), loss.line.quantity),
    };
  };
  state.unreplaced.push({ line: loss.line, on: loss.soldOn, left: () => whole.minus(matched), asOf });
}

/**
 * Raises issues for losses whose window is still open. "Within a period beginning 30 days before the date of such sale
 * or disposition and ending 30 days after such date" (IRC 1091(a)): if the records end earlier, a purchase may still
 * deny the loss. Worthless shares are not bought again.
 */
export function raiseOpenWindows(state: State, known: Day): void {
  const shorts = state.shortLosses.map((loss) => ({ ...loss, left: () => loss.whole.minus(loss.matched) }));
  for (const { line, on, left } of [...state.unreplaced, ...shorts]) {
    const expires = parseOption(line.asset)?.expires;
    const over = on + windowDays < known || (expires !== undefined && expires < formatDay(known));
    const isLoss = line.proceeds.minus(line.basis).plus(line.adjustment).lt(0);
    const isOurs = ofThisReturn(state.rules, [line]).length > 0;
    if (!over && isLoss && isOurs && left().gt(0) && line.proceeds.gt(0)) raise(state, line.saleId, 'wash_window_open');
  }
}

/**
 * Denies a loss on a short that was closed with units owned when it was entered: sales and shorts near that day also
 * deny it.
 */
function bearSold(
  state: State,
  { line, account, soldOn }: Loss,
  {
    short,
    left,
    match,
  }: {
    readonly short: string;
    readonly left: () => Exact;
    readonly match: (quantity: Exact, retirement: boolean) => Exact;
  },
): void {
  const { asset, assetClass } = line;
  for (const bearer of soldNear(state, { asset, assetClass, account, short, on: soldOn })) {
    const quantity = least(bearer.free, left());
    if (quantity.gt(0)) bearer.take(quantity, match(quantity, bearer.retirement));
  }
}

function cut(quantity: Exact): Exact {
  return quantity.toDecimalPlaces(60).toDecimalPlaces(18, Exact.ROUND_DOWN);
}

/** Splits a purchase that earlier losses have claimed when it opens. */
export function honorClaims(state: State, lot: OracleLot): void {
  for (const claim of state.claims.get(lot.opened) ?? []) {
    wash(state, lot, { ...claim, quantity: least(claim.quantity, remaining(lot).minus(lot.used)) });
  }
}

/**
 * Splits off the part of a lot that takes on the denied loss and the holding period of the units sold (IRC 1091(d),
 * 1223(3)).
 */
function wash(state: State, lot: OracleLot, claim: Claim): void {
  const { quantity, disallowed, held, manyPartSale, of } = claim;
  if (isRetirement(state, lot.account)) {
    // The loss is permanently denied and the lot is unchanged (Rev. Rul. 2008-5).
    lot.used = lot.used.plus(quantity);
    return;
  }
  const { used } = lot;
  lot.used = nothing;
  const slice = takeFrom(lot, quantity);
  lot.used = used;
  const { unit } = lot;
  const bought = lot.purchasedOn ?? lot.acquired;
  // There are two conventions: the days that the sold shares were held are added, or their purchase date is taken over.
  const tacked = ({ since, days }: { readonly since: Day; readonly days: number }): Day =>
    state.rules.washPeriod === 'replacement' ? since : addDays(bought, -days);
  const heldSince = tacked(held);
  const { broker } = claim;
  const isHis = isOneBrokers(broker, placeOf(state, broker.account, lot.assetClass, bought), lot);
  const hidden = slice.hidden.plus(isHis ? claim.hidden : disallowed);
  const brokerSince = isHis && broker.sawLoss ? tacked(broker) : lot.brokerSince;
  const part = { slice, disallowed, heldSince, hidden, brokerSince, of };
  if (manyPartSale === undefined || !addToLastFragment(state, lot, { ...part, sale: manyPartSale })) {
    const fragment = lotOf(slice, lot, {
      used: quantity,
      washed: true,
      leavesLast: state.rules.fragmentOrder === 'wash_adjusted_last',
      basis: slice.basis.plus(disallowed),
      hidden,
      heldSince,
      brokerSince,
      unit: {
        basis: unit.basis.times(quantity).plus(disallowed.times(unit.quantity)),
        quantity: unit.quantity.times(quantity),
      },
    });
    state.lots.push(fragment);
    if (manyPartSale !== undefined)
      state.lastFragments.set(lot, { sale: manyPartSale, of, fragment, denied: disallowed });
  }
  if (remaining(lot).lte(0)) state.lots.splice(state.lots.indexOf(lot), 1);
  averageAnew(state, lot);
}

/**
 * Adds to the fragment that the previous part of the same sale split from a purchase. The later holding date counts.
 */
function addToLastFragment(
  state: State,
  lot: OracleLot,
  part: {
    readonly slice: Slice;
    readonly disallowed: Exact;
    readonly heldSince: Day;
    readonly hidden: Exact;
    readonly brokerSince: Day;
    readonly sale: string;
    readonly of: string;
  },
): boolean {
  const last = state.lastFragments.get(lot);
  if (last === undefined || last.sale !== part.sale || last.of !== part.of) return false;
  const { fragment } = last;
  last.denied = last.denied.plus(part.disallowed);
  fragment.whole = fragment.whole.plus(part.slice.quantity);
  fragment.used = fragment.whole;
  fragment.basis = fragment.basis.plus(part.slice.basis).plus(part.disallowed);
  fragment.hidden = fragment.hidden.plus(part.hidden);
  fragment.interestPaid = fragment.interestPaid.plus(part.slice.interestPaid ?? nothing);
  fragment.plan = bothPlans(fragment.plan, part.slice.plan);
  if (part.heldSince > fragment.heldSince) fragment.heldSince = part.heldSince;
  if (part.brokerSince > fragment.brokerSince) fragment.brokerSince = part.brokerSince;
  fragment.unit = {
    basis: lot.unit.basis.times(fragment.whole).plus(last.denied.times(lot.unit.quantity)),
    quantity: lot.unit.quantity.times(fragment.whole),
  };
  return true;
}

function heldReplacements(state: State, loss: Loss): OracleLot[] {
  return state.lots
    .filter(
      (lot) =>
        lot.purchasedOn !== null &&
        remaining(lot).gt(lot.used) &&
        lot.origin !== loss.origin &&
        countsFor(state, loss.account, lot.account) &&
        Math.abs(lot.purchasedOn - loss.soldOn) <= windowDays &&
        (isSame(lot, loss.line.asset, loss.line.assetClass) || isCallOn(lot, loss.line.asset, loss.line.assetClass)),
    )
    .sort((a, b) => (a.purchasedOn ?? 0) - (b.purchasedOn ?? 0) || a.order - b.order || (a.id < b.id ? -1 : 1));
}

/**
 * Returns true if the buyer's purchases count: the seller's own always count, and those of other owners as configured
 * (P2).
 */
export function countsFor(state: State, seller: string, buyer: string): boolean {
  const { washAccounts, accounts } = state.rules;
  const types = [seller, buyer].map((account) => accounts[account]?.type ?? 'taxable');
  if (washAccounts === undefined || seller === buyer || types[0] === types[1]) return true;
  return types.every((type) => type === 'taxable' || washAccounts.includes(type));
}

/** Returns true for a call, which is an option to acquire the stock (IRC 1091(a)). */
function isCallOn(lot: OracleLot, asset: string, assetClass: AssetClass): boolean {
  return lot.callShares.gt(0) && lot.underlying === asset && assetClass !== 'option' && familyIsSecurity(assetClass);
}

function familyIsSecurity(assetClass: AssetClass): boolean {
  return ['stock', 'fund', 'bond', 'treasury_bill'].includes(assetClass);
}

interface Purchase {
  readonly key: string;
  readonly on: Day;
  readonly account: string;
  readonly quantity: Exact;
  /** The number of shares per unit: a hundred for a call. */
  readonly sharesPerUnit: Exact;
  /** New shares per old share for each split since the loss arose. */
  readonly splits: readonly Exact[];
}

/** A future event in the window, with the asset's name and the splits up to then. */
interface Coming {
  readonly event: OracleEvent;
  readonly asset: string;
  readonly splits: readonly Exact[];
}

/** Returns future purchases in the window. Follows renames, and converts the count of shares at splits. */
function comingPurchases(state: State, loss: Loss, coming: readonly Coming[]): Purchase[] {
  return coming.flatMap(({ event, asset, splits }) => {
    const purchase = purchaseOf(state, event, asset, loss.line.assetClass);
    return purchase === null || orderOf(state, event) === loss.origin ? [] : [{ ...purchase, on: event.on, splits }];
  });
}

function comingEvents(state: State, loss: Loss): Coming[] {
  const coming: Coming[] = [];
  let { asset } = loss.line;
  const { assetClass } = loss.line;
  let ratios: readonly Exact[] = [];
  const splits = new Set<string>();
  for (let index = state.position + 1; index < state.events.length; index += 1) {
    const event = state.events[index];
    if (event === undefined || event.on > loss.soldOn + windowDays) break;
    const { transaction } = event;
    if (event.role === 'action' && isSame(transaction, asset, assetClass)) {
      if (transaction.type === 'rename') asset = transaction.receivedAsset;
      // Several accounts may state the same split, including accounts that no longer hold anything. It converts a count
      // once.
      const { ratio } = transaction;
      const name = nameOfSplit(event);
      const implied = state.impliedLastPass.get(`split ${transaction.id}`);
      const times = ratio === null ? implied : new Exact(ratio.numerator.toString()).div(ratio.denominator.toString());
      if (transaction.type === 'split' && times !== undefined && !isCounted(splits, name)) {
        splits.add(name);
        ratios = [...ratios, times];
      }
    }
    coming.push({ event, asset, splits: ratios });
  }
  return coming;
}

function purchaseOf(
  state: State,
  event: OracleEvent,
  asset: string,
  assetClass: AssetClass,
): Omit<Purchase, 'splits' | 'on'> | null {
  const { transaction } = event;
  const account = placeOf(state, transaction.account, assetClass, event.on);
  const key = `${transaction.id}/${event.ordinal}`;
  const one = new Exact(1);
  const implied = state.impliedLastPass.get(key);
  if (implied === undefined && event.role !== 'acquire') return null;
  if (transaction.type === 'trade') {
    const bought = { asset: transaction.receivedAsset, assetClass: transaction.assetClass };
    if (!isSame(bought, asset, assetClass)) return null;
    return { key, account, quantity: units(transaction.receivedQuantity), sharesPerUnit: one };
  }
  if (transaction.type === 'exercise' || transaction.type === 'assign') {
    if (optionOf(transaction).underlying !== asset || !familyIsSecurity(assetClass)) return null;
    // Shares from a call that has already replaced a loss do not replace another loss (1.1091-1(e)).
    const used = implied ?? nothing;
    return { key, account, quantity: sharesDelivered(transaction).minus(used), sharesPerUnit: one };
  }
  if (isTakenBack(transaction) || purchasedOn(transaction) !== transaction.on || transaction.quantity === null)
    return null;
  const quantity = implied ?? units(transaction.quantity);
  if (isSame(transaction, asset, assetClass)) return { key, account, quantity, sharesPerUnit: one };
  const option = optionOf(transaction);
  const isCall = transaction.assetClass === 'option' && option.right === 'call' && option.underlying === asset;
  if (!isCall || !familyIsSecurity(assetClass)) return null;
  return { key, account, quantity, sharesPerUnit: sharesPerContract(transaction) };
}

/** An interest in an opportunity fund is bought with the gain (IRC 1400Z-2(a)(1)(A)). */
const purchases = [
  'buy',
  'buy_to_open',
  'buy_to_close',
  'cover',
  'trade',
  'exercise',
  'assign',
  'reinvest',
  'espp_purchase',
  'defer_gain',
];
/**
 * Shares received as pay count as acquired (Pub. 550, Wash Sales, Example 2). Units from other kinds of income do not.
 */
const pay = ['wages', 'mining', 'other_income'];

/**
 * Returns the day of a purchase or of a fully taxed exchange (1.1091-1(f)). A lot that exists when the records begin
 * was bought on its acquisition day.
 */
export function purchasedOn(transaction: OracleEvent['transaction']): Day | null {
  if (transaction.type === 'opening_lot') return transaction.acquired ?? transaction.on;
  return purchases.includes(transaction.type) || pay.includes(transaction.type) ? transaction.on : null;
}

/** Returns the shares delivered. `shares` in an exercise is the total. Without it, a contract covers 100. */
export function sharesDelivered(transaction: OracleEvent['transaction']): Exact {
  return transaction.shares === null ? units(transaction.quantity).times(100) : units(transaction.shares);
}

/** Pieces of one order, filled within a minute, are one purchase, identified by the first piece (Rev. Rul. 56-602). */
export function orderOf(state: State, event: OracleEvent): string {
  const { transaction } = event;
  const own = `${transaction.id}/${event.ordinal}`;
  if (event.purchase !== undefined) return event.purchase;
  if (isListedLot(transaction)) return listedPurchase(transaction.account, transaction.on);
  if (!isPiece(event)) return own;
  const first = state.events.find(
    (other) =>
      isPiece(other) &&
      other.transaction.account === transaction.account &&
      isSame(other.transaction, transaction.asset, transaction.assetClass) &&
      minuteOf(other) === minuteOf(event),
  );
  return first === undefined ? own : `${first.transaction.id}/${first.ordinal}`;
}

function isPiece({ role, timed, transaction }: OracleEvent): boolean {
  if (role !== 'acquire' || !timed) return false;
  return transaction.type === 'buy' || (transaction.type === 'buy_to_open' && optionOf(transaction).right !== 'put');
}

function minuteOf({ transaction }: OracleEvent): number {
  return Math.floor(Number(transaction.at) / 60_000_000);
}
