import { underlyingOf } from '../../../engine/events/keys.ts';
import type { Transaction } from '../../../engine/model.ts';
import { type Book, openLots } from '../../../engine/replay.ts';
import type { SourceRole } from './source-roles.ts';

/** The cost or proceeds of open options and short sales, by the row that opened them. */
export type PositionAmounts = ReadonlyMap<string, { readonly role: SourceRole; readonly cents: bigint }>;

/**
 * Returns the positions in a book that these rows may consume: options that they exercise or assign, and short sales
 * that they close.
 */
export function openPositionsFor(rows: readonly Transaction[], book: Book): PositionAmounts {
  const positions = new Map<string, { role: SourceRole; cents: bigint }>();
  const add = (row: string, role: SourceRole, cents: bigint): void => {
    positions.set(row, { role, cents: (positions.get(row)?.cents ?? 0n) + cents });
  };
  for (const row of rows) {
    const { type, asset, account } = row;
    const isOwn = (one: { readonly asset: string; readonly account: string }): boolean =>
      one.asset === asset && one.account === account;
    if (type === 'exercise') {
      for (const { id, basis } of openLots(book).filter(isOwn)) add(id.slice(0, id.indexOf('/')), 'option', basis);
    } else if (type === 'assign') {
      for (const one of book.written.filter(isOwn)) add(one.openedBy, 'option', one.wholePremium - one.premiumTaken);
    }
    // Stock acquired through an option may also close a short sale.
    const covered = type === 'cover' ? asset : type === 'exercise' || type === 'assign' ? underlyingOf(row) : null;
    for (const one of book.shorts.filter((short) => short.asset === covered && short.account === account)) {
      add(one.openedBy, 'short', one.wholeProceeds - one.proceedsTaken);
    }
  }
  return positions;
}

/** Returns the amounts that were open before and are no longer open after. */
export function consumedBetween(before: PositionAmounts, after: PositionAmounts): PositionAmounts {
  const consumed = [...before].map(
    ([row, { role, cents }]) => [row, { role, cents: cents - (after.get(row)?.cents ?? 0n) }] as const,
  );
  return new Map(consumed.filter(([, { cents }]) => cents !== 0n));
}

export function sumRole(amounts: PositionAmounts | undefined, role: SourceRole): bigint {
  return [...(amounts?.values() ?? [])].reduce((sum, one) => sum + (one.role === role ? one.cents : 0n), 0n);
}
