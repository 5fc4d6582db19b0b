import type { LotMethod, OrderMethod } from './lot-methods.ts';
import type { AssetClass } from './statement-values.ts';

/** The elections of a taxpayer: lot methods, accounts, standing orders, and the choices that the law leaves open. */

/**
 * The types of accounts. `retirement`: gains and income in it are not taxed, its purchases deny a loss for good (Rev. Rul.
 * 2008-5; an HSA and a 401(k) by analogy), and what it distributes in kind starts anew (IRC 408(d)(1)).
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

/** Accounts that are not the taxpayer's own taxable ones. */
export const otherAccountTypes = accountTypes.filter((type) => type !== 'taxable') as readonly OtherAccountType[];

export function isRetirementType(type: AccountType | undefined): boolean {
  return type !== undefined && accountTypeTable[type] === 'retirement';
}

/** The forms on which brokers report sales (IRC 6045(a), (g)). */
export const informationReturns = ['1099-B', '1099-DA'] as const;
export type InformationReturn = (typeof informationReturns)[number];

/** What the rows of an account say of the form that reports its sales. Of two forms Form 1099-B stands here. */
export interface AccountEvidence {
  /** Lines of this form are among the rows. */
  readonly lines?: InformationReturn;
  /** The rows come from an export of a source that sends this form. */
  readonly source?: InformationReturn;
  /** Its name says that it may be tax-free (`rules/questions/account-names.ts`). */
  readonly taxFreeName?: true;
  /** Its name is that of a wallet or of an exchange of coins. */
  readonly walletName?: true;
  /** Its name is that of a US broker in securities. */
  readonly brokerName?: true;
}

export interface AccountRules {
  readonly type: AccountType;
  readonly assetClass?: AssetClass;
  readonly form?: InformationReturn | 'none';
  readonly basisReported?: boolean;
  /** Accounts with the same wallet share their digital assets. An account without one is a wallet of its own (P13). */
  readonly wallet?: string;
  /** The day from which the broker is told which lots are sold: an ISO date. From 2027 lots count as identified only then. */
  readonly toldBroker?: string;
  /** How the broker confirmed it: a record for the taxpayer, which changes no number. */
  readonly toldBrokerHow?: string;
  /** A processor of payments in digital assets: sales of $600 a year need no form (26 CFR 1.6045-1(d)(2)(i)(C)). */
  readonly paymentProcessor?: boolean;
}

/** What the taxpayer states about one asset, by its name in the books. */
export interface AssetRules {
  readonly assetClass?: AssetClass;
  /** Its class in single accounts: a coin and a security may have one name. */
  readonly accounts?: Readonly<Record<string, AssetClass>>;
  /** Whether its long-term gain is taxed at 28 % (IRC 408(m), 1(h)(4)). */
  readonly collectible?: boolean;
  /** Of an opportunity fund held for ten years: whether its basis is its value when it is sold (IRC 1400Z-2(c)). */
  readonly basisAtSale?: boolean;
  /** Whether it is a qualified rural opportunity fund (IRC 1400Z-2(b)(2)(C)). */
  readonly ruralFund?: boolean;
  /** Of the root of options: whether these are section 1256 contracts (IRC 1256(b), (g)). */
  readonly section1256?: boolean;
  /** Of a name on Forms 1099: what the transactions call the asset. The name itself: no other asset. */
  readonly formNameOf?: string;
  /** This name is another name of that security, on all rows (`events/same-assets.ts`). */
  readonly sameAs?: string;
}

/** What the transactions call an asset that a form names otherwise, and whether this is stated, a spelling, or a guess. */
export interface FormAssetName {
  readonly asset: string;
  readonly assetClass: AssetClass;
  readonly by: 'word' | 'spelling' | 'sale';
}

/** By account and by the asset key of the name on the form. */
export type FormAssetNames = Readonly<Record<string, Readonly<Record<string, FormAssetName>>>>;

/** What the other rows of an account say of a name that says nothing. `unknown`: they say nothing, and it is asked. */
export const tickerReadings = ['stock', 'crypto', 'unknown'] as const;
export type TickerReading = (typeof tickerReadings)[number];

/** The elections from which the class of an asset is resolved (`events/classes.ts`). */
export type ClassRules = Pick<Rules, 'accounts' | 'assets' | 'tickers'>;

export const washScopes = ['securities_only', 'securities_and_tokenized', 'all_assets'] as const;
export type WashScope = (typeof washScopes)[number];

