import type { Day, Instant } from '../../base/day.ts';
import type { Cents, Money, Quantity } from '../../base/decimal.ts';
import type { AssetClass, IssueKind, Statement, Transaction } from '../model.ts';
import { classifyAssets } from './classes.ts';
import { rightOf, toAssetKey, underlyingOf } from './keys.ts';

/**
 * The members of all events: the transaction that caused them, the asset they affect, and their order within an
 * instant.
 */
export interface EventHead {
  readonly tx: Transaction;
  readonly ordinal: number;
  readonly order: number;
  /** The day of the event: the transaction's own day, or the end of its year for a worthless security. */
  readonly on: Day;
  /** Its instant. Null if only the day is known. */
  readonly at: Instant | null;
  readonly key: string;
  readonly asset: string;
  readonly assetClass: AssetClass;
  readonly account: string;
}

export interface AcquireEvent extends EventHead {
  readonly kind: 'acquire';
  readonly quantity: Quantity;
  /** Amount in dollars (10⁻⁸). Null if unknown; `missing` names the issue to raise. */
  readonly cost: Money | null;
  readonly missing: IssueKind;
  readonly acquired: Day;
  readonly heldSince: Day;
  readonly inherited: boolean;
  readonly purchasedOn: Day | null;
  readonly lossCost: Money | null;
  /** Lots acquired from this day on are covered: the broker reports their basis. Null if never. */
  readonly coveredFrom: Day | null;
  /** Units that have already replaced a loss, such as those of an exercised call that did. */
  readonly used: Quantity;
  readonly shares: Quantity | null;
  readonly underlyingKey: string | null;
  readonly right: 'call' | 'put' | null;
  /** The purchase that the units belong to, if several rows state parts of it (`listedOrigin`). */
  readonly origin?: string;
}

export interface DisposeEvent extends EventHead {
  readonly kind: 'dispose';
  readonly quantity: Quantity;
  readonly proceeds: Money | null;
  /**
   * `gift`: the lots leave without a Form 8949 row. `lost`: no loss is claimed. `returned`: income is reversed together
   * with its lot.
   */
  readonly purpose: 'sale' | 'gift' | 'lost' | 'returned';
  /**
   * Units withheld from those that the same row received. They leave the lot that it opened (26 CFR
   * 1.1012-1(j)(3)(iii)).
   */
  readonly fromReceived: boolean;
}

export interface IncomeEvent extends EventHead {
  readonly kind: 'income';
  readonly amount: Money | null;
}

/** Events whose rule depends on the book. The rule reads the transaction. */
export interface TransactionEvent extends EventHead {
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
    | 'bond_amortization'
    | 'original_issue_discount'
    | 'defer'
    | 'mark'
    | 'reported'
    | 'reverse'
    | 'unreadable';
  /** For a form row, how it matches sales of other days, if it does (`form-rows.ts`). */
  readonly form?: FormMeeting;
}

export interface FormMeeting {
  /**
   * `day`: it joins sales of the event's day. The next four join no line: `twice`, an equal row has already joined the
   * sale; `account`, another account sold the units; `open`, it dates a short sale that is still open; `ended`, it
   * shows the end of a written option that no other row ends. `like`: it is a separate sale, although another account
   * sold the same number of units.
   */
  readonly by: 'day' | 'twice' | 'account' | 'open' | 'ended' | 'like';
  /** Whether sales of one day explain all units of the row. Its amounts are then those of the sales. */
  readonly isWhole: boolean;
  /** The rows of the sale, the equal row or the short sale, their account and first day, and their proceeds. */
  readonly rows?: readonly string[];
  readonly account?: string;
  readonly on?: Day;
  readonly proceeds?: Cents | null;
}

export type Event = AcquireEvent | DisposeEvent | IncomeEvent | TransactionEvent;

/** The order of events within one instant, and among rows that have only a date. */
export const orders = {
  corporate: 0,
  acquire: 1,
  exercise: 2,
  accrue: 3,
  move: 4,
  arrive: 5,
  dispose: 6,
  close: 7,
  mark: 8,
} as const;

/** An amount in dollars. Null if it is not stated, or stated in another currency. */
export function dollars(tx: Transaction, amount: Money | null): Money | null {
  return tx.currency === '' || tx.currency === 'USD' ? amount : null;
}

/**
 * Whether an amount is stated in a currency without a rate. Such an amount is not zero, so a question must be raised.
 */
