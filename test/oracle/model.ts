import type { Day } from '../../src/base/day.ts';
import type { AssetClass, Box, IssueKind, Rules, Term, Transaction, TransactionType } from '../../src/engine/model.ts';
import type { OracleEvent } from './events/events.ts';
import type { Exact } from './numbers.ts';
import type { BrokersLoss } from './rules/lines/broker.ts';
import type { OraclePlan } from './rules/sales/plans.ts';

/** Open quantity. `taken` of the `whole` units have left. The remaining basis follows by cumulative rounding. */
export interface OracleLot {
  /** The event that opened it, plus a letter for each part that was split from it. */
  readonly id: string;
  children: number;
  /**
   * The event that opened it. The remaining shares of a purchase cannot replace shares sold from the same purchase
   * (Rev. Rul. 56-602).
   */
  readonly origin: string;
  /** The event that created the lot. All pieces of a purchase have one origin. */
  readonly opened: string;
  readonly transactionId: string;
  readonly label: string;
  /** The position of the opening event in the history, which breaks ties between lots with the same day. */
  readonly order: number;
  asset: string;
  assetClass: AssetClass;
  account: string;
  acquired: Day;
  /**
   * The day the taxpayer received it. For a gift, this is the day of the gift, regardless of when the donor acquired
   * it.
   */
  cameOn: Day;
  heldSince: Day;
  inherited: boolean;
  /** The closing of the short sale that restarted the lot's holding period (IRC 1233(b)(2)). */
  restartedOn: Day | null;
  /** True if the lot took on a denied loss. Within one purchase, such fragments are sold first. */
  washed: boolean;
  /** By election, such fragments are sold last. */
  leavesLast: boolean;
  /** The day of the last mark of a section 1256 contract. */
  markedOn?: Day;
  whole: Exact;
  taken: Exact;
  basis: Exact;
  /** For a bond: its maturity, if its purchase states it, and the interest paid with the purchase. */
  maturity: Day | null;
  /** True if rows state its original issue discount or its premium as it accrues. */
  accretes: boolean;
  interestPaid: Exact;
  /** Set for shares of an employee stock purchase plan. */
  plan?: OraclePlan | undefined;
  /** The part of the basis that is missing on the broker's form, and the start of the holding period on that form. */
  hidden: Exact;
  brokerSince: Day;
  /**
   * Basis and quantity when the lot opened or was last adjusted. Their ratio determines the order under HIFO and LOFO.
   */
  unit: { basis: Exact; quantity: Exact };
  /** For a gift worth less than the donor's basis: the basis for a loss, and the holding date that applies then. */
  gift: { lossBasis: Exact; on: Day } | null;
  /** The day of its purchase or taxable exchange. Null if the lot was not acquired under IRC 1091 (1.1091-1(f)). */
  purchasedOn: Day | null;
  /** The lot's units that have already replaced a loss (1.1091-1(e)). They are sold first. */
  used: Exact;
  /** Shares that one unit gives a right to buy: a call is an acquisition of its stock. 0 unless it is a call. */
  callShares: Exact;
  /** Shares that one unit gives a right to sell. */
  putShares: Exact;
  underlying: string;
  /** The put bought on the same day to sell these shares. */
  marriedTo: string | null;
  basisUnknown: boolean;
  /** True if a broker reports its basis: it was bought in this account since reporting began. */
  covered: boolean;
}

/** A position that was sold before it was bought: a short sale or a written option. */
export interface OracleShort {
  readonly origin: string;
  readonly label: string;
  readonly order: number;
  readonly written: boolean;
  /** For a written option: the shares per contract, and its stock under its current name. */
  readonly shares: Exact;
  underlying: string;
  /** Stock that was not held when an option sold it. */
  readonly byOption: boolean;
  asset: string;
  assetClass: AssetClass;
  account: string;
  opened: Day;
  whole: Exact;
  taken: Exact;
  proceeds: Exact;
  /**
   * Identical property held for more than a year, and for a year or less, on the day of the short sale (IRC 1233(b),
   * (d)).
   */
  longHeld: Exact;
  shortHeld: Exact;
  /** Units that took on the denied loss of another short (IRC 1091(e)). */
  usedAsReplacement: Exact;
  /** Units of property that was sold while the short was open. Their holding period restarted then (IRC 1233(b)(2)). */
  claimed: Exact;
  markedOn?: Day;
  /** Payments to the lender in lieu of dividends on the open units (IRC 263(h)). */
  inLieu: { paid: Exact; readonly extraordinary: boolean }[];
  /** Units closed earlier whose gain that property made short-term. Property counts only once (1233(e)(1)). */
  answered: Exact;
}

