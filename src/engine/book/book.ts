import type { Day, Instant } from '../../base/day.ts';
import type { Disposal } from '../facts.ts';
import type { AssetClass } from '../statement-values.ts';
import type { ClassQuestion } from './class-question.ts';
import type { Deferral } from './deferral.ts';
import type { StraddleLoss } from './straddle-loss.ts';

/**
 * The state that a replay resumes from, as plain data. It contains everything that later events may need and nothing
 * else. A replay never changes its input book.
 */
export interface Book {
  /** The last day whose events are included. Null before the first day. */
  readonly asOf: Day | null;
  /** The next number for lots, shorts and written options. They are numbered in the order of opening. */
  readonly sequence: number;
  readonly pools: readonly PoolState[];
  /** Losses of the last 30 days that a later replacement may still disallow, oldest first. */
  readonly losses: readonly OpenLoss[];
  readonly shorts: readonly OpenShort[];
  /** The most recently closed short for each asset and account. */
  readonly closedShorts: readonly LastClosing[];
  /** Losses on closing short sales that a new short sale may still disallow (IRC 1091(e)). */
  readonly shortLosses: readonly OpenLoss[];
  /** Whether the book has ever had a short sale. Sales are stored only if it has. */
  readonly shorted: boolean;
  /**
   * Sales of the last 30 days, or since 30 days before the oldest open short. A disallowed loss on that short may be
   * added to their basis (IRC 1091(e)(1)).
   */
  readonly sales: readonly RecentSale[];
  /**
   * Purchases of the last 30 days that are already sold, if the taxpayer elected that they count as replacements (P3).
   */
  readonly soldPurchases: readonly SoldPurchase[];
  /** Puts held, which count as short sales of their stock. */
  readonly puts: readonly OpenPut[];
  readonly written: readonly WrittenOption[];
  readonly coveredCalls: readonly CoveredCall[];
  readonly transits: readonly Transit[];
  /** Capital gain distributions of the last six months. They can make losses on the same shares long-term. */
  readonly distributions: readonly Distribution[];
  /** Gains deferred in opportunity funds and not yet included, in the order of their rows. */
  readonly deferrals: readonly Deferral[];
  /** Interests in opportunity funds: the event that opened each one, and the day of the investment (IRC 1400Z-2(c)). */
  readonly fundInterests: readonly (readonly [origin: string, invested: Day])[];
  /** Questions about assets of unknown class that are still open, by year. */
  readonly questions: readonly ClassQuestion[];
  /**
   * Fractions of a cent (10⁻⁸ dollars) carried to the next lot or sale, by name, so that thousands of tiny rewards add
   * up correctly.
   */
  readonly centsRemainders: readonly (readonly [string, bigint])[];
  /** Losses of this year that may be straddle losses. This is decided at the end of the year. */
  readonly straddleLosses: readonly StraddleLoss[];
}

/** The open lots of one asset in one account. */
export interface PoolState {
  readonly key: string;
  readonly account: string;
  readonly lots: readonly OpenLot[];
  /** The ids of the last transactions that changed the pool, for use in issues. */
  readonly recentTransactions: readonly string[];
  /** The combined basis of all shares while average basis is in force. Otherwise null. */
  readonly average: Averages | null;
}

/**
 * Average basis of covered and noncovered shares, which are treated as if in separate accounts (26 CFR
 * 1.1012-1(e)(10)(iii)).
 */
export interface Averages {
  readonly covered: AverageBasis;
  readonly noncovered: AverageBasis;
}

export interface AverageBasis {
  readonly wholeQuantity: bigint;
  readonly wholeBasis: bigint;
  /** Units and cents already taken from the whole. They are needed because slices are rounded cumulatively. */
  readonly takenQuantity: bigint;
  readonly takenBasis: bigint;
  /** The part of the whole basis that brokers do not know, in cents. */
  readonly wholeStepUp: bigint;
}

/**
 * A lot during a replay. Quantities are in 10⁻¹⁸ units, basis in cents. `basisTaken` is the part of the whole basis
 * that sold units took. Each slice is round(whole × cumulative share) less the amount already taken (DECISIONS.md,
 * "Parts of an amount are rounded cumulatively"), so slices sum to the whole.
 */
