/** The properties of a transaction type. Everything that depends on the type, except the rule itself, is here. */
export interface TransactionTypeRow {
  /**
   * Columns of the Lotbook CSV that a row must have, and columns that it may have. Others are ignored (DECISIONS.md,
   * "No money is dropped").
   */
  readonly needs: readonly string[];
  readonly uses: readonly string[];
  /** Its effect on lots, shorts or written options. */
  readonly lots: LotEffect;
  /**
   * The treatment of the fee of a trade (26 CFR 1.1012-1(h)(1), 1.1001-7(b)). A trade with a negative amount reverses
   * an earlier one. Income with a negative amount simply counts as negative.
   */
  readonly tradeFee?: 'joins_cost' | 'lessens_proceeds';
  /** The direction of units in a trade for dollars. */
  readonly side?: 'buy' | 'sell';
  /** Units leave, and the row states nothing received for them. */
  readonly isOutgoing?: true;
  /** Its asset is an option, no matter what else states its class. */
  readonly isOption?: true;
  /** Basis flows between its two assets, so their books become one. */
  readonly joinsBooks?: true;
  /** If it has no account, it applies to every account that holds the asset. */
  readonly everyAccount?: true;
  /** The member that a market price fills if the row does not state it. */
  readonly marketValue?: 'amount' | 'fmv';
  /** The member in which the taxpayer enters the value when asked. Default: the amount. */
  readonly askedValue?: 'fmv';
  /** The member in which the taxpayer enters the cost of its units when asked. If absent, no question is raised. */
  readonly basisAnswer?: 'amount' | 'basis' | 'fmv';
  /** Whether that answer includes the acquisition date. Otherwise the date is that of the row. */
  readonly datedByAnswer?: true;
  /** Its name as income: as a title, and for use within a sentence. */
  readonly income?: { readonly title: string; readonly name: string };
  /** Tax withheld from income. Its own row states the income in full, so nothing is subtracted from it. */
  readonly isWithheld?: true;
  /**
   * Income whose units count as bought for IRC 1091: stock awards, reinvested dividends (Pub. 550, "Wash Sales"). Units
   * found or paid out do not count as bought.
   */
  readonly isPurchase?: true;
  /** It never involves a coin: its asset is a security. */
  readonly onlySecurities?: true;
  /** The reason no Form 1099-B reports it, although it counts as a sale (i8949, "Nondividend distributions"). */
  readonly notOnForm1099?: string;
}

export type LotEffect =
  | 'opens'
  | 'disposes'
  | 'exchanges'
  | 'moves'
  | 'changes'
  | 'opens_short'
  | 'closes_short'
  | 'ends_option'
  | 'marks'
  | 'none';
