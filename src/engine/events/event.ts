import type { Day, Instant } from '../../base/day.ts';
import type { Cents, Money, Quantity } from '../../base/decimal.ts';
import type { AssetClass, IssueKind, Statement, Transaction } from '../model.ts';
import { classifyAssets } from './classes.ts';
import { rightOf, toAssetKey, underlyingOf } from './keys.ts';

/**
 * The fields of all events: the transaction that caused them, the asset they affect, and their order within an instant.
 */
export interface EventHead {
  readonly tx: Transaction;
  readonly ordinal: number;
  readonly order: number;
  /** The day of the transaction, or the end of its year for a worthless security. */
  readonly on: Day;
  /** The time of the event. Null if only the day is known. */
  readonly at: Instant | null;
  readonly key: string;
  readonly asset: string;
  readonly assetClass: AssetClass;
  readonly account: string;
}

export interface AcquireEvent extends EventHead {
  readonly kind: 'acquire';
  readonly quantity: Quantity;
  /** The cost in dollars (10⁻⁸). If it is null, `missing` is the kind of issue to raise. */
  readonly cost: Money | null;
  readonly missing: IssueKind;
  readonly acquired: Day;
  readonly heldSince: Day;
  readonly inherited: boolean;
  readonly purchasedOn: Day | null;
  readonly lossCost: Money | null;
  /**
   * The lot is covered if it was acquired on or after this day, so that the broker reports its basis. Null if it is
   * never covered.
   */
  readonly coveredFrom: Day | null;
  /** Units that have already replaced a loss, for example because they come from an exercised call that did. */
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
   * `sale` is a taxable disposal. With `gift`, the lots are removed without a Form 8949 row. With `lost`, no loss is
   * claimed. With `returned`, income is reversed together with its lot.
   */
  readonly purpose: 'sale' | 'gift' | 'lost' | 'returned';
  /**
   * Whether the units were withheld from those that the same row received. They are taken from the lot that the row
   * opened (26 CFR 1.1012-1(j)(3)(iii)).
   */
  readonly fromReceived: boolean;
}

export interface IncomeEvent extends EventHead {
  readonly kind: 'income';
  readonly amount: Money | null;
}

/** An event whose rule depends on the book. The rule reads the transaction. */
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
  /** For a form row, how it matches sales of other days (`form-rows.ts`). Absent if it does not. */
  readonly form?: FormMeeting;
}

export interface FormMeeting {
  /**
   * `day`: the row matches sales on the event's day. `twice`: an equal row has already matched the sale. `account`:
   * another account sold the units. `open`: the row reports a short sale that is still open. `ended`: the row reports
   * the end of a written option that no other row ends. `like`: it is a separate sale, although another account sold
   * the same number of units. For `twice`, `account`, `open` and `ended`, the row matches no line.
   */
  readonly by: 'day' | 'twice' | 'account' | 'open' | 'ended' | 'like';
  /** Whether sales of one day explain all units of the row. If so, its amounts are the amounts of these sales. */
  readonly isWhole: boolean;
  /**
   * The transactions of the sale, of the equal row or of the short sale. The fields below are their account, first day
   * and proceeds.
   */
  readonly rows?: readonly string[];
  readonly account?: string;
  readonly on?: Day;
  readonly proceeds?: Cents | null;
}

export type Event = AcquireEvent | DisposeEvent | IncomeEvent | TransactionEvent;

/** The order of events at the same time, and among rows that have only a date. */
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

/** Returns an amount in dollars, or null if it is absent or in another currency. */
export function dollars(tx: Transaction, amount: Money | null): Money | null {
  return tx.currency === '' || tx.currency === 'USD' ? amount : null;
}

/**
 * Returns whether an amount is stated in a currency without a rate. Such an amount is not zero, so an issue must be
 * raised.
 */
export function isUnvalued(tx: Transaction, amount: Money | null): boolean {
  return amount !== null && amount !== 0n && dollars(tx, amount) === null;
}

/** Returns the part of the fee for the trade itself, without the part for disposing of the units that pay the fee. */
export function tradeFee(tx: Transaction): Money {
  return ((dollars(tx, tx.fee) ?? 0n) - (dollars(tx, tx.feeOwn) ?? 0n)) as Money;
}

/**
 * Returns whether the row states which part of the fee is for disposing of the units that pay the fee, even if it is
 * zero.
 */
export function dividesFee({ feeOwn }: Pick<Statement, 'feeOwn'>): boolean {
  return feeOwn !== null;
}

/**
 * Returns the origin of lots stated by a list of lots or a Form 1099. Lots with the same account, asset and acquisition
 * day are parts of one purchase, because a list does not identify orders.
 */
export function listedOrigin(account: string, acquired: Day): string {
  return `${listedMark}${account} ${acquired}`;
}

/** Returns whether a lot comes from a list of lots or a Form 1099. */
export function isListed({ origin }: { readonly origin: string }): boolean {
  return origin.startsWith(listedMark);
}

const listedMark = 'listed: ';

/** Returns whether a row states a lot on its purchase date: an opening lot whose date is its acquisition date. */
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
  // Copied field by field, because two spreads take longer than everything else here.
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

/** Returns a purchase that another event causes: an exercise, or closing more units than were open. */
export function optionPurchase(base: EventHead, quantity: Quantity, cost: Money | null): AcquireEvent {
  return acquire({ ...base, ordinal: 1 }, quantity, { cost });
}

export const sharesPerContract = (100n * 10n ** 18n) as Quantity;

/** The first acquisition day whose basis brokers report (26 CFR 1.6045-1(a)(15)). */
export const daysCoveredFrom: Readonly<Record<AssetClass | 'reinvested', Day | null>> = {
  stock: 14975 as Day, // 2011-01-01
  fund: 15340 as Day, // 2012-01-01
  reinvested: 15340 as Day,
  option: 16071 as Day, // 2014-01-01
  bond: 16071 as Day,
  // A debt instrument due within a year of its issue is not a covered security ([policy], DECISIONS).
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