/** Identifies lots ahead of the sales (26 CFR 1.1012-1(c)(8), (j)(3)(ii)). It applies to sales after it was made. */
export interface StandingOrder {
  /** Without an account it applies to all accounts, without an asset to all assets. */
  readonly account?: string;
  readonly asset?: string;
  readonly method: OrderMethod;
  /** RFC 3339, or a date. */
  readonly madeAt: string;
  /** The first day of the sales it is meant for, where that is not the day on which it was made. */
  readonly from?: string;
  /** The day on which the broker was told of it: an ISO date. */
  readonly toldBroker?: string;
}

/** In which years the spouse files a return of its own (IRC 6013). */
export interface SeparateReturns {
  /** In years that `byYear` does not name. */
  readonly otherwise: boolean;
  readonly byYear: Readonly<Record<number, boolean>>;
}

/** What holds where a switch is not stated. */
export const switchDefaults = {
  washSoldBefore: 'exclude',
  washPeriod: 'tacking',
  fragmentOrder: 'wash_adjusted_first',
  giftBetweenBases: 'basis_is_proceeds',
  transferFees: 'disposal',
  lateIdentification: 'method',
  mergerRows: 'cash_less_gain',
} as const satisfies Partial<Rules>;

/** The elections that change the answer (DOMAIN.md section 9). Their hash stamps every checkpoint. */
export interface Rules {
  readonly method: LotMethod;
  readonly methodByAccount: Readonly<Record<string, LotMethod>>;
  /** From 1 January of `year` on, ascending by year. */
  readonly methodFrom: readonly { readonly year: number; readonly method: LotMethod }[];
  readonly digitalAssetScopeBefore2025: 'universal' | 'per_wallet';
  readonly washSales: WashScope;
  /**
   * Other scopes for sales from a day on, ascending: the law may change (P1). Days here and below are ISO dates as
   * text.
   */
  readonly washSalesFrom?: readonly { readonly date: string; readonly washSales: WashScope }[];
  /** Types of accounts, beside taxable ones, whose purchases count as replacements (P2). Without it all types count. */
  readonly washAccounts?: readonly OtherAccountType[];
  /** Whether shares bought in the window and sold on a day before the loss replace it (P3). Default: exclude. */
  readonly washSoldBefore?: 'exclude' | 'include';
  /**
   * The holding period of replacement shares: the days held of the sold shares are added, or it starts on the day of
   * purchase (DOMAIN.md 4.3). Default: tacking.
   */
  readonly washPeriod?: 'tacking' | 'replacement';
  /**
   * Whether fragments that a wash sale adjusted leave before or after the other units of their purchase (P6). Default:
   * first.
   */
  readonly fragmentOrder?: 'wash_adjusted_first' | 'wash_adjusted_last';
  /**
   * A gift sold for a price between its two bases shows the proceeds as basis, or the donor's basis with code L (P7).
   */
  readonly giftBetweenBases?: 'basis_is_proceeds' | 'donor_basis';
  /** Units that pay for a transfer of the same asset: a disposal, or their basis joins that of the units moved (P8). */
  readonly transferFees?: 'disposal' | 'joins_basis';
  /** Lots identified too late: the method selects the lots, or the identification counts, with a warning (P14). */
  readonly lateIdentification?: 'method' | 'accepted';
  /**
   * The line of a merger with cash. `cash_less_gain`: (d) is the cash, (e) the cash less the gain. `all_received`: (d)
   * is all that was received, (e) the basis, with code O (P15).
   */
  readonly mergerRows?: 'cash_less_gain' | 'all_received';
  /**
   * From this day on shorts of coins against a holding are asked about as constructive sales: an ISO date. IRC 1259 does
   * not reach them; bills would (P16). Default: never.
   */
  readonly constructiveSalesOfCoinsFrom?: string;
  readonly standingOrders?: readonly StandingOrder[];
  /** Years of married persons filing separately, where an account is the spouse's. */
  readonly separateReturns?: SeparateReturns;
  /** The taxpayer's IANA time zone. It dates identifications as in time or too late. Default: UTC (P12). */
  readonly timeZone?: string;
  readonly accounts: Readonly<Record<string, AccountRules>>;
  readonly assets?: Readonly<Record<string, AssetRules>>;
  /** By account and asset. It follows from the rows and is no election. */
  readonly tickers?: Readonly<Record<string, Readonly<Record<string, TickerReading>>>>;
  /** By account. It follows from the rows and is no election. */
  readonly evidence?: Readonly<Record<string, AccountEvidence>>;
  /** Names on Forms 1099 (`events/form-names.ts`). They follow from the rows and are no election. */
  readonly formNames?: FormAssetNames;
}
