import type { Transaction } from '../../../../src/engine/model.ts';
import { isIncome, type OracleEvent } from '../../events/events.ts';
import { dollars, type Exact, nothing, portion, sum, units } from '../../numbers.ts';
import { dropEmpty, isRetirement, lotOf, placeOf, raise, type Slice, type State, settle } from '../../state.ts';
import { heldLots } from '../lots/lots.ts';
import { takeLots } from '../lots/take.ts';
import { tradeFee } from './acquire.ts';
import { takeBack } from './take-back.ts';

/**
 * Returns true for foreign currency, which is not a capital asset on Form 8949: its gain or loss is ordinary (IRC
 * 988(a)(1)(A)).
 */
export function isMoney({ transaction }: OracleEvent): boolean {
  return transaction.assetClass === 'currency';
}

/** Returns true for foreign currency with an unknown cost, whose gain cannot be measured. */
export function isMoneyOfNoCost(event: OracleEvent): boolean {
  if (!isMoney(event)) return false;
  const { type, amount, basis, fmv } = event.transaction;
  if (type === 'gift_in' || type === 'opening_lot') return basis === null;
  return (type === 'inherit' ? fmv : amount) === null;
}

/** Disposes of foreign currency that is spent, given away or lost. Other rows do not affect it. */
export function disposeOfMoney(state: State, event: OracleEvent): void {
  const { transaction } = event;
  const { type, asset, assetClass, account, quantity, lots: named } = transaction;
  if (isIncome(type)) {
    if (heldLots(state, placeOf(state, account, assetClass, event.on), asset, assetClass).length > 0)
      takeBack(state, event);
    return;
  }
  if (!given.has(type) && !parted.has(type)) return;
  const slices = takeLots(state, event, { asset, assetClass, account, quantity: units(quantity), named });
  dropEmpty(state);
  if (parted.has(type)) return;
  const amount = type === 'worthless' ? nothing : transaction.amount === null ? null : proceedsOf(transaction, event);
  // The value of an exchange is requested only once, for the asset bought.
  if (amount === null && type !== 'trade' && owned(slices).length > 0 && !isRetirement(state, account))
    raise(state, transaction.id, 'value_missing');
  gain(state, event, { slices, proceeds: amount, isPersonal: type === 'spend' });
}

const given: ReadonlySet<Transaction['type']> = new Set(['sell', 'spend', 'fee', 'trade', 'worthless']);
const parted: ReadonlySet<Transaction['type']> = new Set(['gift_out', 'donate', 'lost']);

/**
 * Returns the proceeds of spent currency. Currency spent on an asset buys it: the cost of the purchase does not reduce
 * the proceeds, and currency withheld for that cost is also spent.
 */
function proceedsOf({ type, amount, asset, feeAsset }: Transaction, event: OracleEvent): Exact {
  if (type !== 'trade') return dollars(amount).minus(type === 'fee' ? nothing : tradeFee(event));
  return dollars(amount).plus(feeAsset === asset ? tradeFee(event) : nothing);
}

/** Pays a fee in foreign currency. `received` contains the units that just arrived, from which the fee is withheld. */
export function payFeeInMoney(state: State, event: OracleEvent, asset: string, received: Slice[] = []): void {
  const { transaction } = event;
  const { account, assetClass, feeQuantity, fee } = transaction;
  const left = units(feeQuantity).minus(sum(received.map(({ quantity }) => quantity)));
  const more = left.gt(0) ? takeLots(state, event, { asset, assetClass, account, quantity: left, named: [] }) : [];
  dropEmpty(state);
  if (fee === null && !isRetirement(state, account)) raise(state, transaction.id, 'value_missing');
  const proceeds = fee === null ? null : tradeFee(event);
  const slices = [...received, ...more];
  gain(state, { ...event, transaction: { ...transaction, asset } }, { slices, proceeds, isPersonal: false });
}

/**
 * Records the gain on currency. Gains of 200 dollars or less, and losses, on personal expenses do not count (IRC
 * 988(e), 165(c)).
 */
function gain(
  state: State,
  event: OracleEvent,
  { slices, proceeds, isPersonal }: { slices: readonly Slice[]; proceeds: Exact | null; isPersonal: boolean },
): void {
  const { transaction } = event;
  const own = owned(slices);
  if (proceeds === null || own.length === 0 || isRetirement(state, transaction.account)) return;
  const whole = settle(state, 'proceeds', transaction, proceeds);
  const all = sum(slices.map(({ quantity }) => quantity));
  const ofOwned = portion(whole, nothing, sum(own.map(({ quantity }) => quantity)), all);
  const amount = ofOwned.minus(sum(own.map(({ basis }) => basis)));
  if (amount.isZero() || (isPersonal && amount.lte(200))) return;
  const { id: transactionId, account } = transaction;
  state.incomes.push({ type: 'currency_gain', transactionId, on: event.on, account, amount });
}

function owned(slices: readonly Slice[]): Slice[] {
  return slices.filter(({ lot }) => lot !== null);
}

/**
 * Moves currency between the taxpayer's accounts at its cost. Currency that an IRA distributes has no recorded cost.
 */
export function moveMoney(state: State, event: OracleEvent): void {
  const { type, asset, assetClass, account, toAccount: to, quantity, lots: named } = event.transaction;
  if (type !== 'transfer' || to === account) return;
  const slices = takeLots(state, event, { asset, assetClass, account, quantity: units(quantity), named });
  const moved = slices.flatMap((slice) => (slice.source === null ? [] : [lotOf(slice, slice.source, { account: to })]));
  if (!isRetirement(state, account) || isRetirement(state, to)) state.lots.push(...moved);
}
