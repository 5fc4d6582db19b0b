import type { Transaction } from '../../src/engine/model.ts';
import { openLot, tradeFee } from './acquire.ts';
import { sell } from './dispose.ts';
import type { OracleEvent } from './events.ts';
import { takeLots } from './lots.ts';
import { type Exact, nothing, units } from './numbers.ts';
import { dropEmpty, lotOf, placeOf, raise, type Slice, type State, universal } from './state.ts';

/** Own transfers keep dates and basis (1.1012-1(j): the day of arrival does not matter). */
export function move(state: State, event: OracleEvent): void {
  const { transaction } = event;
  if (transaction.type === 'transfer') {
    carry(state, event, transaction.toAccount);
    return;
  }
  const other = partnerOf(state, transaction);
  if (other === null) {
    raise(state, transaction.id, 'transfer_unpaired');
    if (transaction.type === 'withdrawal') leave(state, event);
    else arriveUnexplained(state, event, units(transaction.quantity), transaction.account);
    return;
  }
  // The lots change hands where the withdrawal stands; the deposit only told where to.
  if (transaction.type === 'withdrawal') carry(state, event, other.account);
}

function carry(state: State, event: OracleEvent, to: string): void {
  const { transaction, on } = event;
  const { asset, assetClass, account, quantity } = transaction;
  const place = placeOf(state, to, assetClass, on);
  if (place === universal || to === account) return;
  const left = settle(state, to, take(state, event, units(quantity)));
  if (left.lte(0)) return;
  raise(state, transaction.id, 'oversold');
  openLot(state, event, { asset, assetClass, account: to, quantity: left, basis: nothing, basisUnknown: true });
}

function take(state: State, event: OracleEvent, quantity: Exact): Slice[] {
  const { asset, assetClass, account, lots } = event.transaction;
  return takeLots(state, event, { asset, assetClass, account, quantity, named: lots });
}

/** Opens each slice anew where it arrives; answers what no lot explained. */
function settle(state: State, to: string, slices: readonly Slice[]): Exact {
  let unexplained = nothing;
  for (const slice of slices) {
    if (slice.lot === null) unexplained = unexplained.plus(slice.quantity);
    else state.lots.push(lotOf(slice, slice.lot, { account: to }));
  }
  dropEmpty(state);
  return unexplained;
}

function leave(state: State, event: OracleEvent): void {
  take(state, event, units(event.transaction.quantity));
  dropEmpty(state);
}

function arriveUnexplained(state: State, event: OracleEvent, quantity: Exact, account: string): void {
  openLot(state, event, { quantity, account, basis: nothing, basisUnknown: true });
}

/** The other leg: same asset and quantity in another account, within a week, each used once, the earliest first. */
function partnerOf(state: State, wanted: Transaction): Transaction | null {
  const legs = state.events.filter((event) => event.role === 'move').map((event) => event.transaction);
  const taken = new Set<string>();
  for (const out of legs.filter((leg) => leg.type === 'withdrawal')) {
    const into = legs.find(
      (leg) =>
        leg.type === 'deposit' &&
        !taken.has(leg.id) &&
        leg.asset === out.asset &&
        leg.assetClass === out.assetClass &&
        leg.quantity === out.quantity &&
        leg.account !== out.account &&
        Math.abs(leg.on - out.on) <= 7,
    );
    if (into === undefined) continue;
    taken.add(into.id);
    if (out.id === wanted.id) return into;
    if (into.id === wanted.id) return out;
  }
  return null;
}

/** A fee paid in kind is a disposal of its units at their value (1.1001-7(b)(1)(ii)); its own cost reduces that. */
export function payFee(state: State, event: OracleEvent): void {
  const { transaction } = event;
  const { type, asset, assetClass, account } = transaction;
  const feeAsset = transaction.feeAsset === '' ? asset : transaction.feeAsset;
  // Withheld from what was given: all given units are sold as one; from what was received: at the receipt.
  if (type === 'trade' && (feeAsset === asset || feeAsset === transaction.receivedAsset)) return;
  const quantity = units(transaction.feeQuantity);
  if (quantity.lte(0)) return;
  if (transaction.fee === null) raise(state, transaction.id, 'value_missing');
  sell(state, event, { asset: feeAsset, assetClass, account, quantity, proceeds: tradeFee(event) });
}
