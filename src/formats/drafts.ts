import type { Statement } from '../engine/model.ts';
import type { Draft, Outcome, RowIssue } from './format.ts';
import { columnsOfType } from './lotbook-columns.ts';
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

/** What the books need of every such row, whatever the source: no format has to think of it. */
export function faultIn({ type, asset = '', quantity, amount, currency = 'USD', ...rest }: Stated): Fault | undefined {
  const { needs } = columnsOfType[type];
  if (!/^[A-Z]{3}$/.test(currency)) return { code: 'bad_currency', reason: 'a currency is three letters, as USD' };
  if (asset === '' && needs.includes('asset')) return { code: 'missing', reason: 'the asset is missing' };
  if ((amount ?? null) === null && needs.includes('amount'))
    return { code: 'missing', reason: 'the amount is missing' };
  const nothing = (value: bigint | null | undefined): boolean => (value ?? 0n) === 0n;
  if (
    (nothing(quantity) && needs.includes('quantity')) ||
    (nothing(rest.receivedQuantity) && needs.includes('received_quantity'))
  )
    return { code: 'not_positive', reason: 'a quantity must be more than zero' };
  const unsigned = [quantity, rest.receivedQuantity, rest.feeQuantity, rest.basis, rest.fmv, rest.wash, rest.shares];
  if (unsigned.some((value) => value != null && value < 0n))
    return { code: 'negative', reason: 'a quantity, a basis or a disallowed loss is never negative' };
  return undefined;
}

interface Fault {
  readonly code: string;
  readonly reason: string;
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
