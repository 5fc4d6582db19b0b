import { type Day, formatDay } from '../../src/base/day.ts';
import type { IssueKind, Rules, Transaction } from '../../src/engine/model.ts';
import { eventsOf, isSoldForNothing, type OracleEvent, type Role } from './events/events.ts';
import { underBookNames } from './events/form-names.ts';
import { underOneName } from './events/one-name.ts';
import { corrected, reverse } from './events/reversal.ts';
import { type Exact, lastOfDecember, nothing, yearOfDay } from './numbers.ts';
import { amortizePremium } from './rules/corporate-actions/bond-amortization.ts';
import { applyAction } from './rules/corporate-actions/corporate-actions.ts';
import { accreteDiscount, forgetRedeemed } from './rules/debt/debt.ts';
import { methodFor, settleAverages, sorted } from './rules/lots/lots.ts';
import { deferGain, endDeferrals } from './rules/opportunity-funds/deferred-gains.ts';
import { noteCoveredCalls } from './rules/options/covered-calls.ts';
import { askAboutDeliveries } from './rules/options/double-deliveries.ts';
import { lapse, withLapses } from './rules/options/lapse.ts';
import { renameContract } from './rules/options/symbol-changes.ts';
import { classQuestions } from './rules/questions/classes.ts';
import { askAboutDay } from './rules/questions/day.ts';
import { closeStraddles } from './rules/questions/straddles.ts';
import { acquire } from './rules/sales/acquire.ts';
import { isMoney } from './rules/sales/currency.ts';
import { dispose, mark } from './rules/sales/disposals.ts';
import { inOrderOfAcquisition } from './rules/sales/dispose.ts';
import { openPuts } from './rules/short-sales/puts.ts';
import { openShort, raiseUncovered } from './rules/short-sales/shorts.ts';
import { raiseUnallocated } from './rules/transfers/allocation.ts';
import { move, payFee, raiseUnpaired } from './rules/transfers/transfers.ts';
import { claimReplacements, raiseOpenWindows } from './rules/wash-sales/wash.ts';
import { ofThisReturn } from './rules/year/separate-returns.ts';
import { endYears } from './rules/year/year-end.ts';
import {
  basisLeft,
  dropEmpty,
  type OracleGift,
  type OracleLine,
  type OracleLot,
  raise,
  remaining,
  type State,
} from './state.ts';

/**
 * The oracle: a slow engine that recomputes a whole history from scratch, with decimal.js, arrays and repeated sorting,
 * written only from the law and the interface. The fast engine must match it.
 */
export interface OracleBooks {
  readonly lines: readonly OracleLine[];
  readonly lots: readonly OracleLot[];
  readonly years: ReadonlyMap<number, OracleYear>;
  readonly incomes: State['incomes'];
  readonly contracts: State['contracts'];
  readonly gifts: readonly OracleGift[];
  readonly issues: readonly { readonly transactionId: string; readonly kind: IssueKind }[];
}

export interface OracleYear {
  short: Exact;
  long: Exact;
  disallowed: Exact;
  permanent: Exact;
  contracts: Exact;
  readonly income: Map<string, Exact>;
}

/**
 * Repeats passes over the whole history until two consecutive passes find the same implied purchases (more units bought
 * to cover than were short). An implied purchase may replace an earlier loss, so the next pass must include it from the
 * start.
 */
export function recompute(
  stated: readonly Transaction[],
  rules: Rules,
  unsaid: ReadonlySet<string> = new Set(),
): OracleBooks {
  const transactions = underBookNames(underOneName(stated, rules.assets), rules.assets);
  let implied: ReadonlyMap<string, Exact> = new Map();
  for (let pass = 0; pass < 9; pass += 1) {
    const state = run(transactions, rules, implied);
    const stable = textOf(state.impliedThisPass) === textOf(implied);
    implied = state.impliedThisPass;
    if (stable) return booksOf(state, unsaid);
  }
  throw new Error('the implied purchases of a history do not converge');
}

function textOf(implied: ReadonlyMap<string, Exact>): string {
  return [...implied].map(([key, quantity]) => `${key}=${quantity}`).join(' ');
}

function run(transactions: readonly Transaction[], rules: Rules, implied: ReadonlyMap<string, Exact>): State {
  const state = emptyState(transactions, rules, implied);
  state.events.forEach((event, position) => {
    endDayBefore(state, event);
    state.position = position;
    step(state, event);
    dropEmpty(state);
  });
  const last = state.events.at(-1);
  if (last !== undefined) endDay(state, last.on);
  const known = Math.max(...transactions.map((row) => (isSoldForNothing(row) ? lastOfDecember(row.on) : row.on)));
  if (last !== undefined) endYears(state, last.on, known as Day);
  endDeferrals(state, known as Day, true);
  raiseOpenWindows(state, known as Day);
  closeStraddles(state, null);
  settleAverages(state, () => true);
  raiseUnpaired(state);
  raiseUncovered(state);
  askAboutDeliveries(state, corrected(transactions));
  return state;
}

function booksOf(state: State, unsaid: ReadonlySet<string>): OracleBooks {
  const onTheWay = state.lots.map((lot) =>
    lot.account.startsWith('IN TRANSIT') ? { ...lot, account: 'IN TRANSIT' } : lot,
  );
  const { rules: elected } = state;
  const own = {
    gifts: ofThisReturn(elected, state.gifts),
    lines: ofThisReturn(elected, state.lines),
    incomes: ofThisReturn(elected, state.incomes),
    contracts: ofThisReturn(elected, state.contracts),
  };
  const issues = [...state.issues, ...classQuestions(own.lines, unsaid, elected)];
  return { ...own, lots: sorted(onTheWay, 'FIFO'), years: yearsOf(own), issues };
}

