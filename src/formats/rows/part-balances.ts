import type { Day, Instant } from '../../base/day.ts';
import type { BalanceAfter } from '../format.ts';

/** A part's balance at the end of a period. */
interface PartEnd {
  /** Null if it is unclear which of several rows with the same time is the last. */
  readonly balance: bigint | null;
  readonly on: Day | null;
  readonly at: Instant | null;
  readonly moment: number;
  readonly decimals: number;
}

interface StepCounts {
  readonly all: number;
  readonly rising: number;
  readonly falling: number;
}

type Step = Pick<BalanceAfter, 'balance' | 'change' | 'decimals'>;

/** The rows with the same time. */
interface Moment {
  readonly moment: number;
  readonly on: Day;
  readonly at: Instant | null;
  readonly steps: Step[];
}

const stepsMax = 100;
const microsecondsPerDay = 86_400_000_000;
const allDecimals = 18;

/** Tracks the balances of one part of an account, whether the file's dates rise or fall. */
export class PartBalances {
  private readonly last = new Map<number, Moment>();
  private first: Moment | undefined;
  private previous: Step | undefined;
  private readonly counts = { all: 0, rising: 0, falling: 0 };
  private negative = false;

  get periods(): Iterable<number> {
    return this.last.keys();
  }

  /** Whether the balance is negative at any row or at the start. It cannot be an owner's balance then. */
  get isNegative(): boolean {
    return this.negative;
  }

  /** Counts the rows that have a previous balance, and how many of them follow from it, read forward and backward. */
  get steps(): Readonly<StepCounts> {
    return this.counts;
  }

  /** The balance before the first row, or null if it is unknown. */
  get before(): bigint | null {
    return this.first === undefined ? null : findMomentEnds(this.first.steps).start;
  }

  /** Returns whether this part continues from the other's balance. If so, the two may share one balance. */
  continues(other: PartBalances): boolean {
    const { first, before } = this;
    if (first === undefined || before === null || before === 0n) return false;
    let last: Moment | undefined;
    for (const moment of other.last.values()) {
      if (moment.moment < first.moment && (last === undefined || moment.moment > last.moment)) last = moment;
    }
    return last !== undefined && findMomentEnds(last.steps).end === before;
  }

  /** Returns whether this is the first row in its period. */
  add({ on, at, balance, change, decimals }: BalanceAfter, period: number): boolean {
    const step = { balance, change, decimals };
    this.follow(step);
    const moment = at ?? on * microsecondsPerDay;
    const known = this.last.get(period);
    if (known === undefined || moment > known.moment) this.last.set(period, { moment, on, at, steps: [step] });
    else if (moment === known.moment && known.steps.length < stepsMax) known.steps.push(step);
    if (this.first === undefined || moment < this.first.moment) this.first = { moment, on, at, steps: [step] };
    else if (moment === this.first.moment && this.first.steps.length < stepsMax) this.first.steps.push(step);
    return known === undefined;
  }

  /** Returns the balance at the end of the period, or of the last earlier period that has a row. */
  until(period: number): PartEnd {
    let last: Moment | undefined;
    for (const [own, moment] of this.last) {
      if (own <= period && (last === undefined || moment.moment > last.moment)) last = moment;
    }
    if (last === undefined)
      return { balance: this.before, on: null, at: null, moment: Number.NEGATIVE_INFINITY, decimals: allDecimals };
    const decimals = Math.min(...last.steps.map((step) => step.decimals));
    return { balance: findMomentEnds(last.steps).end, on: last.on, at: last.at, moment: last.moment, decimals };
  }

  /** Regroups into longer periods and keeps the last moment of each. Returns the number of periods. */
  regroup(periodOf: (on: Day) => number): number {
    const moments = [...this.last.values()];
    this.last.clear();
    for (const moment of moments) {
      const period = periodOf(moment.on);
      const known = this.last.get(period);
      if (known === undefined || moment.moment > known.moment) this.last.set(period, moment);
    }
    return this.last.size;
  }

  private follow(step: Step): void {
    const { previous } = this;
    this.previous = step;
    const before = beforeOf(step);
    if (step.balance === null || before === null) return;
    const least = -(10n ** BigInt(allDecimals - step.decimals));
    this.negative ||= step.balance < least || before < least;
    if (previous === undefined || previous.balance === null) return;
    this.counts.all += 1;
    if (isNear(before, previous.balance, step.decimals)) this.counts.rising += 1;
    if (isNear(step.balance, beforeOf(previous) ?? 0n, step.decimals)) this.counts.falling += 1;
  }
}

/** Returns the balances before and after the rows of one moment, in any order. Null if several orders are possible. */
function findMomentEnds(steps: readonly Step[]): { readonly start: bigint | null; readonly end: bigint | null } {
  const unknown = { start: null, end: null };
  const [only] = steps;
  if (only === undefined || steps.length === stepsMax || steps.some(({ balance }) => balance === null)) return unknown;
  if (steps.length === 1) return { start: beforeOf(only), end: only.balance };
  const ends = steps.filter((step) => !steps.some((other) => other !== step && follows(other, step)));
  const starts = steps.filter((step) => !steps.some((other) => other !== step && follows(step, other)));
  const [start, end] = [starts[0], ends[0]];
  if (starts.length !== 1 || ends.length !== 1 || start === undefined || end === undefined) return unknown;
  return { start: beforeOf(start), end: end.balance };
}

function follows(next: Step, { balance }: Step): boolean {
  const before = beforeOf(next);
  return before !== null && balance !== null && isNear(before, balance, next.decimals);
}

function beforeOf({ balance, change }: Step): bigint | null {
  return balance === null ? null : balance - change;
}

/** Compares two balances, which the file rounds at their last decimal. */
function isNear(a: bigint, b: bigint, decimals: number): boolean {
  const difference = a < b ? b - a : a - b;
  return difference <= (decimals < 3 ? 0n : 10n ** BigInt(Math.max(0, allDecimals - decimals)));
}
