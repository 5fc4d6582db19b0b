import type { Transaction } from '../model.ts';
import { typesWhere } from '../transaction-types.ts';
import { classesOf } from './classes.ts';

/**
 * A broker corrects by reversal: the same row again with a negative amount. It takes back the trade that it mirrors, which
 * is then as if it had never been: of the type, account, asset and quantity, for the opposite amount, not later, and not
 * taken back already; of several the latest. Both rows leave before they become events, so a sale is taken back as
 * easily as a purchase. A row that mirrors none is asked about when its turn comes.
 */
export function withoutReversed(transactions: readonly Transaction[]): readonly Transaction[] {
  return without(transactions, reversalsAmong(transactions));
}

/**
 * As `withoutReversed`, of rows in other currencies before they are converted into dollars: a row that takes another back on a
 * later day says the same amount again, and another rate makes other dollars of it.
 */
export function withoutForeignReversed(transactions: readonly Transaction[]): readonly Transaction[] {
  return without(transactions, reversalsAmong(transactions.filter(isForeign)));
}

export function isForeign(tx: Transaction): boolean {
  return tx.currency !== '' && tx.currency !== 'USD';
}

function without(transactions: readonly Transaction[], pairs: readonly Reversal[]): readonly Transaction[] {
  if (pairs.length === 0) return transactions;
  const gone = new Set(pairs.flatMap(({ reversed, by }) => [reversed, by]));
  return transactions.filter((tx) => !gone.has(tx));
}

export interface Reversal {
  readonly reversed: Transaction;
  readonly by: Transaction;
}

/** Which trades are taken back, and by which rows. */
export function reversalsAmong(transactions: readonly Transaction[]): Reversal[] {
  const reversals: Transaction[] = [];
  for (const tx of transactions) if (isReversal(tx)) reversals.push(tx);
  if (reversals.length === 0) return [];
  const likes = new Map<string, Transaction[]>(reversals.map((tx) => [likeness(tx), []]));
  for (const tx of transactions) {
    if (tx.amount !== null && tx.amount >= 0n && traded.has(tx.type)) likes.get(likeness(tx))?.push(tx);
  }
  const taken = new Set<Transaction>();
  return reversals.sort(compareRows).flatMap((by) => {
    const candidates = (likes.get(likeness(by)) ?? []).filter(
      (tx) => !taken.has(tx) && isNotAfter(tx, by) && isOpposite(tx, by),
    );
    const reversed = candidates.sort(compareRows).at(-1);
    if (reversed === undefined) return [];
    taken.add(reversed);
    return [{ reversed, by }];
  });
}

/** Whether one of them may take back a trade that is not among them, stated before. */
export function takesBackEarlier(transactions: readonly Transaction[]): boolean {
  const settled = new Set(reversalsAmong(transactions).map(({ by }) => by));
  return transactions.some((tx) => isReversal(tx) && !settled.has(tx));
}

/** A trade with a negative amount. Income just counts negative. */
export function isReversal(tx: Transaction): boolean {
  return tx.amount !== null && tx.amount < 0n && traded.has(tx.type);
}

const traded = typesWhere((row) => row.tradeFee);

/** What a reversal says again as it was. Rows alike in it move the same books. */
function likeness(tx: Transaction): string {
  const { type, account, asset, quantity, currency, receivedAsset, receivedQuantity, feeAsset, feeQuantity } = tx;
  const parts = [type, account, asset, classesOf(tx).asset, quantity, currency];
  return [...parts, receivedAsset, receivedQuantity, feeAsset, feeQuantity, tx.underlying].join('\n');
}

function isNotAfter(tx: Transaction, by: Transaction): boolean {
  return tx.on < by.on || (tx.on === by.on && (tx.at === null || by.at === null || tx.at <= by.at));
}

/** The amount, or what was paid or came with the fee in it: the fee may be said again, or stand in the amount. */
function isOpposite(tx: Transaction, by: Transaction): boolean {
  const [amount, back] = [tx.amount ?? 0n, -(by.amount ?? 0n)];
  if (by.fee === null && amount === back) return true;
  const sign = yields.has(tx.type) ? -1n : 1n;
  const [fee, feeBack] = [tx.fee ?? 0n, by.fee ?? 0n];
  return amount + sign * fee === back + sign * (feeBack < 0n ? -feeBack : feeBack);
}

/** Types whose fee lessens what they yield; with the others it adds to what they cost. */
const yields = typesWhere((row) => row.tradeFee === 'lessens_proceeds');

function compareRows(a: Transaction, b: Transaction): number {
  return a.on - b.on || (a.at ?? 0) - (b.at ?? 0) || a.line - b.line || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