export interface Slice {
  /** A copy of the lot when it was chosen, and the lot itself. */
  readonly lot: OracleLot | null;
  readonly source: OracleLot | null;
  readonly quantity: Exact;
  readonly basis: Exact;
  readonly hidden: Exact;
  readonly interestPaid?: Exact;
  readonly plan?: OraclePlan | undefined;
  readonly lossBasis: Exact | null;
  readonly used: Exact;
  /** True if the sale restarted the holding period. */
  readonly begun?: true;
}

export interface OracleLine {
  saleId: string;
  asset: string;
  assetClass: AssetClass;
  account: string;
  quantity: Exact;
  acquired: Day;
  heldSince: Day;
  inherited: boolean;
  sold: Day;
  on: Day;
  proceeds: Exact;
  basis: Exact;
  /** Basis from the lot that is not on the form, unless a form row states the basis. */
  hidden: Exact;
  brokerSince: Day;
  isReported: boolean;
  adjustment: Exact;
  /** Letters of column (f) other than W. */
  code: '' | 'D' | 'L' | 'O' | 'Y' | 'Z';
  /** The difference from a form, included in (d) and (e) and removed in (g). */
  form?: { proceeds: Exact; basis: Exact; code: string };
  /** The amount that a form without a matching history reports as denied. No replacement is needed. */
  deniedByForm?: Exact;
  /** The part of the adjustment that is permanently lost (Rev. Rul. 2008-5). */
  permanent: Exact;
  term: Term;
  shortSale: boolean;
  expired: 'proceeds' | 'basis' | null;
  /** The shares per contract, on the line of a written option. */
  sharesOfContract?: Exact;
  basisUnknown: boolean;
  /** True if a broker that sends a form reports the basis. */
  covered: boolean;
  /** True for a distribution, or a security that became worthless. It has no buyer, so it is on no form. */
  onNoForm: boolean;
  /** The box that a form states. The line's own term selects the box of the same kind. */
  stated: Box | null;
  /** The value of an interest in an opportunity fund when its gain was included. */
  fundValue?: Exact;
}

/** Property that was given away. It has no line, only the facts for Form 8283. */
export interface OracleGift {
  readonly transactionId: string;
  readonly type: TransactionType;
  readonly on: Day;
  readonly asset: string;
  readonly account: string;
  readonly acquired: Day;
  readonly heldSince: Day;
  readonly inherited: boolean;
  readonly basisUnknown: boolean;
  readonly quantity: Exact;
  readonly basis: Exact;
  /** Null if the row states no value. */
  readonly value: Exact | null;
}

/** A loss that IRC 1091 may deny, once the replacement shares are found. */
export interface Loss {
  readonly line: OracleLine;
  readonly account: string;
  readonly origin: string;
  readonly order: number;
  readonly acquired: Day;
  /**
   * The day at the center of the window: the sale or, for a short covered with owned shares, the short sale
   * (1.1091-1(g)).
   */
  readonly soldOn: Day;
  readonly sequence: number;
  /** The short that the sale closed. Sales and short sales near that day also deny the loss. */
  readonly short?: string;
  /** True if the units sold had taken on a loss before. */
  readonly again: boolean;
  /** The sale that this loss is a part of, if the sale has very many such parts. */
  readonly manyPartSale?: string;
}

/** A loss, and the part of it that no purchase replaces. */
export interface Unreplaced {
  readonly line: OracleLine;
  readonly on: Day;
  /** Units that no purchase has replaced yet. */
  left(): Exact;
  /** Units that no purchase up to a day replaces, and all units. Both are adjusted for splits up to that day. */
  asOf(day: Day): { readonly left: Exact; readonly whole: Exact };
}

/** A loss on a position in a stock while an offsetting position was open. */
export interface OffsetLoss {
  readonly line: OracleLine;
  readonly stock: string;
}

/** The part of a future purchase claimed by an earlier loss. */
export interface Claim {
  readonly quantity: Exact;
  readonly disallowed: Exact;
  /** The days that the sold shares were held, and the start of that period. */
  readonly held: { readonly days: number; readonly since: Day };
  readonly broker: BrokersLoss;
  /** The part of the disallowed amount that the selling broker did not treat as a loss. */
  readonly hidden: Exact;
  readonly manyPartSale: string | undefined;
  /** The purchase whose shares were sold. */
  readonly of: string;
}

/** A gain invested in an opportunity fund: the amount still deferred, and its units (IRC 1400Z-2). */
export interface OracleDeferral {
  readonly row: Transaction;
  readonly term: Term;
  readonly gain: Exact;
  readonly units: Exact;
  gone: Exact;
}

export interface OracleIncome {
  readonly transactionId: string;
  readonly type: TransactionType;
  readonly on: Day;
  readonly account: string;
  readonly amount: Exact;
}

export interface Average {
  readonly whole: Exact;
  readonly basis: Exact;
  readonly hidden: Exact;
  taken: Exact;
}

export interface Transit {
  readonly withdrawal: Transaction;
  readonly on: Day;
  readonly account: string;
}

