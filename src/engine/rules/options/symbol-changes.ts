import { type Fold, getOrCreatePool, noteTransaction } from '../../book/fold.ts';
import { addLot } from '../../book/lots.ts';
import { termsOfOption } from '../../book/option-symbols.ts';
import type { Event } from '../../events/event.ts';
import { toAssetKey, underlyingOf } from '../../events/keys.ts';
import type { TransactionType } from '../../model.ts';
import { moveWritten, takeAllLots } from '../corporate-actions/corporate-actions.ts';

const trades: ReadonlySet<TransactionType> = new Set([
  'buy_to_open',
  'sell_to_open',
  'buy_to_close',
  'sell_to_close',
  'expire',
  'exercise',
  'assign',
  'buy',
  'sell',
]);

/**
 * Moves positions in an option to the new symbol of its stock. Positions keep the old symbol until a row of their
 * account states the new one.
 */
export function followSymbol(fold: Fold, event: Event): void {
  if (fold.otherSymbols.size === 0 || event.assetClass !== 'option' || !trades.has(event.tx.type)) return;
  const underlying = underlyingOf(event.tx);
  if (underlying === '') return;
  const stockKey = toAssetKey(underlying, 'stock');
  const terms = termsOfOption(event.asset, stockKey);
  const symbols = terms === null ? undefined : fold.otherSymbols.get(terms);
  for (const key of symbols ?? []) if (key !== event.key) movePositions(fold, event, key, stockKey);
}

function movePositions(fold: Fold, event: Event, key: string, stockKey: string): void {
  const { key: newKey, asset, account } = event;
  const isOnStock = (option: { readonly underlyingKey: string | null }): boolean => option.underlyingKey === stockKey;
  const pool = fold.pools.get(key)?.get(account);
  if (pool !== undefined && pool.lots.size > 0 && pool.lots.values().every(isOnStock)) {
    const successor = getOrCreatePool(fold, newKey, account);
    noteTransaction(successor, event.tx.id);
    for (const lot of takeAllLots(pool)) addLot(fold, successor, { ...lot, key: newKey, asset });
    for (const changed of [key, newKey, stockKey]) fold.recent.delete(changed);
  }
  moveWritten(fold, { key, account, newKey, asset }, isOnStock);
}