export interface OpenLot {
  readonly id: string;
  /** `transactionId/ordinal` of the original purchase. Lots of one purchase never replace one another. */
  readonly origin: string;
  readonly openedBy: string;
  /** The source's id of the row that opened the lot. Other rows refer to the lot by this id. */
  readonly label: string;
  key: string;
  asset: string;
  assetClass: AssetClass;
  account: string;
  /** Zero if no units remain. Lists that still contain the lot then skip it. */
  quantity: bigint;
  /** Units that have already replaced a loss (26 CFR 1.1091-1(e)). */
  used: bigint;
  wholeQuantity: bigint;
  wholeBasis: bigint;
  basisTaken: bigint;
  /** The exact unit basis as a fraction: dollars (10⁻⁸) over units (10⁻¹⁸). HIFO and LOFO sort by it. */
  unitBasis: bigint;
  unitQuantity: bigint;
  /**
   * The basis for a loss, in cents, if a gift has two bases (IRC 1015(a)). It is divided among slices in the same way.
   */
  lossBasis: bigint | null;
  lossTaken: bigint;
  /** The day a gift was received. If a loss is measured from the value on that day, the holding period starts then. */
  givenOn: Day | null;
  readonly acquired: Day;
  heldSince: Day;
  readonly inherited: boolean;
  /** The day its holding period restarted because a short sale was closed (IRC 1233(b)(2)). */
  restartedOn: Day | null;
  /** The purchase date for wash sales. Null if the lot was not purchased (1.1091-1(f)). */
  readonly purchasedOn: Day | null;
  readonly sequence: number;
  /** The number of fragments split from the lot. It determines the name of the next fragment. */
  children: number;
  /** Whether a wash sale increased the basis. */
  adjusted: boolean;
  /**
   * Set on a fragment adjusted by a wash sale if the taxpayer elected that it is sold after the other units of its
   * purchase (P6).
   */
  readonly leavesLast?: true;
  /** The part of the whole basis that brokers do not know. It is divided among slices in the same way. */
  notOnForm?: NotOnForm1099;
  /** The day a section 1256 contract was last marked to market. */
  readonly markedOn?: Day;
  /** The origin of the put bought with it on the same day (IRC 1233(c)). */
  marriedTo?: string;
  /** The debt terms, if the purchase states them. */
  debt?: LotDebt;
  /** The terms of the employee stock purchase plan that it was bought under. */
  plan?: LotPlan;
  readonly basisUnknown: boolean;
  /**
   * Set if no row explains how the units were acquired. The acquisition date, holding period and basis are then
   * unknown.
   */
  readonly purchaseUnknown?: true;
  /** Whether a broker that files Form 1099 would report the basis. */
  covered: boolean;
  /** For an option, the units of `underlyingKey` per contract, and call or put. */
  readonly shares: bigint | null;
  readonly underlyingKey: string | null;
  readonly right: 'call' | 'put' | null;
}

/**
 * An open loss: the part of a loss not yet matched to a replacement. Quantities are in units after all splits so far.
 */
export interface OpenLoss {
  readonly disposalId: string;
  key: string;
  readonly on: Day;
  readonly disposedOn: Day;
  readonly heldSince: Day;
  readonly origin: string;
  /** The account of the sale. Elections may exclude purchases in other owners' accounts. */
  readonly account: string;
  /** The position of the loss among all losses, in the order of their sales. */
  readonly sequence: number;
  quantity: bigint;
  matched: bigint;
  readonly loss: bigint;
  /** The proceeds of the units, in cents. */
  readonly proceeds: bigint;
  disallowed: bigint;
  /** The splits already applied to the loss. If the same split is reported again on another day, it counts once. */
  readonly splits: string[];
  /**
   * The part of the basis that the selling broker does not know. The loss on the broker's form is smaller by this
   * amount.
   */
  readonly notOnForm?: NotOnForm1099;
  /** The id of the sale, if its loss is divided among many fragments (`fragments.ts`). */
  readonly fragmentOf?: string;
  /** The short sale whose closing caused this loss. Sales and short sales within 30 days also disallow the loss. */
  readonly short?: string;
}

/**
 * Units sold whose basis may still increase by a disallowed loss on a short sale. Quantities are in units after all
 * splits so far. A sale in an IRA has no Form 8949 row.
 */
export interface RecentSale {
  readonly line: Disposal;
  key: string;
  readonly on: Day;
  readonly sequence: number;
  quantity: bigint;
  matched: bigint;
  readonly splits: string[];
}

/** Units sold whose purchase may still replace a loss. */
export interface SoldPurchase extends RecentSale {
  readonly purchasedOn: Day;
  readonly origin: string;
}

/**
 * A short sale of units that were not held. A short is not a lot: it is realized when it is closed (26 CFR
 * 1.1233-1(a)).
 */
export interface OpenShort {
  readonly id: string;
  readonly openedBy: string;
  readonly label: string;
  key: string;
  asset: string;
  readonly assetClass: AssetClass;
  readonly account: string;
  readonly on: Day;
  readonly sequence: number;
  quantity: bigint;
  wholeQuantity: bigint;
  wholeProceeds: bigint;
  proceedsTaken: bigint;
  /**
   * The number of open units for which an identical unit had been held for more than a year when the short was opened
   * (IRC 1233(d)).
   */
  heldLong: bigint;
  /**
   * The number of open units for which an identical unit had been held for a year or less when the short was opened
   * (IRC 1233(b)).
   */
  heldShort: bigint;
  /** Units that have already replaced a loss on another short (IRC 1091(e)). */
  used: bigint;
  /**
   * Units of property sold while the short was open. Their holding period restarted on the day of their sale (IRC
   * 1233(b)(2)).
   */
  claimed: bigint;
  readonly markedOn?: Day;
  /** Set if an assigned call or exercised put sold units that the account did not hold. */
  readonly byOption?: true;
  /** Payments in lieu of dividends on the open units (IRC 263(h)). */
  inLieu?: readonly PaymentInLieu[];
}