export function isUnvalued(tx: Transaction, amount: Money | null): boolean {
  return amount !== null && amount !== 0n && dollars(tx, amount) === null;
}

/** The part of the fee for the trade itself, not for the disposal of the fee's own units. */
export function tradeFee(tx: Transaction): Money {
  return ((dollars(tx, tx.fee) ?? 0n) - (dollars(tx, tx.feeOwn) ?? 0n)) as Money;
}

/** Whether a part of the fee, even zero, is stated to belong to the disposal of the fee's own units. */
export function dividesFee({ feeOwn }: Pick<Statement, 'feeOwn'>): boolean {
  return feeOwn !== null;
}

/**
 * The purchase of lots stated by a list of lots or a Form 1099. Lots of one account, asset and acquisition day are
 * parts of one purchase, because a list does not identify orders.
 */
export function listedOrigin(account: string, acquired: Day): string {
  return `${listedMark}${account} ${acquired}`;
}

/** Whether a lot comes from a list of lots or a Form 1099. */
export function isListed({ origin }: { readonly origin: string }): boolean {
  return origin.startsWith(listedMark);
}

const listedMark = 'listed: ';

/** Whether a row lists a lot by its purchase: an opening lot dated on its own acquisition day. */
export function listsLot({ type, on, acquired }: Pick<Transaction, 'type' | 'on' | 'acquired'>): boolean {
  return type === 'opening_lot' && acquired === on;
}

export type AcquisitionTerms = Partial<
  Omit<AcquireEvent, keyof EventHead | 'kind' | 'quantity' | 'shares' | 'underlyingKey' | 'right'>
> & {
  readonly cost: Money | null;
};

export function acquire(base: EventHead, quantity: Quantity, terms: AcquisitionTerms): AcquireEvent {
  const { tx } = base;
  const acquired = terms.acquired ?? tx.on;
  const option = base.assetClass === 'option';
  const underlying = option ? underlyingOf(tx) : '';
  // Copied member by member: two spreads take longer than everything else here.
  return {
    tx,
    ordinal: base.ordinal,
    order: base.order,
    on: base.on,
    at: base.at,
    key: base.key,
    asset: base.asset,
    assetClass: base.assetClass,
    account: base.account,
    kind: 'acquire',
    quantity,
    cost: terms.cost,
    missing: terms.missing ?? 'value_missing',
    acquired,
    heldSince: terms.heldSince ?? acquired,
    inherited: terms.inherited ?? false,
    purchasedOn: terms.purchasedOn === undefined ? tx.on : terms.purchasedOn,
    lossCost: terms.lossCost ?? null,
    used: terms.used ?? (0n as Quantity),
    coveredFrom: terms.coveredFrom === undefined ? daysCoveredFrom[base.assetClass] : terms.coveredFrom,
    shares: option ? (tx.shares ?? sharesPerContract) : null,
    underlyingKey: underlying === '' ? null : toAssetKey(underlying, 'stock'),
    right: option ? rightOf(tx) : null,
  };
}

/** A purchase that follows from another event: an exercise, or closing more units than were open. */
export function optionPurchase(base: EventHead, quantity: Quantity, cost: Money | null): AcquireEvent {
  return acquire({ ...base, ordinal: 1 }, quantity, { cost });
}

export const sharesPerContract = (100n * 10n ** 18n) as Quantity;

/** Brokers report the basis of assets acquired from this day on (26 CFR 1.6045-1(a)(15)). */
export const daysCoveredFrom: Readonly<Record<AssetClass | 'reinvested', Day | null>> = {
  stock: 14975 as Day, // 2011-01-01
  fund: 15340 as Day, // 2012-01-01
  reinvested: 15340 as Day,
  option: 16071 as Day, // 2014-01-01
  bond: 16071 as Day,
  // A debt due within a year of its issue does not count as a covered security ([policy], DECISIONS).
  treasury_bill: null,
  crypto: 20454 as Day, // 2026-01-01
  nft: 20454 as Day,
  tokenized_security: 20454 as Day,
  future: 14975 as Day,
  section_1256: 14975 as Day,
  currency: 14975 as Day,
};

export function head(tx: Transaction, order: number, ordinal: number): EventHead {
  const assetClass = classifyAssets(tx).asset;
  return {
    tx,
    ordinal,
    order,
    on: tx.on,
    at: tx.at,
    key: toAssetKey(tx.asset, assetClass),
    asset: tx.asset,
    assetClass,
    account: tx.account,
  };
}
