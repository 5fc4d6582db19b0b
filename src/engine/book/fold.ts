import type { Day } from '../../base/day.ts';
import { type Cents, centsToMoney, type Money, type Quantity, roundToCents, toWholeCents } from '../../base/decimal.ts';
import { isRetirementType } from '../elections.ts';
import type { Event, TransactionEvent } from '../events/event.ts';
import type { Ledger } from '../events/ledger.ts';
import type { AssetClass, Disposal, Fact, Income, Issue, IssueKind, Rules, Transaction } from '../model.ts';
import type {
  Averages,
  CoveredCall,
  Distribution,
  LastClosing,
  OpenLoss,
  OpenLot,
  OpenPut,
  OpenShort,
  RecentSale,
  SoldPurchase,
  Transit,
  WrittenOption,
} from './book.ts';
import type { ClassQuestion } from './class-question.ts';
import type { Deferral } from './deferral.ts';
import { getOrCreateMember, type Queue } from './keyed.ts';
import type { LotQueue } from './lot-queue.ts';
import { LotStore } from './lot-store.ts';
import type { LineTemplate } from './plain-disposal.ts';
import type { StraddleLoss } from './straddle-loss.ts';

/** The open lots of one asset in one account. */
export interface Pool {
  readonly key: string;
  readonly account: string;
  readonly lots: LotStore;
  /** Transaction ids. Only the last few are used (`listRecentTransactions`). */
  readonly recentTransactions: string[];
  average: Averages | null;
  /** The lots in the order of a method. Created at the first sale. */
  queue: LotQueue | null;
  byLabel: Map<string, OpenLot[]> | null;
}

/** The loss on a slice that was just sold, in cents, before replacements are matched. */
export interface SliceLoss extends Omit<OpenLoss, 'sequence'> {
  readonly acquired: Day;
  readonly lotSequence: number;
  /** Whether the sold lot had replaced an earlier loss. */
  readonly adjusted: boolean;
}

/**
 * A disposal that a row of Form 1099 also reports. `units` is the number of units that the form reports. `line` is the
 * disposal before that row.
 */
export interface ReportedLine {
  readonly units: bigint;
  readonly line: Disposal;
  /** The disposal as the form is expected to show it. */
  readonly expected: Disposal;
}

export interface UnpairedDeposit {
  readonly event: TransactionEvent;
  readonly lot: OpenLot;
}

/** The working memory of a replay: the book as it changes, and the facts written so far. */
export interface Fold {
  readonly rules: Rules;
  readonly facts: Fact[];
  day: Day;
  sequence: number;
  /** Keyed by asset, then by account, both in the order of their first lots. */
  readonly pools: Map<string, Map<string, Pool>>;
  readonly losses: Map<string, Queue<OpenLoss>>;
  readonly shorts: Map<string, OpenShort[]>;
  closedShorts: readonly LastClosing[];
  readonly shortLosses: Map<string, OpenLoss[]>;
  readonly sales: Map<string, RecentSale[]>;
  /** Whether the book has had a short sale so far. */
  shorted: boolean;
  /** Whether the book has had, or will have, a short sale (`remembersSales`). Null until needed. */
  remembersSales: boolean | null;
  readonly soldPurchases: Map<string, SoldPurchase[]>;
  /** Keyed by the asset key of the stock. */
  readonly puts: Map<string, OpenPut[]>;
  /** Puts bought today. At the end of the day, they are matched to the stock bought with them. */
  putsToday: OpenLot[];
  readonly written: Map<string, WrittenOption[]>;
  /**
   * Option keys whose symbol names another stock, keyed by the terms of the option (`termsOfOption`). Keys without a
   * position may remain.
   */
  readonly otherSymbols: Map<string, Set<string>>;
  readonly coveredCalls: CoveredCall[];
  /** Shares per contract of each written option closed today. */
  readonly sharesClosed: Map<string, bigint>;
  /** Options that were opened, sorted by the day they count as expired. */
  readonly lapses: OptionLapse[];
  transits: Transit[];
  distributions: Distribution[];
  readonly deferrals: Deferral[];
  readonly fundInterests: Map<string, Day>;
  readonly questions: ClassQuestion[];
  /** The line templates of each asset, for the account and year of its latest sale. */
  readonly lineTemplates: Map<string, YearTemplates>;
  /** Names of assets that may raise an issue about their class or rate. */
  questionedNames: ReadonlySet<string>;
  straddleLosses: StraddleLoss[];
  readonly centsRemainders: Map<string, bigint>;
  /** Lots that may replace a loss, by the asset key of the loss, oldest purchase first. */
  readonly recent: Map<string, Queue<OpenLot>>;
  /** Losses in today's rows without a time. They are matched together at the end of the day. */
  pending: SliceLoss[];
  /**
   * Deposits of today that no withdrawal explains yet. A withdrawal may follow, because the clocks of two exchanges may
   * differ.
   */
  arrivals: UnpairedDeposit[];
  /** Today's allocations of the universal pool to wallets. */
  readonly allocations: TransactionEvent[];
  /** Totals of the universal pool at the time units first left a wallet today, by asset key. */
  readonly unallocated: Map<string, PoolTotals>;
  /** The last fragment split from each purchase today by a sale with very many fragments. */
  readonly lastFragments: Map<OpenLot, LastFragment>;
  /** Corporate actions already applied today, by pool. Several accounts may state the same action. */
  readonly actionsToday: Set<string>;
  /**
   * `dayStart` is the index of today's first fact. `reportedToday` contains today's disposals that Form 1099 also
   * reports, by id.
   */
  dayStart: number;
  readonly reportedToday: Map<string, ReportedLine>;
  /** Today's Form 8949 rows for bills that were paid at maturity. */
  readonly redeemedToday: Set<string>;
  /** Units of today's IRA sales that a form has already reported. IRA sales have no Form 8949 rows. */
  readonly unitsReported: Map<string, bigint>;
  /** The transactions of this replay. `rowsToday` contains today's transactions by id once they are needed. */
  ledger: Ledger | null;
  rowsToday: ReadonlyMap<string, Transaction> | null;
}

