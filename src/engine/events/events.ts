import { type Day, lastDayOf, yearOf } from '../../base/day.ts';
import type { Money, Quantity } from '../../base/decimal.ts';
import type { Transaction } from '../model.ts';
import { rowOf } from '../transaction-types.ts';
import { classifyAssets, isCoin, isContract1256, isDigital } from './classes.ts';
import { isReversal } from './corrections.ts';
import {
  type AcquisitionTerms,
  acquire,
  type DisposeEvent,
  daysCoveredFrom,
  dollars,
  type Event,
  type EventHead,
  head,
  type IncomeEvent,
  orders,
  type TransactionEvent,
  tradeFee,
} from './event.ts';
import { onDayOfEnd } from './expiration.ts';
import { cashKey, isCurrencyKey, rightOf, toAssetKey } from './keys.ts';

/**
 * Returns the events of a transaction, each in the book of its own asset. A trade of coins is two events. A fee paid in
 * kind is a disposal. Events do not depend on the state of a book.
 */
export function buildEvents(tx: Transaction): Event[] {
  const sound = dropInvalidTerms(tx);
  const ended = onDayOfEnd(sound);
  const events = isReversal(ended) ? [buildTransactionEvent(ended, 'reverse', orders.mark)] : makers[ended.type](ended);
  // An option booked later ended after all trades of its last day.
  if (ended !== sound) return events.map((event) => ({ ...event, order: orders.close }));
  return events.every(moves) ? events : events.filter(moves);
}

/**
 * Dollars have no lots. Foreign currency has lots if it was bought or received for a known value. Otherwise it is money
 * too, and its source is not questioned.
 */
function moves(event: Event): boolean {
  if (event.kind === 'income') return true;
  if (!isCurrencyKey(event.key)) return event.key !== cashKey;
  if (event.kind === 'acquire') return event.cost !== null;
  return movesCurrency.has(event.kind);
}

const movesCurrency: ReadonlySet<Event['kind']> = new Set(['dispose', 'move', 'reverse']);

/** Removes a ratio or a number of shares that is not positive. Rights without basis have a ratio of zero. */
function dropInvalidTerms(tx: Transaction): Transaction {
  const least = tx.type === 'spinoff' ? 0n : 1n;
  const badRatio = tx.ratio !== null && (tx.ratio.numerator < least || tx.ratio.denominator <= 0n);
  const badShares = tx.shares !== null && tx.shares <= 0n;
  if (!badRatio && !badShares) return tx;
  return { ...tx, ratio: badRatio ? null : tx.ratio, shares: badShares ? null : tx.shares };
}

