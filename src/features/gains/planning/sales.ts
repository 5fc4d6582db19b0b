import { type Day, expectedDate, parseDay } from '../../../base/day.ts';
import {
  exceedsMoney,
  formatQuantity,
  type Money,
  parseMoney,
  parseQuantity,
  priceTimesQuantity,
  type Quantity,
} from '../../../base/decimal.ts';
import { limits } from '../../../base/limits.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { AssetClass, Transaction } from '../../../engine/model.ts';
import { unstatedMembers } from '../../../engine/unstated-members.ts';
import type { WhatIfRequest } from './planning.schemas.ts';

/** A planned sale as requested. */
export type SaleInput = Readonly<(typeof WhatIfRequest.static)['sales'][number]>;

/** A planned sale with parsed numbers. The books supply the rest. */
export interface ParsedSale {
  readonly at: number;
  readonly asked: SaleInput;
  readonly on: Day;
  readonly quantity: Quantity;
  /** Null if the books supply the value. */
  readonly amount: Money | null;
}

/** Parses the numbers of all sales. The error lists every invalid number. */
export function parseSales(inputs: readonly SaleInput[]): ParsedSale[] {
  const wrong: { pointer: string; code: string; detail: string }[] = [];
  const complain = (at: number, member: string, detail: string): null => {
    wrong.push({ pointer: `/sales/${at}/${member}`, code: 'invalid', detail });
    return null;
  };
  const sales = inputs.map((sale, at) => {
    const quantity = parseQuantity(sale.quantity);
    if (quantity === undefined || quantity <= 0n)
      complain(at, 'quantity', expectedNumber('a positive number', limits.quantityDigits, 18));
    const on = parseDay(sale.date);
    if (on === undefined) complain(at, 'date', expectedDate);
    if (sale.amount !== undefined && sale.price !== undefined) {
      complain(at, 'price', 'Enter either the amount of the whole sale or the price per unit, not both.');
    }
    if (sale.price !== undefined && parseQuantity(sale.price) === undefined) {
      complain(at, 'price', expectedNumber('a number', limits.quantityDigits, 18));
    }
    const amount = parseSaleAmount(sale, quantity);
    if (amount === undefined || (amount !== null && amount < 0n)) {
      const member = sale.amount === undefined ? 'price' : 'amount';
      complain(at, member, expectedNumber('zero or a positive number', limits.moneyDigits, 8));
    }
    return { at, asked: sale, on: on ?? (0 as Day), quantity: quantity ?? (0n as Quantity), amount: amount ?? null };
  });
  refuseIfInvalid(wrong);
  return sales;
}

function expectedNumber(what: string, digits: number, decimals: number): string {
  return `Enter ${what} with at most ${digits} digits before the decimal point and ${decimals} after it.`;
}

function parseSaleAmount(sale: SaleInput, quantity: Quantity | undefined): Money | null | undefined {
  if (sale.amount !== undefined) return parseMoney(sale.amount);
  if (sale.price === undefined || quantity === undefined) return null;
  const amount = priceTimesQuantity(sale.price, formatQuantity(quantity));
  return amount === undefined || exceedsMoney(amount) ? undefined : amount;
}

export function refuseIfInvalid(errors: readonly { pointer: string; code: string; detail: string }[]): void {
  const first = errors[0];
  if (first === undefined) return;
  throw new Refusal('invalid', `The sales cannot be calculated: ${first.pointer}: ${first.detail}`, { errors });
}

/** Planned sales sort after all rows of the same day that have no time. */
const firstHypotheticalLine = 2_000_000_000;

function hypotheticalId(at: number): string {
  return `what-if-${String(at + 1).padStart(3, '0')}`;
}

export function transactionOfSale(
  sale: ParsedSale,
  resolvedSale: { readonly account: string; readonly assetClass: AssetClass; readonly amount: Money },
): Transaction {
  return {
    ...unstatedMembers,
    id: hypotheticalId(sale.at),
    line: firstHypotheticalLine + sale.at,
    type: 'sell',
    at: null,
    on: sale.on,
    account: resolvedSale.account,
    asset: sale.asked.asset,
    assetClass: resolvedSale.assetClass,
    quantity: sale.quantity,
    amount: resolvedSale.amount,
  };
}
