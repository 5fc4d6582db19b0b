import { indexOfRoot } from '../../engine/events/index-options.ts';
import type { Statement } from '../../engine/model.ts';
import type { StatementMember } from '../../engine/statement-members.ts';
import { typesWhere } from '../../engine/transaction-types.ts';
import { unstatedMembers } from '../../engine/unstated-members.ts';
import type { Draft, Outcome, RowIssue } from '../format.ts';
import { columnsOfType } from '../lotbook-columns.ts';
import { beyondLimits } from './beyond-limits.ts';
import { looksLikeOption, readOption } from './option-symbol.ts';
import { type Rejection, rejections } from './reasons.ts';
import type { Time } from './times.ts';

/** The type and other fields that a source provides, except the time. */
export type StatedFields = Pick<Statement, 'type'> & Partial<Omit<Statement, 'at' | 'on'>>;

/** Builds the draft for a row. Fields that are not in `stated` stay unset. */
export function toDraft(line: number, time: Time, stated: StatedFields): Draft {
  const zone = time.zone === undefined ? {} : { timeZone: time.zone };
  const draft: Draft = { ...unstatedMembers, type: stated.type, at: time.at, on: time.on, line, ...zone };
  const members: Record<string, unknown> = draft as never;
  for (const name of statedNames) if (stated[name] !== undefined) members[name] = stated[name];
  return draft;
}

const statedNames = Object.keys(unstatedMembers) as (keyof typeof unstatedMembers)[];

/** Checks the rules that apply to every row from every source, so individual formats do not need to. */
export function findFault(stated: StatedFields): Fault | undefined {
  return findContradiction(stated) ?? beyondLimits(stated);
}

/** Checks the same rules except the limits, for a row whose cells were read within the limits. */
export function findContradiction(stated: StatedFields): Fault | undefined {
  const { type, asset = '', quantity, amount, currency = 'USD', receivedQuantity } = stated;
  const needs = needsOf[type];
  if (currency !== 'USD' && !/^[A-Z]{3}$/.test(currency)) return rejections.malformedCurrency;
  if (asset === '' && needs.asset) return rejections.assetMissing;
  if ((amount ?? null) === null && needs.amount && !paysCash(stated)) return rejections.amountMissing;
  if ((isNothing(quantity) && needs.quantity) || (isNothing(receivedQuantity) && needs.receivedQuantity))
    return rejections.quantityNotPositive;
  if (
    isNegative(quantity) ||
    isNegative(receivedQuantity) ||
    isNegative(stated.feeQuantity) ||
    isNegative(stated.basis) ||
    isNegative(stated.fmv) ||
    isNegative(stated.wash) ||
    isNegative(stated.shares)
  )
    return rejections.negativeValue;
  // Nontaxable rights can have a basis of zero (IRC 307(b)(1)). Only a spin-off may have a ratio of zero, which moves
  // no basis.
  if (stated.ratio?.numerator === 0n && type !== 'spinoff') return { member: 'ratio', ...rejections.zeroRatio };
  return isUnreadOption(stated) ? { member: 'asset', ...rejections.unreadableOption } : undefined;
}

/**
 * Returns whether the asset looks like an option that could not be parsed. As a share, it would lose its expiration,
 * underlying and contract size.
 */
function isUnreadOption({ asset = '', assetClass = null }: StatedFields): boolean {
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

/**
 * Returns whether this exercise or assignment settles in cash. Many files omit the cash of an index option, so the
 * engine asks for it.
 */
function paysCash({ type, underlying = '' }: StatedFields): boolean {
  return (type === 'exercise' || type === 'assign') && indexOfRoot(underlying) !== undefined;
}

/** Income types that add units. */
const incomeInKind = typesWhere(({ income, lots }) => income !== undefined && lots === 'opens');

/** Adds a warning to the draft and to its note. */
export function withWarning(draft: Draft, warning: string): Draft {
  return { ...draft, note: draft.note === '' ? warning : `${draft.note} ${warning}`, warning };
}

/** Returns whether this is income that the row shows with a minus sign. Money counts as units of its currency. */
export function isTakenBack({ type, quantity, amount }: StatedFields, outgoing: readonly bigint[]): boolean {
  if (!incomeInKind.has(type)) return false;
  const units = quantity ?? (amount ?? 0n) * 10_000_000_000n;
  return units > 0n && outgoing.includes(units);
}

/** Clears a value of zero on units received as income. The source does not know the value, so Lotbook asks the user. */
export function withoutNoValue(stated: StatedFields): StatedFields {
  const isEmpty = stated.amount === 0n && (stated.quantity ?? 0n) > 0n && incomeInKind.has(stated.type);
  return isEmpty ? { ...stated, amount: null } : stated;
}

/** Returns whether importing this event would drop money in its row, such as cash for a fractional share. */
export function isWithoutMoney({ type, amount }: StatedFields): boolean {
  return type === 'expire' || ((amount ?? null) === null && sharesOnly.has(type));
}

const sharesOnly: ReadonlySet<Statement['type']> = new Set(['split', 'exercise', 'assign']);

function isNothing(value: bigint | null | undefined): boolean {
  return value === null || value === undefined || value === 0n;
}

function isNegative(value: bigint | null | undefined): boolean {
  return value !== null && value !== undefined && value < 0n;
}

interface Fault extends Rejection {
  /** The invalid field, if there is exactly one. */
  readonly member?: StatementMember;
}

export function read(line: number, ...drafts: readonly Draft[]): Outcome {
  return { kind: 'read', lines: [line], drafts };
}

/** Does the same for one draft. Almost every row has one, so it gets no list of arguments. */
export function readOne(line: number, draft: Draft): Outcome {
  return { kind: 'read', lines: [line], drafts: [draft] };
}

export function toSkippedOutcome(line: number, reason: string): Outcome {
  return { kind: 'skipped', lines: [line], reason };
}

export function toRejectedOutcome(issue: RowIssue): Outcome {
  return { kind: 'rejected', lines: [issue.line], issue };
}
