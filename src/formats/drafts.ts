import type { Statement } from '../engine/model.ts';
import type { Draft, Outcome, RowIssue } from './format.ts';
import type { Time } from './times.ts';

/** What a reader says of rows. */

/** Every member of a statement that a source may leave out, as left out. */
export const unstated = {
  account: '',
  asset: '',
  assetClass: null,
  quantity: null,
  amount: null,
  fee: null,
  currency: 'USD',
  receivedAsset: '',
  receivedQuantity: null,
  feeAsset: '',
  feeQuantity: null,
  feeOwn: null,
  toAccount: '',
  acquired: null,
  basis: null,
  fmv: null,
  ratio: null,
  lots: [],
  identifiedAt: null,
  shares: null,
  underlying: '',
  right: null,
  box: null,
  wash: null,
  term: null,
  externalId: '',
  note: '',
} as const satisfies Omit<Draft, 'line' | 'type' | 'at' | 'on'>;

/** The type, and what else the source states beside the time. */
export type Stated = Pick<Statement, 'type'> & Partial<Omit<Statement, 'at' | 'on'>>;

/** A draft of what the source states; the rest is "not stated". */
export function draftOf(line: number, time: Time, stated: Stated): Draft {
  return { ...unstated, ...stated, line, at: time.at, on: time.on };
}

export function read(line: number, ...drafts: readonly Draft[]): Outcome {
  return { kind: 'read', lines: [line], drafts };
}

export function skipped(line: number, reason: string): Outcome {
  return { kind: 'skipped', lines: [line], reason };
}

export function rejected(issue: RowIssue): Outcome {
  return { kind: 'rejected', lines: [issue.line], issue };
}
