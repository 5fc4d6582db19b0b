import type { Day } from '../../base/day.ts';
import { type Cents, centsToMoney, type Money, roundToCents } from '../../base/decimal.ts';
import type { Event, TransactionEvent } from '../events/event.ts';
import type { Ledger } from '../events/ledger.ts';
import type { AccountRules, AssetClass, Disposal, Fact, Issue, IssueKind, Rules, Transaction } from '../model.ts';
import type {
  Averages,
  Distribution,
  OpenLoss,
  OpenLot,
  OpenPut,
  OpenShort,
  RecentSale,
  SoldPurchase,
  Transit,
  WrittenOption,
} from './book.ts';
import { memberOf, type Queue } from './keyed.ts';
import type { LotQueue } from './lot-queue.ts';
import { LotStore } from './lot-store.ts';

/** The lots of one asset in one account. */
export interface Pool {
  readonly key: string;
  readonly account: string;
  readonly lots: LotStore;
  /** Its last members count (`recentTransactionsOf`). */
  readonly recentTransactions: string[];
  average: Averages | null;
  /** Made when a sale asks. */
  queue: LotQueue | null;
  byLabel: Map<string, OpenLot[]> | null;
}

/** A loss on a slice just sold, before any replacement is looked for. */
export interface SliceLoss extends Omit<OpenLoss, 'sequence'> {
  readonly acquired: Day;
  readonly lotSequence: number;
  /** What was sold had replaced a loss itself. */
  readonly adjusted: boolean;
}

/** A line that a row of Form 1099 reports, too: so many of its units, and the line as it was before. */
export interface ReportedLine {
  readonly units: bigint;
  readonly line: Disposal;
  /** As it stood for what the form would show. */
  readonly expected: Disposal;
}

export interface UnpairedDeposit {
  readonly event: TransactionEvent;
  readonly lot: OpenLot;
}

/** The working memory of a replay: a book being moved, and the facts it leaves. */
export interface Fold {
  readonly rules: Rules;
  readonly facts: Fact[];
  /** The day of the step. */
  day: Day;
  sequence: number;
  /** By key, then account, both in the order in which they came. */
  readonly pools: Map<string, Map<string, Pool>>;
  readonly losses: Map<string, Queue<OpenLoss>>;
  readonly shorts: Map<string, OpenShort[]>;
  readonly shortLosses: Map<string, OpenLoss[]>;
  readonly sales: Map<string, RecentSale[]>;
  /** Whether anything was sold short so far. */
  shorted: boolean;
  /** Whether anything was, or will be (`remembersSales`); null until somebody asks. */
  remembersSales: boolean | null;
  readonly soldPurchases: Map<string, SoldPurchase[]>;
  /** By the key of their stock. */
  readonly puts: Map<string, OpenPut[]>;
  /** Puts bought today: at its end it is known what stock came with them. */
  putsToday: OpenLot[];
  readonly written: Map<string, WrittenOption[]>;
  /** Options that were open, in the order in which their time is over. */
  readonly lapses: OptionLapse[];
  transits: Transit[];
  distributions: Distribution[];
  readonly centsRemainders: Map<string, bigint>;
  /** Lots that may replace a loss, by the key whose loss it would be, oldest purchase first. */
  readonly recent: Map<string, Queue<OpenLot>>;
  /** Losses of today's rows without a time: they are matched together at the end of the day. */
  pending: SliceLoss[];
  /** Deposits of today that no withdrawal explains so far: clocks of two exchanges differ. */
  arrivals: UnpairedDeposit[];
  /** Of today: units of the universal pool that found their wallets. */
  readonly allocations: TransactionEvent[];
  /** By key, what the universal pool held when its units first left a wallet today. */
  readonly unallocated: Map<string, PoolTotals>;
  /** By purchase, of the sales of today that are made of very many fragments. */
  readonly lastFragments: Map<OpenLot, LastFragment>;
  /** Corporate actions already applied today, by pool: several accounts may state the same one. */
  readonly actionsToday: Set<string>;
  /** Where today's facts begin, and of its disposals the units that Form 1099 has reported, too. */
  dayStart: number;
  readonly reportedToday: Map<string, ReportedLine>;
  /** Units of an IRA's sales of today that a form has reported; its sales leave no lines. */
  readonly unitsReported: Map<string, bigint>;
  /** The rows of this replay, and those of today by id, once somebody asks. */
  ledger: Ledger | null;
  rowsToday: ReadonlyMap<string, Transaction> | null;
}

const recentTransactionsMax = 8;

/** Options, those of section 1256 too. */
export function mayLapse({ assetClass }: { readonly assetClass: AssetClass }): boolean {
  return assetClass === 'option' || assetClass === 'section_1256';
}

export function poolOf(fold: Fold, key: string, account: string): Pool {
  const accounts = memberOf(fold.pools, key, () => new Map<string, Pool>());
  return memberOf(accounts, account, () => ({
    key,
    account,
    lots: new LotStore(),
    recentTransactions: [],
    average: null,
    queue: null,
    byLabel: null,
  }));
}

/** Remembers that a transaction moved a pool, so that an issue can name what led there. */
export function noteTransaction(pool: Pool, transactionId: string): void {
  if (pool.recentTransactions[pool.recentTransactions.length - 1] !== transactionId)
    appendTransaction(pool, transactionId);
}

/** As `leaveTrail`, of a transaction that does so once. */
export function appendTransaction(pool: Pool, transactionId: string): void {
  pool.recentTransactions.push(transactionId);
  if (pool.recentTransactions.length > 8 * recentTransactionsMax)
    pool.recentTransactions.splice(0, pool.recentTransactions.length - recentTransactionsMax);
}

/** The last few transactions that moved a pool. */
export function recentTransactionsOf(pool: Pool): string[] {
  return pool.recentTransactions.slice(-recentTransactionsMax);
}

/**
 * Whole cents of an exact amount. Parts of a cent wait, by name, for the next one that has parts of a cent, so that
 * thousands of micro-rewards keep their sum; amounts in cents neither take nor leave anything.
 */
export function roundCarrying(fold: Fold, name: string, amount: Money): Cents {
  const rounded = roundToCents(amount);
  if (centsToMoney(rounded) === amount) return rounded;
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
  more: { dollars?: Cents; transactions?: readonly string[]; account?: string; suffix?: string | number } = {},
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
    dollars: more.dollars ?? (0n as Cents),
    detail,
  };
  fold.facts.push(fact);
}

export function isRetirement(fold: Fold, account: string): boolean {
  return isRetirementType(fold.rules.accounts[account]?.type);
}

export function isRetirementType(type: AccountRules['type'] | undefined): boolean {
  return type === 'ira' || type === 'roth_ira';
}

/** An option that was open, and the day on which it is taken as expired if it still is. */
export interface OptionLapse {
  readonly key: string;
  readonly asset: string;
  readonly expires: Day;
  readonly on: Day;
}

/** The fragment last cut off a purchase, and what of the losses it took on. */
export interface LastFragment {
  readonly sale: string;
  /** The purchase whose fragments were sold. */
  readonly origin: string;
  readonly fragment: OpenLot;
  readonly denied: bigint;
}

export interface PoolTotals {
  readonly units: bigint;
  readonly basis: Cents;
}

/** Forgets the order: the lots' keys have been changed. */
export function reorder(pool: Pool): void {
  pool.queue = null;
  pool.byLabel = null;
}
