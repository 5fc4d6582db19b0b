import type { OracleEvent } from './events.ts';
import {
  cents,
  dollars,
  type Exact,
  isLongTerm,
  least,
  most,
  nothing,
  portion,
  spread,
  sum,
  units,
} from './numbers.ts';
import {
  dropEmpty,
  isContract,
  isRetirement,
  isSame,
  type OracleShort,
  raise,
  remaining,
  type State,
} from './state.ts';

/** Opens a short sale or writes an option. */
export function openShort(state: State, event: OracleEvent): void {
  const { transaction } = event;
  const { asset, assetClass, account } = transaction;
  if (transaction.amount === null) raise(state, transaction.id, 'value_missing');
  const own = state.lots.filter((lot) => isSame(lot, asset, assetClass) && !isRetirement(state, lot.account));
  const written = transaction.type === 'sell_to_open';
  const quantity = units(transaction.quantity);
  if (quantity.lte(0)) return;
  const proceeds = cents(dollars(transaction.amount).minus(dollars(transaction.fee)).plus(dollars(transaction.feeOwn)));
  const unitPrice = proceeds.div(quantity);
  if (!written && own.some((lot) => lot.basis.div(lot.whole).lt(unitPrice))) {
    raise(state, transaction.id, 'constructive_sale');
  }
  const open = state.shorts.filter((short) => isSame(short, asset, assetClass));
  const held = own.filter((lot) => lot.inherited || isLongTerm(lot.heldSince, event.on));
  const free = most(nothing, sum(held.map(remaining)).minus(sum(open.map((short) => short.longHeld))));
  state.shorts.push({
    origin: `${transaction.id}/${event.ordinal}`,
    label: transaction.externalId,
    order: state.position,
    written,
    asset,
    assetClass,
    account,
    opened: event.on,
    whole: quantity,
    taken: nothing,
    proceeds,
    longHeld: written ? nothing : least(free, quantity),
  });
}

/** Takes from what was written, named ones first, then the earliest; answers the premium that left with it. */
export function closeWritten(
  state: State,
  event: OracleEvent,
  contracts: Exact,
): { premium: Exact; slices: { short: OracleShort; quantity: Exact; premium: Exact }[]; left: Exact } {
  const { transaction } = event;
  const { asset, assetClass, account, lots } = transaction;
  const open = state.shorts
    .filter((short) => isSame(short, asset, assetClass) && short.account === account)
    .sort((a, b) => a.opened - b.opened || a.order - b.order);
  const slices: { short: OracleShort; quantity: Exact; premium: Exact }[] = [];
  let left = contracts;
  const take = (shorts: readonly OracleShort[], upTo: Exact): void => {
    let wanted = upTo;
    for (const short of shorts) {
      const quantity = least(wanted, remaining(short));
      if (quantity.lte(0)) continue;
      const premium = portion(short.proceeds, short.taken, quantity, short.whole);
      short.taken = short.taken.plus(quantity);
      slices.push({ short: { ...short }, quantity, premium });
      wanted = wanted.minus(quantity);
      left = left.minus(quantity);
    }
  };
  for (const choice of lots) {
    const named = open.filter((short) => short.label === choice.label);
    take(named, least(units(choice.quantity), left));
  }
  take(open, left);
  dropEmpty(state);
  if (left.gt(0)) raise(state, transaction.id, 'option_not_open');
  return { premium: sum(slices.map((slice) => slice.premium)), slices, left };
}

/** Closing, or expiry, of options written: short-term always (Pub. 550, writers of puts and calls). */
export function endWritten(state: State, event: OracleEvent, contracts: Exact, cost: Exact, expired: boolean): void {
  const { transaction } = event;
  const { slices } = closeWritten(state, event, contracts);
  const costs = spread(
    cents(cost),
    slices.map((slice) => slice.quantity),
    contracts,
  );
  if (isRetirement(state, transaction.account)) return;
  slices.forEach((slice, index) => {
    const basis = costs[index] ?? nothing;
    if (isContract(transaction.assetClass)) {
      state.contracts.push({ on: event.on, gain: slice.premium.minus(basis) });
      return;
    }
    state.lines.push({
      saleId: transaction.id,
      asset: transaction.asset,
      assetClass: transaction.assetClass,
      account: transaction.account,
      quantity: slice.quantity,
      acquired: event.on,
      heldSince: event.on,
      inherited: false,
      sold: slice.short.opened,
      on: event.on,
      proceeds: slice.premium,
      basis,
      adjustment: nothing,
      permanent: nothing,
      term: 'short',
      shortSale: false,
      expired: expired ? 'basis' : null,
      basisUnknown: false,
    });
  });
}

/** What a writer, or a holder who exercises, brings to the sale of the stock. */
export function isWritten(state: State, event: OracleEvent): boolean {
  const { asset, assetClass, account } = event.transaction;
  return state.shorts.some((short) => isSame(short, asset, assetClass) && short.account === account);
}
