import type { Transaction } from '../../../../src/engine/model.ts';
import { dayOfEvent } from '../../events/events.ts';
import { Exact, sum, units } from '../../numbers.ts';
import { familyOf, raise, type State } from '../../state.ts';
import { openDaysFrom } from '../lots/settlement.ts';
import { optionOf } from './option.ts';

/**
 * Asks about trades that may repeat a delivery by an option: at the strike price on that day or the trading day before
 * or after. The rows alone do not settle whether both are the same, so the taxpayer is asked once per trade.
 */
export function askAboutDeliveries(state: State, rows: readonly Transaction[]): void {
  const inOrder = rows.toSorted((a, b) => dayOfEvent(a) - dayOfEvent(b) || a.line - b.line || (a.id < b.id ? -1 : 1));
  const asked = new Set<Transaction>();
  for (const end of inOrder) {
    if ((end.type !== 'exercise' && end.type !== 'assign') || familyOf(end.assetClass) === 'contract') continue;
    const { underlying, right } = optionOf(end);
    if (underlying === '' || right === null) continue;
    const types = (end.type === 'exercise') === (right === 'call') ? ['buy', 'cover'] : ['sell', 'short_sell'];
    const days = [end.on, dayOfEvent(end)];
    for (const trade of inOrder) {
      if (asked.has(trade) || !types.includes(trade.type) || trade.account !== end.account) continue;
      if (trade.asset !== underlying || familyOf(trade.assetClass) !== 'security') continue;
      if (!days.some((day) => openDaysFrom(day, trade.on) <= 1) || !isForStrike(end, trade, types[0] === 'buy'))
        continue;
      asked.add(trade);
      raise(state, end.id, 'unreconciled');
    }
  }
}

/**
 * Returns true if the amount equals the strike price to the cent, or is higher for a buyer or lower for a seller by
 * fees of 0.005% and a tenth of a cent per share.
 */
function isForStrike(end: Transaction, trade: Transaction, buys: boolean): boolean {
  if (trade.amount === null) return false;
  const strike = /^.+ \d{4}-\d{2}-\d{2} [CP] ([\d.]+)$/.exec(end.asset)?.[1];
  const [shares, paid] = [units(trade.quantity), new Exact(trade.amount.toString()).div(1e8)];
  const all = end.shares === null ? units(end.quantity).times(100) : units(end.shares);
  if (strike === undefined && (end.amount === null || all.isZero())) return false;
  const whole = end.amount === null ? sum([]) : new Exact(end.amount.toString()).div(1e8);
  const price = strike === undefined ? whole.times(shares).div(all) : shares.times(strike);
  const fees = buys ? paid.minus(price) : price.minus(paid);
  if (fees.abs().lte('0.01')) return true;
  return fees.gte(0) && fees.lte(paid.div(20_000).plus(shares.times('0.001')).plus('0.01'));
}
