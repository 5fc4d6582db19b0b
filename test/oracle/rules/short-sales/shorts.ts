import { formatDay } from '../../../../src/base/day.ts';
import type { OracleEvent } from '../../events/events.ts';
import { cents, dollars, type Exact, isLongTerm, least, nothing, portion, spread, sum, units } from '../../numbers.ts';
import {
  dropEmpty,
  isContract,
  isRetirement,
  isSame,
  lineOfEvent,
  type OracleShort,
  raise,
  remaining,
  type State,
  settle,
} from '../../state.ts';
import { isCovered } from '../lines/box.ts';
import { isUnder1233 } from '../lots/holding-periods.ts';
import { settleAverages } from '../lots/lots.ts';
import { endCoveredCall, termOfCall } from '../options/covered-calls.ts';
import { optionOf, sharesPerContract } from '../options/option.ts';
import { claimByShort } from '../wash-sales/short-losses.ts';

/**
 * Opens a short sale or writes an option. The property held on that day determines the term of its closing (IRC 1233).
 */
export function openShort(state: State, event: OracleEvent): void {
  const { transaction } = event;
  if (transaction.amount === null) raise(state, transaction.id, 'value_missing');
  const quantity = units(transaction.quantity);
  if (quantity.lte(0)) return;
  const fee = dollars(transaction.fee).minus(dollars(transaction.feeOwn));
  const proceeds = settle(state, 'proceeds', transaction, dollars(transaction.amount).minus(fee));
  sellUnowned(state, event, { ...transaction, quantity, proceeds, byOption: false });
}

/** Opens a short for units sold but not owned. It ends with their delivery (26 CFR 1.1233-1(a)(1)). */
export function sellUnowned(
  state: State,
  event: OracleEvent,
  sale: Pick<OracleShort, 'asset' | 'assetClass' | 'account' | 'proceeds' | 'byOption'> & { readonly quantity: Exact },
): void {
  const { transaction, on } = event;
  const { asset, assetClass, account, quantity, proceeds, byOption } = sale;
  const written = transaction.type === 'sell_to_open';
  const lots =
    written || !isUnder1233(assetClass)
      ? []
      : state.lots.filter((lot) => isSame(lot, asset, assetClass) && !isRetirement(state, lot.account));
  const longHeld = lots.filter((lot) => lot.inherited || isLongTerm(lot.heldSince, on));
  const shortHeld = lots.filter((lot) => !longHeld.includes(lot));
  // The gain on averaged shares is computed from their average basis.
  settleAverages(state, () => true);
  // Pending bills would include coins. If one is enacted, the settings state its effective date.
  const from = state.rules.constructiveSalesOfCoinsFrom;
  const coins = (assetClass === 'crypto' || assetClass === 'nft') && from !== undefined && formatDay(on) >= from;
  const against = coins
    ? state.lots.filter((lot) => isSame(lot, asset, assetClass) && !isRetirement(state, lot.account))
    : lots;
  if (against.some((lot) => portion(proceeds, nothing, remaining(lot), quantity).gt(basisOf(lot)))) {
    raise(state, transaction.id, 'constructive_sale');
  }
  const short: OracleShort = {
    origin: `${transaction.id}/${event.ordinal}`,
    label: transaction.externalId,
    order: state.position,
    written,
    shares: sharesPerContract(transaction),
    underlying: written && assetClass === 'option' ? optionOf(transaction).underlying : '',
    byOption,
    asset,
    assetClass,
    account,
    opened: on,
    whole: quantity,
    taken: nothing,
    proceeds,
    longHeld: least(sum(longHeld.map(remaining)), quantity),
    shortHeld: least(sum(shortHeld.map(remaining)), quantity),
    usedAsReplacement: nothing,
    claimed: nothing,
    answered: nothing,
    inLieu: [],
  };
  state.shorts.push(short);
  if (!written) claimByShort(state, short);
}

function basisOf(lot: State['lots'][number]): Exact {
  return portion(lot.basis, lot.taken, remaining(lot), lot.whole);
}

export interface Closing {
  readonly short: OracleShort;
  readonly quantity: Exact;
}

