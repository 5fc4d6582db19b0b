import type { Day } from '../base/day.ts';
import type { Money, Quantity } from '../base/decimal.ts';
import { classesOf, isDigital } from './classes.ts';
import { assetKeyOf, cashKey, rightOf, underlyingOf } from './keys.ts';
import type { AssetClass, IssueKind, Transaction } from './model.ts';

/** What all events have: what caused them, what they move, and their place within an instant. */
export interface EventHead {
  readonly tx: Transaction;
  /** Which consequence of the transaction it is. */
  readonly ordinal: number;
  readonly order: number;
  readonly key: string;
  readonly asset: string;
  readonly assetClass: AssetClass;
  readonly account: string;
}

export interface Acquire extends EventHead {
  readonly kind: 'acquire';
  readonly quantity: Quantity;
  /** null: not known, which `missing` says how. */
  readonly cost: Money | null;
  readonly missing: IssueKind;
  readonly acquired: Day;
  readonly heldSince: Day;
  readonly inherited: boolean;
  readonly purchasedOn: Day | null;
  readonly lossCost: Money | null;
  /** First day from which a broker reports the basis of a lot so acquired; null for never. */
  readonly coveredFrom: Day | null;
  readonly shares: Quantity | null;
  readonly underlyingKey: string | null;
  readonly right: 'call' | 'put' | null;
}

export interface Dispose extends EventHead {
  readonly kind: 'dispose';
  readonly quantity: Quantity;
  readonly proceeds: Money | null;
  /** `gift`: the lots leave without a line. */
  readonly purpose: 'sale' | 'gift' | 'lost' | 'worthless';
  /** Units withheld from what the same row received: the lot just opened gives them (26 CFR 1.1012-1(j)(3)(iii)). */
  readonly fromReceived: boolean;
}

export interface Earn extends EventHead {
  readonly kind: 'income';
  readonly amount: Money | null;
}

/** Events that need the book to be understood: their handler reads the transaction. */
export interface Act extends EventHead {
  readonly kind:
    | 'move'
    | 'withdraw'
    | 'deposit'
    | 'short'
    | 'cover'
    | 'write'
    | 'close_written'
    | 'expire'
    | 'exercise'
    | 'assign'
    | 'split'
    | 'rename'
    | 'spinoff'
    | 'merger'
    | 'return_of_capital'
    | 'mark'
    | 'reported'
    | 'unreadable';
}

export type Event = Acquire | Dispose | Earn | Act;

/** Within one instant, and among rows that carry only a date, things happen in this order. */
export const orders = { corporate: 0, acquire: 1, exercise: 2, move: 3, dispose: 4, close: 5, mark: 6 } as const;

/**
 * The events of a transaction, each in the book of its own asset. A trade of coins is two; a fee paid in kind is a
 * disposal of its own. Nothing here depends on the state of a book.
 */
export function eventsOf(tx: Transaction): Event[] {
  const events = makers[tx.type](tx);
  return events.filter((event) => event.key !== cashKey || event.kind === 'income');
}

/** An amount in dollars; null where it is not stated, or stated in a currency whose rate is not known. */
export function dollars(tx: Transaction, amount: Money | null): Money | null {
  return tx.currency === '' || tx.currency === 'USD' ? amount : null;
}

/** The part of the fee that belongs to the trade itself, not to disposing of the fee's own units. */
export function tradeFee(tx: Transaction): Money {
  return ((dollars(tx, tx.fee) ?? 0n) - (dollars(tx, tx.feeOwn) ?? 0n)) as Money;
}

