import type { TransactionType } from '../../engine/model.ts';
import type { Cells } from '../cells/cells.ts';
import type { Outcome } from '../format.ts';

/** What a source's word for a row means: a type, or why the row is none to keep, or why it cannot be read. */
export type RowKind = TransactionType | { readonly skip: string } | { readonly refuse: string };

/** Words as the source writes them, in lower case and whole, or patterns; the first that fits decides. */
export type Kinds = readonly (readonly [string | RegExp, RowKind])[];

export const cash: RowKind = { skip: 'money in or out is no gain or loss' };
export const cashFee: RowKind = { skip: 'a fee in cash is no part of a gain' };
export const internal: RowKind = { skip: 'a move within the platform' };
export const derivative: RowKind = { refuse: 'gains of margin and futures are not read: enter them by hand' };

/** The type that the column's word means, or what becomes of the row because it means none. */
export function kindIn(
  cells: Cells,
  column: string,
  kinds: Kinds,
  text = cells.text(column),
): TransactionType | Outcome {
  const word = text.trim().toLowerCase();
  const kind = kinds.find(([shape]) => (typeof shape === 'string' ? shape === word : shape.test(word)))?.[1];
  if (kind === undefined) return cells.rejected(column, 'unknown_type', 'this is no type we know');
  if (typeof kind === 'string') return kind;
  return 'skip' in kind ? cells.skip(kind.skip) : cells.rejected(column, 'unknown_type', kind.refuse);
}

/** What trackers call what came in without anything given for it. */
export const incomeLabels: Kinds = [
  [/airdrop|fork/, 'airdrop'],
  [/min(?:ed|ing)/, 'mining'],
  [/stak|masternode|minting/, 'staking'],
  [/interest|lending/, 'interest'],
  [/reward|cashback|bonus|referral|bount/, 'reward'],
  [/income|salary|wage|payment received/, 'other_income'],
  [/gift/, 'gift_in'],
];

/** What trackers call what went out without anything received for it. */
export const outgoingLabels: Kinds = [
  [/gift/, 'gift_out'],
  [/lost|stolen|theft|investment loss/, 'lost'],
  [/donat|charit/, 'donate'],
  [/fee/, 'fee'],
  [/payment|cost|spend|merchant|purchase/, 'spend'],
];

/** The type that a label means; null where it means none of them. */
export function labelled(label: string, labels: Kinds): TransactionType | null {
  const kind = labels.find(([shape]) => shape instanceof RegExp && shape.test(label))?.[1];
  return typeof kind === 'string' ? kind : null;
}