const makers: Readonly<Record<Transaction['type'], (tx: Transaction) => Event[]>> = {
  buy: (tx) => withFee(tx, purchase(tx)),
  sell: (tx) => withFee(tx, sale(tx, 'sale', minus(dollars(tx, tx.amount), tradeFee(tx)))),
  trade: trade,
  transfer: (tx) => [buildTransactionEvent(tx, 'move', orders.move), ...feeInKind(tx, orders.move)],
  deposit: (tx) => [buildTransactionEvent(tx, 'deposit', orders.arrive)],
  withdrawal: (tx) => [buildTransactionEvent(tx, 'withdraw', orders.move), ...feeInKind(tx, orders.move)],
  short_sell: (tx) => [buildTransactionEvent(tx, 'short', orders.dispose), ...feeInKind(tx, orders.dispose)],
  cover: (tx) => [buildTransactionEvent(tx, 'cover', orders.close), ...feeInKind(tx, orders.close)],
  buy_to_open: (tx) => [...purchase(tx), ...feeInKind(tx, orders.dispose)],
  sell_to_open: (tx) => [buildTransactionEvent(tx, 'write', orders.acquire), ...feeInKind(tx, orders.dispose)],
  buy_to_close: (tx) => [buildTransactionEvent(tx, 'close_written', orders.close), ...feeInKind(tx, orders.close)],
  sell_to_close: (tx) => [
    ...sale(tx, 'sale', minus(dollars(tx, tx.amount), tradeFee(tx))),
    ...feeInKind(tx, orders.dispose),
  ],
  expire: (tx) => [buildTransactionEvent(tx, 'expire', orders.close)],
  exercise: (tx) => [buildTransactionEvent(tx, 'exercise', bringsStock(tx, 'call') ? orders.exercise : orders.dispose)],
  assign: (tx) => [buildTransactionEvent(tx, 'assign', bringsStock(tx, 'put') ? orders.exercise : orders.dispose)],
  dividend: income,
  interest: income,
  staking: income,
  mining: income,
  airdrop: income,
  reward: income,
  wages: income,
  other_income: income,
  reinvest: income,
  withholding: (tx) => [earn(tx)],
  split: (tx) => [buildTransactionEvent(tx, 'split', orders.corporate)],
  rename: (tx) => [buildTransactionEvent(tx, 'rename', orders.corporate)],
  spinoff: (tx) => [buildTransactionEvent(tx, 'spinoff', orders.corporate)],
  merger: (tx) => [buildTransactionEvent(tx, 'merger', orders.corporate)],
  return_of_capital: (tx) => [buildTransactionEvent(tx, 'return_of_capital', orders.dispose)],
  // Premium belongs to earlier days: it reduces the basis of bonds sold or redeemed on that day.
  bond_amortization: (tx) => [buildTransactionEvent(tx, 'bond_amortization', orders.accrue)],
  original_issue_discount: (tx) => [buildTransactionEvent(tx, 'original_issue_discount', orders.accrue)],
  capital_gain_distribution: (tx) => [earn(tx)],
  currency_gain: (tx) => [earn(tx)],
  mark: (tx) => [buildTransactionEvent(tx, 'mark', orders.mark)],
  // Form 1099 reports a day after it is over, so the events of the history come first.
  reported_sale: (tx) => [{ ...buildTransactionEvent(tx, 'reported', orders.mark), at: null }],
  // A year's sales in one amount. The 1099 check compares it with our lines; the books do not change.
  reported_total: () => [],
  gift_in: giftReceived,
  gift_out: (tx) => [...sale(tx, 'gift', null), ...feeInKind(tx, orders.dispose)],
  donate: (tx) => [...sale(tx, 'gift', null), ...feeInKind(tx, orders.dispose)],
  lost: (tx) => sale(tx, 'lost', null),
  inherit: (tx) =>
    opening(tx, {
      cost: dollars(tx, tx.fmv),
      missing: 'basis_missing',
      acquired: tx.acquired ?? tx.on,
      inherited: true,
      purchasedOn: null,
      coveredFrom: null,
    }),
  spend: (tx) => [...sale(tx, 'sale', minus(dollars(tx, tx.amount), tradeFee(tx))), ...feeInKind(tx, orders.dispose)],
  fee: (tx) => (tx.quantity === null ? [] : sale(tx, 'sale', dollars(tx, tx.amount))),
  defer_gain: gainDeferred,
  opening_lot: (tx) =>
    opening(tx, {
      cost: dollars(tx, tx.basis),
      missing: 'basis_missing',
      acquired: tx.acquired ?? tx.on,
      purchasedOn: tx.acquired ?? tx.on,
    }),
  worthless,
};

function withFee(tx: Transaction, events: Event[]): Event[] {
  return tx.feeAsset === '' ? events : [...events, ...feeInKind(tx, orders.dispose)];
}

/**
 * A worthless security counts as sold for nothing on the last day of the year (IRC 165(g)(1)), without a time. A coin
 * is not a security, so no loss is claimed, as for a lost one.
 */
function worthless(tx: Transaction): Event[] {
  if (isCoin(tx.assetClass)) return sale(tx, 'lost', null);
  return sale(tx, 'sale', 0n as Money).map((event) => ({ ...event, on: countsOn(tx), at: null }));
}

/**
 * The day a row changes its book: normally its own day. For a worthless security it is the last day of the year. For
 * the end of an option that was booked late it is the expiration.
 */
