import type { LotMethod, OrderMethod } from './lot-methods.ts';
import type { AssetClass } from './statement-values.ts';

/**
 * The types of accounts. Gains and income in a `retirement` account are not taxed, its purchases disallow a loss
 * permanently (Rev. Rul. 2008-5; an HSA and a 401(k) by analogy), and property distributed in kind gets a new basis
 * (IRC 408(d)(1)).
 */
const accountTypeTable = {
  taxable: 'own',
  ira: 'retirement',
  roth_ira: 'retirement',
  hsa: 'retirement',
  '401k': 'retirement',
  spouse: 'spouse',
} as const;

export type AccountType = keyof typeof accountTypeTable;

type OtherAccountType = Exclude<AccountType, 'taxable'>;

export const accountTypes = Object.keys(accountTypeTable) as AccountType[];

/** All account types except the taxpayer's own taxable accounts. */
export const otherAccountTypes = accountTypes.filter((type) => type !== 'taxable') as readonly OtherAccountType[];

export function isRetirementType(type: AccountType | undefined): boolean {
  return type !== undefined && accountTypeTable[type] === 'retirement';
}

/** The forms that brokers use to report sales (IRC 6045(a), (g)). */
export const informationReturns = ['1099-B', '1099-DA'] as const;
export type InformationReturn = (typeof informationReturns)[number];

/** Evidence in an account's rows about the form that reports its sales. If there are two forms, this is Form 1099-B. */
export interface AccountEvidence {
  /** Set if the rows contain lines of this form. */
  readonly lines?: InformationReturn;
  /** Set if the rows come from an export of a source that issues this form. */
  readonly source?: InformationReturn;
  /** Set if the account name suggests that the account may be tax-advantaged (`rules/questions/account-names.ts`). */
  readonly taxFreeName?: true;
  /** Set if the account name is that of a wallet or a crypto exchange. */
  readonly walletName?: true;
  /** Set if the account name is that of a US securities broker. */
  readonly brokerName?: true;
}

export interface AccountRules {
  readonly type: AccountType;
  readonly assetClass?: AssetClass;
  readonly form?: InformationReturn | 'none';
  readonly basisReported?: boolean;
  /**
   * Accounts with the same wallet share their digital assets. An account without this value is a separate wallet (P13).
   */
  readonly wallet?: string;
  /**
   * The ISO date of the notice to the broker about which lots are sold. From 2027, lots count as identified only from
   * this date on.
   */
  readonly toldBroker?: string;
  /** How the broker confirmed it. This is only for the taxpayer's records and does not affect results. */
  readonly toldBrokerHow?: string;
  /**
   * Whether it is a payment processor for digital assets. Such a processor need not report sales of up to $600 a year
   * (26 CFR 1.6045-1(d)(2)(i)(C)).
   */
  readonly paymentProcessor?: boolean;
}

/** The taxpayer's settings for one asset, keyed by its name in the books. */
export interface AssetRules {
  readonly assetClass?: AssetClass;
  /** Its class in individual accounts, because a coin and a security may have the same name. */
  readonly accounts?: Readonly<Record<string, AssetClass>>;
  /** Whether its long-term gain is taxed at 28% (IRC 408(m), 1(h)(4)). */
  readonly collectible?: boolean;
  /** For an opportunity fund held for ten years, whether the basis is the value on the day of sale (IRC 1400Z-2(c)). */
  readonly basisAtSale?: boolean;
  /** Whether it is a qualified rural opportunity fund (IRC 1400Z-2(b)(2)(C)). */
  readonly ruralFund?: boolean;
  /** For an option root, whether its options are section 1256 contracts (IRC 1256(b), (g)). */
  readonly section1256?: boolean;
  /**
   * For a name on Forms 1099, the name that the transactions use for the asset. If both names are equal, the form means
   * no other asset.
   */
  readonly formNameOf?: string;
  /** The security's main name, if this is another name for it in all rows (`events/same-assets.ts`). */
  readonly sameAs?: string;
}

/**
 * The transaction name of an asset that a form names differently. `by` is its source: stated by the taxpayer, inferred
 * from the spelling, or guessed from a sale.
 */
export interface FormAssetName {
  readonly asset: string;
  readonly assetClass: AssetClass;
  readonly by: 'word' | 'spelling' | 'sale';
}

/** Keyed by account and by the asset key of the name on the form. */
export type FormAssetNames = Readonly<Record<string, Readonly<Record<string, FormAssetName>>>>;

/**
 * Evidence in the account's other rows about an ambiguous ticker. `unknown` means no evidence, so an issue is raised.
 */
export const tickerReadings = ['stock', 'crypto', 'unknown'] as const;
export type TickerReading = (typeof tickerReadings)[number];

/** The elections used to resolve the class of an asset (`events/classes.ts`). */
export type ClassRules = Pick<Rules, 'accounts' | 'assets' | 'tickers'>;

export const washScopes = ['securities_only', 'securities_and_tokenized', 'all_assets'] as const;
export type WashScope = (typeof washScopes)[number];

