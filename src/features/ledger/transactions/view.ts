import { formatDay, formatInstant } from '../../../base/day.ts';
import { formatMoney, formatQuantity } from '../../../base/decimal.ts';
import type { StatedNames } from '../../../engine/events/same-assets.ts';
import type { Ratio, Statement, Transaction } from '../../../engine/model.ts';
import {
  type ExtraMember,
  extraMembers,
  type MemberKind,
  type MemberValues,
  memberNames,
  statementMembers,
} from '../../../engine/statement-members.ts';

/** An item to review about a transaction. */
export interface Review {
  readonly kind: string;
  readonly detail: string;
  /** The largest possible error in the result. Null if unknown. */
  readonly dollars: string | null;
}

export interface RowSource {
  readonly importId: string | null;
  readonly line: number | null;
}

/** Formats a transaction with the field names of the API. Omits optional values that are not set. */
export function transactionView(
  transaction: Transaction,
  source: RowSource,
  review: readonly Review[],
  statedNames: StatedNames = {},
  assetName?: string,
) {
  const { id, at, on, externalId } = transaction;
  return {
    id,
    date: at === null ? formatDay(on) : formatInstant(at),
    day: formatDay(on),
    ...(Object.fromEntries(usualMembers.map((name) => [name, formatMember(transaction, name)])) as UsualTexts),
    ...(assetName === undefined ? {} : { assetName }),
    ...(Object.fromEntries(statedMembers(transaction)) as ExtraTexts),
    ...(Object.keys(statedNames).length === 0 ? {} : { statedNames }),
    source: { importId: source.importId, line: source.line, externalId: externalId === '' ? null : externalId },
    review: [...review],
  };
}

/** Properties with a fixed position in the response: the date, the source ID, and the note at the end. */
const separateMembers = ['at', 'on', 'externalId', 'note'] as const;
type UsualMember = Exclude<keyof Statement, ExtraMember | (typeof separateMembers)[number]>;
type OptionalMember = ExtraMember | 'note';

/** Properties that are always in the response. */
export const usualMembers = memberNames.filter(
  (name): name is UsualMember => !('isExtra' in statementMembers[name]) && !separateMembers.some((one) => one === name),
);
/** Properties that are omitted if they are not set. */
export const optionalMembers: readonly OptionalMember[] = [...extraMembers, 'note'];

type UsualTexts = { readonly [Name in UsualMember]: TextOf<Transaction[Name]> };

type ExtraTexts = { readonly [Name in OptionalMember]?: NonNullable<TextOf<Transaction[Name]>> };

/** The type of a value in a response. Numbers, days and lists are converted to text. */
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
