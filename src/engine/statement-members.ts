import type { Day, Instant } from '../base/day.ts';
import type { Money, Quantity } from '../base/decimal.ts';
import type { AssetClass, Box, LotChoice, Ratio, Statement, Term } from './statement.ts';
import type { TransactionType } from './transaction-types.ts';

/**
 * The members of a statement, one row each, in the order of the Lotbook CSV. `column` is the column of that CSV. `kind`
 * states what the member holds: formats, JSON and SQL each have a table of kinds. `isExtra`: a plain purchase or sale
 * never states it. The order is part of every fingerprint.
 */
export const statementMembers = {
  at: { column: 'date', kind: 'instant' },
  on: { column: 'date', kind: 'day' },
  type: { column: 'type', kind: 'type' },
  account: { column: 'account', kind: 'name' },
  asset: { column: 'asset', kind: 'name' },
  quantity: { column: 'quantity', kind: 'quantity' },
  amount: { column: 'amount', kind: 'money' },
  fee: { column: 'fee', kind: 'money' },
  currency: { column: 'currency', kind: 'currency' },
  receivedAsset: { column: 'received_asset', kind: 'name', isExtra: true },
  receivedQuantity: { column: 'received_quantity', kind: 'quantity', isExtra: true },
  feeAsset: { column: 'fee_asset', kind: 'name', isExtra: true },
  feeQuantity: { column: 'fee_quantity', kind: 'quantity', isExtra: true },
  feeOwn: { column: 'fee_own', kind: 'money', isExtra: true },
  toAccount: { column: 'to_account', kind: 'name', isExtra: true },
  acquired: { column: 'acquired', kind: 'day', isExtra: true },
  basis: { column: 'basis', kind: 'money', isExtra: true },
  fmv: { column: 'fmv', kind: 'money', isExtra: true },
  ratio: { column: 'ratio', kind: 'ratio', isExtra: true },
  lots: { column: 'lots', kind: 'lots', isExtra: true },
  identifiedAt: { column: 'identified_at', kind: 'instant', isExtra: true },
  shares: { column: 'shares', kind: 'quantity', isExtra: true },
  underlying: { column: 'underlying', kind: 'name', isExtra: true },
  right: { column: 'right', kind: 'right', isExtra: true },
  box: { column: 'box', kind: 'box', isExtra: true },
  wash: { column: 'wash', kind: 'money', isExtra: true },
  term: { column: 'term', kind: 'term', isExtra: true },
  assetClass: { column: 'asset_class', kind: 'class' },
  externalId: { column: 'id', kind: 'name' },
  note: { column: 'note', kind: 'note' },
} as const satisfies {
  readonly [Name in keyof Statement]: {
    readonly column: string;
    readonly kind: KindOf<Statement[Name]>;
    readonly isExtra?: true;
  };
};

/** The type of the members of each kind. */
export interface MemberValues {
  readonly instant: Instant | null;
  readonly day: Day | null;
  readonly type: TransactionType;
  /** A name is short enough for an index. */
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
type KindOf<Value> = { [Kind in MemberKind]: Value extends MemberValues[Kind] ? Kind : never }[MemberKind];

/** A table with one value for each kind. */
export type ByKind<Value> = { readonly [Kind in MemberKind]: Value };

export type StatementMember = keyof Statement;
type Rows = typeof statementMembers;
export type ExtraMember = {
  [Name in StatementMember]: Rows[Name] extends { isExtra: true } ? Name : never;
}[StatementMember];
export type MemberOfKind<Kind extends MemberKind> = {
  [Name in StatementMember]: Rows[Name]['kind'] extends Kind ? Name : never;
}[StatementMember];

export const memberNames = Object.keys(statementMembers) as readonly StatementMember[];
export const extraMembers = memberNames.filter((name): name is ExtraMember => 'isExtra' in statementMembers[name]);

export function membersOfKind<Kind extends MemberKind>(...kinds: readonly Kind[]): readonly MemberOfKind<Kind>[] {
  return memberNames.filter((name): name is MemberOfKind<Kind> =>
    kinds.some((kind) => kind === statementMembers[name].kind),
  );
}