export function countsOn(tx: Transaction): Day {
  return tx.type === 'worthless' && !isCoin(tx.assetClass) ? lastDayOf(yearOf(tx.on)) : onDayOfEnd(tx).on;
}

/** The cost of a lot is its price and the costs of buying it (IRC 1012; 26 CFR 1.1012-1(h)(1)). */
function purchase(tx: Transaction): Event[] {
  return opening(tx, { cost: plus(dollars(tx, tx.amount), tradeFee(tx)), purchasedOn: tx.on });
}

/**
 * From 2025 the whole cost of exchanging one digital asset for another reduces the proceeds of the asset given. The
 * basis of the asset received is its value alone (26 CFR 1.1001-7(b)(2)(ii), 1.1012-1(h)(2)(ii)). Earlier trades are
 * treated alike. If money of any country is given, the fee is added to the basis (1.1012-1(h)(1), 1.6045-1(a)(12)).
 */
function trade(tx: Transaction): Event[] {
  const classes = classifyAssets(tx);
  const value = dollars(tx, tx.amount);
  // A fee withheld from the asset given adds its value to the proceeds and is a cost of the same value: the two cancel
  // out.
  const withheldFromGiven = tx.feeAsset !== '' && tx.feeAsset === tx.asset;
  // Giving money is buying: the fee is a cost of the purchase, and money withheld for the fee is given away too.
  const given = toAssetKey(tx.asset, classes.asset);
  const buys = given === cashKey || isCurrencyKey(given);
  const lessFee = withheldFromGiven ? value : minus(value, tradeFee(tx));
  const moneyGiven = withheldFromGiven ? plus(value, tradeFee(tx)) : value;
  const received: EventHead = {
    ...head(tx, orders.acquire, 1),
    asset: tx.receivedAsset,
    assetClass: classes.received,
    key: toAssetKey(tx.receivedAsset, classes.received),
  };
  const cost = buys ? plus(value, tradeFee(tx)) : value;
  const arriving: Event[] = isNone(tx.receivedQuantity)
    ? [{ ...received, kind: 'unreadable' }]
    : [acquire(received, tx.receivedQuantity as Quantity, { cost })];
  return [
    ...sale(tx, 'sale', buys ? moneyGiven : lessFee),
    ...arriving,
    ...(withheldFromGiven ? [] : feeInKind(tx, orders.dispose)),
  ];
}

/**
 * Exercised calls and assigned puts bring stock, which may be sold on the same day. Cash-settled options bring none.
 */
function bringsStock(tx: Transaction, right: 'call' | 'put'): boolean {
  return !isContract1256(classifyAssets(tx).asset) && rightOf(tx) !== (right === 'call' ? 'put' : 'call');
}

/**
 * Income in kind opens a lot at the value that was taxed (Rev. Rul. 2023-14; Notice 2014-21 A-4). The basis that a broker
 * reports of shares for services leaves out the wages: it counts as not reported (26 CFR 1.6045-1(d)(6)(ii)(A)).
 */
function income(tx: Transaction): Event[] {
  const amount = dollars(tx, tx.amount);
  if (amount !== null && amount < 0n) return incomeTakenBack(tx);
  const cost = plus(amount, tradeFee(tx));
  const holdsUnits = tx.asset !== '' && !isNone(tx.quantity);
  const bought = rowOf(tx.type).isPurchase;
  const terms: AcquisitionTerms = {
    cost,
    purchasedOn: bought ? tx.on : null,
    coveredFrom: isDigital(tx.assetClass) || tx.type === 'wages' ? null : daysCoveredFrom.reinvested,
  };
  return [earn(tx), ...(holdsUnits ? opening(tx, terms, 1) : []), ...feeInKind(tx, orders.dispose)];
}

/** Income paid by mistake becomes negative income on the day it is reversed, and its units are returned. */
function incomeTakenBack(tx: Transaction): Event[] {
  const fee = feeInKind(tx, orders.dispose);
  if (tx.asset === '' || isNone(tx.quantity)) return [earn(tx), ...fee];
  return [earn(tx), ...sale(tx, 'returned', null).map((event) => ({ ...event, ordinal: 1 })), ...fee];
}

