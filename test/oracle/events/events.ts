import type { Day } from '../../../src/base/day.ts';
import type { Money, Quantity } from '../../../src/base/decimal.ts';
import type { AssetClass, Transaction, TransactionType } from '../../../src/engine/model.ts';
import { mayBeCoin, money } from '../names.ts';
import { Exact, lastOfDecember, nothing, units } from '../numbers.ts';
import { dayOfExpiry, optionOf } from '../rules/options/option.ts';
import { familyOf, isDigital } from '../state.ts';
import { statedWages, withoutCorrected, withSupplements } from './corrected-forms.ts';
import { type FormSale, formPurchases, formSales, listedPurchase } from './form-sales.ts';

/** The effects of an event on the book. A trade has two events, or three if its fee is paid in kind. */
export type Role =
  | 'action'
  | 'acquire'
  | 'defer'
  | 'amortize'
  | 'move'
  | 'dispose'
  | 'fee'
  | 'mark'
  | 'reverse'
  | 'lapse';

export interface OracleEvent {
  readonly transaction: Transaction;
  readonly ordinal: number;
  readonly role: Role;
  readonly on: Day;
  readonly timed: boolean;
  /** Set if a form row matches sales in the history on days other than its own. */
  /** The purchase that a form row states. */
  readonly purchase?: string;
  readonly form?: { readonly nowhere: FormSale['nowhere']; readonly whole: boolean };
  /** The end of an option that a later row reports. It is processed after all other events of its day. */
  readonly late?: true;
}

/**
 * Returns the effects of a row on a book. There is no default, so a new type does not compile until the oracle handles
 * it.
 */
type Nature =
  | 'acts'
  | 'amortizes'
  | 'opens'
  | 'defers'
  | 'earns'
  | 'exchanges'
  | 'moves'
  | 'disposes'
  | 'closes'
  | 'delivers'
  | 'marks'
  | 'tells';

const natures: Readonly<Record<TransactionType, Nature>> = {
  buy: 'opens',
  sell: 'disposes',
  trade: 'exchanges',
  transfer: 'moves',
  deposit: 'moves',
  withdrawal: 'moves',
  short_sell: 'disposes',
  cover: 'closes',
  buy_to_open: 'opens',
  sell_to_open: 'opens',
  buy_to_close: 'closes',
  sell_to_close: 'disposes',
  expire: 'closes',
  exercise: 'delivers',
  assign: 'delivers',
  dividend: 'earns',
  interest: 'earns',
  staking: 'earns',
  mining: 'earns',
  airdrop: 'earns',
  reward: 'earns',
  wages: 'earns',
  other_income: 'earns',
  reinvest: 'earns',
  espp_purchase: 'opens',
  withholding: 'earns',
  currency_gain: 'earns',
  split: 'acts',
  rename: 'acts',
  spinoff: 'acts',
  merger: 'acts',
  return_of_capital: 'disposes',
  bond_amortization: 'amortizes',
  original_issue_discount: 'amortizes',
  capital_gain_distribution: 'earns',
  mark: 'marks',
  reported_sale: 'disposes',
  reported_total: 'tells',
  gift_in: 'opens',
  gift_out: 'disposes',
  donate: 'disposes',
  lost: 'disposes',
  inherit: 'opens',
  spend: 'disposes',
  fee: 'disposes',
  opening_lot: 'opens',
  worthless: 'disposes',
  defer_gain: 'defers',
};

export function isIncome(type: TransactionType): boolean {
  return natures[type] === 'earns';
}

/**
 * Returns true for a worthless security: "If any security ... becomes worthless" (IRC 165(g)(1)). Coins are not
 * securities, so they leave without a loss, like lost coins.
 */
export function isSoldForNothing({ type, assetClass }: Transaction): boolean {
  return type === 'worthless' && familyOf(assetClass) !== 'coin';
}

/**
 * Returns the effective day of a row: December 31 for a worthless security, the expiration day for an option whose end
 * is recorded late.
 */
export function dayOfEvent(row: Transaction): Day {
  if (isSoldForNothing(row)) return lastOfDecember(row.on);
  return row.type === 'expire' || natures[row.type] === 'delivers' ? dayOfExpiry(row) : row.on;
}

