import type { TransactionType } from '../../engine/model.ts';
import type { Columns } from '../cells/cells.ts';
import { type ColumnsOfType, columnsOfType, type LotbookColumn } from '../lotbook-columns.ts';

/** Where the cells of a type's columns stand in a row: -1 for a column that the header lacks or the type does not use. */
export interface Places {
  readonly date: number;
  readonly type: number;
  readonly account: number;
  readonly asset: number;
  readonly quantity: number;
  readonly amount: number;
  readonly fee: number;
  readonly currency: number;
  readonly receivedAsset: number;
  readonly receivedQuantity: number;
  readonly feeAsset: number;
  readonly feeQuantity: number;
  readonly feeOwn: number;
  readonly toAccount: number;
  readonly acquired: number;
  readonly basis: number;
  readonly fmv: number;
  readonly ratio: number;
  readonly lots: number;
  readonly identifiedAt: number;
  readonly shares: number;
  readonly underlying: number;
  readonly right: number;
  readonly box: number;
  readonly wash: number;
  readonly term: number;
  readonly assetClass: number;
  readonly id: number;
  readonly note: number;
  /** The columns that the type cannot do without. */
  readonly needed: readonly { readonly column: LotbookColumn; readonly place: number }[];
  readonly needsQuantity: boolean;
  readonly needsReceivedQuantity: boolean;
  /** A trade of options, which must say what the option is on. */
  readonly tradesOptions: boolean;
}

export function placesOfType(columns: Columns): Readonly<Record<TransactionType, Places>> {
  const types = Object.keys(columnsOfType) as TransactionType[];
  return Object.fromEntries(types.map((type) => [type, placesOf(columnsOfType[type], columns)])) as Record<
    TransactionType,
    Places
  >;
}

export function placesOf({ needs, uses }: ColumnsOfType, columns: Columns): Places {
  const common = (column: LotbookColumn): number => columns.placesOf(column)[0] ?? -1;
  const used = (column: LotbookColumn): number =>
    needs.includes(column) || uses.includes(column) ? common(column) : -1;
  return {
    date: common('date'),
    type: common('type'),
    account: common('account'),
    asset: used('asset'),
    quantity: used('quantity'),
    amount: used('amount'),
    fee: used('fee'),
    currency: common('currency'),
    receivedAsset: used('received_asset'),
    receivedQuantity: used('received_quantity'),
    feeAsset: used('fee_asset'),
    feeQuantity: used('fee_quantity'),
    feeOwn: used('fee_own'),
    toAccount: used('to_account'),
    acquired: used('acquired'),
    basis: used('basis'),
    fmv: used('fmv'),
    ratio: used('ratio'),
    lots: used('lots'),
    identifiedAt: used('identified_at'),
    shares: used('shares'),
    underlying: used('underlying'),
    right: used('right'),
    box: used('box'),
    wash: used('wash'),
    term: used('term'),
    assetClass: common('asset_class'),
    id: common('id'),
    note: common('note'),
    needed: needs.map((column) => ({ column, place: common(column) })),
    needsQuantity: needs.includes('quantity'),
    needsReceivedQuantity: needs.includes('received_quantity'),
    tradesOptions: needs.includes('quantity') && uses.includes('underlying'),
  };
}