function emptyState(transactions: readonly Transaction[], rules: Rules, implied: State['impliedLastPass']): State {
  return {
    rules,
    events: withLapses(eventsOf(corrected(transactions)), transactions),
    position: 0,
    lots: [],
    shorts: [],
    lines: [],
    incomes: [],
    contracts: [],
    issues: [],
    claims: new Map(),
    unreplaced: [],
    untimedLosses: [],
    remainders: new Map(),
    actionsToday: new Set(),
    averages: new Map(),
    lastFragments: new Map(),
    transits: [],
    allocated: [],
    arrivals: [],
    impliedLastPass: implied,
    impliedThisPass: new Map(),
    shortLosses: [],
    closedShorts: [],
    coveredCalls: [],
    sales: [],
    soldPurchases: [],
    distributions: [],
    taxedBefore: new Set(),
    gifts: [],
    offsetLosses: [],
    deferrals: [],
    puts: [],
    putsToday: [],
    reported: new Map(),
    expected: new Map(),
    redeemed: new Set(),
  };
}

function step(state: State, event: OracleEvent): void {
  if (isMoney(event) && !rolesOfMoney.has(event.role)) return;
  renameContract(state, event);
  rules[event.role](state, event);
}

/** Foreign currency is not split, marked or merged, and is never short. */
const rolesOfMoney: ReadonlySet<Role> = new Set(['acquire', 'dispose', 'fee', 'move', 'reverse']);

/** The rule for each role of an event. A short sale or a written option creates an obligation for the units sold. */
const rules: Readonly<Record<Role, (state: State, event: OracleEvent) => void>> = {
  action: applyAction,
  defer: deferGain,
  move,
  reverse,
  lapse,
  fee: payFee,
  mark,
  amortize: (state, event) =>
    (event.transaction.type === 'bond_amortization' ? amortizePremium : accreteDiscount)(state, event),
  dispose: (state, event) => (opensShort(event, 'short_sell') ? openShort : dispose)(state, event),
  acquire: (state, event) => (opensShort(event, 'sell_to_open') ? openShort : acquire)(state, event),
};

function opensShort(event: OracleEvent, by: 'short_sell' | 'sell_to_open'): boolean {
  return event.transaction.type === by && !isMoney(event);
}

function endDayBefore(state: State, event: OracleEvent): void {
  const previous = state.events[state.position];
  if (previous === undefined || previous === event || previous.on === event.on) return;
  endDay(state, previous.on);
  endYears(state, previous.on, event.on);
  closeStraddles(state, event.on);
  endDeferrals(state, event.on, false);
  // After a change from the average method, each share keeps its averaged basis (1.1012-1(e)(7)(v)).
  settleAverages(state, (account) => methodFor(state, account, 'fund', event.on) === 'AVERAGE');
}

function endDay(state: State, today: Day): void {
  state.actionsToday = new Set();
  const losses = inOrderOfAcquisition(state.untimedLosses);
  state.untimedLosses = [];
  for (const loss of losses) claimReplacements(state, loss);
  openPuts(state);
  noteCoveredCalls(state, today);
  for (const { transaction } of state.arrivals) raise(state, transaction.id, 'transfer_unpaired');
  state.arrivals = [];
  raiseUnallocated(state);
  forgetRedeemed(state);
  askAboutDay(state, today);
}

function yearsOf(state: Pick<State, 'lines' | 'incomes' | 'contracts'>): Map<number, OracleYear> {
  const years = new Map<number, OracleYear>();
  const yearOf = (on: number): OracleYear => {
    const year = yearOfDay(on as OracleLot['acquired']);
    const known = years.get(year);
    if (known !== undefined) return known;
    const made = { short: nothing, long: nothing, disallowed: nothing, permanent: nothing, contracts: nothing };
    const fresh: OracleYear = { ...made, income: new Map() };
    years.set(year, fresh);
    return fresh;
  };
  for (const line of state.lines) {
    const year = yearOf(line.on);
    const gain = gainOf(line);
    if (line.term === 'short') year.short = year.short.plus(gain);
    else year.long = year.long.plus(gain);
    year.disallowed = year.disallowed.plus(line.adjustment);
    year.permanent = year.permanent.plus(line.permanent);
  }
  for (const income of state.incomes) {
    const { income: byType } = yearOf(income.on);
    byType.set(income.type, (byType.get(income.type) ?? nothing).plus(income.amount));
  }
  for (const contract of state.contracts) {
    const year = yearOf(contract.on);
    year.contracts = year.contracts.plus(contract.gain);
  }
  return years;
}

/** Returns (h) = (d) − (e) + (g). */
export function gainOf(line: OracleLine): Exact {
  return line.proceeds.minus(line.basis).plus(line.adjustment);
}

/** Describes one lot as text for the messages of failing tests. */
export function describeLot(lot: OracleLot): string {
  const dates = `${formatDay(lot.acquired)} held since ${formatDay(lot.heldSince)}`;
  return `${lot.account} ${remaining(lot)} ${lot.asset} @${basisLeft(lot).toFixed(2)} ${dates}`;
}
