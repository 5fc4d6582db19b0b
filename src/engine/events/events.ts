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
 * Returns the events of a transaction, each in the book of its asset. A trade of coins is two events. A fee paid in
 * units is a disposal. Events do not depend on the state of a book.
 */
export function buildEvents(tx: Transaction): Event[] {
  const sound = dropInvalidTerms(tx);
  const ended = onDayOfEnd(sound);
  const events = isReversal(ended) ? [buildTransactionEvent(ended, 'reverse', orders.mark)] : makers[ended.type](ended);
  // If the end of an option was booked late, its events are processed after all trades of the expiration day.
  if (ended !== sound) return events.map((event) => ({ ...event, order: orders.close }));
  return events.every(moves) ? events : events.filter(moves);
}

/**
 * Returns whether an event changes lots. Dollars have no lots. Foreign currency has lots only if it was bought or
 * received for a known value. Otherwise it is treated as cash, and no issue is raised about its source.
 */
function moves(event: Event): boolean {
  if (event.kind === 'income') return true;
  if (!isCurrencyKey(event.key)) return event.key !== cashKey;
  if (event.kind === 'acquire') return event.cost !== null;
  return movesCurrency.has(event.kind);
}

const movesCurrency: ReadonlySet<Event['kind']> = new Set(['dispose', 'move', 'reverse']);

