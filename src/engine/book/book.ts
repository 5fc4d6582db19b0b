import type { Day, Instant } from '../../base/day.ts';
import type { Disposal } from '../facts.ts';
import type { AssetClass } from '../statement.ts';

/**
 * The state that a replay resumes from, as plain persistent data: whatever a later event may need is in here, nothing
 * else. A Book given to `replay` is never changed.
 */
export interface Book {
  /** The last day whose events are in; null before the first. */
  readonly asOf: Day | null;
  /** Numbers lots, shorts and written options in the order in which they were opened. */
  readonly sequence: number;
  readonly pools: readonly PoolState[];
  /** Losses of the last 30 days that still wait for replacements, oldest first. */
  readonly losses: readonly OpenLoss[];
  readonly shorts: readonly OpenShort[];
  /** Losses on closing short sales that still wait for a new short (IRC 1091(e)). */
  readonly shortLosses: readonly OpenLoss[];
  /** Whether anything of it was ever sold short: only then sales are remembered. */
  readonly shorted: boolean;
  /** Sales of the last 30 days, and since 30 days before what is still short: its loss may fall on them (IRC 1091(e)(1)). */
  readonly sales: readonly RecentSale[];
  /** Purchases of the last 30 days that are sold already, where it was elected that they replace (P3). */
  readonly soldPurchases: readonly SoldPurchase[];
  /** Puts held, which count as short sales of their stock. */
  readonly puts: readonly OpenPut[];
  readonly written: readonly WrittenOption[];
  readonly transits: readonly Transit[];
  /** Capital gain distributions of the last six months, which losses on the same shares look back to. */
  readonly distributions: readonly Distribution[];
  /** Parts of a cent carried to the next lot or sale, by what they belong to, so that micro-rewards keep their sum. */
  readonly centsRemainders: readonly (readonly [string, bigint])[];
}

/** The open lots of one asset in one account. */
export interface PoolState {
  readonly key: string;
  readonly account: string;
  readonly lots: readonly OpenLot[];
  /** The last few transactions that moved it: what an issue names. */
  readonly recentTransactions: readonly string[];
  /** Basis of all its shares together while average basis is in force. */
  readonly average: Averages | null;
}

/** Covered and noncovered shares are as if in separate accounts (26 CFR 1.1012-1(e)(10)(iii)). */
export interface Averages {
  readonly covered: AverageBasis;
  readonly noncovered: AverageBasis;
}

export interface AverageBasis {
  readonly wholeQuantity: bigint;
  readonly wholeBasis: bigint;
  /** Units and cents taken from the whole: slices are rounded cumulatively. */
  readonly takenQuantity: bigint;
  readonly takenBasis: bigint;
  /** Cents of the whole basis that no broker knows of. */
  readonly wholeStepUp: bigint;
}

/**
 * A lot as the fold holds it. Of its whole basis (cents) the units sold have taken `basisTaken`: the k-th slice is
 * round(whole × cumulated share) less what was taken before (DOMAIN.md 1.5), so that slices sum to the whole.
 */
export interface OpenLot {
  readonly id: string;
  /** `transactionId/ordinal` of the purchase it stems from: leftovers of one purchase never replace one another. */
  readonly origin: string;
  readonly openedBy: string;
  /** The source's own id of the row that opened it, by which rows name it. */
  readonly label: string;
  key: string;
  asset: string;
  assetClass: AssetClass;
  account: string;
  /** Zero once it is gone: what still points to it skips it. */
  quantity: bigint;
  /** Units already used as replacement for a loss (26 CFR 1.1091-1(e)). */
  used: bigint;
  wholeQuantity: bigint;
  wholeBasis: bigint;
  basisTaken: bigint;
  /** Exact unit basis as a fraction of dollars (10⁻⁸) and units: the key of HIFO and LOFO. */
  unitBasis: bigint;
  unitQuantity: bigint;
  /** The basis that counts for a loss, where a gift has two (IRC 1015(a)); cents, sliced like the basis. */
  lossBasis: bigint | null;
  lossTaken: bigint;
  /** The day a gift came: the taxpayer's own, and for a loss by its value then the first of its period. */
  givenOn: Day | null;
  readonly acquired: Day;
  heldSince: Day;
  readonly inherited: boolean;
  /** When the closing of a short sale began its period anew (IRC 1233(b)(2)). */
  restartedOn: Day | null;
  /** The day on which it counts as an acquisition for wash sales; null where it never does (1.1091-1(f)). */
  readonly purchasedOn: Day | null;
  readonly sequence: number;
  /** How many fragments it gave: names the next one. */
  children: number;
  /** A wash sale raised its basis. */
  adjusted: boolean;
  /** …and it was elected that such fragments leave after the rest of their purchase (P6). */
  readonly leavesLast?: true;
  /** A loss that no broker connects with it raised its basis; of the whole basis, sliced like it. */
  notOnForm?: NotOnForm1099;
  /** Of a section 1256 contract: when it was last marked. */
  readonly markedOn?: Day;
  readonly basisUnknown: boolean;
  /** Its basis is one that a broker reports, were there a form. */
  covered: boolean;
  /** Of an option: shares of `underlyingKey` in a unit, and which right. */
  readonly shares: bigint | null;
  readonly underlyingKey: string | null;
  readonly right: 'call' | 'put' | null;
}

