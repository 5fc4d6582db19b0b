import type { TransactionType } from '../engine/model.ts';

/** The columns of the Lotbook CSV (API.md section 4) in the order in which an export writes them. */
export const lotbookColumns = [
  'date',
  'type',
  'account',
  'asset',
  'quantity',
  'amount',
  'fee',
  'currency',
  'received_asset',
  'received_quantity',
  'fee_asset',
  'fee_quantity',
  'fee_own',
  'to_account',
  'acquired',
  'basis',
  'fmv',
  'ratio',
  'lots',
  'identified_at',
  'shares',
  'underlying',
  'right',
  'box',
  'wash',
  'term',
  'asset_class',
  'id',
  'note',
] as const;
export type LotbookColumn = (typeof lotbookColumns)[number];

/** The columns as the members of a transaction in JSON are called: `receivedAsset`; `externalId` is the column `id`. */
export type LotbookMember = Camel<Exclude<LotbookColumn, 'id'>> | 'externalId';
type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

export function memberOf(column: LotbookColumn): LotbookMember;
export function memberOf(column: string): string;
export function memberOf(column: string): string {
  return column === 'id' ? 'externalId' : column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** One column more, of exports: the IANA zone in which the day of the row's time was read. */
export const zoneColumn = 'time_zone';

/** What rows of a type cannot do without, and what else they may say. Columns in neither are ignored. */
export interface ColumnsOfType {
  readonly needs: readonly LotbookColumn[];
  readonly uses: readonly LotbookColumn[];
}

const fees = ['fee', 'fee_asset', 'fee_quantity', 'fee_own'] as const;
const choice = ['lots', 'identified_at'] as const;
const contract = ['underlying', 'right', 'shares'] as const;

const bought: ColumnsOfType = { needs: ['asset', 'quantity', 'amount'], uses: fees };
const sold: ColumnsOfType = { needs: ['asset', 'quantity', 'amount'], uses: [...fees, ...choice] };
const optionTrade: ColumnsOfType = { needs: ['asset', 'quantity', 'amount'], uses: [...fees, ...choice, ...contract] };
/** A value that the source does not know stays empty: the engine raises an issue and asks for it. */
const income: ColumnsOfType = { needs: [], uses: ['asset', 'quantity', 'amount', ...fees] };
const given: ColumnsOfType = { needs: ['asset', 'quantity'], uses: ['fmv', ...fees, ...choice] };
const spent: ColumnsOfType = { needs: ['asset', 'quantity'], uses: ['amount', ...fees, ...choice] };
const moved: ColumnsOfType = { needs: ['asset', 'quantity'], uses: ['amount', ...fees, ...choice] };
const cashOfAsset: ColumnsOfType = { needs: ['amount'], uses: ['asset', 'fee'] };

export const columnsOfType: Readonly<Record<TransactionType, ColumnsOfType>> = {
  buy: bought,
  sell: sold,
  trade: {
    needs: ['asset', 'quantity', 'received_asset', 'received_quantity'],
    uses: ['amount', ...fees, ...choice],
  },
  transfer: { needs: ['asset', 'quantity', 'to_account'], uses: [...fees, ...choice] },
  deposit: moved,
  withdrawal: moved,
  short_sell: bought,
  cover: sold,
  buy_to_open: optionTrade,
  sell_to_open: optionTrade,
  buy_to_close: optionTrade,
  sell_to_close: optionTrade,
  expire: { needs: ['asset', 'quantity'], uses: [...contract, ...choice] },
  exercise: optionTrade,
  assign: optionTrade,
  dividend: income,
  interest: income,
  staking: income,
  mining: income,
  airdrop: income,
  reward: income,
  wages: income,
  other_income: income,
  reinvest: { needs: ['asset', 'quantity', 'amount'], uses: fees },
  withholding: cashOfAsset,
  split: { needs: ['asset'], uses: ['ratio', 'quantity', 'amount', 'fee'] },
  rename: { needs: ['asset', 'received_asset'], uses: [] },
  spinoff: { needs: ['asset', 'received_asset', 'received_quantity', 'ratio'], uses: [] },
  merger: { needs: ['asset', 'received_asset'], uses: ['ratio', 'received_quantity', 'amount', 'fmv', 'fee'] },
  return_of_capital: { needs: ['asset', 'amount'], uses: ['fee'] },
  capital_gain_distribution: cashOfAsset,
  mark: { needs: ['asset', 'fmv'], uses: ['quantity'] },
  reported_sale: {
    needs: ['asset', 'quantity', 'amount'],
    uses: ['acquired', 'basis', 'box', 'wash', 'term', 'fee'],
  },
  gift_in: { needs: ['asset', 'quantity'], uses: ['acquired', 'basis', 'fmv', 'fee'] },
  gift_out: given,
  donate: given,
  lost: given,
  inherit: { needs: ['asset', 'quantity'], uses: ['acquired', 'fmv', 'fee'] },
  spend: spent,
  fee: spent,
  opening_lot: { needs: ['asset', 'quantity', 'acquired'], uses: ['basis', 'fee'] },
  worthless: { needs: ['asset'], uses: ['quantity', ...choice] },
};

/** A transfer out of the universal pool says of its lots what they were when they were allocated, too. */
export const columnsOfAllocation: ColumnsOfType = {
  needs: columnsOfType.transfer.needs,
  uses: [...columnsOfType.transfer.uses, 'acquired', 'basis'],
};