/** Returns the short positions that close now: named ones first, then the earliest. */
export function chooseShorts(
  state: State,
  event: OracleEvent,
  quantity: Exact,
  { asset, assetClass }: Pick<OracleShort, 'asset' | 'assetClass'> = event.transaction,
): { closings: Closing[]; left: Exact } {
  const { account, lots } = event.transaction;
  const open = state.shorts
    .filter((short) => isSame(short, asset, assetClass) && short.account === account)
    .sort((a, b) => a.order - b.order);
  const closings: Closing[] = [];
  let left = quantity;
  const choose = (shorts: readonly OracleShort[], upTo: Exact): void => {
    let wanted = least(upTo, left);
    for (const short of shorts) {
      const chosen = sum(closings.filter((one) => one.short === short).map((one) => one.quantity));
      const part = least(wanted, remaining(short).minus(chosen));
      if (part.lte(0)) continue;
      closings.push({ short, quantity: part });
      wanted = wanted.minus(part);
      left = left.minus(part);
    }
  };
  for (const choice of lots) {
    choose(
      open.filter((short) => short.label === choice.label),
      units(choice.quantity),
    );
  }
  choose(open, left);
  return { closings, left };
}

/** Takes units from a short, with their portion of its proceeds. */
export function takeShort(short: OracleShort, quantity: Exact): Exact {
  const proceeds = portion(short.proceeds, short.taken, quantity, short.whole);
  short.taken = short.taken.plus(quantity);
  return proceeds;
}

/**
 * Asks, at the end of the records, about stock that was not held when an option sold it and that nothing has covered.
 */
export function raiseUncovered(state: State): void {
  askAboutPurchases(state);
  for (const short of state.shorts) {
    if (short.byOption) raise(state, short.origin.slice(0, short.origin.lastIndexOf('/')), 'unreconciled');
  }
}

/**
 * Asks about units that an account buys while it owes the same asset, because they may have been delivered. One
 * question is asked per account and asset.
 */
function askAboutPurchases(state: State): void {
  const owed = state.shorts.filter((short) => !short.written && !isRetirement(state, short.account));
  for (const short of owed) {
    const together = owed.filter(
      ({ account, asset, assetClass }) =>
        account === short.account && isSame({ asset, assetClass }, short.asset, short.assetClass),
    );
    if (together[0] !== short) continue;
    const since = Math.min(...together.map(({ opened }) => opened));
    const bought = state.lots
      .filter((lot) => lot.account === short.account && isSame(lot, short.asset, short.assetClass))
      .filter(({ purchasedOn, order }) => purchasedOn !== null && purchasedOn >= since && order > short.order)
      .sort((a, b) => a.acquired - b.acquired || a.order - b.order);
    if (bought[0] !== undefined) raise(state, bought[0].transactionId, 'unreconciled');
  }
}

/** Returns the premiums of options that an assignment ends. */
export function premiumOf(state: State, event: OracleEvent, contracts: Exact): Exact {
  const { closings, left } = chooseShorts(state, event, contracts);
  const premiums = closings.map(({ short, quantity }) => takeShort(short, quantity));
  for (const { short } of closings) endCoveredCall(state, short, event.on);
  dropEmpty(state);
  if (left.gt(0)) raise(state, event.transaction.id, 'option_not_open');
  return sum(premiums);
}

/**
 * Closes written options, including by expiration: always short-term (IRC 1234(b)). Returns the contracts that were not
 * open.
 */
export function endWritten(state: State, event: OracleEvent, contracts: Exact, cost: Exact, expired: boolean): Exact {
  const { transaction, on } = event;
  const { closings, left } = chooseShorts(state, event, contracts);
  const premiums = closings.map(({ short, quantity }) => takeShort(short, quantity));
  for (const { short } of closings) endCoveredCall(state, short, on);
  dropEmpty(state);
  if (left.gt(0)) raise(state, transaction.id, 'option_not_open');
  const quantities = closings.map((one) => one.quantity);
  const costs = spread(cents(cost), quantities, sum(quantities));
  if (isRetirement(state, transaction.account)) return left;
  closings.forEach(({ short, quantity }, index) => {
    const proceeds = premiums[index] ?? nothing;
    const basis = costs[index] ?? nothing;
    if (isContract(transaction.assetClass)) {
      const { id: transactionId, account } = transaction;
      state.contracts.push({ transactionId, on, account, gain: proceeds.minus(basis) });
      return;
    }
    const line = {
      ...lineOfEvent(event),
      quantity,
      proceeds,
      basis,
      sold: short.opened,
      sharesOfContract: short.shares,
      covered: isCovered('sell_to_open', 'option', short.opened),
      term: termOfCall(state, event, short, basis.minus(proceeds)),
    };
    state.lines.push({ ...line, expired: expired ? 'basis' : null });
  });
  return left;
}
