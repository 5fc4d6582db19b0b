import { addDays, type Day } from '../../../../src/base/day.ts';
import type { OracleEvent } from '../../events/events.ts';
import { type Exact, least, nothing, portion, spread, spreadUnits, sum, units, wholeUnits } from '../../numbers.ts';
import { dropEmpty, raise, type Slice, type State, settle } from '../../state.ts';
import { takeLots } from '../lots/take.ts';
import { costOf, openLot } from '../sales/acquire.ts';
import { deliverStock } from '../short-sales/cover.ts';
import { chooseShorts, premiumOf } from '../short-sales/shorts.ts';
import { sharesDelivered } from '../wash-sales/wash.ts';
import { optionOf } from './option.ts';

/**
 * Buys the stock of an exercised call or an assigned put at the strike price, adjusted by the cost or premium of the
 * option (Pub. 550).
 */
export function takeDelivery(state: State, event: OracleEvent): void {
  const { transaction } = event;
  const { asset, assetClass, account } = transaction;
  const contracts = units(transaction.quantity);
  let slices: Slice[] = [];
  let premium = nothing;
  if (transaction.type === 'exercise') {
    slices.push(...takeLots(state, event, { asset, assetClass, account, quantity: contracts, named: [] }));
    dropEmpty(state);
    if (slices.some((slice) => slice.lot === null)) raise(state, transaction.id, 'option_not_open');
  } else {
    premium = premiumOf(state, event, contracts).neg();
  }
  const bought = { asset: optionOf(transaction).underlying, assetClass: 'stock' as const };
  const delivered = sharesDelivered(transaction);
  const basisUnknown = transaction.amount === null;
  if (basisUnknown) raise(state, transaction.id, 'value_missing');
  const orZero = (basis: Exact): Exact => (basisUnknown ? nothing : basis);
  const { closings, left: quantity } = chooseShorts(state, event, delivered, bought);
  const isOwed = closings.length > 0;
  const ofLeft = (amount: Exact): Exact => (isOwed ? portion(amount, nothing, quantity, delivered) : amount);
  let price = costOf(event);
  if (isOwed) {
    // The strike price and the premium of every contract are divided equally among all shares, whether they cover a
    // short sale or are kept.
    const [strike, paid] = [settle(state, 'basis', bought, price), slices];
    price = ofLeft(strike);
    slices = slices.map((slice) => ({
      ...slice,
      basis: ofLeft(slice.basis),
      hidden: ofLeft(slice.hidden),
      used: wholeUnits(least(slice.used, slice.quantity).times(quantity).div(delivered)),
    }));
    const premiums = sum(paid.map((slice) => slice.basis)).plus(premium);
    const kept = sum(slices.map((slice) => slice.basis)).plus(ofLeft(premium));
    premium = ofLeft(premium);
    const hidden = orZero(sum(paid.map((slice) => slice.hidden)).minus(sum(slices.map((slice) => slice.hidden))));
    const basis = orZero(strike.minus(price).plus(premiums).minus(kept));
    deliverStock(state, event, closings, { quantity: delivered.minus(quantity), basis, hidden, basisUnknown });
    state.impliedThisPass.set(`${transaction.id}/${event.ordinal}`, delivered.minus(quantity));
    if (quantity.lte(0)) return;
  }
  const washed = slices.filter((slice) => slice.lot?.washed === true);
  const others = slices.filter((slice) => !washed.includes(slice));
  // One group of shares for each part of the call that is a wash sale replacement, and one group for all other shares.
  // Each group has its share of the price and its own premium.
  const calls = washed.map((slice) => slice.quantity);
  const parts = spreadUnits(quantity, [...calls, contracts.minus(sum(calls))]);
  if (washed.length > 0) price = settle(state, 'basis', bought, price);
  const prices = washed.length === 0 ? [price] : spread(price, parts, quantity);
  const unwashed = parts.at(-1) ?? nothing;
  const used = least(sum(others.map((slice) => slice.used.times(slice.lot?.callShares ?? nothing))), unwashed);
  washed.forEach(({ lot, basis: own, hidden }, index) => {
    if (lot === null) return;
    const units = parts[index] ?? nothing;
    // IRC 1223(3) also covers "the contract or option to acquire which", so the holding period of the sold shares is
    // added to that of the stock.
    const tacked = (since: Day): Day =>
      state.rules.washPeriod === 'replacement' ? since : addDays(event.on, since - (lot.purchasedOn ?? lot.acquired));
    const basis = orZero((prices[index] ?? nothing).plus(own));
    openLot(state, event, {
      ...bought,
      quantity: units,
      basis,
      basisUnknown,
      used: units,
      washed: {
        call: lot.id,
        heldSince: tacked(lot.heldSince),
        brokerSince: tacked(lot.brokerSince),
        hidden: orZero(hidden),
      },
    });
  });
  const basis = orZero((prices.at(-1) ?? nothing).plus(premium).plus(sum(others.map((slice) => slice.basis))));
  openLot(state, event, { ...bought, quantity: unwashed, basis, basisUnknown, used });
  const spent = delivered.minus(unwashed).plus(used);
  if (spent.gt(0)) state.impliedThisPass.set(`${transaction.id}/${event.ordinal}`, spent);
}
