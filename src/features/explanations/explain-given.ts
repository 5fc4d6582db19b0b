import type { Transaction } from '../../engine/model.ts';
import { type Book, openLots } from '../../engine/replay.ts';
import type { Role } from './source-roles.ts';

/** What a row used up beside the lots that it sold: options that it exercised or was assigned, a short that it closed. */
export type UsedUp = ReadonlyMap<string, { readonly role: Role; readonly cents: bigint }>;

/** What there is in the evening for rows like these to use up, by the row that opened it: its cost, or what it brought. */
export function leftFor(rows: readonly Transaction[], book: Book): UsedUp {
  const left = new Map<string, { role: Role; cents: bigint }>();
  const add = (row: string, role: Role, cents: bigint): void => {
    left.set(row, { role, cents: (left.get(row)?.cents ?? 0n) + cents });
  };
  for (const { type, asset, account } of rows) {
    const isOwn = (one: { readonly asset: string; readonly account: string }): boolean =>
      one.asset === asset && one.account === account;
    if (type === 'exercise') {
      for (const { id, basis } of openLots(book).filter(isOwn)) add(id.slice(0, id.indexOf('/')), 'option', basis);
    } else if (type === 'assign') {
      for (const one of book.written.filter(isOwn)) add(one.openedBy, 'option', one.wholePremium - one.premiumTaken);
    } else if (type === 'cover') {
      for (const one of book.shorts.filter(isOwn)) add(one.openedBy, 'short', one.wholeProceeds - one.proceedsTaken);
    }
  }
  return left;
}

/** What was there in one evening and is not in the next. */
export function usedBetween(before: UsedUp, after: UsedUp): UsedUp {
  const used = [...before].map(
    ([row, { role, cents }]) => [row, { role, cents: cents - (after.get(row)?.cents ?? 0n) }] as const,
  );
  return new Map(used.filter(([, { cents }]) => cents !== 0n));
}

export function centsOf(used: UsedUp | undefined): bigint {
  return [...(used?.values() ?? [])].reduce((sum, { cents }) => sum + cents, 0n);
}
