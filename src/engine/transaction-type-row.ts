/** The properties of a transaction type. Everything that depends on the type, except the rule itself, is here. */
export interface TransactionTypeRow {
  /**
   * `needs` lists the columns of the Lotbook CSV that a row must have, and `uses` the columns that it may have. Other
   * columns are ignored (DECISIONS.md, "No money is dropped").
   */
  readonly needs: readonly string[];
  readonly uses: readonly string[];
  /** Its effect on lots, shorts or written options. */
  readonly lots: LotEffect;
  /**
   * How the fee of a trade is treated (26 CFR 1.1012-1(h)(1), 1.1001-7(b)). Types with this property are trades: a
   * negative amount reverses an earlier trade. For income, a negative amount is negative income.
   */
  readonly tradeFee?: 'joins_cost' | 'lessens_proceeds';
  /** The direction of units in a trade for dollars. */
  readonly side?: 'buy' | 'sell';
  /** Set if units are removed and the row states nothing received for them. */
  readonly isOutgoing?: true;
  /** Set if the asset is an option, no matter what else states its class. */
  readonly isOption?: true;
  /** Set if basis flows between the two assets, so that their books become one. */
  readonly joinsBooks?: true;
  /** Set if a row without an account applies to every account that holds the asset. */
  readonly everyAccount?: true;
  /** The field that a market price fills if the row does not state it. */
  readonly marketValue?: 'amount' | 'fmv';
  /** The field for the value that the taxpayer enters to resolve an issue. Default: the amount. */
  readonly askedValue?: 'fmv';
  /**
   * The field for the cost of the units that the taxpayer enters to resolve an issue. If absent, the cost cannot be
   * entered.
   */
  readonly basisAnswer?: 'amount' | 'basis' | 'fmv';
  /** Set if the taxpayer also enters the acquisition date. Otherwise the date is that of the row. */
  readonly datedByAnswer?: true;
  /** Its name as income: `title` is for headings, `name` for use within a sentence. */
  readonly income?: { readonly title: string; readonly name: string };
  /** Set for tax withheld from income. A separate row states the income in full, so the tax is not subtracted. */
  readonly isWithheld?: true;
  /**
   * Set for income whose units count as purchased under IRC 1091: stock awards, reinvested dividends (Pub. 550, "Wash
   * Sales"). Units found or paid out do not count as purchased.
   */
  readonly isPurchase?: true;
  /** Set if the asset is always a security, never a coin. */
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