const recentTransactionsMax = 8;

/** Returns whether an asset can expire: it is an option, or a section 1256 contract, which may be an option. */
export function mayLapse({ assetClass }: { readonly assetClass: AssetClass }): boolean {
  return assetClass === 'option' || assetClass === 'section_1256';
}

export function getOrCreatePool(fold: Fold, key: string, account: string): Pool {
  const known = fold.pools.get(key)?.get(account);
  if (known !== undefined) return known;
  const accounts = getOrCreateMember(fold.pools, key, () => new Map<string, Pool>());
  return getOrCreateMember(accounts, account, () => ({
    key,
    account,
    lots: new LotStore(),
    recentTransactions: [],
    average: null,
    queue: null,
    byLabel: null,
  }));
}

/** Records that a transaction changed a pool, so that issues can name it. */
export function noteTransaction(pool: Pool, transactionId: string): void {
  if (pool.recentTransactions[pool.recentTransactions.length - 1] !== transactionId)
    appendTransaction(pool, transactionId);
}

/** Does the same as `noteTransaction`, for a transaction that changes the pool only once. */
export function appendTransaction(pool: Pool, transactionId: string): void {
  pool.recentTransactions.push(transactionId);
  if (pool.recentTransactions.length > 8 * recentTransactionsMax)
    pool.recentTransactions.splice(0, pool.recentTransactions.length - recentTransactionsMax);
}

/** Returns the ids of the last transactions that changed a pool. */
export function listRecentTransactions(pool: Pool): string[] {
  return pool.recentTransactions.slice(-recentTransactionsMax);
}

/**
 * Rounds an exact amount (10⁻⁸ dollars) to cents. The fraction of a cent is carried to the next fractional amount with
 * the same name, so that thousands of tiny rewards add up correctly. Whole cents neither use nor change the remainder.
 */
export function roundCarrying(fold: Fold, name: string, amount: Money): Cents {
  const whole = toWholeCents(amount);
  if (whole !== null) return whole;
  const exact = (amount + (fold.centsRemainders.get(name) ?? 0n)) as Money;
  const cents = roundToCents(exact);
  fold.centsRemainders.set(name, exact - centsToMoney(cents));
  return cents;
}

export function raise(
  fold: Fold,
  event: Event,
  issue: IssueKind,
  detail: string,
  more: {
    dollars?: Cents | null;
    units?: bigint;
    transactions?: readonly string[];
    account?: string;
    suffix?: string | number;
  } = {},
): void {
  const account = more.account ?? event.account;
  const fact: Issue = {
    kind: 'issue',
    causedOn: fold.day,
    id: `${event.tx.id}/${event.ordinal}/${issue}/${account}${more.suffix === undefined ? '' : `/${more.suffix}`}`,
    issue,
    on: event.on,
    asset: event.asset,
    account,
    transactions: [event.tx.id, ...(more.transactions ?? []).filter((id) => id !== event.tx.id)],
    dollars: more.dollars ?? null,
    ...(more.units === undefined ? {} : { units: more.units as Quantity }),
    detail,
  };
  fold.facts.push(fact);
}

/** Adds income. A separate `id` is needed for income in addition to an event's own amount. */
export function writeIncome(
  fold: Fold,
  { tx, ordinal, on, asset, account }: Event,
  { type, amount, id = `${tx.id}/${ordinal}` }: Pick<Income, 'type' | 'amount'> & { readonly id?: string },
): void {
  fold.facts.push({ kind: 'income', causedOn: fold.day, id, transactionId: tx.id, on, type, asset, account, amount });
}

export function isRetirement(fold: Fold, account: string): boolean {
  return isRetirementType(fold.rules.accounts[account]?.type);
}

/** An option that was opened, and the day (`on`) when it counts as expired if it is still open. */
export interface OptionLapse {
  readonly key: string;
  readonly asset: string;
  readonly expires: Day;
  readonly on: Day;
}

/** The last fragment that a sale split from a purchase, and the losses in its basis. */
export interface LastFragment {
  readonly sale: string;
  /** The purchase whose fragments were sold. */
  readonly origin: string;
  readonly fragment: OpenLot;
  readonly denied: bigint;
}

/** The templates of the lines of one asset in one account and year, by term and by whether the lot is covered. */
export interface YearTemplates {
  readonly account: string;
  readonly assetClass: AssetClass;
  readonly firstDay: Day;
  readonly lastDay: Day;
  readonly templates: (LineTemplate | undefined)[];
}

export interface PoolTotals {
  readonly units: bigint;
  readonly basis: Cents;
}

/** Drops the lot queue after the sort keys of lots change. */
export function reorder(pool: Pool): void {
  pool.queue = null;
  pool.byLabel = null;
}
