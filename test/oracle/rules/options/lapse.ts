import { addDays, type Day } from '../../../../src/base/day.ts';
import type { Transaction } from '../../../../src/engine/model.ts';
import type { OracleEvent } from '../../events/events.ts';
import { nothing, sum } from '../../numbers.ts';
import { dropEmpty, isRetirement, isSame, raise, remaining, type State } from '../../state.ts';
import { takeLots } from '../lots/take.ts';
import { sell } from '../sales/dispose.ts';
import { joinBasis } from '../short-sales/puts.ts';
import { endWritten } from '../short-sales/shorts.ts';
import { expiryOf, graceDays } from './option.ts';

/**
 * Adds expirations that no row reports. If the history continues for a week after the expiration, contracts that no row
 * has closed count as expired. Each option in the history has one event, at the end of its expiration day.
 */
export function withLapses(events: readonly OracleEvent[], history: readonly Transaction[]): OracleEvent[] {
  const known = Math.max(...events.map((event) => event.on), ...history.map((row) => row.on));
  const all = [...events];
  const seen = new Set<string>();
  const names = events.flatMap(({ transaction }) => {
    const { type, receivedAsset } = transaction;
    return type === 'rename' ? [transaction, { ...transaction, asset: receivedAsset }] : [transaction];
  });
  for (const transaction of names) {
    const { asset, assetClass } = transaction;
    const expires = expiryOf(asset);
    const name = `${asset} ${assetClass}`;
    if (expires === undefined || seen.has(name) || !['option', 'section_1256'].includes(assetClass)) continue;
    seen.add(name);
    const on = addDays(expires, graceDays);
    if (on > known) continue;
    const lapse: OracleEvent = { transaction, ordinal: 0, role: 'lapse', on, timed: false };
    const after = all.findIndex((event) => event.on > on);
    all.splice(after === -1 ? all.length : after, 0, lapse);
  }
  return all;
}

/** Expires the open contracts: a holder loses the cost, a writer keeps the premium, and both are asked. */
export function lapse(state: State, event: OracleEvent): void {
  const { asset, assetClass } = event.transaction;
  const lots = state.lots.filter((lot) => isSame(lot, asset, assetClass) && remaining(lot).gt(0));
  const written = state.shorts.filter(
    (short) => short.written && isSame(short, asset, assetClass) && remaining(short).gt(0),
  );
  const accounts = new Set([...lots, ...written].map((position) => position.account));
  for (const account of [...accounts].sort()) {
    const own = lots.filter((lot) => lot.account === account).sort((a, b) => a.order - b.order);
    const short = written.filter((one) => one.account === account);
    const id = own[0]?.transactionId ?? short[0]?.origin.split('/')[0] ?? '';
    const transaction = { ...event.transaction, id, account, lots: [], type: 'expire' as const };
    const expiry = { ...event, transaction, on: expiryOf(asset) ?? event.on };
    const held = sum(own.map(remaining));
    if (held.gt(0)) {
      const lots = takeLots(state, expiry, { asset, assetClass, account, quantity: held, named: [] });
      const from = joinBasis(state, account, lots);
      const lost = sum(from.map((slice) => slice.quantity));
      dropEmpty(state);
      if (lost.gt(0))
        sell(state, expiry, { asset, assetClass, account, quantity: lost, proceeds: nothing, expired: true, from });
    }
    if (short.length > 0) endWritten(state, expiry, sum(short.map(remaining)), nothing, true);
    if (!isRetirement(state, account)) raise(state, id, 'option_expired');
  }
}

/**
 * Returns true if an option that is still open on one day has ended by another day, which is not before its expiration.
 */
export function endsBy(asset: string, open: Day, by: Day): boolean {
  const expires = expiryOf(asset);
  return expires !== undefined && expires <= by && open < addDays(expires, graceDays);
}
