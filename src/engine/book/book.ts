import type { Day, Instant } from '../../base/day.ts';
import type { Disposal } from '../facts.ts';
import type { AssetClass } from '../statement-values.ts';
import type { ClassQuestion } from './class-question.ts';
import type { Deferral } from './deferral.ts';
import type { StraddleLoss } from './straddle-loss.ts';

/**
 * The state from which a replay resumes, as plain data. It holds everything that later events may need and nothing
 * else. A replay never changes the book it is given.
 */
export interface Book {
  /** The last day whose events are included. Null before the first day. */
  readonly asOf: Day | null;
  /** The next number for lots, shorts and written options, in the order in which they open. */
  readonly sequence: number;
  readonly pools: readonly PoolState[];
  /** Losses of the last 30 days that may still meet replacements, oldest first. */
  readonly losses: readonly OpenLoss[];
  readonly shorts: readonly OpenShort[];
  /** Recently closed shorts, one for each asset and account. */
  readonly closedShorts: readonly LastClosing[];
  /** Losses on closing short sales that may still meet a new short sale (IRC 1091(e)). */
  readonly shortLosses: readonly OpenLoss[];
  /** Whether the book has had a short sale. Sales are remembered only then. */
  readonly shorted: boolean;
  /**
   * Sales of the last 30 days, or since 30 days before the oldest open short. A loss on that short may fall on them
   * (IRC 1091(e)(1)).
   */
  readonly sales: readonly RecentSale[];
  /**
   * Purchases of the last 30 days that are already sold, if the taxpayer elected that they count as replacements (P3).
   */
  readonly soldPurchases: readonly SoldPurchase[];
  /** Puts held. They count as short sales of their stock. */
  readonly puts: readonly OpenPut[];
  readonly written: readonly WrittenOption[];
  readonly coveredCalls: readonly CoveredCall[];
  readonly transits: readonly Transit[];
  /** Capital gain distributions of the last six months. Losses on the same shares depend on them. */
  readonly distributions: readonly Distribution[];
  /** Gains deferred in opportunity funds and not yet included, in the order of their rows. */
  readonly deferrals: readonly Deferral[];
  /** Interests in opportunity funds by the event that opened them, with the day of the investment (IRC 1400Z-2(c)). */
  readonly fundInterests: readonly (readonly [origin: string, invested: Day])[];
  /** Open questions about assets of unknown class, by year. */
  readonly questions: readonly ClassQuestion[];
  /**
   * Fractions of a cent (10⁻⁸ dollars) carried to the next lot or sale, by name, so that micro-rewards keep their sum.
   */
  readonly centsRemainders: readonly (readonly [string, bigint])[];
  /** Losses of this year that may be straddle losses. The end of the year decides. */
  readonly straddleLosses: readonly StraddleLoss[];
}

/** The open lots of one asset in one account. */
export interface PoolState {
  readonly key: string;
  readonly account: string;
  readonly lots: readonly OpenLot[];
  /** The ids of the last transactions that changed the pool. Issues name them. */
  readonly recentTransactions: readonly string[];
  /** The combined basis of all its shares while average basis is in force. */
  readonly average: Averages | null;
}

/** Covered and noncovered shares are treated as if in separate accounts (26 CFR 1.1012-1(e)(10)(iii)). */
export interface Averages {
  readonly covered: AverageBasis;
  readonly noncovered: AverageBasis;
}

export interface AverageBasis {
  readonly wholeQuantity: bigint;
  readonly wholeBasis: bigint;
  /** Units and cents already taken from the whole: slices are rounded cumulatively. */
  readonly takenQuantity: bigint;
  readonly takenBasis: bigint;
  /** Cents of the whole basis unknown to brokers. */
  readonly wholeStepUp: bigint;
}

/**
 * A lot during a replay. Quantities are in 10⁻¹⁸ units, basis in cents. Sold units have taken `basisTaken` of the whole
 * basis. Each slice is round(whole × cumulative share) less the amount already taken (DECISIONS.md, "Parts of an amount
 * are rounded cumulatively"), so slices sum to the whole.
 */
export interface OpenLot {
  readonly id: string;
  /** `transactionId/ordinal` of the original purchase. Lots of one purchase never replace one another. */
  readonly origin: string;
  readonly openedBy: string;
  /** The source's id of the row that opened it. Rows refer to the lot by this id. */
  readonly label: string;
  key: string;
  asset: string;
  assetClass: AssetClass;
  account: string;
  /** Zero once all units have left. Lists that still hold the lot then skip it. */
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
   * The basis for a loss, in cents, if a gift has two bases (IRC 1015(a)). Slices take shares of it in the same way.
   */
  lossBasis: bigint | null;
  lossTaken: bigint;
  /** The day a gift was received. If a loss is measured from the value at the gift, the holding period starts then. */
  givenOn: Day | null;
  readonly acquired: Day;
  heldSince: Day;
  readonly inherited: boolean;
  /** The day the closing of a short sale restarted its holding period (IRC 1233(b)(2)). */
  restartedOn: Day | null;
  /** The day of its purchase for wash sales. Null if it was not purchased (1.1091-1(f)). */
  readonly purchasedOn: Day | null;
  readonly sequence: number;
  /** The number of fragments split from it. The next fragment is named after it. */
  children: number;
  /** Whether a wash sale raised its basis. */
  adjusted: boolean;
  /** Marks such a fragment if the taxpayer elected that these leave last within their purchase (P6). */
  readonly leavesLast?: true;
  /** The part of its whole basis unknown to brokers. Slices take shares of it in the same way. */
  notOnForm?: NotOnForm1099;
  /** The day a section 1256 contract was last marked to market. */
  readonly markedOn?: Day;
  /** The origin of the put bought with it on the same day (IRC 1233(c)). */
  marriedTo?: string;
  /** The debt terms of the lot, if its purchase states them. */
  debt?: LotDebt;
  readonly basisUnknown: boolean;
  /** No row explains where the units came from. The acquisition date, holding period and basis are unknown. */
  readonly purchaseUnknown?: true;
  /** Whether a broker that files Form 1099 would report its basis. */
  covered: boolean;
  /** For an option, the units of `underlyingKey` per contract, and its right. */
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
  /** The account of the sale. Elections may exclude purchases in accounts of other owners. */
  readonly account: string;
  /** Its number among all losses, in the order of their sales. */
  readonly sequence: number;
  quantity: bigint;
  matched: bigint;
  readonly loss: bigint;
  /** The proceeds of its units, in cents. */
  readonly proceeds: bigint;
  disallowed: bigint;
  /** The splits already applied to it. The same split reported again on another day counts once. */
  readonly splits: string[];
  /** The part of its basis unknown to the selling broker. The loss on the broker's form is smaller by this amount. */
  readonly notOnForm?: NotOnForm1099;
  /** The id of the sale, if the loss is on one of many fragments (`fragments.ts`). */
  readonly fragmentOf?: string;
  /** The short sale whose closing caused this loss. Sales and short sales near its day deny it too. */
  readonly short?: string;
}

