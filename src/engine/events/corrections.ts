import type { Transaction } from '../model.ts';
import { typesWhere } from '../transaction-types.ts';
import { classifyAssets } from './classes.ts';

/**
 * Removes reversed trades and their reversals, before they become events. To correct a trade, a broker reports the same
 * row again with a negative amount. This reversal cancels the latest earlier trade of the same type, account, asset and
 * quantity, with the opposite amount, that is not yet canceled. Sales and purchases are canceled alike. A reversal
 * without such a trade raises an issue.
 */
export function withoutReversed(transactions: readonly Transaction[]): readonly Transaction[] {
  return without(transactions, reversalsAmong(transactions));
}

/**
 * Does the same as `withoutReversed` for rows in other currencies, before they are converted to dollars. A reversal on
 * a later day has the same amount, but its exchange rate may differ.
 */
export function withoutForeignReversed(transactions: readonly Transaction[]): readonly Transaction[] {
  return without(transactions, reversalsAmong(transactions.filter(isForeign)));
}

export function isForeign(tx: Transaction): boolean {
  return tx.currency !== '' && tx.currency !== 'USD';
}

function without(transactions: readonly Transaction[], pairs: readonly Reversal[]): readonly Transaction[] {
  if (pairs.length === 0) return transactions;
  const removed = new Set(pairs.flatMap(({ reversed, by }) => [reversed, by]));
  return transactions.filter((tx) => !removed.has(tx));
}

export interface Reversal {
  readonly reversed: Transaction;
  readonly by: Transaction;
}

/** Returns the reversed trades and their reversals. */
export function reversalsAmong(transactions: readonly Transaction[]): Reversal[] {
  const reversals: Transaction[] = [];
  for (const tx of transactions) if (isReversal(tx)) reversals.push(tx);
  if (reversals.length === 0) return [];
  const likes = new Map<string, Transaction[]>(reversals.map((tx) => [likeness(tx), []]));
  for (const tx of transactions) {
    if (tx.amount !== null && tx.amount >= 0n && traded.has(tx.type)) likes.get(likeness(tx))?.push(tx);
  }
  const paired = new Set<Transaction>();
  return reversals.sort(compareRows).flatMap((by) => {
    const candidates = (likes.get(likeness(by)) ?? []).filter(
      (tx) => !paired.has(tx) && isNotAfter(tx, by) && isOpposite(tx, by),
    );
    const reversed = candidates.sort(compareRows).at(-1);
    if (reversed === undefined) return [];
    paired.add(reversed);
    return [{ reversed, by }];
  });
}

/** Returns whether one of the rows may reverse an earlier trade that is not among them. */
export function takesBackEarlier(transactions: readonly Transaction[]): boolean {
  const settled = new Set(reversalsAmong(transactions).map(({ by }) => by));
  return transactions.some((tx) => isReversal(tx) && !settled.has(tx));
}

/**
 * Returns whether a row is a trade with a negative amount. Income with a negative amount is not a reversal. It counts
 * as negative income.
 */
export function isReversal(tx: Transaction): boolean {
  return tx.amount !== null && tx.amount < 0n && traded.has(tx.type);
}

const traded = typesWhere((row) => row.tradeFee);

/** Returns the fields that a reversal repeats, as text. Rows with equal results affect the same books. */
function likeness(tx: Transaction): string {
  const { type, account, asset, quantity, currency, receivedAsset, receivedQuantity, feeAsset, feeQuantity } = tx;
  const parts = [type, account, asset, classifyAssets(tx).asset, quantity, currency];
  return [...parts, receivedAsset, receivedQuantity, feeAsset, feeQuantity, tx.underlying].join('\n');
}

function isNotAfter(tx: Transaction, by: Transaction): boolean {
  return tx.on < by.on || (tx.on === by.on && (tx.at === null || by.at === null || tx.at <= by.at));
}

/**
 * Returns whether the amounts are opposite, with or without the fee. A reversal may repeat the fee, or include it in
 * the amount.
 */
function isOpposite(tx: Transaction, by: Transaction): boolean {
  const [amount, back] = [tx.amount ?? 0n, -(by.amount ?? 0n)];
  if (by.fee === null && amount === back) return true;
  const sign = yields.has(tx.type) ? -1n : 1n;
  const [fee, feeBack] = [tx.fee ?? 0n, by.fee ?? 0n];
  return amount + sign * fee === back + sign * (feeBack < 0n ? -feeBack : feeBack);
}

/** Types whose fee reduces the proceeds. The fee of other trades is added to the cost. */
const yields = typesWhere((row) => row.tradeFee === 'lessens_proceeds');

function compareRows(a: Transaction, b: Transaction): number {
  return a.on - b.on || (a.at ?? 0) - (b.at ?? 0) || a.line - b.line || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
