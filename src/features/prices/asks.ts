import type { Day } from '../../base/day.ts';
import { formatMoney, formatQuantity, type Money, priceTimesQuantity, type Quantity } from '../../base/decimal.ts';
import { isContract1256 } from '../../engine/events/classes.ts';
import { isForeign } from '../../engine/events/corrections.ts';
import type { Transaction, TransactionType } from '../../engine/model.ts';

/** What a price stands for: the currency of the stated amounts, that of the basis, or a number that is not stated. */
export const figures = ['currency', 'basis', 'received', 'amount', 'fee', 'fmv'] as const;
export type Figure = (typeof figures)[number];

/** A price that a transaction needs to be told in dollars. */
export interface Ask {
  readonly figure: Figure;
  readonly asset: string;
  readonly day: Day;
  /** How many days older it may be: rates of currencies are published on business days only. */
  readonly within: number;
}

/** Long enough for the longest run of holidays. */
const currencyDays = 7;

/** The prices that would tell in dollars what the row does not. Nothing where it says all itself. */
export function asksOf(tx: Transaction): readonly Ask[] {
  if (saysAll(tx)) return none;
  const asks: Ask[] = [];
  if (isForeign(tx)) {
    const rate = { asset: tx.currency, within: currencyDays };
    if (stated(tx)) asks.push({ figure: 'currency', ...rate, day: tx.on });
    // What was paid is told at the rate of the day it was paid.
    if (tx.basis !== null) asks.push({ figure: 'basis', ...rate, day: tx.acquired ?? tx.on });
  }
  if (tx.amount === null && valued.has(tx.type) && tx.assetClass !== 'option' && !isContract1256(tx.assetClass)) {
    // What is received says what was realized; where its value is not known, what is given does (26 CFR 1.1001-7(b)(4)).
    if (tx.type === 'trade') ask('received', tx.receivedAsset, tx.receivedQuantity, tx.on);
    ask('amount', tx.asset, tx.quantity, tx.on);
  }
  if (tx.fee === null) ask('fee', tx.feeAsset, tx.feeQuantity, tx.on);
  if (tx.fmv === null && tx.type === 'inherit') ask('fmv', tx.asset, tx.quantity, tx.acquired ?? tx.on);
  return asks;

  function ask(figure: Figure, asset: string, quantity: Quantity | null, day: Day): void {
    if (asset === '' || asset === 'USD' || quantity === null || quantity <= 0n) return;
    asks.push({ figure, asset, day, within: 0 });
  }
}

const none: readonly Ask[] = [];

/** What nearly every row does: it is asked first, for a history may have a million. */
function saysAll(tx: Transaction): boolean {
  return (
    tx.currency === 'USD' && tx.amount !== null && (tx.fee !== null || tx.feeAsset === '') && tx.type !== 'inherit'
  );
}

const valued: ReadonlySet<TransactionType> = new Set([
  'trade',
  'buy',
  'sell',
  'spend',
  'fee',
  'dividend',
  'interest',
  'staking',
  'mining',
  'airdrop',
  'reward',
  'wages',
  'other_income',
  'reinvest',
]);

function stated(tx: Transaction): boolean {
  return [tx.amount, tx.fee, tx.feeOwn, tx.fmv, tx.wash].some((money) => money !== null);
}

/** US dollars of a unit, as a plain decimal. */
export type UnitPrices = ReadonlyMap<Figure, string>;

/**
 * The transaction with all that these prices tell of it, in dollars. What they do not tell stays untold: the engine
 * asks for it, and nothing is taken as zero or one.
 */
export function inDollars(tx: Transaction, prices: UnitPrices): Transaction {
  const converted = isForeign(tx) ? converting(tx, prices) : tx;
  // Where a stated fee cannot be told, neither can what is left after it.
  const feeUntold = tx.fee !== null && converted.fee === null;
  const amount = converted.amount ?? (feeUntold ? null : (marketValueOf(tx, prices) ?? null));
  const fee = converted.fee ?? times(prices.get('fee'), tx.feeQuantity);
  const fmv = converted.fmv ?? (tx.fmv === null ? times(prices.get('fmv'), tx.quantity) : null);
  return { ...converted, amount: tx.amount === null ? amount : converted.amount, fee, fmv };
}

function converting(tx: Transaction, prices: UnitPrices): Transaction {
  const rate = prices.get('currency');
  const at = (price: string | undefined, money: Money | null): Money | null =>
    money === null || price === undefined ? null : (priceTimesQuantity(price, formatMoney(money)) ?? null);
  return {
    ...tx,
    currency: 'USD',
    amount: at(rate, tx.amount),
    fee: at(rate, tx.fee),
    feeOwn: at(rate, tx.feeOwn),
    fmv: at(rate, tx.fmv),
    wash: at(rate, tx.wash),
    basis: at(prices.get('basis'), tx.basis),
  };
}

function marketValueOf(tx: Transaction, prices: UnitPrices): Money | null {
  const received = times(prices.get('received'), tx.receivedQuantity);
  if (received !== null) return received;
  // Of what is given, the units withheld as a fee bought nothing.
  const withheld = tx.type === 'trade' && tx.feeAsset === tx.asset ? (tx.feeQuantity ?? 0n) : 0n;
  return times(prices.get('amount'), tx.quantity === null ? null : ((tx.quantity - withheld) as Quantity));
}

function times(price: string | undefined, quantity: Quantity | null): Money | null {
  if (price === undefined || quantity === null) return null;
  return priceTimesQuantity(price, formatQuantity(quantity)) ?? null;
}
