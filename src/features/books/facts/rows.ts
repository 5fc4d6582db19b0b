import { type Cents, parseMoney, roundToCents } from '../../../base/decimal.ts';
import type { Contract1256, Disposal, Income, Issue, Lot, WashSale } from '../../../engine/model.ts';
import { dayOf, moneyOf, quantityOf } from '../../transactions/rows/columns.ts';
import { type DisposalGroup, disposalsOf, type WashSaleGroup, washSalesOf } from './grouped.ts';

/** Facts as the database gives them: days and numbers are text. */
type Stored<Fact, Texts extends keyof Fact, Flags extends keyof Fact = never> = {
  readonly [Name in Exclude<keyof Fact, 'kind' | Texts | Flags>]: Fact[Name];
} & { readonly [Name in Texts]: string } & { readonly [Name in Flags]: boolean };

export type DisposalGroupRow = Stored<DisposalGroup, 'causedOn' | 'on' | 'sold', 'acquiredVarious'>;
export type WashSaleGroupRow = Stored<WashSaleGroup, 'causedOn' | 'on'>;
export type IncomeRow = Stored<Income, 'causedOn' | 'on' | 'amount'>;
export type ContractRow = Stored<Contract1256, 'causedOn' | 'on' | 'gain'>;
export type IssueRow = Stored<Issue, 'causedOn' | 'on' | 'dollars'>;
export type LotRow = Stored<Lot, 'quantity' | 'basis' | 'acquired' | 'heldSince'>;

export function disposalsOfRow({ acquiredVarious, ...row }: DisposalGroupRow): Disposal[] {
  const [causedOn, on, sold] = [dayOf(row.causedOn), dayOf(row.on), dayOf(row.sold)];
  return disposalsOf({ ...row, causedOn, on, sold, ...(acquiredVarious ? { acquiredVarious } : {}) });
}

export function washSalesOfRow(row: WashSaleGroupRow): WashSale[] {
  return washSalesOf({ ...row, causedOn: dayOf(row.causedOn), on: dayOf(row.on) });
}

export function incomeOf(row: IncomeRow): Income {
  return { ...row, kind: 'income', causedOn: dayOf(row.causedOn), on: dayOf(row.on), amount: moneyOf(row.amount) };
}

export function contractOf(row: ContractRow): Contract1256 {
  return { ...row, kind: 'contract_1256', causedOn: dayOf(row.causedOn), on: dayOf(row.on), gain: centsOf(row.gain) };
}

export function issueOf(row: IssueRow): Issue {
  return { ...row, kind: 'issue', causedOn: dayOf(row.causedOn), on: dayOf(row.on), dollars: centsOf(row.dollars) };
}

export function lotOf(row: LotRow): Lot {
  return {
    ...row,
    quantity: quantityOf(row.quantity),
    basis: centsOf(row.basis),
    acquired: dayOf(row.acquired),
    heldSince: dayOf(row.heldSince),
  };
}

export function centsOf(text: string): Cents {
  const money = parseMoney(text);
  if (money === undefined) throw new Error('The database holds an amount that is none.');
  return roundToCents(money);
}
