import type { TransactionType } from '../../engine/model.ts';
import type { Cells } from '../cells/cells.ts';
import { type Rejection, rejections, skips } from '../cells/reasons.ts';
import type { Outcome } from '../format.ts';

/** The meaning of a source's word for a row: a type, a reason to skip the row, or a reason to reject it. */
export type RowKind = TransactionType | { readonly skip: string } | { readonly refuse: Rejection };

/** The source's words in full and in lowercase, or patterns. The first match wins. */
export type Kinds = readonly (readonly [string | RegExp, RowKind])[];

export const cash: RowKind = { skip: skips.cashMoved };
export const cashFee: RowKind = { skip: skips.cashFeePaid };
export const internal: RowKind = { skip: skips.movedWithinPlatform };
export const derivative: RowKind = { refuse: rejections.marginGains };

/** Returns what the first matching word or pattern means. */
export function findKind<Kind>(word: string, kinds: readonly (readonly [string | RegExp, Kind])[]): Kind | undefined {
  return kinds.find(([shape]) => (typeof shape === 'string' ? shape === word : shape.test(word)))?.[1];
}

/** Returns the type for the word in a column, or an outcome if the row has no type. */
export function readRowKind(
  cells: Cells,
  column: string,
  kinds: Kinds,
  text = cells.text(column),
): TransactionType | Outcome {
  const kind = findKind(text.trim().toLowerCase(), kinds);
  if (kind === undefined) return cells.rejected(column, rejections.unknownType);
  if (typeof kind === 'string') return kind;
  return 'skip' in kind ? cells.skip(kind.skip) : cells.rejected(column, kind.refuse);
}

/** Labels that portfolio trackers use for assets received without giving anything in return. */
export const incomeLabels: Kinds = [
  [/airdrop|fork/, 'airdrop'],
  [/min(?:ed|ing)/, 'mining'],
  [/(?<!un|un-)stak|masternode|minting/, 'staking'],
  [/interest|lending/, 'interest'],
  [/reward|cashback|bonus|referral|bount/, 'reward'],
  [/income|salary|wage|payment received/, 'other_income'],
  [/gift/, 'gift_in'],
];

/** Labels that portfolio trackers use for assets sent without receiving anything in return. */
export const outgoingLabels: Kinds = [
  [/gift/, 'gift_out'],
  [/lost|stolen|theft|investment loss/, 'lost'],
  [/donat|charit/, 'donate'],
  [/fee/, 'fee'],
  [/payment|cost|spend|merchant|purchase/, 'spend'],
];

/** Returns the type for a label. Null if the label is unknown. */
export function findLabelType(label: string, labels: Kinds): TransactionType | null {
  const kind = labels.find(([shape]) => shape instanceof RegExp && shape.test(label))?.[1];
  return typeof kind === 'string' ? kind : null;
}
