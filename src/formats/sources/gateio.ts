import type { Quantity } from '../../base/decimal.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome, rowsInGroups } from '../reader.ts';
import { readCoinChange } from '../tables/coin-changes.ts';
import { Gatherer } from '../tables/gatherer.ts';
import { type Kinds, readRowKind } from '../tables/kinds.ts';
import { exchangeOfLegs, type LedgerLeg } from '../tables/leg-groups.ts';
import { readSide } from '../tables/legs.ts';

/**
 * Reads Gate.io billing details. The file has a row for the amount that an order reserves, for each fill and for each
 * fee. Rows of one order have the same order number in `action_data`. Refunds for a canceled order reduce the amount
 * paid. The file does not name its time zone.
 */
export const gateIo = coinFormat(
  { id: 'gateio', name: 'Gate.io billing details', source: 'Gate.io', zone: 'local' },
  [{ id: 'billing', header: 'no | time | action_desc | action_data | type | change_amount | amount | total' }],
  rowsInGroups(() => new Gatherer<LedgerLeg>(finish), readRow),
);

const tradeLeg = /^(?:order (?:placed|full?filled|filled|cancell?ed)|trad(?:e|ing) fees?|dust swap.*)$/;

const kinds: Kinds = [
  [/^deposits?$/, 'deposit'],
  [/^withdraw(?:al)?s?$/, 'withdrawal'],
  [/interest/, 'interest'],
  [/rebate|referral/, 'reward'],
  [/^airdrop/, 'airdrop'],
];

function readRow(cells: Cells, orders: Gatherer<LedgerLeg>): Outcome | readonly Outcome[] {
  const side = readSide(cells, 'type', 'change_amount');
  const time = cells.time('time');
  const action = cells.text('action_desc').toLowerCase();
  if (cells.text('change_amount') === '') cells.need('change_amount', null);
  if (cells.flawed || time === null) return cells.refused();
  if (side === null) return cells.skip(skips.zeroAmount);
  const out = cells.text('change_amount').startsWith('-');
  if (tradeLeg.test(action)) return join(orders, { cells, side, out, isFee: action.startsWith('trad') }, action);
  const kind = readRowKind(cells, 'action_desc', kinds);
  if (typeof kind !== 'string') return kind;
  return readCoinChange(cells, time, 'change_amount', { side, sign: out ? 'out' : 'in', kind });
}

function join(orders: Gatherer<LedgerLeg>, leg: LedgerLeg, action: string): Outcome | readonly Outcome[] {
  const order = leg.cells.text('action_data');
  if (order === '') return leg.cells.rejected('action_data', rejections.requiredHere);
  // A refund for a canceled order reduces the payment and is not a receipt.
  const returned = action.startsWith('order cancel') && !leg.out;
  const quantity = -leg.side.quantity as Quantity;
  return orders.add(order, returned ? { ...leg, out: true, side: { ...leg.side, quantity } } : leg);
}

/** Returns the order as one trade, dated at its last fill. */
function finish(legs: readonly LedgerLeg[], order: string): readonly Outcome[] {
  const fills = legs.filter(({ out }) => !out);
  const sent = legs.reduce((sum, { side, out }) => sum + (out ? side.quantity : 0n), 0n);
  if (fills.length === 0 && sent === 0n) return legs.map(({ cells }) => cells.skip(skips.orderCanceled));
  const times = (fills.length === 0 ? legs : fills).map(({ cells }) => cells.time('time'));
  const last = times.reduce((a, b) => ((b?.at ?? 0) > (a?.at ?? 0) ? b : a), times[0] ?? null);
  return exchangeOfLegs(legs, last, 'action_desc', { externalId: order });
}
