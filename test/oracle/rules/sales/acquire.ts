import type { Day } from '../../../../src/base/day.ts';
import type { AssetClass } from '../../../../src/engine/model.ts';
import { isIncome, isTakenBack, type OracleEvent } from '../../events/events.ts';
import { money } from '../../names.ts';
import { dollars, type Exact, least, nothing, units } from '../../numbers.ts';
import {
  isRetirement,
  type OracleLot,
  placeOf,
  raise,
  remaining,
  type Slice,
  type State,
  settle,
  takeFrom,
} from '../../state.ts';
import { interestPaid, netOfPaid } from '../debt/debt.ts';
import { isCovered } from '../lines/box.ts';
import { sorted } from '../lots/lots.ts';
import { takeLots } from '../lots/take.ts';
import { optionOf, sharesPerContract } from '../options/option.ts';
import { takeDelivery } from '../options/option-stock.ts';
import { paysInLieu } from '../short-sales/in-lieu.ts';
import { honorClaims, orderOf, purchasedOn } from '../wash-sales/wash.ts';
import { isMoneyOfNoCost, payFeeInMoney } from './currency.ts';
import { sell } from './dispose.ts';
import { rememberDistribution } from './funds.ts';
import { planOf } from './plans.ts';

/**
 * Applies events that open a lot: purchases, received sides, income in kind, gifts, inheritances, and lots that exist
 * when the records begin.
 */
export function acquire(state: State, event: OracleEvent): void {
  const { transaction } = event;
  const { type } = transaction;
  if (isIncome(type)) {
    receiveIncome(state, event);
    return;
  }
  if (type === 'trade') {
    receiveTrade(state, event);
    return;
  }
  if (isMoneyOfNoCost(event)) {
    if (type === 'buy' && transaction.feeAsset === transaction.asset) withhold(state, event, transaction.asset);
    return;
  }
  if (type === 'exercise' || type === 'assign') {
    takeDelivery(state, event);
    return;
  }
  if (type === 'gift_in') {
    receiveGift(state, event);
    return;
  }
  if (type === 'inherit') {
    const death = transaction.acquired ?? event.on;
    if (transaction.fmv === null) raise(state, transaction.id, 'basis_missing');
    const basisUnknown = transaction.fmv === null;
    openLot(state, event, { basis: dollars(transaction.fmv), acquired: death, inherited: true, basisUnknown });
    return;
  }
  if (type === 'opening_lot') {
    if (transaction.basis === null) raise(state, transaction.id, 'basis_missing');
    const acquired = transaction.acquired ?? event.on;
    openLot(state, event, { basis: dollars(transaction.basis), acquired, basisUnknown: transaction.basis === null });
    return;
  }
  if (type === 'defer_gain') {
    // "The taxpayer's basis in the investment shall be zero" (IRC 1400Z-2(b)(2)(B)(i)).
    openLot(state, event, { basis: nothing });
    return;
  }
  if (transaction.amount === null) raise(state, transaction.id, 'value_missing');
  openLot(state, event, { basis: costOf(event), basisUnknown: transaction.amount === null });
  if (type === 'buy' && transaction.feeAsset === transaction.asset) withhold(state, event, transaction.asset);
}

/**
 * Returns amount plus fee, without the part of the fee for disposing of the fee's own units. A missing amount counts as
 * zero.
 */
export function costOf(event: OracleEvent): Exact {
  const { amount } = event.transaction;
  if (amount === null) return nothing;
  return dollars(amount).plus(tradeFee(event));
}

export function tradeFee(event: OracleEvent): Exact {
  return dollars(event.transaction.fee).minus(dollars(event.transaction.feeOwn));
}

export interface Opening {
  readonly basis: Exact;
  readonly asset?: string;
  readonly assetClass?: AssetClass;
  readonly account?: string;
  readonly quantity?: Exact;
  readonly acquired?: Day;
  readonly inherited?: boolean;
  readonly lossBasis?: Exact;
  readonly basisUnknown?: boolean;
  readonly purchasedOn?: Day | null;
  readonly used?: Exact;
  readonly covered?: boolean;
  /** Shares from a call that replaced a loss: the call, and the holding period that they take over from it. */
  readonly washed?: {
    readonly call: string;
    readonly heldSince: Day;
    readonly brokerSince: Day;
    readonly hidden: Exact;
  };
}