/** Returns every event of every transaction in canonical order. */
export function eventsOf(transactions: readonly Transaction[]): OracleEvent[] {
  const rows = withSupplements(withoutCorrected(transactions));
  const { forms, unmet } = formSales(rows);
  const purchases = formPurchases(rows, (row) => unmet.has(row.id) && statedWages(row) === null);
  const events = rows.flatMap((stated) => {
    const form = forms.get(stated.id);
    if (form !== undefined) return eventsOfForm(stated, form);
    if (purchases.has(stated.id)) return purchaseAndSale(stated);
    const on = dayOfEvent(stated);
    const isLate = on < stated.on;
    const transaction = isLate ? { ...stated, on, at: null } : stated;
    // A worthless security counts as sold "on the last day of the year", without a specific hour (IRC 165(g)). A form
    // reports a day after that day is over.
    const timed = transaction.at !== null && !isSoldForNothing(transaction) && transaction.type !== 'reported_sale';
    return rolesOf(transaction).map((role, ordinal) => ({
      transaction: { ...transaction, assetClass: classOf(transaction, role) },
      ordinal,
      role,
      on,
      timed,
      ...(isLate && { late: true as const }),
    }));
  });
  return events.sort(
    (a, b) =>
      a.on - b.on ||
      partOfDay(a) - partOfDay(b) ||
      (a.timed ? Number(a.transaction.at) - Number(b.transaction.at) : 0) ||
      kindOf(a) - kindOf(b) ||
      a.transaction.line - b.transaction.line ||
      a.ordinal - b.ordinal ||
      (a.transaction.id < b.transaction.id ? -1 : a.transaction.id > b.transaction.id ? 1 : 0),
  );
}

/**
 * Returns a purchase and a sale for units that only a form reports: bought on the form's acquisition day for the form's
 * basis.
 */
function purchaseAndSale(transaction: Transaction): OracleEvent[] {
  const { acquired, basis: amount, on, account } = transaction;
  const bought = { ...transaction, type: 'buy' as const, on: acquired ?? on, at: null, amount, fee: null };
  const purchase = listedPurchase(account, bought.on);
  return [
    { transaction: bought, ordinal: 2, role: 'acquire', on: bought.on, timed: false, purchase },
    { transaction, ordinal: 0, role: 'dispose', on, timed: false },
  ];
}

/** Assigns a form row to the days of the sales that it reports. */
function eventsOfForm(transaction: Transaction, { days, nowhere }: FormSale): OracleEvent[] {
  const event = { transaction, ordinal: 0, role: 'dispose' as const, on: transaction.on, timed: false };
  let before = nothing;
  const whole = days.length === 1 && nowhere === null;
  const met = days.map(({ on, quantity }, ordinal): OracleEvent => {
    const part = partOfForm(event, before, quantity);
    before = before.plus(quantity);
    return { ...part, on, ordinal, form: { nowhere: null, whole } };
  });
  if (nowhere === null) return met;
  const rest = partOfForm(event, before, units(transaction.quantity).minus(before));
  return [...met, { ...rest, ordinal: met.length, form: { nowhere, whole: false } }];
}

/**
 * Returns the form's amounts for some of its units, which follow the first `from` units. Amounts are rounded to 8
 * decimals, and all parts sum to the whole.
 */
export function partOfForm(event: OracleEvent, from: Exact, quantity: Exact): OracleEvent {
  const { transaction } = event;
  const reported = units(transaction.quantity);
  const upTo = (amount: bigint, count: Exact): bigint =>
    BigInt(new Exact(amount.toString()).times(count).div(reported).toFixed(0, Exact.ROUND_HALF_UP));
  const part = (amount: Money | null): Money | null =>
    amount === null || reported.isZero() ? amount : ((upTo(amount, from.plus(quantity)) - upTo(amount, from)) as Money);
  const { amount, basis, wash, wages, marketDiscount } = transaction;
  return {
    ...event,
    transaction: {
      ...transaction,
      quantity: BigInt(quantity.times('1e18').toFixed(0)) as Quantity,
      amount: part(amount),
      basis: part(basis),
      wash: part(wash),
      wages: part(wages),
      marketDiscount: part(marketDiscount),
    },
  };
}

/**
 * Returns the class of one side of a row. In a trade between a coin and an NFT or tokenized security, the row states
 * the class of the latter. Fees are paid in coins.
 */
