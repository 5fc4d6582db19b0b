import type { LotMethod, OrderMethod } from './lot-methods.ts';
import type { AssetClass } from './statement-values.ts';

/** The elections of a taxpayer: lot methods, accounts, standing orders, and choices that the law leaves open. */

/**
 * The types of accounts. `retirement`: gains and income in it are not taxed, its purchases deny a loss permanently
 * (Rev. Rul. 2008-5; an HSA and a 401(k) by analogy), and property distributed in kind takes a new basis (IRC
 * 408(d)(1)).
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

/** Account types other than the taxpayer's own taxable ones. */
export const otherAccountTypes = accountTypes.filter((type) => type !== 'taxable') as readonly OtherAccountType[];

export function isRetirementType(type: AccountType | undefined): boolean {
  return type !== undefined && accountTypeTable[type] === 'retirement';
}

/** The forms on which brokers report sales (IRC 6045(a), (g)). */
export const informationReturns = ['1099-B', '1099-DA'] as const;
export type InformationReturn = (typeof informationReturns)[number];

/**
 * Evidence from an account's rows about the form that reports its sales. If there are two forms, this holds Form
 * 1099-B.
 */
export interface AccountEvidence {
  /** Lines of this form are among the rows. */
  readonly lines?: InformationReturn;
  /** The rows come from an export of a source that issues this form. */
  readonly source?: InformationReturn;
  /** Its name suggests that it may be tax-free (`rules/questions/account-names.ts`). */
  readonly taxFreeName?: true;
  /** Its name is that of a wallet or a crypto exchange. */
  readonly walletName?: true;
  /** Its name is that of a US securities broker. */
  readonly brokerName?: true;
}

export interface AccountRules {
  readonly type: AccountType;
  readonly assetClass?: AssetClass;
  readonly form?: InformationReturn | 'none';
  readonly basisReported?: boolean;
  /** Accounts with the same wallet share their digital assets. An account without one is a wallet of its own (P13). */
  readonly wallet?: string;
  /**
   * The ISO date of the notice to the broker about which lots are sold. From 2027 lots count as identified only from
   * then on.
   */
  readonly toldBroker?: string;
  /** How the broker confirmed it. This is a record for the taxpayer and changes no number. */
  readonly toldBrokerHow?: string;
  /** A payment processor for digital assets: sales of $600 a year need no form (26 CFR 1.6045-1(d)(2)(i)(C)). */
  readonly paymentProcessor?: boolean;
}

/** The taxpayer's settings for one asset, keyed by its name in the books. */
export interface AssetRules {
  readonly assetClass?: AssetClass;
  /** Its class in individual accounts, because a coin and a security may have the same name. */
  readonly accounts?: Readonly<Record<string, AssetClass>>;
  /** Whether its long-term gain is taxed at 28% (IRC 408(m), 1(h)(4)). */
  readonly collectible?: boolean;
  /** For an opportunity fund held for ten years, whether its basis is its value when sold (IRC 1400Z-2(c)). */
  readonly basisAtSale?: boolean;
  /** Whether it is a qualified rural opportunity fund (IRC 1400Z-2(b)(2)(C)). */
  readonly ruralFund?: boolean;
  /** For an option root, whether its options are section 1256 contracts (IRC 1256(b), (g)). */
  readonly section1256?: boolean;
  /**
   * For a name on Forms 1099, the name that the transactions use for the asset. If it is the same name, no other asset
   * is meant.
   */
  readonly formNameOf?: string;
  /** This name is another name of that security, in all rows (`events/same-assets.ts`). */
  readonly sameAs?: string;
}

/**
 * The name in the transactions of an asset that a form names differently, and whether the taxpayer stated it, the
 * spelling shows it, or it is a guess.
 */
export interface FormAssetName {
  readonly asset: string;
  readonly assetClass: AssetClass;
  readonly by: 'word' | 'spelling' | 'sale';
}

/** Keyed by account and by the asset key of the name on the form. */
export type FormAssetNames = Readonly<Record<string, Readonly<Record<string, FormAssetName>>>>;

/**
 * Evidence from the account's other rows about an ambiguous ticker. `unknown` means no evidence, so a question is
 * raised.
 */
export const tickerReadings = ['stock', 'crypto', 'unknown'] as const;
export type TickerReading = (typeof tickerReadings)[number];

/** The elections used to resolve the class of an asset (`events/classes.ts`). */
export type ClassRules = Pick<Rules, 'accounts' | 'assets' | 'tickers'>;

export const washScopes = ['securities_only', 'securities_and_tokenized', 'all_assets'] as const;
export type WashScope = (typeof washScopes)[number];