/** A call written on stock that was held that day. */
export interface OracleCoveredCall {
  readonly origin: string;
  readonly row: string;
  stock: string;
  readonly on: Day;
  /** The position in the history of the day's last event. */
  readonly position: number;
  ended: Day | null;
  readonly inTheMoney: boolean | null;
  readonly qualified: boolean;
  readonly onAll: boolean;
  lost: Exact;
}

/** Buying a put counts as a short sale of its shares (IRC 1233(b)). */
export interface OraclePut {
  readonly origin: string;
  asset: string;
  readonly opened: Day;
  whole: Exact;
  taken: Exact;
  /** Shares bought with the put and identified with it: not a short sale of them (IRC 1233(c)). */
  married: Exact;
  /** Shares that a contract covers, after the splits so far. */
  perContract: Exact;
  shortHeld: Exact;
  claimed: Exact;
  answered: Exact;
}

/** A sale that may bear the loss on a short (IRC 1091(e)(1)). Its units are adjusted for later splits. */
export interface ShortSeasonSale {
  readonly line: OracleLine;
  readonly order: number;
  asset: string;
  whole: Exact;
  matched: Exact;
  readonly splits: Set<string>;
}

export interface SoldPurchase extends ShortSeasonSale {
  readonly purchasedOn: Day;
  readonly origin: string;
}

export interface ShortLoss {
  readonly line: OracleLine;
  /** The asset's current name. */
  asset: string;
  /** The units on the line, adjusted for later splits. */
  whole: Exact;
  readonly splits: Set<string>;
  readonly short: string;
  readonly on: Day;
  matched: Exact;
  denied: Exact;
}

/** Capital gains that a fund distributed on the shares in an account. */
export interface Distribution {
  asset: string;
  readonly account: string;
  readonly on: Day;
  shares: Exact;
  readonly paid: Exact;
}

export interface State {
  readonly rules: Rules;
  readonly events: readonly OracleEvent[];
  position: number;
  lots: OracleLot[];
  shorts: OracleShort[];
  readonly lines: OracleLine[];
  readonly deferrals: OracleDeferral[];
  readonly incomes: OracleIncome[];
  readonly contracts: { transactionId: string; on: Day; account: string; gain: Exact }[];
  readonly issues: { transactionId: string; kind: IssueKind }[];
  readonly claims: Map<string, Claim[]>;
  readonly unreplaced: Unreplaced[];
  /** The fragment last split from a lot for a sale with many parts, and the losses from that sale that it took on. */
  readonly lastFragments: Map<
    OracleLot,
    { readonly sale: string; readonly of: string; readonly fragment: OracleLot; denied: Exact }
  >;
  /** Losses of sales without a time, matched together at the end of the day (26 CFR 1.1091-1(b)). */
  untimedLosses: Loss[];
  /** Fractions of a cent by owner. They are added to the owner's next amount with a fraction of a cent. */
  readonly remainders: Map<string, Exact>;
  /** Today's corporate actions by account. An action that is stated twice counts once. */
  actionsToday: Set<string>;
  gifts: OracleGift[];
  /** Taxable amounts by year, up to the current day. */
  readonly taxedBefore: Set<object>;
  /** This year's losses on positions that were offset by another position when they were closed (IRC 1092). */
  offsetLosses: OffsetLoss[];
  /** Averaged basis by account and fund. */
  readonly averages: Map<string, Average>;
  /** Withdrawals whose deposit has not arrived. */
  transits: Transit[];
  /** Today's transfers out of the universal pool that allocate its lots. */
  allocated: OracleEvent[];
  /** Today's deposits without a withdrawal so far. */
  arrivals: { readonly transaction: Transaction; readonly lot: OracleLot }[];
  /** Purchases and ratios that no row states: those from the previous pass, and those from this pass. */
  readonly impliedLastPass: ReadonlyMap<string, Exact>;
  readonly impliedThisPass: Map<string, Exact>;
  /** Closed shorts, with the day of the closing. */
  closedShorts: { asset: string; readonly assetClass: AssetClass; readonly account: string; readonly on: Day }[];
  readonly coveredCalls: OracleCoveredCall[];
  /** Losses on closed shorts that a later short may still deny (IRC 1091(e)). */
  shortLosses: ShortLoss[];
  /** Sales made while a short of the same asset was open. */
  sales: ShortSeasonSale[];
  /** Units from recent purchases that are already sold, if the election lets them replace later losses (P3). */
  soldPurchases: SoldPurchase[];
  readonly distributions: Distribution[];
  /** Today's lines for bills that were paid off. */
  readonly redeemed: Set<OracleLine>;
  /** Puts held, and puts bought today. */
  puts: OraclePut[];
  putsToday: OracleLot[];
  /** Units on lines that a broker's form also reports. */
  readonly reported: Map<OracleLine, Exact>;
  /** The basis that was expected for them. */
  readonly expected: Map<OracleLine, Exact>;
}
