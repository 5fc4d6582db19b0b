import { addDays, type Day, lastDayOf, yearOf } from '../../../base/day.ts';
import { type Cents, formatQuantity, type Quantity } from '../../../base/decimal.ts';
import type { Book } from '../../book/book.ts';
import { type Fold, isRetirement } from '../../book/fold.ts';
import { remainingBasis } from '../../book/remaining.ts';
import { isContractKey } from '../../events/keys.ts';

/**
 * Issues about section 1256 contracts that were not marked. A contract that is open at the end of a year is treated as
 * sold for its value on the last business day (IRC 1256(a)(1)). If no row marks it, its gain or loss for that year is
 * unknown. An issue is raised once the book has a row in a later year. It counts as caused on January 1 of the next
 * year (`causedOn`), so a replay that resumes earlier decides again.
 */

/**
 * The ordinal in the ids of this issue. It differs from the ordinals of issues about the row that opened the position.
 */
export const yearEndOrdinal = 9;

interface OpenContract {
  readonly key: string;
  readonly account: string;
  readonly asset: string;
  readonly openedBy: string;
  readonly sequence: number;
  readonly quantity: bigint;
  /** Its cost or proceeds, in cents. */
  readonly cents: bigint;
  readonly markedOn: Day | undefined;
}

/**
 * Raises issues about open contracts that were not marked at the end of a year, for the year of `from` and every later
 * year before the year of `until`.
 */
export function raiseUnmarked(fold: Fold, from: Day, until: Day): void {
  if (yearOf(from) >= yearOf(until)) return;
  const open = openContracts(fold).filter(({ account }) => !isRetirement(fold, account));
  const held = Map.groupBy(open, ({ key, account }) => `${account} ${key}`);
  for (let year = yearOf(from); year < yearOf(until) && open.length > 0; year++) {
    for (const positions of held.values()) raiseUnmarkedPositions(fold, year, positions);
  }
}

/**
 * Returns the section 1256 contracts among the keys, each with the day after `from`, if a year ends between the two
 * days. Otherwise returns an empty list.
 */
export function yearEndsBetween(keys: Iterable<string>, from: Day, until: Day): { key: string; on: Day }[] {
  if (yearOf(from) >= yearOf(until)) return [];
  return [...keys].filter(isContractKey).map((key) => ({ key, on: addDays(from, 1) }));
}

/** Returns whether a book has open contracts, so that the end of a year may raise an issue. */
export function hasContracts({ pools, shorts, written }: Pick<Book, 'pools' | 'shorts' | 'written'>): boolean {
  return [...pools, ...shorts, ...written].some(({ key }) => isContractKey(key));
}

function openContracts(fold: Fold): OpenContract[] {
  const open: OpenContract[] = [];
  for (const [key, accounts] of fold.pools) {
    if (!isContractKey(key)) continue;
    for (const { account, lots } of accounts.values()) {
      for (const lot of lots.values()) open.push({ ...toOpenContract(lot), account, cents: remainingBasis(lot) });
    }
  }
  for (const short of [...fold.shorts.values()].flat()) {
    if (isContractKey(short.key))
      open.push({ ...toOpenContract(short), cents: short.wholeProceeds - short.proceedsTaken });
  }
  for (const option of [...fold.written.values()].flat()) {
    if (isContractKey(option.key))
      open.push({ ...toOpenContract(option), cents: option.wholePremium - option.premiumTaken });
  }
  return open.filter(({ quantity }) => quantity > 0n).sort((a, b) => a.sequence - b.sequence);
}

function toOpenContract(
  one: Omit<OpenContract, 'cents' | 'markedOn'> & { readonly markedOn?: Day },
): Omit<OpenContract, 'cents'> {
  const { key, account, asset, openedBy, sequence, quantity, markedOn } = one;
  return { key, account, asset, openedBy, sequence, quantity, markedOn };
}

function raiseUnmarkedPositions(fold: Fold, year: number, positions: readonly OpenContract[]): void {
  const end = lastDayOf(year);
  // An option that expires by the end of the year is closed by then, either by a row or because it counts as expired.
  if (fold.lapses.some(({ key, expires }) => key === positions[0]?.key && expires <= end)) return;
  // The last business day is always one of the last three days of the year.
  const unmarked = positions.filter(({ markedOn }) => markedOn === undefined || markedOn > end || markedOn < end - 2);
  const [first] = unmarked;
  if (first === undefined) return;
  const sum = (values: readonly bigint[]): bigint => values.reduce((all, value) => all + value, 0n);
  const units = formatQuantity(sum(unmarked.map(({ quantity }) => quantity)) as Quantity);
  fold.facts.push({
    kind: 'issue',
    causedOn: addDays(end, 1),
    id: `${first.openedBy}/${yearEndOrdinal}/value_missing/${first.account}/${year}`,
    issue: 'value_missing',
    on: end,
    asset: first.asset,
    account: first.account,
    transactions: [first.openedBy],
    dollars: sum(unmarked.map(({ cents }) => (cents < 0n ? -cents : cents))) as Cents,
    detail:
      `The value of ${units} ${first.asset} in ${first.account} at the end of ${year} is missing, so its gain or loss for that ` +
      'year is not calculated (IRC 1256(a)(1)). Add a mark for the last business day of the year.',
  });
}
