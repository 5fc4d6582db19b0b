import type { Day } from '../../base/day.ts';
import type { Rules } from '../model.ts';
import type { Book, OpenLoss, RecentSale } from './book.ts';
import { distributionDays, inLieuDays } from './book.ts';
import { awaitLapse, findLapseDay } from './expiry.ts';
import { type Fold, getOrCreatePool, listRecentTransactions, mayLapse } from './fold.ts';
import { byKey, getOrCreateQueue, listByKey } from './keyed.ts';
import { noteSymbol } from './option-symbols.ts';

/** Converts a book to the working memory of a replay. */
export function openFold(book: Book, rules: Rules): Fold {
  const fold: Fold = {
    rules,
    facts: [],
    day: book.asOf ?? (0 as Day),
    sequence: book.sequence,
    pools: new Map(),
    losses: new Map(),
    shorts: byKey(book.shorts.map((short) => ({ ...short }))),
    closedShorts: book.closedShorts,
    shortLosses: byKey(book.shortLosses.map((loss) => ({ ...loss, splits: [...loss.splits] }))),
    sales: byKey(book.sales.map((sale) => ({ ...sale, splits: [...sale.splits] }))),
    shorted: book.shorted,
    remembersSales: null,
    soldPurchases: byKey(book.soldPurchases.map((sale) => ({ ...sale, splits: [...sale.splits] }))),
    puts: byKey(book.puts.map((put) => ({ ...put }))),
    putsToday: [],
    written: byKey(book.written.map((written) => ({ ...written }))),
    otherSymbols: new Map(),
    coveredCalls: book.coveredCalls.map((call) => ({ ...call })),
    sharesClosed: new Map(),
    lapses: [],
    transits: book.transits.map((transit) => ({ ...transit })),
    distributions: [...book.distributions],
    deferrals: book.deferrals.map((deferral) => ({ ...deferral })),
    fundInterests: new Map(book.fundInterests),
    questions: [...book.questions],
    questionedNames: new Set(),
    lineTemplates: new Map(),
    straddleLosses: [...book.straddleLosses],
    centsRemainders: new Map(book.centsRemainders),
    recent: new Map(),
    pending: [],
    arrivals: [],
    allocations: [],
    unallocated: new Map(),
    lastFragments: new Map(),
    actionsToday: new Set(),
    dayStart: 0,
    reportedToday: new Map(),
    redeemedToday: new Set(),
    unitsReported: new Map(),
    ledger: null,
    rowsToday: null,
  };
  for (const loss of book.losses)
    getOrCreateQueue(fold.losses, loss.key).members.push({ ...loss, splits: [...loss.splits] });
  for (const state of book.pools) {
    const pool = getOrCreatePool(fold, state.key, state.account);
    pool.recentTransactions.push(...state.recentTransactions);
    pool.average = state.average;
    for (const lot of state.lots) {
      pool.lots.add({ ...lot });
      if (lot.underlyingKey !== null) noteSymbol(fold, lot);
    }
    const option = findLapseDay(state.lots[0]?.asset ?? '') === null ? undefined : state.lots.find(mayLapse);
    if (option !== undefined) awaitLapse(fold, option);
  }
  for (const option of book.written) {
    awaitLapse(fold, option);
    noteSymbol(fold, option);
  }
  return fold;
}

/** Copies the fold into a book that later events do not change. */
export function closeFold(fold: Fold, asOf: Day | null): Book {
  const horizon = asOf === null ? 0 : asOf - 30;
  const waiting = (losses: readonly OpenLoss[]) =>
    losses
      .filter((loss) => loss.matched < loss.quantity && loss.on >= horizon)
      .map((loss) => ({ ...loss, splits: [...loss.splits] }));
  const losses = new Map([...fold.losses].map(([key, queue]) => [key, queue.members]));
  return {
    asOf,
    sequence: fold.sequence,
    pools: [...fold.pools.values()].flatMap((accounts) =>
      [...accounts.values()].map((pool) => ({
        key: pool.key,
        account: pool.account,
        lots: pool.lots.copies(),
        recentTransactions: listRecentTransactions(pool),
        average: pool.average,
      })),
    ),
    losses: waiting(listByKey(losses)),
    shorts: listByKey(fold.shorts).map((short) => ({ ...short })),
    closedShorts: fold.closedShorts.filter(({ closedOn }) => asOf === null || asOf - closedOn <= inLieuDays),
    shortLosses: waiting(listByKey(fold.shortLosses)),
    shorted: fold.shorted,
    sales: listByKey(fold.shorted ? fold.sales : new Map<string, RecentSale[]>())
      .filter((sale) => sale.matched < sale.quantity && sale.on >= salesHorizon(fold, sale.key, horizon))
      .map((sale) => ({ ...sale, splits: [...sale.splits] })),
    soldPurchases: listByKey(fold.soldPurchases)
      .filter((sale) => sale.matched < sale.quantity && sale.purchasedOn >= horizon)
      .map((sale) => ({ ...sale, splits: [...sale.splits] })),
    puts: listByKey(fold.puts).map((put) => ({ ...put })),
    written: listByKey(fold.written).map((written) => ({ ...written })),
    coveredCalls: fold.coveredCalls
      .filter((call) => call.to === null || asOf === null || asOf - call.to <= 30 || isHeld(fold, call.key))
      .map((call) => ({ ...call })),
    transits: fold.transits.map((transit) => ({ ...transit })),
    distributions: fold.distributions.filter((one) => asOf === null || one.on > asOf - distributionDays),
    deferrals: fold.deferrals.map((deferral) => ({ ...deferral })),
    fundInterests: [...fold.fundInterests],
    questions: [...fold.questions],
    centsRemainders: [...fold.centsRemainders],
    straddleLosses: [...fold.straddleLosses],
  };
}

function isHeld(fold: Fold, key: string): boolean {
  return [...(fold.pools.get(key)?.values() ?? [])].some((pool) => pool.lots.size > 0);
}

/**
 * Returns the first day whose sales matter: 30 days back, or 30 days before the first open short (26 CFR 1.1091-1(g)).
 */
export function salesHorizon(fold: Fold, key: string, horizon: number): number {
  return (fold.shorts.get(key) ?? []).reduce((earliest, short) => Math.min(earliest, short.on - 30), horizon);
}
