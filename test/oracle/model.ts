import type { Day } from '../../src/base/day.ts';
import type { AssetClass, Box, IssueKind, Rules, Term, Transaction, TransactionType } from '../../src/engine/model.ts';
import type { OracleEvent } from './events/events.ts';
import type { Exact } from './numbers.ts';
import type { BrokersLoss } from './rules/lines/broker.ts';

/** Open quantity. `taken` of `whole` has left already: the basis that is left follows by cumulative rounding. */
export interface OracleLot {
  /** The event that opened it, with a letter for each part that was split from it. */
  readonly id: string;
  children: number;
  /** The event that opened it: leftovers of one purchase are no replacement for one another (Rev. Rul. 56-602). */
  readonly origin: string;
  /** Its own event. A purchase in pieces has one origin for all of them. */
  readonly opened: string;
  readonly transactionId: string;
  readonly label: string;
  /** The place of the opening event in the history: the tie-break of lots of one day. */
  readonly order: number;
  asset: string;
  assetClass: AssetClass;
  account: string;
  acquired: Day;
  /** When it became the taxpayer's: a gift on its own day, whenever the donor had acquired it. */
  cameOn: Day;
  heldSince: Day;
  inherited: boolean;
  /** The closing of a short sale that began its holding period anew (IRC 1233(b)(2)). */
  restartedOn: Day | null;
  /** Took on a denied loss: of one purchase such fragments are sold first. */
  washed: boolean;
  /** By election such fragments leave last. */
  leavesLast: boolean;
  /** The day of the last mark of a section 1256 contract. */
  markedOn?: Day;
  whole: Exact;
  taken: Exact;
  basis: Exact;
  /** Of a bond: when it is due, where its purchase says so, and the interest paid with all of it. */
  maturity: Day | null;
  /** Whether rows state its discount at issue, or its premium, as it accrued. */
  accretes: boolean;
  interestPaid: Exact;
  /** The part of the basis that is not on the broker's form, and the day from which the broker counts the period. */
  hidden: Exact;
  brokerSince: Day;
  /** Basis and quantity when the lot opened or was last adjusted: their ratio orders HIFO and LOFO. */
  unit: { basis: Exact; quantity: Exact };
  /** A gift worth less than the donor's basis: the basis for a loss, and the day from which it then is held. */
  gift: { lossBasis: Exact; on: Day } | null;
  /** The day of its purchase or taxable exchange; null for what is no acquisition for IRC 1091 (1.1091-1(f)). */
  purchasedOn: Day | null;
  /** Units of it that have replaced a loss already (1.1091-1(e)); they leave first. */
  used: Exact;
  /** Shares that one unit is a right to buy: a call is an acquisition of its stock. 0 for what is no call. */
  callShares: Exact;
  /** Shares that one unit is a right to sell. */
  putShares: Exact;
  underlying: string;
  /** The put that is to sell these shares, bought on their day. */
  marriedTo: string | null;
  basisUnknown: boolean;
  /** A broker knows and reports its basis: bought in this account since reporting began. */
  covered: boolean;
}

/** Sold before it was bought: a short sale, or an option written. */
export interface OracleShort {
  readonly origin: string;
  readonly label: string;
  readonly order: number;
  readonly written: boolean;
  /** Of an option that was written: of how many shares a contract is, and its stock as it is named now. */
  readonly shares: Exact;
  underlying: string;
  /** Stock that an option sold, and that was not held. */
  readonly byOption: boolean;
  asset: string;
  assetClass: AssetClass;
  account: string;
  opened: Day;
  whole: Exact;
  taken: Exact;
  proceeds: Exact;
  /** Identical property held for more than a year, and no longer, on the day of the short sale (IRC 1233(b), (d)). */
  longHeld: Exact;
  shortHeld: Exact;
  /** Units that took on the denied loss of another short (IRC 1091(e)). */
  usedAsReplacement: Exact;
  /** Units of property disposed of while it was open: their period began anew then (IRC 1233(b)(2)). */
  claimed: Exact;
  markedOn?: Day;
  /** Paid to the lender in lieu of dividends on what is open (IRC 263(h)). */
  inLieu: { paid: Exact; readonly extraordinary: boolean }[];
  /** Units closed long after whose gain that property has made short-term: it answers once (1233(e)(1)). */
  answered: Exact;
}