const makers: Readonly<Record<Transaction['type'], (tx: Transaction) => Event[]>> = {
  buy: (tx) => [...purchase(tx), ...feeInKind(tx, orders.dispose)],
  sell: (tx) => [...sale(tx, 'sale', minus(dollars(tx, tx.amount), tradeFee(tx))), ...feeInKind(tx, orders.dispose)],
  trade: trade,
  transfer: (tx) => [act(tx, 'move', orders.move), ...feeInKind(tx, orders.move)],
  deposit: (tx) => [act(tx, 'deposit', orders.move)],
  withdrawal: (tx) => [act(tx, 'withdraw', orders.move), ...feeInKind(tx, orders.move)],
  short_sell: (tx) => [act(tx, 'short', orders.dispose), ...feeInKind(tx, orders.dispose)],
  cover: (tx) => [act(tx, 'cover', orders.close), ...feeInKind(tx, orders.close)],
  buy_to_open: (tx) => [...purchase(tx), ...feeInKind(tx, orders.dispose)],
  sell_to_open: (tx) => [act(tx, 'write', orders.acquire), ...feeInKind(tx, orders.dispose)],
  buy_to_close: (tx) => [act(tx, 'close_written', orders.close), ...feeInKind(tx, orders.close)],
  sell_to_close: (tx) => [
    ...sale(tx, 'sale', minus(dollars(tx, tx.amount), tradeFee(tx))),
    ...feeInKind(tx, orders.dispose),
  ],
  expire: (tx) => [act(tx, 'expire', orders.close)],
  // Exercised calls and assigned puts bring stock, which may be sold the same day.
  exercise: (tx) => [act(tx, 'exercise', rightOf(tx) === 'put' ? orders.dispose : orders.exercise)],
  assign: (tx) => [act(tx, 'assign', rightOf(tx) === 'call' ? orders.dispose : orders.exercise)],
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
  split: (tx) => [act(tx, 'split', orders.corporate)],
  rename: (tx) => [act(tx, 'rename', orders.corporate)],
  spinoff: (tx) => [act(tx, 'spinoff', orders.corporate)],
  merger: (tx) => [act(tx, 'merger', orders.corporate)],
  return_of_capital: (tx) => [act(tx, 'return_of_capital', orders.dispose)],
  capital_gain_distribution: (tx) => [earn(tx)],
  mark: (tx) => [act(tx, 'mark', orders.mark)],
  reported_sale: (tx) => [act(tx, 'reported', orders.dispose)],
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
  opening_lot: (tx) =>
    opening(tx, {
      cost: dollars(tx, tx.basis),
      missing: 'basis_missing',
      acquired: tx.acquired ?? tx.on,
      purchasedOn: tx.acquired ?? tx.on,
    }),
  worthless: (tx) => sale(tx, 'worthless', 0n as Money),
};

/** What a lot costs is its price and what was paid to get it (IRC 1012; 26 CFR 1.1012-1(h)(1)). */
function purchase(tx: Transaction): Event[] {
  return opening(tx, { cost: plus(dollars(tx, tx.amount), tradeFee(tx)), purchasedOn: tx.on });
}

/**
 * From 2025 the whole cost of exchanging one digital asset for another reduces what the given one yields; the received
 * one's basis is its value alone (26 CFR 1.1001-7(b)(2)(ii), 1.1012-1(h)(2)(ii)). Earlier trades are treated alike.
 */
function trade(tx: Transaction): Event[] {
  const classes = classesOf(tx);
  const value = dollars(tx, tx.amount);
  // Withheld from what is given: its value comes on top of what arrived, and is the cost: the two cancel out.
  const withheldFromGiven = tx.feeAsset !== '' && tx.feeAsset === tx.asset;
  const proceeds = withheldFromGiven ? value : minus(value, tradeFee(tx));
  const received: EventHead = {
    ...head(tx, orders.acquire, 1),
    asset: tx.receivedAsset,
    assetClass: classes.received,
    key: assetKeyOf(tx.receivedAsset, classes.received),
  };
  // Dollars given for it make it a purchase, whose fee joins the basis.
  const cost = assetKeyOf(tx.asset, classes.asset) === cashKey ? plus(value, tradeFee(tx)) : value;
  const arriving = isNone(tx.receivedQuantity) ? [] : [acquire(received, tx.receivedQuantity as Quantity, { cost })];
  return [...sale(tx, 'sale', proceeds), ...arriving, ...(withheldFromGiven ? [] : feeInKind(tx, orders.dispose))];
}

/** Income of a thing opens a lot at the value that was taxed (Rev. Rul. 2023-14; Notice 2014-21 A-4). */
function income(tx: Transaction): Event[] {
  const cost = plus(dollars(tx, tx.amount), tradeFee(tx));
  const holdsUnits = tx.asset !== '' && !isNone(tx.quantity);
  const bought = purchasingIncome.has(tx.type);
  const terms: Terms = {
    cost,
    purchasedOn: bought ? tx.on : null,
    coveredFrom: isDigital(tx.assetClass) ? null : daysCoveredFrom.reinvested,
  };
  return [earn(tx), ...(holdsUnits ? opening(tx, terms, 1) : []), ...feeInKind(tx, orders.dispose)];
}

