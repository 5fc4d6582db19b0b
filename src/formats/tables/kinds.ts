import type { TransactionType } from '../../engine/model.ts';
import type { Cells } from '../cells/cells.ts';
import type { Outcome } from '../format.ts';

/** What a source's word for a row means: a type, the reason to skip the row, or the reason to refuse it. */
export type RowKind = TransactionType | { readonly skip: string } | { readonly refuse: string };

/** Words of the source, in lower case and whole, or patterns. The first match decides. */
export type Kinds = readonly (readonly [string | RegExp, RowKind])[];

export const cash: RowKind = { skip: 'money in or out is no gain or loss' };
export const cashFee: RowKind = { skip: 'a fee in cash is no part of a gain' };
export const internal: RowKind = { skip: 'a move within the platform' };
export const derivative: RowKind = { refuse: 'gains of margin and futures are not read: enter them by hand' };

/** The type that the word of a column means, or the outcome of a row without a type. */
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

/** Trackers' labels for assets that came in without anything given for them. */
export const incomeLabels: Kinds = [
  [/airdrop|fork/, 'airdrop'],
  [/min(?:ed|ing)/, 'mining'],
  [/(?<!un|un-)stak|masternode|minting/, 'staking'],
  [/interest|lending/, 'interest'],
  [/reward|cashback|bonus|referral|bount/, 'reward'],
  [/income|salary|wage|payment received/, 'other_income'],
  [/gift/, 'gift_in'],
];

/** Trackers' labels for assets that went out without anything received for them. */
export const outgoingLabels: Kinds = [
  [/gift/, 'gift_out'],
  [/lost|stolen|theft|investment loss/, 'lost'],
  [/donat|charit/, 'donate'],
  [/fee/, 'fee'],
  [/payment|cost|spend|merchant|purchase/, 'spend'],
];

/** The type that a label means. Null for any other label. */
export function labelled(label: string, labels: Kinds): TransactionType | null {
  const kind = labels.find(([shape]) => shape instanceof RegExp && shape.test(label))?.[1];
  return typeof kind === 'string' ? kind : null;
}