/** A call written on stock held at the time. It may affect the holding period of that stock (IRC 1092(f)). */
export interface CoveredCall {
  readonly id: string;
  readonly openedBy: string;
  readonly asset: string;
  /** The asset key of the stock. */
  key: string;
  readonly on: Day;
  /** The next lot number at the end of that day. The call does not cover later lots. */
  readonly sequence: number;
  /** The day the call ended. Null while it is open. */
  to: Day | null;
  /** Whether the strike was below the stock price. Null if no row on that day states a price. */
  readonly isIn: boolean | null;
  readonly isQualified: boolean;
  /** Whether calls were open on all units of the stock. */
  readonly coversAll: boolean;
  /** The loss on the call so far, in cents. */
  lossSoFar: bigint;
}

/**
 * A payment in lieu of a dividend on a short. If the short is closed by the day `until`, the payment is added to the
 * cost of closing it.
 */
export interface PaymentInLieu {
  /** Amount in cents. Negative if a payment is reversed. */
  readonly paid: bigint;
  readonly until: Day;
}

/** The last closing of a short in an account. It is kept because a payment in lieu may be charged later. */
export interface LastClosing {
  readonly key: string;
  readonly account: string;
  /** The day of the short sale. */
  readonly on: Day;
  readonly closedOn: Day;
}

/**
 * The number of days after a short is closed during which a negative dividend may be a payment in lieu. Brokers pay
 * dividends weeks after the record date.
 */
export const inLieuDays = 60;

/**
 * A put held. It counts as a short sale of its shares (IRC 1233(b)), except for shares bought with it on the same day
 * (1233(c)).
 */
export interface OpenPut {
  /** The origin of its lots. */
  readonly id: string;
  key: string;
  readonly on: Day;
  readonly sequence: number;
  /** Shares that the put can still sell, excluding those bought with it. */
  quantity: bigint;
  /** Shares bought with the put that it can still sell. Closed contracts count against its other shares first. */
  married: bigint;
  /** Shares per contract, after all splits so far. */
  shares: bigint;
  heldShort: bigint;
  claimed: bigint;
}

export interface WrittenOption {
  readonly id: string;
  readonly openedBy: string;
  readonly label: string;
  key: string;
  asset: string;
  readonly assetClass: AssetClass;
  readonly account: string;
  readonly on: Day;
  readonly sequence: number;
  quantity: bigint;
  readonly wholeQuantity: bigint;
  readonly wholePremium: bigint;
  premiumTaken: bigint;
  readonly shares: bigint;
  /** The stock's asset key under its current symbol. Null for an option that delivers no shares. */
  underlyingKey: string | null;
  readonly markedOn?: Day;
}

/** A recent withdrawal whose deposit has not arrived. Its lots are in a separate pool. */
export interface Transit {
  readonly transactionId: string;
  readonly key: string;
  readonly asset: string;
  readonly account: string;
  readonly quantity: bigint;
  /** The units that arrive if the fee was deducted from the quantity instead of added to it. */
  readonly lessFee: bigint;
  readonly on: Day;
  readonly at: Instant | null;
  readonly sequence: number;
  /** Set if the taxpayer stated that the withdrawal has no matching deposit. */
  readonly alone?: true;
}

/** A capital gain distribution on fund shares that an account held that day. */
export interface Distribution {
  readonly key: string;
  readonly account: string;
  readonly on: Day;
  readonly quantity: bigint;
  /** Amount in cents. */
  readonly paid: bigint;
}

/**
 * The part of the basis and holding period that brokers do not know. A broker reports a wash sale only if both trades
 * are in one account and in one security (26 CFR 1.6045-1(d)(6)(iii)), so the form omits a loss from any other sale.
 */
export interface NotOnForm1099 {
  /** The part of the basis that the broker does not know, in cents. */
  readonly stepUp: bigint;
  /** The day the broker's holding period starts. */
  readonly heldSince: Day;
}

/** The terms of a debt instrument. */
export interface LotDebt {
  /** The maturity date. Null if the purchase does not state it. */
  readonly maturity: Day | null;
  /** Accrued interest, in cents, paid on the whole quantity and not yet subtracted from interest received. */
  readonly accrued: bigint;
  /**
   * Set if rows state the original issue discount as it accrues (IRC 1272(a)), or the premium as it is amortized (IRC
   * 171).
   */
  readonly isAccruing?: true;
}

/**
 * The amounts of a purchase under an employee stock purchase plan, in cents, for the whole quantity. They determine the
 * ordinary income of a disposition (IRC 421(b), 423(c)).
 */
export interface LotPlan {
  /** The offering date. Null if the purchase does not state it. */
  readonly offered: Day | null;
  /** The price paid, without fees. */
  readonly paid: bigint;
  /** The value on the purchase date less the price paid. Null if unknown. */
  readonly spread: bigint | null;
  /** The value on the offering date less the price on that day. Null if unknown. */
  readonly discount: bigint | null;
}

/** How many days distributions are kept: slightly more than six months. */
export const distributionDays = 190;