/**
 * Units sold that may still bear the loss on a short sale. Quantities are in units after all splits so far. A sale in
 * an IRA has no Form 8949 row.
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

/** Units sold that were not held. A short is not a lot: it is realized when it is closed (26 CFR 1.1233-1(a)). */
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
   * The number of open units matched by an identical unit held over a year on the day of the short sale (IRC 1233(d)).
   */
  heldLong: bigint;
  /** The number of open units matched by an identical unit held a year or less (IRC 1233(b)). */
  heldShort: bigint;
  /** Units that have already replaced a loss on another short (IRC 1091(e)). */
  used: bigint;
  /** Units of property sold while the short was open, whose holding period restarted then (IRC 1233(b)(2)). */
  claimed: bigint;
  readonly markedOn?: Day;
  /** Set if an assigned call or exercised put sold units that the account did not hold. */
  readonly byOption?: true;
  /** Payments in lieu of dividends on the open units (IRC 263(h)). */
  inLieu?: readonly PaymentInLieu[];
}

/** A call written on stock held at the time, for the holding period of that stock (IRC 1092(f)). */
export interface CoveredCall {
  /** The id of the written option. */
  readonly id: string;
  readonly openedBy: string;
  readonly asset: string;
  /** The asset key of the stock. */
  key: string;
  readonly on: Day;
  /** The number of the next lot at the end of that day. The call does not cover later lots. */
  readonly sequence: number;
  /** The day it ended. Null while it is open. */
  to: Day | null;
  /** Whether its strike was below the stock price. Null if no row of that day states a price. */
  readonly isIn: boolean | null;
  readonly isQualified: boolean;
  /** Whether calls were open on all units of the stock. */
  readonly coversAll: boolean;
  /** The loss on the call so far, in cents. */
  lossSoFar: bigint;
}

/** A payment in lieu of a dividend on a short. Until the given day, it is added to the cost of closing the short. */
export interface PaymentInLieu {
  /** Amount in cents. Negative if a payment is reversed. */
  readonly paid: bigint;
  readonly until: Day;
}

/** The last closing of a short in an account. A payment in lieu may be charged later. */
export interface LastClosing {
  readonly key: string;
  readonly account: string;
  /** The day of the short sale. */
  readonly on: Day;
  readonly closedOn: Day;
}

/**
 * Days after a short is closed during which a negative dividend may be a payment in lieu. Brokers pay dividends weeks
 * after their day.
 */
export const inLieuDays = 60;

/**
 * A put counts as a short sale of its shares (IRC 1233(b)), except for shares bought with it on the same day (1233(c)).
 */
export interface OpenPut {
  /** The origin of its lots. */
  readonly id: string;
  key: string;
  readonly on: Day;
  readonly sequence: number;
  /** Shares it can still sell, excluding those bought with it. */
  quantity: bigint;
  /** Shares it can still sell that were bought with it. The other contracts end first. */
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
  /** Its stock, under the stock's current symbol. Null for an option that delivers no shares. */
  underlyingKey: string | null;
  readonly markedOn?: Day;
}

/** A recent withdrawal whose deposit has not arrived. Its lots are in a pool of their own. */
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
  /** The taxpayer stated that the withdrawal has no matching deposit. */
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
 * The part of basis and holding period unknown to brokers. A broker reports a wash sale only within one account and one
 * security (26 CFR 1.6045-1(d)(6)(iii)), so the form omits what a loss elsewhere adds.
 */
export interface NotOnForm1099 {
  /** Cents of the basis unknown to the broker. */
  readonly stepUp: bigint;
  /** The day the broker's holding period starts. */
  readonly heldSince: Day;
}

/** The terms of a debt instrument. */
export interface LotDebt {
  /** The day it is due. Null if the purchase does not state it. */
  readonly maturity: Day | null;
  /** Cents of accrued interest paid on its whole quantity and not yet subtracted from interest received. */
  readonly accrued: bigint;
  /**
   * Rows state its original issue discount as it accrues (IRC 1272(a)), or its premium as it is amortized (IRC 171).
   */
  readonly isAccruing?: true;
}

/** The number of days distributions are remembered: slightly more than six months. */
export const distributionDays = 190;