export function openLot(state: State, event: OracleEvent, opening: Opening): OracleLot | null {
  const { transaction } = event;
  const asset = opening.asset ?? transaction.asset;
  const assetClass = opening.assetClass ?? transaction.assetClass;
  const quantity = opening.quantity ?? units(transaction.quantity);
  if (quantity.lte(0)) return null;
  const of = { asset, assetClass };
  const basis = settle(state, 'basis', of, opening.basis);
  const option = optionOf(transaction);
  const isCall = assetClass === 'option' && option.right === 'call';
  const isPut = assetClass === 'option' && option.right === 'put';
  const acquired = opening.acquired ?? event.on;
  const origin = `${transaction.id}/${event.ordinal}`;
  // Income is the second event of its row.
  const name = isIncome(transaction.type) ? `${transaction.id}/1` : origin;
  const lot: OracleLot = {
    opened: origin,
    id: opening.washed === undefined ? name : `${origin}:${opening.washed.call}`,
    children: 0,
    origin: isPut ? origin : orderOf(state, event),
    transactionId: transaction.id,
    label: transaction.externalId,
    order: state.position,
    asset,
    assetClass,
    account: placeOf(state, opening.account ?? transaction.account, assetClass, event.on),
    acquired,
    cameOn: transaction.type === 'gift_in' ? event.on : acquired,
    heldSince: opening.washed?.heldSince ?? acquired,
    brokerSince: opening.washed?.brokerSince ?? acquired,
    hidden: opening.washed?.hidden ?? nothing,
    maturity: asset === transaction.asset ? transaction.maturity : null,
    accretes: false,
    plan: asset === transaction.asset ? planOf(transaction) : undefined,
    interestPaid: asset === transaction.asset ? interestPaid(state, event) : nothing,
    inherited: opening.inherited ?? false,
    washed: opening.washed !== undefined,
    leavesLast: opening.washed !== undefined && state.rules.fragmentOrder === 'wash_adjusted_last',
    restartedOn: null,
    whole: quantity,
    taken: nothing,
    basis,
    unit: { basis: opening.basis, quantity },
    gift:
      opening.lossBasis === undefined
        ? null
        : { lossBasis: settle(state, 'basis', of, opening.lossBasis), on: event.on },
    purchasedOn: opening.purchasedOn === undefined ? purchasedOn(transaction) : opening.purchasedOn,
    used: opening.used ?? nothing,
    callShares: isCall ? sharesPerContract(transaction) : nothing,
    putShares: isPut ? sharesPerContract(transaction) : nothing,
    underlying: isCall || isPut ? option.underlying : '',
    marriedTo: null,
    basisUnknown: opening.basisUnknown ?? false,
    covered: opening.covered ?? isCovered(transaction.type, assetClass, acquired),
  };
  state.lots.push(lot);
  if (isPut && option.underlying !== '') state.putsToday.push(lot);
  if (!lot.washed) honorClaims(state, lot);
  return lot;
}

function receiveIncome(state: State, event: OracleEvent): void {
  const { transaction } = event;
  const { type, amount, asset, quantity } = transaction;
  const inKind = asset !== '' && quantity !== null && quantity > 0n;
  const isLot = type !== 'withholding' && type !== 'capital_gain_distribution' && type !== 'currency_gain';
  const opensLot = inKind && isLot && !isMoneyOfNoCost(event);
  const taxed = !isRetirement(state, transaction.account);
  if (amount === null && (taxed || opensLot)) raise(state, transaction.id, 'value_missing');
  if (amount !== null && taxed && paysInLieu(state, event)) return;
  if (amount !== null && taxed) {
    const { id: transactionId, account } = transaction;
    state.incomes.push({ type, transactionId, on: event.on, account, amount: dollars(amount) });
  }
  if (taxed) netOfPaid(state, event);
  if (taxed) rememberDistribution(state, event);
  if (!opensLot || isTakenBack(transaction)) return;
  openLot(state, event, { basis: costOf(event), basisUnknown: amount === null });
}

/**
 * Opens the lot for the received side of a trade. Its basis is its value (1.1012-1(h)(2)(ii)(B)). Units withheld from
 * it as the fee come from the units just received, under any method (1.1012-1(j)(3)(iii)).
 */
function receiveTrade(state: State, event: OracleEvent): void {
  const { transaction } = event;
  const { receivedAsset, amount } = transaction;
  const basisUnknown = amount === null;
  const quantity = units(transaction.receivedQuantity);
  // The basis of an asset bought with money includes the cost of the purchase (1.1012-1(h)(1)).
  const basis = money.has(transaction.asset) ? costOf(event) : dollars(amount);
  if (!isMoneyOfNoCost(event)) {
    if (basisUnknown) raise(state, transaction.id, 'value_missing');
    openLot(state, event, { asset: receivedAsset, quantity, basis, basisUnknown });
  }
  if (transaction.feeAsset === receivedAsset) withhold(state, event, receivedAsset);
}

function withhold(state: State, event: OracleEvent, asset: string): void {
  const { transaction } = event;
  const { account, assetClass, feeQuantity } = transaction;
  if (feeQuantity === null) return;
  const origin = `${transaction.id}/${event.ordinal}`;
  const withheld = units(feeQuantity);
  let left = withheld;
  const opened = state.lots.filter((lot) => lot.opened === origin);
  const from: Slice[] = sorted(opened, 'FIFO')
    .map((lot) => {
      const part = least(left, remaining(lot));
      left = left.minus(part);
      return takeFrom(lot, part);
    })
    .filter((slice) => slice.quantity.gt(0));
  if (assetClass === 'currency') {
    payFeeInMoney(state, event, asset, from);
    return;
  }
  if (left.gt(0)) from.push(...takeLots(state, event, { asset, assetClass, account, quantity: left, named: [] }));
  if (transaction.fee === null && !isRetirement(state, account)) raise(state, transaction.id, 'value_missing');
  sell(state, event, { asset, assetClass, account, quantity: withheld, proceeds: tradeFee(event), from });
}

/**
 * An exercised call's cost is added to the stock's basis, and an assigned put's premium is subtracted from it (Pub.
 * 550, Table 4-3).
 */
/** IRC 1015(a): the donor's basis and period or, if the value was lower, that value for a loss. */
function receiveGift(state: State, event: OracleEvent): void {
  const { transaction } = event;
  const { basis, fmv, fee } = transaction;
  const incomplete = basis === null || fmv === null || transaction.acquired === null;
  if (incomplete) raise(state, transaction.id, 'gift_incomplete');
  const acquired = basis === null ? event.on : (transaction.acquired ?? event.on);
  const donor = dollars(basis);
  const value = dollars(fmv);
  if (fmv !== null && donor.gt(value)) {
    openLot(state, event, { basis: donor, acquired, lossBasis: value });
    return;
  }
  const withTax = donor.plus(dollars(fee));
  const carried = fmv === null ? withTax : least(withTax, value);
  openLot(state, event, { basis: carried, acquired, basisUnknown: basis === null });
}
