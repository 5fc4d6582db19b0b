import type { Day, Instant } from '../base/day.ts';
import type { Money, Quantity } from '../base/decimal.ts';
import type { AssetClass, Box, LotChoice, Ratio, Term } from './statement-values.ts';
import type { TransactionType } from './transaction-types.ts';

/**
 * The fields of a statement (.github/API.md, "Lotbook CSV"), in the order of the Lotbook CSV. `column` is the column of
 * that CSV. `kind` is the kind of value: formats, JSON and SQL each have a table of kinds. A field with `isAlways` is
 * never null. A field with `isExtra` is never stated by a plain purchase or sale. The order is part of every
 * fingerprint.
 */
export const statementMembers = {
  /** The time. Null if the source has only a date. */
  at: { column: 'date', kind: 'instant' },
  /** The tax date: the day of `at` in the taxpayer's time zone, or the stated date. */
  on: { column: 'date', kind: 'day', isAlways: true },
  type: { column: 'type', kind: 'type' },
  /** The account that the row names. Empty for an action that applies to every account that holds the asset. */
  account: { column: 'account', kind: 'name' },
  asset: { column: 'asset', kind: 'name' },
  quantity: { column: 'quantity', kind: 'quantity' },
  /** Gross value in `currency`, before `fee`. */
  amount: { column: 'amount', kind: 'money' },
  fee: { column: 'fee', kind: 'money' },
  /** ISO 4217. The default is `USD`. */
  currency: { column: 'currency', kind: 'currency' },
  receivedAsset: { column: 'received_asset', kind: 'name', isExtra: true },
  receivedQuantity: { column: 'received_quantity', kind: 'quantity', isExtra: true },
  feeAsset: { column: 'fee_asset', kind: 'name', isExtra: true },
  feeQuantity: { column: 'fee_quantity', kind: 'quantity', isExtra: true },
  /** The part of `fee` for disposing of the units that pay the fee, not for the trade. */
  feeOwn: { column: 'fee_own', kind: 'money', isExtra: true },
  toAccount: { column: 'to_account', kind: 'name', isExtra: true },
  acquired: { column: 'acquired', kind: 'day', isExtra: true },
  basis: { column: 'basis', kind: 'money', isExtra: true },
  fmv: { column: 'fmv', kind: 'money', isExtra: true },
  ratio: { column: 'ratio', kind: 'ratio', isExtra: true },
  lots: { column: 'lots', kind: 'lots', isExtra: true },
  identifiedAt: { column: 'identified_at', kind: 'instant', isExtra: true },
  /** Shares per contract for opening and closing trades, total shares for exercise and assignment. */
  shares: { column: 'shares', kind: 'quantity', isExtra: true },
  underlying: { column: 'underlying', kind: 'name', isExtra: true },
  right: { column: 'right', kind: 'right', isExtra: true },
  box: { column: 'box', kind: 'box', isExtra: true },
  wash: { column: 'wash', kind: 'money', isExtra: true },
  term: { column: 'term', kind: 'term', isExtra: true },
  /** The maturity date of a bond or bill. */
  maturity: { column: 'maturity', kind: 'day', isExtra: true },
  /** Interest paid or received with a bond, in addition to `amount`. It is not part of the price. */
  accruedInterest: { column: 'accrued_interest', kind: 'money', isExtra: true },
  /** The accrued market discount of a sale (Form 1099-B box 1f). Zero means that there is none. */
  marketDiscount: { column: 'market_discount', kind: 'money', isExtra: true },
  /**
   * The gain on a sale as stated by the source, negative for a loss. It is compared with the calculated gain but never
   * used.
   */
  statedGain: { column: 'stated_gain', kind: 'money', isExtra: true },
  /** The offering date of an employee stock purchase plan (Form 3922 box 1). */
  offered: { column: 'offered', kind: 'day', isExtra: true },
  /** The discount on the offering date: the value of the shares less their price on that day (box 3 less box 8). */
  discount: { column: 'discount', kind: 'money', isExtra: true },
  /** The part of the correct basis that was taxed as wages and that `basis` leaves out. */
  wages: { column: 'wages', kind: 'money', isExtra: true },
  /**
   * The class as stated by the row or implied by its format. If null, it is inferred (DECISIONS.md, "Evidence for the
   * class of an asset").
   */
  assetClass: { column: 'asset_class', kind: 'class' },
  /** The source's id of the row. */
  externalId: { column: 'id', kind: 'name' },
  note: { column: 'note', kind: 'note' },
} as const satisfies Readonly<Record<string, { column: string; kind: MemberKind; isAlways?: true; isExtra?: true }>>;

export type MemberTable = typeof statementMembers;

/**
 * The content of a row of the Lotbook CSV. Amounts are positive, and the type determines the direction. A reversal has
 * a negative amount. Empty text and null mean "not stated".
 */
export type Statement = {
  readonly [Name in StatementMember]: MemberTable[Name] extends { isAlways: true }
    ? NonNullable<ValueOf<Name>>
    : ValueOf<Name>;
};
type ValueOf<Name extends StatementMember> = MemberValues[MemberTable[Name]['kind']];

/** The TypeScript type of each kind of field. */
export interface MemberValues {
  readonly instant: Instant | null;
  readonly day: Day | null;
  readonly type: TransactionType;
  /** Names are short enough for a database index. */
  readonly name: string;
  readonly note: string;
  readonly currency: string;
  readonly class: AssetClass | null;
  readonly quantity: Quantity | null;
  readonly money: Money | null;
  readonly ratio: Ratio | null;
  readonly lots: readonly LotChoice[];
  readonly right: 'call' | 'put' | null;
  readonly box: Box | null;
  readonly term: Term | null;
}
export type MemberKind = keyof MemberValues;

/** A table with one value for each kind. */
export type ByKind<Value> = { readonly [Kind in MemberKind]: Value };

export type StatementMember = keyof MemberTable;
export type ExtraMember = {
  [Name in StatementMember]: MemberTable[Name] extends { isExtra: true } ? Name : never;
}[StatementMember];
export type MemberOfKind<Kind extends MemberKind> = {
  [Name in StatementMember]: MemberTable[Name]['kind'] extends Kind ? Name : never;
}[StatementMember];

export const memberNames = Object.keys(statementMembers) as readonly StatementMember[];
export const extraMembers = memberNames.filter((name): name is ExtraMember => 'isExtra' in statementMembers[name]);

export function membersOfKind<Kind extends MemberKind>(...kinds: readonly Kind[]): readonly MemberOfKind<Kind>[] {
  return memberNames.filter((name): name is MemberOfKind<Kind> =>
    kinds.some((kind) => kind === statementMembers[name].kind),
  );
}
