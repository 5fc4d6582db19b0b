import { formatDay, formatInstant } from '../../base/day.ts';
import { formatMoney, formatQuantity } from '../../base/decimal.ts';
import type { StatedNames } from '../../engine/events/same-assets.ts';
import type { Ratio, Statement, Transaction } from '../../engine/model.ts';
import {
  type ExtraMember,
  extraMembers,
  type MemberKind,
  type MemberValues,
  memberNames,
  statementMembers,
} from '../../engine/statement-members.ts';

/** A transaction with the field names of the API. Unset members are omitted, except those that every list shows. */

export interface Review {
  readonly kind: string;
  readonly detail: string;
  /** The largest possible error of the result. Null: unknown. */
  readonly dollars: string | null;
}

export interface RowSource {
  readonly importId: string | null;
  readonly line: number | null;
}

export function transactionView(
  transaction: Transaction,
  source: RowSource,
  review: readonly Review[],
  statedNames: StatedNames = {},
) {
  const { id, at, on, externalId } = transaction;
  return {
    id,
    date: at === null ? formatDay(on) : formatInstant(at),
    day: formatDay(on),
    ...(Object.fromEntries(usualMembers.map((name) => [name, formatMember(transaction, name)])) as UsualTexts),
    ...(Object.fromEntries(statedMembers(transaction)) as ExtraTexts),
    ...(Object.keys(statedNames).length === 0 ? {} : { statedNames }),
    source: { importId: source.importId, line: source.line, externalId: externalId === '' ? null : externalId },
    review: [...review],
  };
}

/** Members with a fixed position in the response: the date, the source ID, and the note at the end. */
const separateMembers = ['at', 'on', 'externalId', 'note'] as const;
type UsualMember = Exclude<keyof Statement, ExtraMember | (typeof separateMembers)[number]>;
type OptionalMember = ExtraMember | 'note';

/** Members that every list shows. */
export const usualMembers = memberNames.filter(
  (name): name is UsualMember => !('isExtra' in statementMembers[name]) && !separateMembers.some((one) => one === name),
);
/** Members that are omitted if unset. */
export const optionalMembers: readonly OptionalMember[] = [...extraMembers, 'note'];

type UsualTexts = { readonly [Name in UsualMember]: TextOf<Transaction[Name]> };

type ExtraTexts = { readonly [Name in OptionalMember]?: NonNullable<TextOf<Transaction[Name]>> };

/** Text stays text; numbers, days and lists become text. */
type TextOf<Value> = Value extends string | null ? Value : null extends Value ? string | null : string;

const textOfKind: { readonly [Kind in MemberKind]: (value: MemberValues[Kind]) => string | null } = {
  instant: (instant) => (instant === null ? null : formatInstant(instant)),
  day: (day) => (day === null ? null : formatDay(day)),
  type: (type) => type,
  name: (name) => name,
  note: (note) => note,
  currency: (currency) => currency,
  class: (assetClass) => assetClass,
  quantity: (quantity) => (quantity === null ? null : formatQuantity(quantity)),
  money: (money) => (money === null ? null : formatMoney(money)),
  ratio: (ratio) => (ratio === null ? null : ratioText(ratio)),
  lots: (lots) => lots.map((lot) => `${lot.label}:${formatQuantity(lot.quantity)}`).join(';'),
  right: (right) => right,
  box: (box) => box,
  term: (term) => term,
};

function formatMember(transaction: Transaction, name: UsualMember | OptionalMember): string | null {
  const write = textOfKind[statementMembers[name].kind] as (value: unknown) => string | null;
  return write(transaction[name]);
}

function statedMembers(transaction: Transaction): (readonly [OptionalMember, string])[] {
  return optionalMembers.flatMap((name) => {
    const text = formatMember(transaction, name);
    return text === null || text === '' ? [] : [[name, text] as const];
  });
}

export function ratioText({ numerator, denominator }: Ratio): string {
  return `${numerator}:${denominator}`;
}
