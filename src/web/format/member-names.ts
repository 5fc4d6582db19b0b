import { type StatementMember, statementMembers } from '../../engine/statement-members.ts';
import type { TransactionType } from '../../engine/transaction-types.ts';
import { columnsOfType, type LotbookMember, lotbookColumns, memberOf } from '../../formats/lotbook-columns.ts';

/** What people call each column of the Lotbook CSV, and what the form says below its field. */
export const memberNames: Readonly<Record<LotbookMember, { readonly label: string; readonly hint?: string }>> = {
  date: { label: 'Date' },
  type: { label: 'Type' },
  account: { label: 'Account', hint: 'Broker, exchange or wallet.' },
  asset: { label: 'Asset', hint: 'Its symbol: AAPL, BTC, AAPL 2025-01-17 C 150.' },
  quantity: { label: 'Quantity' },
  amount: { label: 'Amount', hint: 'Before the fee, without a sign.' },
  fee: { label: 'Fee' },
  currency: { label: 'Currency', hint: 'Of the amounts. US dollars where it is empty.' },
  receivedAsset: { label: 'Asset received' },
  receivedQuantity: { label: 'Quantity received' },
  feeAsset: { label: 'Fee paid in', hint: 'The asset, where the fee was not cash.' },
  feeQuantity: { label: 'Units paid as fee' },
  feeOwn: { label: 'Fee on the units paid as fee', hint: 'The part of the fee that selling these units cost.' },
  toAccount: { label: 'To account' },
  acquired: { label: 'Acquired on' },
  basis: { label: 'Cost basis' },
  fmv: { label: 'Market value', hint: 'Fair market value on the day.' },
  ratio: {
    label: 'Ratio',
    hint: 'New units per old: 3:1. Of a spin-off, the share of basis moved: 0.109624, or 0 for rights without basis.',
  },
  lots: { label: 'Lots', hint: 'Which lots it takes: b3:10;b1:5 is 10 units of b3 and 5 of b1.' },
  identifiedAt: { label: 'Lots named on', hint: 'Where the lots were named later than the sale.' },
  shares: { label: 'Shares', hint: 'Per contract, or in all for an exercise. 100 per contract where it is empty.' },
  underlying: { label: 'Underlying' },
  right: { label: 'Put or call' },
  box: { label: 'Box of Form 8949' },
  wash: { label: 'Wash sale loss disallowed' },
  term: { label: 'Term' },
  maturity: { label: 'Matures on', hint: 'Of a bond or bill.' },
  accruedInterest: { label: 'Accrued interest', hint: 'Paid or received with a bond, beside the amount.' },
  marketDiscount: { label: 'Accrued market discount', hint: 'Form 1099-B, box 1f.' },
  statedGain: { label: 'Gain stated by the source', hint: 'Compared with the computed gain. Negative for a loss.' },
  assetClass: { label: 'Asset class', hint: 'Follows from the symbol and the account where it is empty.' },
  externalId: { label: 'Id of the source', hint: 'By which a sale can name this lot.' },
  note: { label: 'Note' },
};

/** The columns of every type, beside those that its row in the table of types names. */
const always: ReadonlySet<string> = new Set(['date', 'type', 'account']);
const further: ReadonlySet<string> = new Set(['currency', 'asset_class', 'id', 'note']);

interface FormMembers {
  readonly needed: readonly LotbookMember[];
  readonly optional: readonly LotbookMember[];
}

/** The members that a type needs and those that it may have, in the order of the columns. */
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

/** What a member holds: it decides how it is typed and shown. */
export function kindOf(member: LotbookMember): (typeof statementMembers)[StatementMember]['kind'] {
  return statementMembers[member === 'date' ? 'on' : member].kind;
}

/** Every member, in the order of the columns. */
export const allMembers: readonly LotbookMember[] = lotbookColumns.map((column) => memberOf(column));
