import { type StatementMember, statementMembers } from '../../engine/statement-members.ts';
import type { TransactionType } from '../../engine/transaction-types.ts';
import { columnsOfType, type LotbookMember, lotbookColumns, memberOf } from '../../formats/lotbook-columns.ts';

/** Display name and hint for each column of the Lotbook CSV. */
export const memberNames: Readonly<Record<LotbookMember, { readonly label: string; readonly hint?: string }>> = {
  date: { label: 'Date' },
  type: { label: 'Type' },
  account: { label: 'Account', hint: 'Broker, exchange or wallet.' },
  asset: { label: 'Asset', hint: 'Symbol, like AAPL, BTC or AAPL 2025-01-17 C 150.' },
  quantity: { label: 'Quantity' },
  amount: { label: 'Amount', hint: 'Before the fee, without a sign.' },
  fee: { label: 'Fee' },
  currency: { label: 'Currency', hint: 'Currency of the amounts. Leave blank for US dollars.' },
  receivedAsset: { label: 'Asset received' },
  receivedQuantity: { label: 'Quantity received' },
  feeAsset: { label: 'Fee paid in', hint: 'The asset, if the fee was not paid in cash.' },
  feeQuantity: { label: 'Units paid as fee' },
  feeOwn: { label: 'Fee on the units paid as fee', hint: 'The part of the fee that it cost to sell these units.' },
  toAccount: { label: 'To account' },
  acquired: { label: 'Acquired on' },
  basis: { label: 'Cost basis' },
  fmv: { label: 'Market value', hint: 'Fair market value on that day.' },
  ratio: {
    label: 'Ratio',
    hint: 'New shares per old share, like 3:1. For a spin-off, the share of basis moved: 0.109624, or 0 for rights without basis.',
  },
  lots: { label: 'Lots', hint: 'Lots to sell: b3:10;b1:5 means 10 units of b3 and 5 of b1.' },
  identifiedAt: { label: 'Lots chosen on', hint: 'Fill in if you chose the lots after the sale.' },
  shares: { label: 'Shares', hint: 'Per contract, or total for an exercise. Leave blank for 100 per contract.' },
  underlying: { label: 'Underlying' },
  right: { label: 'Put or call' },
  box: { label: 'Form 8949 box' },
  wash: { label: 'Wash sale loss disallowed' },
  term: { label: 'Term' },
  maturity: { label: 'Matures on', hint: 'Only bonds and bills have one.' },
  accruedInterest: { label: 'Accrued interest', hint: 'Paid or received with a bond, in addition to the amount.' },
  marketDiscount: { label: 'Accrued market discount', hint: 'Form 1099-B, box 1f.' },
  statedGain: { label: 'Gain reported by the source', hint: 'Compared with the calculated gain. Negative for a loss.' },
  offered: { label: 'Offering date', hint: 'Of the employee stock purchase plan: Form 3922, box 1.' },
  discount: {
    label: 'Discount on the offering date',
    hint: 'For all shares: Form 3922, box 3 less box 8, times box 6.',
  },
  wages: { label: 'Taxed as wages', hint: 'The part of the basis that the cost basis above leaves out.' },
  assetClass: { label: 'Asset class', hint: 'Leave blank to detect automatically.' },
  externalId: { label: 'Transaction ID', hint: 'Use it to pick this lot for a sale.' },
  note: { label: 'Note' },
};

/** The columns that every type has, in addition to those in its row of the type table. */
const always: ReadonlySet<string> = new Set(['date', 'type', 'account']);
const further: ReadonlySet<string> = new Set(['currency', 'asset_class', 'id', 'note']);

interface FormMembers {
  readonly needed: readonly LotbookMember[];
  readonly optional: readonly LotbookMember[];
}

/** Returns the required and optional fields of a type, in column order. */
export function membersOfType(type: TransactionType): FormMembers {
  const { needs, uses } = columnsOfType[type];
  const has = (columns: readonly string[], column: string) => columns.includes(column);
  return {
    needed: lotbookColumns.filter((column) => always.has(column) || has(needs, column)).map((each) => memberOf(each)),
    optional: lotbookColumns
      .filter((column) => !has(needs, column) && (has(uses, column) || further.has(column)))
      .map((each) => memberOf(each)),
  };
}

/** Returns the kind of value that a field has, which determines how it is entered and shown. */
export function kindOf(member: LotbookMember): (typeof statementMembers)[StatementMember]['kind'] {
  return statementMembers[member === 'date' ? 'on' : member].kind;
}

/** Every field, in column order. */
export const allMembers: readonly LotbookMember[] = lotbookColumns.map((column) => memberOf(column));