export interface Slice {
  /** The lot as it was chosen, and as it goes on. */
  readonly lot: OracleLot | null;
  readonly source: OracleLot | null;
  readonly quantity: Exact;
  readonly basis: Exact;
  readonly hidden: Exact;
  readonly interestPaid?: Exact;
  readonly lossBasis: Exact | null;
  readonly used: Exact;
  /** Its holding period began anew with the sale. */
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
  /** As of the lot: basis that is not on the form, unless a row of the form states the basis. */
  hidden: Exact;
  brokerSince: Day;
  isReported: boolean;
  adjustment: Exact;
  /** Letters of column (f) besides W. */
  code: '' | 'D' | 'L' | 'O' | 'Y' | 'Z';
  /** What a form shows otherwise: it stands in (d) and (e), and is taken out again in (g). */
  form?: { proceeds: Exact; basis: Exact; code: string };
  /** What a form that stands alone shows as denied: it has met its replacement. */
  deniedByForm?: Exact;
  /** The part of the adjustment that is lost for good (Rev. Rul. 2008-5). */
  permanent: Exact;
  term: Term;
  shortSale: boolean;
  expired: 'proceeds' | 'basis' | null;
  /** Of a line of an option that was written: the shares of a contract. */
  sharesOfContract?: Exact;
  basisUnknown: boolean;
  /** A broker reports its basis, where it sends a form at all. */
  covered: boolean;
  /** A distribution, or a security that became worthless: sold to nobody, so on no form. */
  onNoForm: boolean;
  /** The box that a form states, by whatever term. */
  stated: Box | null;
  /** What an interest in an opportunity fund was worth when its gain was included. */
  fundValue?: Exact;
}

/** Property that was given away: no line, but what Form 8283 asks for. */
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

/** A loss that IRC 1091 may deny, once the shares that replace it are found. */
export interface Loss {
  readonly line: OracleLine;
  readonly account: string;
  readonly origin: string;
  readonly order: number;
  readonly acquired: Day;
  /** The day around which the window lies: the sale; for a short of what was owned, the short sale (1.1091-1(g)). */
  readonly soldOn: Day;
  readonly sequence: number;
  /** The short that it closed: what is sold, or sold short, near its day denies the loss, too. */
  readonly short?: string;
  /** What was sold had taken on a loss before. */
  readonly again: boolean;
  /** The sale that this loss is a part of, where it has very many such parts. */
  readonly manyPartSale?: string;
}

/** A loss, and what of it no purchase replaces. */
export interface Unreplaced {
  readonly line: OracleLine;
  readonly on: Day;
  /** Units that nothing has replaced so far. */
  left(): Exact;
  /** Units that no purchase of a day or before it replaces, and all of them: as splits until then have made them. */
  asOf(day: Day): { readonly left: Exact; readonly whole: Exact };
}

/** A loss on a position in a stock while an offsetting one was open. */
export interface OffsetLoss {
  readonly line: OracleLine;
  readonly stock: string;
}

/** Part of a purchase still to come that an earlier loss has claimed. */
export interface Claim {
  readonly quantity: Exact;
  readonly disallowed: Exact;
  /** For how many days the sold ones were held, and since when. */
  readonly held: { readonly days: number; readonly since: Day };
  readonly broker: BrokersLoss;
  /** Of what is disallowed the broker of the sale did not see so much as a loss. */
  readonly hidden: Exact;
  readonly manyPartSale: string | undefined;
  /** The purchase whose shares were sold. */
  readonly of: string;
}

/** A gain put into an opportunity fund: what is still deferred, and of how many units (IRC 1400Z-2). */
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

