import { type Fold, getOrCreatePool, noteTransaction } from '../../book/fold.ts';
import { addLot } from '../../book/lots.ts';
import type { TransactionEvent } from '../../events/event.ts';
import { followUnderlying, listAffectedPools, moveShorts, moveWritten, takeAllLots } from './corporate-actions.ts';

/**
 * Gives an asset a new name. Lots, shorts and open losses do not change otherwise. If both are already names of one
 * security (`assets[X].sameAs`), nothing changes.
 */
export function rename(fold: Fold, event: TransactionEvent, receivedKey: string): void {
  if (receivedKey === event.key) return;
  const { receivedAsset } = event.tx;
  for (const pool of listAffectedPools(fold, event)) {
    fold.distributions = fold.distributions.map((one) =>
      one.key === pool.key && one.account === pool.account ? { ...one, key: receivedKey } : one,
    );
    const successor = getOrCreatePool(fold, receivedKey, pool.account);
    noteTransaction(successor, event.tx.id);
    for (const lot of takeAllLots(pool)) addLot(fold, successor, { ...lot, key: receivedKey, asset: receivedAsset });
  }
  moveShorts(fold, event, receivedKey, receivedAsset);
  fold.closedShorts = fold.closedShorts.map((one) => (one.key === event.key ? { ...one, key: receivedKey } : one));
  moveWritten(fold, { key: event.key, account: event.account, newKey: receivedKey, asset: receivedAsset });
  for (const call of fold.coveredCalls) if (call.key === event.key) call.key = receivedKey;
  follow(fold.shortLosses, event.key, receivedKey);
  follow(fold.sales, event.key, receivedKey);
  follow(fold.soldPurchases, event.key, receivedKey);
  const losses = fold.losses.get(event.key);
  if (losses !== undefined) {
    const moved = losses.members.slice(losses.head);
    for (const loss of moved) loss.key = receivedKey;
    const there = fold.losses.get(receivedKey);
    const members = [...(there?.members.slice(there.head) ?? []), ...moved].sort((a, b) => a.on - b.on);
    fold.losses.set(receivedKey, { members, head: 0, passed: 0 });
    fold.losses.delete(event.key);
  }
  fold.transits = fold.transits.map((transit) =>
    transit.key === event.key ? { ...transit, key: receivedKey, asset: receivedAsset } : transit,
  );
  followUnderlying(fold, event.key, receivedKey);
}

/** Moves the items of a list to the new key, in the order of their sequence. */
function follow<T extends { key: string; readonly sequence: number }>(
  waiting: Map<string, T[]>,
  key: string,
  receivedKey: string,
): void {
  const moved = waiting.get(key);
  if (moved === undefined) return;
  for (const one of moved) one.key = receivedKey;
  const all = [...(waiting.get(receivedKey) ?? []), ...moved];
  waiting.set(
    receivedKey,
    all.sort((x, y) => x.sequence - y.sequence),
  );
  waiting.delete(key);
}