/** Identifies lots ahead of the sales (26 CFR 1.1012-1(c)(8), (j)(3)(ii)). It applies to sales made after it. */
export interface StandingOrder {
  /** Without an account it applies to all accounts, without an asset to all assets. */
  readonly account?: string;
  readonly asset?: string;
  readonly method: OrderMethod;
  /** RFC 3339, or a date. */
  readonly madeAt: string;
  /** The first day of the sales it covers, if that is not the day it was made. */
  readonly from?: string;
  /** The ISO date on which the broker was notified. */
  readonly toldBroker?: string;
}

/** The years for which the spouse files a separate return (IRC 6013). */
export interface SeparateReturns {
  /** The value for years that `byYear` does not name. */
  readonly otherwise: boolean;
  readonly byYear: Readonly<Record<number, boolean>>;
}

/** The defaults for switches that are not set. */
export const switchDefaults = {
  washSoldBefore: 'exclude',
  washPeriod: 'tacking',
  fragmentOrder: 'wash_adjusted_first',
  giftBetweenBases: 'basis_is_proceeds',
  transferFees: 'disposal',
  lateIdentification: 'method',
  mergerRows: 'cash_less_gain',
} as const satisfies Partial<Rules>;

/** The elections that change the result (DECISIONS.md, "The switches"). Their hash stamps every checkpoint. */
export interface Rules {
  readonly method: LotMethod;
  readonly methodByAccount: Readonly<Record<string, LotMethod>>;
  /** Methods from 1 January of `year`, ascending by year. */
  readonly methodFrom: readonly { readonly year: number; readonly method: LotMethod }[];
  readonly digitalAssetScopeBefore2025: 'universal' | 'per_wallet';
  readonly washSales: WashScope;
  /**
   * Other scopes for sales from a given day, ascending, because the law may change (P1). Days here and below are ISO
   * dates as text.
   */
  readonly washSalesFrom?: readonly { readonly date: string; readonly washSales: WashScope }[];
  /** Types of accounts besides taxable ones whose purchases count as replacements (P2). If absent, all types count. */
  readonly washAccounts?: readonly OtherAccountType[];
  /** Whether shares bought in the window and sold on a day before the loss replace it (P3). Default: exclude. */
  readonly washSoldBefore?: 'exclude' | 'include';
  /**
   * The holding period of replacement shares: it includes the days the sold shares were held, or it starts on the day
   * of purchase (IRC 1223(3); DECISIONS.md, P4). Default: tacking.
   */
  readonly washPeriod?: 'tacking' | 'replacement';
  /**
   * Whether fragments adjusted by a wash sale leave before or after the other units of their purchase (P6). Default:
   * first.
   */
  readonly fragmentOrder?: 'wash_adjusted_first' | 'wash_adjusted_last';
  /**
   * Whether a gift sold for a price between its two bases shows the proceeds as basis, or the donor's basis with code L
   * (P7).
   */
  readonly giftBetweenBases?: 'basis_is_proceeds' | 'donor_basis';
  /**
   * Whether units that pay for a transfer of the same asset are a disposal, or add their basis to the units moved (P8).
   */
  readonly transferFees?: 'disposal' | 'joins_basis';
  /**
   * For lots identified too late, whether the method selects the lots, or the identification counts with a warning
   * (P14).
   */
  readonly lateIdentification?: 'method' | 'accepted';
  /**
   * The Form 8949 row of a merger with cash. `cash_less_gain`: (d) is the cash, (e) the cash less the gain.
   * `all_received`: (d) is everything received, (e) the basis, with code O (P15).
   */
  readonly mergerRows?: 'cash_less_gain' | 'all_received';
  /**
   * The ISO date from which short sales of coins against a holding raise a question about constructive sales. IRC 1259
   * does not cover them; bills would (P16). Default: never.
   */
  readonly constructiveSalesOfCoinsFrom?: string;
  readonly standingOrders?: readonly StandingOrder[];
  /** The years married taxpayers file separately, if an account is the spouse's. */
  readonly separateReturns?: SeparateReturns;
  /** The taxpayer's IANA time zone. It decides whether an identification is in time or too late. Default: UTC (P12). */
  readonly timeZone?: string;
  readonly accounts: Readonly<Record<string, AccountRules>>;
  readonly assets?: Readonly<Record<string, AssetRules>>;
  /** Ticker readings by account and asset. Derived from the rows; not an election. */
  readonly tickers?: Readonly<Record<string, Readonly<Record<string, TickerReading>>>>;
  /** Evidence by account. Derived from the rows; not an election. */
  readonly evidence?: Readonly<Record<string, AccountEvidence>>;
  /** Names on Forms 1099 (`events/form-names.ts`). Derived from the rows; not elections. */
  readonly formNames?: FormAssetNames;
}