/** A call written on stock that was held then. */
export interface OracleCoveredCall {
  readonly origin: string;
  readonly row: string;
  stock: string;
  readonly on: Day;
  /** The place in the history of the last event of its day. */
  readonly position: number;
  ended: Day | null;
  readonly inTheMoney: boolean | null;
  readonly qualified: boolean;
  readonly onAll: boolean;
  lost: Exact;
}

/** A put bought counts as a short sale of its shares (IRC 1233(b)). */
export interface OraclePut {
  readonly origin: string;
  asset: string;
  readonly opened: Day;
  whole: Exact;
  taken: Exact;
  /** Shares bought with it that it is to sell: no short sale of them (IRC 1233(c)). */
  married: Exact;
  /** Shares that a contract is on, by the splits so far. */
  perContract: Exact;
  shortHeld: Exact;
  claimed: Exact;
  answered: Exact;
}

/** A sale that may bear the loss on a short (IRC 1091(e)(1)); its units as splits since have made them. */
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
  /** The asset by the name it has now. */
  asset: string;
  /** The units of the line, as splits since have made them. */
  whole: Exact;
  readonly splits: Set<string>;
  readonly short: string;
  readonly on: Day;
  matched: Exact;
  denied: Exact;
}

/** Capital gains that a fund paid out to the shares of an account. */
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
  /** The event under way. */
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
  /** The fragment last split from a lot for a sale of many parts, and the losses of that sale that it took on. */
  readonly lastFragments: Map<
    OracleLot,
    { readonly sale: string; readonly of: string; readonly fragment: OracleLot; denied: Exact }
  >;
  /** Losses of sales without a time, matched together at the day's end (26 CFR 1.1091-1(b)). */
  untimedLosses: Loss[];
  /** Parts of a cent, by what they belong to. The next amount with parts of a cent takes them. */
  readonly remainders: Map<string, Exact>;
  /** Corporate actions of today, by account: the same one stated twice counts once. */
  actionsToday: Set<string>;
  /** What was given away. */
  gifts: OracleGift[];
  /** What a year taxes, as far as the days that are over have left it. */
  readonly taxedBefore: Set<object>;
  /** Losses of this year on positions that another one offset when they were closed (IRC 1092). */
  offsetLosses: OffsetLoss[];
  /** Averaged basis by account and fund. */
  readonly averages: Map<string, Average>;
  /** Withdrawals whose other leg has not come. */
  transits: Transit[];
  /** Transfers of today out of the universal pool that allocate its lots. */
  allocated: OracleEvent[];
  /** Deposits of today without a withdrawal yet. */
  arrivals: { readonly transaction: Transaction; readonly lot: OracleLot }[];
  /** Purchases and ratios that no row states: those that the last pass found, and those of this pass. */
  readonly impliedLastPass: ReadonlyMap<string, Exact>;
  readonly impliedThisPass: Map<string, Exact>;
  /** When an account last closed a short of what, and when it had sold it. */
  closedShorts: { asset: string; readonly assetClass: AssetClass; readonly account: string; readonly on: Day }[];
  readonly coveredCalls: OracleCoveredCall[];
  /** Losses on closed shorts, waiting for another short (IRC 1091(e)). */
  shortLosses: ShortLoss[];
  /** Sales made while a short of the same thing was open. */
  sales: ShortSeasonSale[];
  /** Of what was bought lately what is sold already, where by election it replaces losses to come (P3). */
  soldPurchases: SoldPurchase[];
  readonly distributions: Distribution[];
  /** Lines of today of bills that were paid off. */
  readonly redeemed: Set<OracleLine>;
  /** Puts held, and those bought today. */
  puts: OraclePut[];
  putsToday: OracleLot[];
  /** Units of lines that a broker's form reports, too. */
  readonly reported: Map<OracleLine, Exact>;
  /** The basis that they were expected to show. */
  readonly expected: Map<OracleLine, Exact>;
}
