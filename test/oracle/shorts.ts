import type { OracleEvent } from './events.ts';
import { cents, dollars, type Exact, isLongTerm, least, nothing, portion, spread, sum, units } from './numbers.ts';
import { claimByShort } from './short-wash.ts';
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
} from './state.ts';

/** Opens a short sale or writes an option. What is held on that day decides the term of its closing (IRC 1233). */
export function openShort(state: State, event: OracleEvent): void {
  const { transaction, on } = event;
  const { asset, assetClass, account } = transaction;
  if (transaction.amount === null) raise(state, transaction.id, 'value_missing');
  const quantity = units(transaction.quantity);
  if (quantity.lte(0)) return;
  const fee = dollars(transaction.fee).minus(dollars(transaction.feeOwn));
  const proceeds = settle(state, 'proceeds', transaction, dollars(transaction.amount).minus(fee));
  const written = transaction.type === 'sell_to_open';
  const own = written
    ? []
    : state.lots.filter((lot) => isSame(lot, asset, assetClass) && !isRetirement(state, lot.account));
  const longHeld = own.filter((lot) => lot.inherited || isLongTerm(lot.heldSince, on));
  const shortHeld = own.filter((lot) => !longHeld.includes(lot));
  if (own.some((lot) => portion(proceeds, nothing, remaining(lot), quantity).gt(basisOf(lot)))) {
    raise(state, transaction.id, 'constructive_sale');
  }
  const short: OracleShort = {
    origin: `${transaction.id}/${event.ordinal}`,
    label: transaction.externalId,
    order: state.position,
    written,
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
  };
  state.shorts.push(short);
  if (!written) claimByShort(state, short);
}

function basisOf(lot: State['lots'][number]): Exact {
  return portion(lot.basis, lot.taken, remaining(lot), lot.whole);
}

export interface ClosedPart {
  readonly short: OracleShort;
  readonly quantity: Exact;
  readonly proceeds: Exact;
}

/** Takes from what was sold first and is not yet bought: named ones, then the earliest. */
export function takeShorts(state: State, event: OracleEvent, quantity: Exact): { parts: ClosedPart[]; left: Exact } {
  const { asset, assetClass, account, lots } = event.transaction;
  const open = state.shorts
    .filter((short) => isSame(short, asset, assetClass) && short.account === account)
    .sort((a, b) => a.order - b.order);
  const parts: ClosedPart[] = [];
  let left = quantity;
  const take = (shorts: readonly OracleShort[], upTo: Exact): void => {
    let wanted = least(upTo, left);
    for (const short of shorts) {
      const part = least(wanted, remaining(short));
      if (part.lte(0)) continue;
      const proceeds = portion(short.proceeds, short.taken, part, short.whole);
      short.taken = short.taken.plus(part);
      parts.push({ short, quantity: part, proceeds });
      wanted = wanted.minus(part);
      left = left.minus(part);
    }
  };
  for (const choice of lots) {
    take(
      open.filter((short) => short.label === choice.label),
      units(choice.quantity),
    );
  }
  take(open, left);
  return { parts, left };
}

/** The premiums of options that an assignment ends. */
export function premiumOf(state: State, event: OracleEvent, contracts: Exact): Exact {
  const { parts, left } = takeShorts(state, event, contracts);
  dropEmpty(state);
  if (left.gt(0)) raise(state, event.transaction.id, 'option_not_open');
  return sum(parts.map((part) => part.proceeds));
}

/** Closing, or expiry, of options written: short-term always (IRC 1234(b)). Answers the contracts that were not open. */
export function endWritten(state: State, event: OracleEvent, contracts: Exact, cost: Exact, expired: boolean): Exact {
  const { transaction, on } = event;
  const { parts, left } = takeShorts(state, event, contracts);
  dropEmpty(state);
  if (left.gt(0)) raise(state, transaction.id, 'option_not_open');
  const quantities = parts.map((part) => part.quantity);
  const costs = spread(cents(cost), quantities, sum(quantities));
  if (isRetirement(state, transaction.account)) return left;
  parts.forEach(({ short, quantity, proceeds }, index) => {
    const basis = costs[index] ?? nothing;
    if (isContract(transaction.assetClass)) {
      state.contracts.push({ on, gain: proceeds.minus(basis) });
      return;
    }
    const line = { ...lineOfEvent(event), quantity, proceeds, basis, sold: short.opened };
    state.lines.push({ ...line, expired: expired ? 'basis' : null });
  });
  return left;
}