/**
 * An instruction that identifies lots before the sales (26 CFR 1.1012-1(c)(8), (j)(3)(ii)). It applies to later sales.
 */
export interface StandingOrder {
  /** If absent, the order applies to all accounts. Without `asset`, it applies to all assets. */
  readonly account?: string;
  readonly asset?: string;
  readonly method: OrderMethod;
  /** An RFC 3339 time, or a date. */
  readonly madeAt: string;
  /** The first day of the sales that it covers, if that differs from the day it was made. */
  readonly from?: string;
  /** The ISO date of the notice to the broker. */
  readonly toldBroker?: string;
}

/** The years in which the spouse files a separate return (IRC 6013). */
export interface SeparateReturns {
  /** The value for years that are not in `byYear`. */
  readonly otherwise: boolean;
  readonly byYear: Readonly<Record<number, boolean>>;
}

/** The defaults of optional elections. */
export const switchDefaults = {
  washSoldBefore: 'exclude',
  washPeriod: 'tacking',
  fragmentOrder: 'wash_adjusted_first',
  giftBetweenBases: 'basis_is_proceeds',
  transferFees: 'disposal',
  lateIdentification: 'method',
  mergerRows: 'cash_less_gain',
} as const satisfies Partial<Rules>;

/** The elections that change the result (DECISIONS.md, "The switches"). Every checkpoint stores their hash. */
export interface Rules {
  readonly method: LotMethod;
  readonly methodByAccount: Readonly<Record<string, LotMethod>>;
  /** Methods that apply from January 1 of `year`, ascending by year. */
  readonly methodFrom: readonly { readonly year: number; readonly method: LotMethod }[];
  readonly digitalAssetScopeBefore2025: 'universal' | 'per_wallet';
  readonly washSales: WashScope;
  /**
   * Other scopes for sales from a given day, ascending, in case the law changes (P1). Days here and below are ISO dates
   * as text.
   */
  readonly washSalesFrom?: readonly { readonly date: string; readonly washSales: WashScope }[];
  /**
   * Types of accounts, besides taxable ones, whose purchases count as replacements (P2). If absent, all types count.
   */
  readonly washAccounts?: readonly OtherAccountType[];
  /** Whether shares bought in the window and sold on a day before the loss replace it (P3). Default: exclude. */
  readonly washSoldBefore?: 'exclude' | 'include';
  /**
   * Whether the holding period of replacement shares includes that of the sold shares, or starts on the day of purchase
   * (IRC 1223(3); DECISIONS.md, P4). Default: tacking.
   */
  readonly washPeriod?: 'tacking' | 'replacement';
  /**
   * Whether fragments adjusted by a wash sale are sold before or after the other units of their purchase (P6). Default:
   * first.
   */
  readonly fragmentOrder?: 'wash_adjusted_first' | 'wash_adjusted_last';
  /**
   * Whether the line of a gift sold for a price between its two bases shows the proceeds as basis, or the donor's basis
   * with code L (P7).
   */
  readonly giftBetweenBases?: 'basis_is_proceeds' | 'donor_basis';
  /**
   * Whether units that pay for a transfer of the same asset are disposed of, or their basis is added to the units moved
   * (P8).
   */
  readonly transferFees?: 'disposal' | 'joins_basis';
  /**
   * What selects the lots if they were identified too late: the lot method, or the late identification with a warning
   * (P14).
   */
  readonly lateIdentification?: 'method' | 'accepted';
  /**
   * The Form 8949 row of a merger with cash. With `cash_less_gain`, (d) is the cash and (e) is the cash less the gain.
   * With `all_received`, (d) is everything received and (e) is the basis, with code O (P15).
   */
  readonly mergerRows?: 'cash_less_gain' | 'all_received';
  /**
   * From this ISO date on, short sales of coins against a holding raise an issue about constructive sales. IRC 1259
   * does not cover coins, but pending bills would (P16). Default: never.
   */
  readonly constructiveSalesOfCoinsFrom?: string;
  readonly standingOrders?: readonly StandingOrder[];
  /** The years in which married taxpayers file separately, if an account is the spouse's. */
  readonly separateReturns?: SeparateReturns;
  /**
   * The taxpayer's IANA time zone. It determines whether an identification is in time or too late. Default: UTC (P12).
   */
  readonly timeZone?: string;
  readonly accounts: Readonly<Record<string, AccountRules>>;
  readonly assets?: Readonly<Record<string, AssetRules>>;
  /** What each ambiguous ticker means, by account and asset. Derived from the rows, not elected. */
  readonly tickers?: Readonly<Record<string, Readonly<Record<string, TickerReading>>>>;
  /** Evidence by account. Derived from the rows, not elected. */
  readonly evidence?: Readonly<Record<string, AccountEvidence>>;
  /** Names on Forms 1099 (`events/form-names.ts`). Derived from the rows, not elected. */
  readonly formNames?: FormAssetNames;
}
