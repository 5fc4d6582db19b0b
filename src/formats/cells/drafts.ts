import { indexOfRoot } from '../../engine/events/index-options.ts';
import type { Statement } from '../../engine/model.ts';
import type { StatementMember } from '../../engine/statement-members.ts';
import { typesWhere } from '../../engine/transaction-types.ts';
import { unstated } from '../../engine/unstated.ts';
import type { Draft, Outcome, RowIssue } from '../format.ts';
import { columnsOfType } from '../lotbook-columns.ts';
import { beyondLimits } from './beyond-limits.ts';
import { looksLikeOption, readOption } from './option-symbol.ts';
import type { Time } from './times.ts';

/** Drafts of rows. */

/** The type, and the other members that the source states beside the time. */
export type Stated = Pick<Statement, 'type'> & Partial<Omit<Statement, 'at' | 'on'>>;

/** The draft of a stated row. Other members are "not stated". */
export function draftOf(line: number, time: Time, stated: Stated): Draft {
  const zone = time.zone === undefined ? {} : { timeZone: time.zone };
  const draft: Draft = { ...unstated, type: stated.type, at: time.at, on: time.on, line, ...zone };
  const members: Record<string, unknown> = draft as never;
  for (const name of statedNames) if (stated[name] !== undefined) members[name] = stated[name];
  return draft;
}

const statedNames = Object.keys(unstated) as (keyof typeof unstated)[];

/** Checks what the books need of every row, whatever its source, so that no format has to. */
export function faultIn(stated: Stated): Fault | undefined {
  const { type, asset = '', quantity, amount, currency = 'USD', receivedQuantity } = stated;
  const needs = needsOf[type];
  if (currency !== 'USD' && !/^[A-Z]{3}$/.test(currency))
    return { code: 'bad_currency', reason: 'a currency is three letters, as USD' };
  if (asset === '' && needs.asset) return { code: 'missing', reason: 'the asset is missing' };
  if ((amount ?? null) === null && needs.amount && !paysCash(stated))
    return { code: 'missing', reason: 'the amount is missing' };
  if ((isNothing(quantity) && needs.quantity) || (isNothing(receivedQuantity) && needs.receivedQuantity))
    return { code: 'not_positive', reason: 'a quantity must be more than zero' };
  if (
    isNegative(quantity) ||
    isNegative(receivedQuantity) ||
    isNegative(stated.feeQuantity) ||
    isNegative(stated.basis) ||
    isNegative(stated.fmv) ||
    isNegative(stated.wash) ||
    isNegative(stated.shares)
  )
    return { code: 'negative', reason: 'a quantity, a basis or a disallowed loss is never negative' };
  // Nontaxable rights may have a basis of zero (IRC 307(b)(1)). No other row turns units into none.
  if (stated.ratio?.numerator === 0n && type !== 'spinoff')
    return { member: 'ratio', code: 'bad_ratio', reason: 'only the ratio of a spin-off may be zero' };
  if (isUnreadOption(stated))
    return { member: 'asset', code: 'bad_option', reason: 'this looks like an option that we cannot read' };
  return beyondLimits(stated);
}

/** An option that counted as a share would have no expiration, no underlying and no shares of a contract. */
function isUnreadOption({ asset = '', assetClass = null }: Stated): boolean {
  const mayBeShare = assetClass === null || assetClass === 'stock' || assetClass === 'fund';
  return mayBeShare && looksLikeOption(asset) && readOption(asset) === undefined;
}

const needsOf = Object.fromEntries(
  Object.entries(columnsOfType).map(([type, { needs }]) => [
    type,
    {
      asset: needs.includes('asset'),
      amount: needs.includes('amount'),
      quantity: needs.includes('quantity'),
      receivedQuantity: needs.includes('received_quantity'),
    },
  ]),
) as Record<Statement['type'], { asset: boolean; amount: boolean; quantity: boolean; receivedQuantity: boolean }>;

/** An option on an index pays cash that many files do not state: the engine asks for it. */
function paysCash({ type, underlying = '' }: Stated): boolean {
  return (type === 'exercise' || type === 'assign') && indexOfRoot(underlying) !== undefined;
}

/** Types of income whose units come in. */
const incomeInKind = typesWhere(({ income, lots }) => income !== undefined && lots === 'opens');

/** A draft with what its row should be checked for, in its note too. */
export function withWarning(draft: Draft, warning: string): Draft {
  return { ...draft, note: draft.note === '' ? warning : `${draft.note} ${warning}`, warning };
}

/** Whether this is income of units that have a minus in the row. Money counts as units of its currency. */
export function isTakenBack({ type, quantity, amount }: Stated, outgoing: readonly bigint[]): boolean {
  if (!incomeInKind.has(type)) return false;
  const units = quantity ?? (amount ?? 0n) * 10_000_000_000n;
  return units > 0n && outgoing.includes(units);
}

/** Units earned for a value of nothing: what they were worth the source does not know, so it is asked. */
export function withoutNoValue(stated: Stated): Stated {
  const isEmpty = stated.amount === 0n && (stated.quantity ?? 0n) > 0n && incomeInKind.has(stated.type);
  return isEmpty ? { ...stated, amount: null } : stated;
}

/** An event of shares or contracts whose money nothing would keep: cash for a fraction, or for an expired option. */
export function isWithoutMoney({ type, amount }: Stated): boolean {
  return type === 'expire' || ((amount ?? null) === null && sharesOnly.has(type));
}

const sharesOnly: ReadonlySet<Statement['type']> = new Set(['split', 'exercise', 'assign']);

export const moneyLeft = 'this kind of row has no money, and the row states some: enter it by hand';
export const outgoingIncome = 'income that goes out: enter it by hand';

function isNothing(value: bigint | null | undefined): boolean {
  return value === null || value === undefined || value === 0n;
}

function isNegative(value: bigint | null | undefined): boolean {
  return value !== null && value !== undefined && value < 0n;
}

interface Fault {
  /** The member at fault, where it is one. */
  readonly member?: StatementMember;
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
