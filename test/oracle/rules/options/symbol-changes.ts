import type { OracleEvent } from '../../events/events.ts';
import { isSame, type OracleLot, type OracleShort, remaining, type State } from '../../state.ts';
import { makeWhole } from '../corporate-actions/affected-lots.ts';
import { optionOf } from './option.ts';

const symbol = /^(.+?)(\d?) (\d{4}-\d{2}-\d{2} [CP] [\d.]+)$/;
const types = [
  'buy_to_open',
  'sell_to_open',
  'buy_to_close',
  'sell_to_close',
  'expire',
  'exercise',
  'assign',
  'buy',
  'sell',
];

/** Renames a contract: the contracts left in the account now have the row's name. */
export function renameContract(state: State, event: OracleEvent): void {
  const { asset, assetClass, account, type } = event.transaction;
  if (assetClass !== 'option' || !types.includes(type)) return;
  const { underlying } = optionOf(event.transaction);
  const terms = termsOf(asset);
  if (underlying === '' || terms === null) return;
  const isIt = (one: OracleLot | OracleShort): boolean =>
    one.asset !== asset &&
    one.account === account &&
    one.underlying === underlying &&
    one.assetClass === 'option' &&
    termsOf(one.asset) === terms;
  const lots = state.lots.filter((lot) => isIt(lot) && remaining(lot).gt(0));
  makeWhole(state, lots);
  for (const one of [...lots, ...state.shorts.filter((short) => short.written && isIt(short))]) one.asset = asset;
}

/** Renames options together with their stock. */
export function renameUnderlying(state: State, event: OracleEvent): void {
  const { asset, assetClass, receivedAsset } = event.transaction;
  const isStock = (name: string): boolean =>
    name !== '' && isSame({ asset: name, assetClass: 'stock' }, asset, assetClass);
  for (const one of [...state.lots, ...state.shorts]) if (isStock(one.underlying)) one.underlying = receivedAsset;
  state.offsetLosses = state.offsetLosses.map((one) => (isStock(one.stock) ? { ...one, stock: receivedAsset } : one));
  for (const put of state.puts) if (isStock(put.asset)) put.asset = receivedAsset;
}

/** Returns the expiration, right and strike, and the digit of a mini or adjusted contract. */
function termsOf(asset: string): string | null {
  const [, root = '', digit = '', terms = ''] = symbol.exec(asset) ?? [];
  return root === '' ? null : `${digit} ${terms.includes('.') ? terms.replace(/\.?0+$/, '') : terms}`;
}
