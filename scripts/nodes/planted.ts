import type { Operation } from './history.ts';

/**
 * Returns the history of one account without one row of the last list that shows any. The checker must detect the loss.
 */
export function plantLoss(history: readonly Operation[]): Operation[] {
  const last = history.findLast((one) => one.kind === 'list' && (one.rows?.length ?? 0) > 0);
  if (last?.kind !== 'list') return [];
  const own = history.filter(({ user }) => user === last.user);
  return own.map((one) => (one === last ? { ...last, rows: (last.rows ?? []).slice(1) } : one));
}