/** Stock awards and reinvested dividends are acquisitions for IRC 1091 (Pub. 550, "Wash Sales"); airdrops are not bought. */
const purchasingIncome: ReadonlySet<string> = new Set([
  'dividend',
  'interest',
  'mining',
  'wages',
  'other_income',
  'reinvest',
]);

/**
 * IRC 1015(a): the donor's basis (and the gift tax on the appreciation, up to the value: 1015(d)(6)); where that is
 * above the value at the gift, a loss counts from the value, and from the day of the gift.
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

type Terms = Partial<Omit<Acquire, keyof EventHead | 'kind' | 'quantity'>> & { readonly cost: Money | null };

function opening(tx: Transaction, terms: Terms, ordinal = 0): Event[] {
  if (isNone(tx.quantity)) return [act(tx, 'unreadable', orders.acquire)];
  return [acquire(head(tx, orders.acquire, ordinal), tx.quantity as Quantity, terms)];
}

function acquire(base: EventHead, quantity: Quantity, terms: Terms): Acquire {
  const { tx } = base;
  const acquired = terms.acquired ?? tx.on;
  const option = base.assetClass === 'option';
  const underlying = option ? underlyingOf(tx) : '';
  return {
    ...base,
    kind: 'acquire',
    quantity,
    missing: 'value_missing',
    acquired,
    heldSince: acquired,
    inherited: false,
    purchasedOn: tx.on,
    lossCost: null,
    coveredFrom: daysCoveredFrom[base.assetClass],
    shares: option ? (tx.shares ?? sharesPerContract) : null,
    underlyingKey: underlying === '' ? null : assetKeyOf(underlying, 'stock'),
    right: option ? rightOf(tx) : null,
    ...terms,
  };
}

/** A lot that comes about while another event is told: an exercise, a closing in excess. */
export function optionPurchase(base: EventHead, quantity: Quantity, cost: Money | null): Acquire {
  return acquire({ ...base, ordinal: 1 }, quantity, { cost });
}

const sharesPerContract = (100n * 10n ** 18n) as Quantity;

/** From when on brokers report the basis of what is bought with them (26 CFR 1.6045-1(a)(15)). */
const daysCoveredFrom: Readonly<Record<AssetClass | 'reinvested', Day>> = {
  stock: 14975 as Day, // 2011-01-01
  fund: 15340 as Day, // 2012-01-01
  reinvested: 15340 as Day,
  option: 16071 as Day, // 2014-01-01
  bond: 16071 as Day,
  crypto: 20454 as Day, // 2026-01-01
  nft: 20454 as Day,
  tokenized_security: 20454 as Day,
  future: 14975 as Day,
  section_1256: 14975 as Day,
};

function sale(tx: Transaction, purpose: Dispose['purpose'], proceeds: Money | null): Event[] {
  if (isNone(tx.quantity)) return [act(tx, 'unreadable', orders.dispose)];
  const quantity = tx.quantity as Quantity;
  return [{ ...head(tx, orders.dispose, 0), kind: 'dispose', quantity, proceeds, purpose, fromReceived: false }];
}

/** Units that pay for a service are disposed of at their value (26 CFR 1.1001-7(b)(1)(ii)). */
function feeInKind(tx: Transaction, order: number): Event[] {
  if (tx.feeAsset === '' || isNone(tx.feeQuantity)) return [];
  const assetClass = classesOf(tx).fee;
  const fee = dollars(tx, tx.fee);
  const base = { ...head(tx, order, 2), asset: tx.feeAsset, assetClass, key: assetKeyOf(tx.feeAsset, assetClass) };
  const fromReceived = tx.feeAsset === (tx.type === 'trade' ? tx.receivedAsset : tx.type === 'buy' ? tx.asset : null);
  // What disposing of the fee's own units cost reduces their proceeds.
  const proceeds = fee === null ? null : tradeFee(tx);
  return [{ ...base, kind: 'dispose', quantity: tx.feeQuantity as Quantity, proceeds, purpose: 'sale', fromReceived }];
}

function earn(tx: Transaction): Earn {
  return { ...head(tx, orders.acquire, 0), kind: 'income', amount: dollars(tx, tx.amount) };
}

function act(tx: Transaction, kind: Act['kind'], order: number): Act {
  return { ...head(tx, order, 0), kind };
}

function head(tx: Transaction, order: number, ordinal: number): EventHead {
  const assetClass = classesOf(tx).asset;
  return {
    tx,
    ordinal,
    order,
    key: assetKeyOf(tx.asset, assetClass),
    asset: tx.asset,
    assetClass,
    account: tx.account,
  };
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