/** Removes a ratio or a number of shares that is not positive. A ratio of zero is valid for rights without basis. */
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
  espp_purchase: purchase,
  withholding: (tx) => [earn(tx)],
  split: (tx) => [buildTransactionEvent(tx, 'split', orders.corporate)],
  rename: (tx) => [buildTransactionEvent(tx, 'rename', orders.corporate)],
  spinoff: (tx) => [buildTransactionEvent(tx, 'spinoff', orders.corporate)],
  merger: (tx) => [buildTransactionEvent(tx, 'merger', orders.corporate)],
  return_of_capital: (tx) => [buildTransactionEvent(tx, 'return_of_capital', orders.dispose)],
  // Premium was amortized before this day, so it reduces the basis of bonds sold or redeemed on this day.
  bond_amortization: (tx) => [buildTransactionEvent(tx, 'bond_amortization', orders.accrue)],
  original_issue_discount: (tx) => [buildTransactionEvent(tx, 'original_issue_discount', orders.accrue)],
  capital_gain_distribution: (tx) => [earn(tx)],
  currency_gain: (tx) => [earn(tx)],
  mark: (tx) => [buildTransactionEvent(tx, 'mark', orders.mark)],
  // Form 1099 reports a day as a whole, so all other events of the day come first.
  reported_sale: (tx) => [{ ...buildTransactionEvent(tx, 'reported', orders.mark), at: null }],
  // The total of a year's sales. The 1099 check compares it with our lines, and the books do not change.
  reported_total: () => [],
  gift_in: giftReceived,
  gift_out: (tx) => [...sale(tx, 'gift', null), ...feeInKind(tx, orders.dispose)],
  donate: (tx) => [...sale(tx, 'gift', null), ...feeInKind(tx, orders.dispose)],
  lost: (tx) => sale(tx, 'lost', null),
  inherit: (tx) =>
    buildOpeningEvents(tx, {
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
    buildOpeningEvents(tx, {
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
 * Treats a worthless security as sold for $0 on the last day of the year (IRC 165(g)(1)), without a time. A coin is not
 * a security, so no loss is claimed for it, as if it had been lost.
 */
function worthless(tx: Transaction): Event[] {
  if (isCoin(tx.assetClass)) return sale(tx, 'lost', null);
  return sale(tx, 'sale', 0n as Money).map((event) => ({ ...event, on: countsOn(tx), at: null }));
}

/**
 * Returns the day a row changes its book, which is normally its own day. For a worthless security it is the last day of
 * the year. If the end of an option was booked late, it is the expiration.
 */
export function countsOn(tx: Transaction): Day {
  return tx.type === 'worthless' && !isCoin(tx.assetClass) ? lastDayOf(yearOf(tx.on)) : onDayOfEnd(tx).on;
}

/** Opens a lot at its price plus the costs of buying it (IRC 1012; 26 CFR 1.1012-1(h)(1)). */
function purchase(tx: Transaction): Event[] {
  return buildOpeningEvents(tx, { cost: plus(dollars(tx, tx.amount), tradeFee(tx)), purchasedOn: tx.on });
}

/**
 * Exchanges one asset for another. From 2025, all costs of exchanging one digital asset for another reduce the proceeds
 * of the asset given up. The basis of the asset received is its value alone (26 CFR 1.1001-7(b)(2)(ii),
 * 1.1012-1(h)(2)(ii)). Earlier trades are treated in the same way. If dollars or a foreign currency are given up, the
 * fee is added to the basis (1.1012-1(h)(1), 1.6045-1(a)(12)).
 */
function trade(tx: Transaction): Event[] {
  const classes = classifyAssets(tx);
  const value = dollars(tx, tx.amount);
  // A fee withheld from the asset given up adds its value to the proceeds and is a cost of the same value, so the two
  // cancel out.
  const withheldFromGiven = tx.feeAsset !== '' && tx.feeAsset === tx.asset;
  // If money is given up, the trade is a purchase. The fee is part of its cost, including money withheld for the fee.
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
 * Returns whether the end of an option is a purchase of stock, which may be sold on the same day. Exercised calls and
 * assigned puts buy stock. Cash-settled options do not.
 */
function bringsStock(tx: Transaction, right: 'call' | 'put'): boolean {
  return !isContract1256(classifyAssets(tx).asset) && rightOf(tx) !== (right === 'call' ? 'put' : 'call');
}

/**
 * Returns the events of income. Units received open a lot at the value that was taxed (Rev. Rul. 2023-14; Notice
 * 2014-21 A-4). For shares received for services, the basis that a broker reports omits the wages, so it counts as not
 * reported (26 CFR 1.6045-1(d)(6)(ii)(A)).
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
  return [earn(tx), ...(holdsUnits ? buildOpeningEvents(tx, terms, 1) : []), ...feeInKind(tx, orders.dispose)];
}

/** Reverses income paid by mistake. The reversal is negative income on its own day, and the units are returned. */
function incomeTakenBack(tx: Transaction): Event[] {
  const fee = feeInKind(tx, orders.dispose);
  if (tx.asset === '' || isNone(tx.quantity)) return [earn(tx), ...fee];
  return [earn(tx), ...sale(tx, 'returned', null).map((event) => ({ ...event, ordinal: 1 })), ...fee];
}

/**
 * Opens the lot of a gift. The basis is the donor's (IRC 1015(a)) plus the gift tax on the appreciation, but not more
 * than the value (1015(d)(6)). If the donor's basis exceeds the value on the day of the gift, a loss is measured from
 * that value, and its holding period starts on that day.
 */
function giftReceived(tx: Transaction): Event[] {
  const donor = dollars(tx, tx.basis);
  const value = dollars(tx, tx.fmv);
  const twoBases = donor !== null && value !== null && donor > value;
  const taxed = donor === null ? null : ((donor + (dollars(tx, tx.fee) ?? 0n)) as Money);
  const capped = taxed !== null && value !== null && taxed > value ? value : taxed;
  return buildOpeningEvents(tx, {
    cost: twoBases ? donor : capped,
    lossCost: twoBases ? value : null,
    missing: 'gift_incomplete',
    acquired: donor === null ? tx.on : (tx.acquired ?? tx.on),
    purchasedOn: null,
    coveredFrom: null,
  });
}

/**
 * Opens the interest bought with a deferred gain. It has no basis until the gain is included (IRC 1400Z-2(b)(2)(B)(i)).
 */
function gainDeferred(tx: Transaction): Event[] {
  const opened = buildOpeningEvents(tx, { cost: 0n as Money });
  return isNone(tx.quantity) ? opened : [...opened, { ...head(tx, orders.acquire, 1), kind: 'defer' }];
}

function buildOpeningEvents(tx: Transaction, terms: AcquisitionTerms, ordinal = 0): Event[] {
  if (isNone(tx.quantity)) return [buildTransactionEvent(tx, 'unreadable', orders.acquire)];
  return [acquire(head(tx, orders.acquire, ordinal), tx.quantity as Quantity, terms)];
}

function sale(tx: Transaction, purpose: DisposeEvent['purpose'], proceeds: Money | null): Event[] {
  if (isNone(tx.quantity)) return [buildTransactionEvent(tx, 'unreadable', orders.dispose)];
  const quantity = tx.quantity as Quantity;
  return [{ ...head(tx, orders.dispose, 0), kind: 'dispose', quantity, proceeds, purpose, fromReceived: false }];
}

/**
 * Returns the disposal of units that pay for a service. They are disposed of at their value (26 CFR
 * 1.1001-7(b)(1)(ii)).
 */
function feeInKind(tx: Transaction, order: number): Event[] {
  if (tx.feeAsset === '' || isNone(tx.feeQuantity)) return [];
  const assetClass = classifyAssets(tx).fee;
  const fee = dollars(tx, tx.fee);
  // Units withheld from those just received are disposed of before any other event.
  const fromReceived = tx.feeAsset === (tx.type === 'trade' ? tx.receivedAsset : tx.type === 'buy' ? tx.asset : null);
  const base = {
    ...head(tx, fromReceived ? orders.acquire : order, 2),
    asset: tx.feeAsset,
    assetClass,
    key: toAssetKey(tx.feeAsset, assetClass),
  };
  // The cost of disposing of the units that pay the fee reduces their proceeds.
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