/** Part of a loss that no replacement has met yet; quantities in today's units of the asset. */
export interface OpenLoss {
  readonly disposalId: string;
  key: string;
  readonly on: Day;
  readonly disposedOn: Day;
  readonly heldSince: Day;
  readonly origin: string;
  /** Where the loss arose: elections may leave other owners' purchases out of account. */
  readonly account: string;
  /** Its place among all losses, in the order of their sales. */
  readonly sequence: number;
  quantity: bigint;
  matched: bigint;
  readonly loss: bigint;
  disallowed: bigint;
  /** Splits already applied to it: the same one stated again on another day counts once. */
  readonly splits: string[];
  /** What the broker of the sale knew less of its basis than there was: so much smaller is the loss on his form. */
  readonly notOnForm?: NotOnForm1099;
  /** The sale, where this is one of very many fragments that it was made of (`fragments.ts`). */
  readonly fragmentOf?: string;
  /** The short that was closed at this loss: what is sold, or sold short, near its day denies it, too. */
  readonly short?: string;
}

/** Units sold that may still bear the loss on a short; quantities in today's units of the asset. Of an IRA's sale there is no line. */
export interface RecentSale {
  readonly line: Disposal;
  key: string;
  readonly on: Day;
  readonly sequence: number;
  quantity: bigint;
  matched: bigint;
  readonly splits: string[];
}

/** Units sold, of which it counts when they had been bought. */
export interface SoldPurchase extends RecentSale {
  readonly purchasedOn: Day;
  readonly origin: string;
}

/** Units sold that were not held. Not a lot: it is realized when it is closed (26 CFR 1.1233-1(a)). */
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
  /** Of the units short, how many more had an identical unit held over a year on the day of the sale (IRC 1233(d)). */
  heldLong: bigint;
  /** …and how many an identical unit held no longer than that (IRC 1233(b)). */
  heldShort: bigint;
  /** Units already used as replacement for a loss on another short (IRC 1091(e)). */
  used: bigint;
  /** Units of property disposed of while it was open, whose period began anew then (IRC 1233(b)(2)). */
  claimed: bigint;
  readonly markedOn?: Day;
}

/** A put counts as a short sale of its shares (IRC 1233(b)); those bought with them the same day do not (1233(c)). */
export interface OpenPut {
  /** The origin of its lots. */
  readonly id: string;
  key: string;
  readonly on: Day;
  readonly sequence: number;
  /** Shares that it can still sell, and that nobody bought with it. */
  quantity: bigint;
  /** Shares in a contract, as splits since have made them. */
  shares: bigint;
  heldShort: bigint;
  claimed: bigint;
}

export interface WrittenOption {
  readonly id: string;
  readonly openedBy: string;
  readonly label: string;
  key: string;
  readonly asset: string;
  readonly assetClass: AssetClass;
  readonly account: string;
  readonly on: Day;
  readonly sequence: number;
  quantity: bigint;
  readonly wholeQuantity: bigint;
  readonly wholePremium: bigint;
  premiumTaken: bigint;
  readonly shares: bigint;
  readonly markedOn?: Day;
}

/** A withdrawal of the last days whose other leg has not come: its lots lie in a pool of its own. */
export interface Transit {
  readonly transactionId: string;
  readonly key: string;
  readonly asset: string;
  readonly account: string;
  readonly quantity: bigint;
  /** What arrives where the fee was taken from the quantity instead of on top. */
  readonly lessFee: bigint;
  readonly on: Day;
  readonly at: Instant | null;
  readonly sequence: number;
  /** No deposit is its other end. */
  readonly alone?: true;
}

/** What the shares of a fund brought, held in an account that day. */
export interface Distribution {
  readonly key: string;
  readonly account: string;
  readonly on: Day;
  readonly quantity: bigint;
  /** In cents. */
  readonly paid: bigint;
}

export function emptyBook(): Book {
  return {
    asOf: null,
    sequence: 0,
    pools: [],
    losses: [],
    shorts: [],
    shortLosses: [],
    shorted: false,
    sales: [],
    soldPurchases: [],
    puts: [],
    written: [],
    transits: [],
    distributions: [],
    centsRemainders: [],
  };
}

/**
 * What no broker knows of units. The broker reports a wash sale only within one account and one security (26 CFR
 * 1.6045-1(d)(6)(iii)): what a loss elsewhere adds to basis and holding period is not on his form.
 */
export interface NotOnForm1099 {
  /** So many cents of their basis. */
  readonly stepUp: bigint;
  /** The day from which he counts their holding period. */
  readonly heldSince: Day;
}

/** How long distributions are remembered: six months and some days. */
export const distributionDays = 190;