/**
 * The basis is the donor's (IRC 1015(a)), with the gift tax on the appreciation up to the value (1015(d)(6)). If the
 * donor's basis is above the value at the gift, a loss is measured from that value, and its holding period from the day
 * of the gift.
 */
function giftReceived(tx: Transaction): Event[] {
  const donor = dollars(tx, tx.basis);
  const value = dollars(tx, tx.fmv);
  const twoBases = donor !== null && value !== null && donor > value;
  const taxed = donor === null ? null : ((donor + (dollars(tx, tx.fee) ?? 0n)) as Money);
  const capped = taxed !== null && value !== null && taxed > value ? value : taxed;
  return opening(tx, {
    cost: twoBases ? donor : capped,
    lossCost: twoBases ? value : null,
    missing: 'gift_incomplete',
    acquired: donor === null ? tx.on : (tx.acquired ?? tx.on),
    purchasedOn: null,
    coveredFrom: null,
  });
}

/** The interest bought with a deferred gain has no basis until the gain is included (IRC 1400Z-2(b)(2)(B)(i)). */
function gainDeferred(tx: Transaction): Event[] {
  const opened = opening(tx, { cost: 0n as Money });
  return isNone(tx.quantity) ? opened : [...opened, { ...head(tx, orders.acquire, 1), kind: 'defer' }];
}

function opening(tx: Transaction, terms: AcquisitionTerms, ordinal = 0): Event[] {
  if (isNone(tx.quantity)) return [buildTransactionEvent(tx, 'unreadable', orders.acquire)];
  return [acquire(head(tx, orders.acquire, ordinal), tx.quantity as Quantity, terms)];
}

function sale(tx: Transaction, purpose: DisposeEvent['purpose'], proceeds: Money | null): Event[] {
  if (isNone(tx.quantity)) return [buildTransactionEvent(tx, 'unreadable', orders.dispose)];
  const quantity = tx.quantity as Quantity;
  return [{ ...head(tx, orders.dispose, 0), kind: 'dispose', quantity, proceeds, purpose, fromReceived: false }];
}

/** Units that pay for a service are disposed of at their value (26 CFR 1.1001-7(b)(1)(ii)). */
function feeInKind(tx: Transaction, order: number): Event[] {
  if (tx.feeAsset === '' || isNone(tx.feeQuantity)) return [];
  const assetClass = classifyAssets(tx).fee;
  const fee = dollars(tx, tx.fee);
  // Units withheld from those just received leave before any other event.
  const fromReceived = tx.feeAsset === (tx.type === 'trade' ? tx.receivedAsset : tx.type === 'buy' ? tx.asset : null);
  const base = {
    ...head(tx, fromReceived ? orders.acquire : order, 2),
    asset: tx.feeAsset,
    assetClass,
    key: toAssetKey(tx.feeAsset, assetClass),
  };
  // The cost of disposing of the fee's own units reduces their proceeds.
  const proceeds = fee === null ? null : tradeFee(tx);
  return [{ ...base, kind: 'dispose', quantity: tx.feeQuantity as Quantity, proceeds, purpose: 'sale', fromReceived }];
}

function earn(tx: Transaction): IncomeEvent {
  return { ...head(tx, orders.acquire, 0), kind: 'income', amount: dollars(tx, tx.amount) };
}

function buildTransactionEvent(tx: Transaction, kind: TransactionEvent['kind'], order: number): TransactionEvent {
  return { ...head(tx, order, 0), kind };
}

function isNone(quantity: Quantity | null): boolean {
  return quantity === null || quantity <= 0n;
}

function plus(a: Money | null, b: Money): Money | null {
  return a === null ? null : ((a + b) as Money);
}

function minus(a: Money | null, b: Money): Money | null {
  return a === null ? null : ((a - b) as Money);
}
