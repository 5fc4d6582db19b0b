import type { OracleEvent } from '../../events/events.ts';
import { dollars, isUnvalued, least, nothing, sum, units } from '../../numbers.ts';
import { isRetirement, raise, remaining, type State, settle } from '../../state.ts';
import { heldLots } from '../lots/lots.ts';
import { sell } from '../sales/dispose.ts';
import { endWritten } from '../short-sales/shorts.ts';

/**
 * Settles a nonequity option in cash: a sale by its holder and a purchase by its writer for this cash (IRC 1256(c)(1)).
 * Nothing is delivered. The row's amount is the cash. An expiration without an amount pays nothing.
 */
export function settleInCash(state: State, event: OracleEvent): void {
  const { type, asset, assetClass, account, lots: named } = event.transaction;
  const isUnknown = isUnvalued(event.transaction);
  const { amount, fee } = isUnknown ? { amount: null, fee: null } : event.transaction;
  const contracts = units(event.transaction.quantity);
  if (isUnknown || (amount === null && type !== 'expire')) raise(state, event.transaction.id, 'value_missing');
  const held = sum(heldLots(state, account, asset, assetClass).map(remaining));
  const own = type === 'exercise' ? contracts : type === 'assign' ? nothing : least(held, contracts);
  const costs = isUnknown ? nothing : dollars(fee).minus(dollars(event.transaction.feeOwn));
  if (own.gt(0)) {
    const proceeds = dollars(amount).minus(costs);
    sell(state, event, { asset, assetClass, account, quantity: own, proceeds, named });
  }
  const written = contracts.minus(own);
  if (written.lte(0)) return;
  const paid = own.gt(0) ? nothing : settle(state, 'basis', event.transaction, dollars(amount).plus(costs));
  buyBack(state, event, { contracts: written, paid });
}

/** Contracts that were not open had no proceeds, so the cash paid for them is a loss. */
function buyBack(
  state: State,
  event: OracleEvent,
  { contracts, paid }: { contracts: ReturnType<typeof units>; paid: ReturnType<typeof dollars> },
): void {
  const { asset, assetClass, account } = event.transaction;
  const open = least(
    contracts,
    sum(
      state.shorts
        .filter((short) => short.asset === asset && short.assetClass === assetClass && short.account === account)
        .map(remaining),
    ),
  );
  const forOpen = paid.times(open).div(contracts).toDecimalPlaces(2, 4);
  endWritten(state, event, contracts, forOpen, false);
  const rest = paid.minus(forOpen);
  if (!rest.isZero() && !isRetirement(state, account))
    state.contracts.push({ transactionId: event.transaction.id, on: event.on, account, gain: rest.neg() });
}