function classOf(transaction: Transaction, role: Role): AssetClass {
  const { type, assetClass, asset, receivedAsset, feeAsset } = transaction;
  const rare = assetClass === 'nft' || assetClass === 'tokenized_security';
  const moved = role === 'fee' ? feeAsset : role === 'acquire' && type === 'trade' ? receivedAsset : asset;
  if (money.has(moved) && (moved !== asset || assetClass === 'crypto')) return 'currency';
  if (assetClass === 'currency' && !money.has(moved)) return 'crypto';
  if (rare && role === 'fee' && feeAsset !== '') return feeAsset === asset && type !== 'trade' ? assetClass : 'crypto';
  // Fees are never paid in shares. If a symbol is both a coin and a share, a fee in it is paid in the coin.
  if (!isDigital(assetClass) && role === 'fee' && ![asset, receivedAsset].includes(feeAsset) && mayBeCoin(feeAsset))
    return 'crypto';
  if (!rare || type !== 'trade') return assetClass;
  return mayBeCoin(moved) ? 'crypto' : assetClass;
}

/**
 * Orders rows without a time within their day: corporate actions and acquisitions first, transfers and disposals last.
 */
function partOfDay(event: OracleEvent): number {
  if (event.timed) return 1;
  if (event.late) return 2;
  return kindOf(event) <= 3 ? 0 : 2;
}

/**
 * Orders events at the same instant: purchases before sales in the same second, in any file order. Openings come before
 * closings. Premium is amortized for the days before, so before the bond is sold. Units leave one account before they
 * arrive in another.
 */
function kindOf(event: OracleEvent): number {
  const { type } = event.transaction;
  if (event.late) return 7;
  if (event.role === 'action') return 0;
  if (event.role === 'acquire') return type === 'exercise' || type === 'assign' ? 2 : 1;
  if (event.role === 'defer') return 1;
  if (event.role === 'amortize') return 3;
  if (type === 'transfer' || type === 'withdrawal') return 4;
  if (type === 'deposit') return 5;
  if (event.role === 'mark' || event.role === 'reverse' || type === 'reported_sale') return 8;
  return natures[type] === 'closes' ? 7 : 6;
}

function rolesOf(transaction: Transaction): Role[] {
  const fee: Role[] = transaction.feeAsset !== '' && transaction.feeQuantity !== null ? ['fee'] : [];
  const { type } = transaction;
  if (isReversal(transaction)) return ['reverse'];
  switch (natures[type]) {
    case 'acts':
      return ['action'];
    case 'amortizes':
      return ['amortize'];
    case 'marks':
      return ['mark'];
    case 'moves':
      return ['move', ...fee];
    case 'exchanges':
      return ['dispose', 'acquire', ...fee];
    case 'opens':
      // Units withheld from a purchase leave at the time of the purchase.
      return type === 'buy' && transaction.feeAsset === transaction.asset ? ['acquire'] : ['acquire', ...fee];
    case 'defers':
      return (transaction.quantity ?? 0n) > 0n ? ['acquire', 'defer'] : ['acquire'];
    case 'earns':
      return isTakenBack(transaction) ? ['acquire', 'dispose', ...fee] : ['acquire', ...fee];
    case 'delivers':
      return [buysStock(transaction) ? 'acquire' : 'dispose', ...fee];
    case 'tells':
      return [];
    case 'disposes':
    case 'closes':
      return ['dispose', ...fee];
  }
}

/** Returns true for income in kind with a negative amount, which reverses a payment. */
export function isTakenBack({ type, asset, quantity, amount }: Transaction): boolean {
  return isIncome(type) && !traded.has(type) && asset !== '' && (quantity ?? 0n) > 0n && (amount ?? 0n) < 0n;
}

/**
 * Returns true for a trade with a negative amount, which reverses an earlier trade. Income with a negative amount is
 * just negative.
 */
function isReversal({ type, amount }: Transaction): boolean {
  return amount !== null && amount < 0n && traded.has(type);
}

const traded: ReadonlySet<TransactionType> = new Set([
  'buy',
  'sell',
  'trade',
  'short_sell',
  'cover',
  'buy_to_open',
  'sell_to_open',
  'buy_to_close',
  'sell_to_close',
  'reinvest',
  'espp_purchase',
]);

/**
 * Returns true for an exercised call or an assigned put, which buys the stock. Cash-settled options deliver no stock.
 */
function buysStock(transaction: Transaction): boolean {
  if (familyOf(transaction.assetClass) === 'contract') return false;
  return (optionOf(transaction).right === 'call') === (transaction.type === 'exercise');
}
