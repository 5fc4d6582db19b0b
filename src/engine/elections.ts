import type { LotMethod, OrderMethod } from './lot-methods.ts';
import type { AssetClass } from './statement.ts';

/** What a taxpayer elects: lot methods, accounts and their rules, standing orders, and the choices that the law leaves open. */

export interface AccountRules {
  readonly type: 'taxable' | 'ira' | 'roth_ira' | 'spouse';
  readonly assetClass?: AssetClass;
  readonly form?: '1099-B' | '1099-DA' | 'none';
  readonly basisReported?: boolean;
  /** Accounts of one wallet keep their digital assets together; each is a wallet of its own where none is stated (P13). */
  readonly wallet?: string;
}

export const washScopes = ['securities_only', 'securities_and_tokenized', 'all_assets'] as const;
export type WashScope = (typeof washScopes)[number];

/** Identifies lots ahead of the sales (26 CFR 1.1012-1(c)(8), (j)(3)(ii)): those that come after it was made. */
export interface StandingOrder {
  /** All accounts, or all assets, where none is named. */
  readonly account?: string;
  readonly asset?: string;
  readonly method: OrderMethod;
  /** RFC 3339, or a date. */
  readonly madeAt: string;
  /** The first day of sale that it is meant for, where that is not the day it was made. */
  readonly from?: string;
}

/** The elections that change the answer (DOMAIN.md section 9). Their hash stamps every checkpoint. */
export interface Rules {
  readonly method: LotMethod;
  readonly methodByAccount: Readonly<Record<string, LotMethod>>;
  /** From 1 January of `year` on, ascending by year. */
  readonly methodFrom: readonly { readonly year: number; readonly method: LotMethod }[];
  readonly digitalAssetScopeBefore2025: 'universal' | 'per_wallet';
  readonly washSales: WashScope;
  /** Other scopes for sales from a day on, ascending: the law may change (P1). Days as text, here and below. */
  readonly washSalesFrom?: readonly { readonly date: string; readonly washSales: WashScope }[];
  /** Accounts beside the taxpayer's own whose purchases replace what he sold (P2). All of them where not stated. */
  readonly washAccounts?: readonly Exclude<AccountRules['type'], 'taxable'>[];
  /** Whether shares bought in the window and sold on a day before the loss replace it (P3). They do not where not stated. */
  readonly washSoldBefore?: 'exclude' | 'include';
  /** What the matched shares take over from the sold ones: the days held, or the day of purchase (DOMAIN.md 4.3). Tacking where not stated. */
  readonly washPeriod?: 'tacking' | 'replacement';
  /** Of one purchase, what a wash sale adjusted leaves before the rest or after it (P6). Before where not stated. */
  readonly fragmentOrder?: 'wash_adjusted_first' | 'wash_adjusted_last';
  /** A gift sold between its two bases: the proceeds as basis, or the donor's basis with code L (P7). */
  readonly giftBetweenBases?: 'basis_is_proceeds' | 'donor_basis';
  /** Units that paid for a transfer of their own kind: disposed of, or their basis joins that of the units moved (P8). */
  readonly transferFees?: 'disposal' | 'joins_basis';
  /** Lots named too late: the method chooses, or they count all the same, with the warning (P14). */
  readonly lateIdentification?: 'method' | 'accepted';
  /** A merger with cash: (d) the cash and (e) the cash less the gain, or all that came, the basis and a code (P15). */
  readonly mergerRows?: 'cash_less_gain' | 'all_received';
  readonly standingOrders?: readonly StandingOrder[];
  /** The taxpayer's, by whose days lots are identified in time or too late. UTC where not stated (P12). */
  readonly timeZone?: string;
  readonly accounts: Readonly<Record<string, AccountRules>>;
}
