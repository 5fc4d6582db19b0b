import { type Day, formatDay } from '../base/day.ts';
import { formatQuantity, type Quantity } from '../base/decimal.ts';
import type { BalanceAfter, Outcome, Row } from './format.ts';
import { PartBalances } from './rows/part-balances.ts';

/** The balance of an asset in an account after the last row of a day, as reported in a file. Plain data. */
export interface FileBalance {
  readonly account: string;
  readonly asset: string;
  readonly day: string;
  /** The time of the last row included, in microseconds since 1970. Null means the whole day. */
  readonly until: number | null;
  /** A decimal with as many digits as in the file. */
  readonly quantity: string;
  /** If true, part of the account may be missing from the file, so the account held at least this much. */
  readonly isLeast: boolean;
}

/** Balances are kept per day for a short file, per month for a longer one, and then per year. */
const periods: readonly ((on: Day) => number)[] = [
  (on) => on,
  (on) => Number(formatDay(on).slice(0, 7).replace('-', '')),
  (on) => Number(formatDay(on).slice(0, 4)),
  () => 0,
];

const balancesMax = 400;
/** The maximum number of moments kept in memory while reading a file. */
const momentsMax = 20_000;
/** The legs of one event may be up to a second apart. */
const second = 1_000_000;

interface Moved {
  readonly asset: string;
  readonly on: Day;
  readonly change: Quantity;
}

/** Tracks the balances reported in a file's rows. */
export class RunningBalances {
  private readonly assets = new Map<string, Map<string, PartBalances>>();
  /** Rows whose outcome is not known yet. */
  private readonly waiting = new Map<number, Moved>();
  /**
   * Units that moved between parts of the account, by day. The file may show only one side, or show the other side
   * later.
   */
  private readonly inside = new Map<string, Map<Day, bigint>>();
  private grain = 0;
  private moments = 0;

  constructor(private readonly balanceAfter: (row: Row) => BalanceAfter | null) {}

  take(row: Row): void {
    if (row.flaw !== undefined) return;
    const after = this.balanceAfter(row);
    if (after === null) return;
    const { asset, part, on, change } = after;
    this.waiting.set(row.line, { asset, on, change });
    const parts = this.assets.get(asset) ?? new Map<string, PartBalances>();
    const balances = parts.get(part) ?? new PartBalances();
    parts.set(part, balances);
    this.assets.set(asset, parts);
    if (balances.add(after, this.periodOf(on))) this.moments += 1;
    while (this.moments > momentsMax && this.grain < periods.length - 1) this.coarsen();
  }

  settle({ kind, lines }: Outcome): void {
    for (const line of lines) {
      const moved = this.waiting.get(line);
      if (moved === undefined) continue;
      this.waiting.delete(line);
      if (kind !== 'skipped') continue;
      const days = this.inside.get(moved.asset) ?? new Map<Day, bigint>();
      days.set(moved.on, (days.get(moved.on) ?? 0n) + moved.change);
      this.inside.set(moved.asset, days);
    }
  }

  end(account: string): FileBalance[] {
    if (!this.isRunning()) return [];
    for (;;) {
      const balances = [...this.assets].flatMap(([asset, parts]) => this.listFileBalances(account, asset, parts));
      if (balances.length <= balancesMax || this.grain === periods.length - 1) return balances.slice(0, balancesMax);
      this.coarsen();
    }
  }

  /**
   * Returns whether the column is a running balance, in which most rows follow from the row before them. One row may
   * always be missing.
   */
  private isRunning(): boolean {
    let [all, rising, falling] = [0, 0, 0];
    for (const parts of this.assets.values()) {
      for (const { steps } of parts.values()) {
        all += steps.all;
        rising += steps.rising;
        falling += steps.falling;
      }
    }
    const following = Math.max(rising, falling);
    return all - following <= 1 || 2 * following >= all;
  }

  private periodOf(on: Day): number {
    return (periods[this.grain] as (on: Day) => number)(on);
  }

  private coarsen(): void {
    this.grain += 1;
    const periodOf = (on: Day): number => this.periodOf(on);
    this.moments = 0;
    for (const parts of this.assets.values()) for (const part of parts.values()) this.moments += part.regroup(periodOf);
  }

  private listFileBalances(account: string, asset: string, parts: ReadonlyMap<string, PartBalances>): FileBalance[] {
    const all = [...parts.values()];
    if (all.some((part) => part.isNegative || part.before === null)) return [];
    if (all.some((part) => all.some((other) => other !== part && part.continues(other)))) return [];
    const isLeast = all.some((part) => part.before !== 0n);
    const known = [...new Set(all.flatMap((part) => [...part.periods]))].sort((a, b) => a - b);
    return known.flatMap((period) => {
      const ends = all.map((part) => part.until(period));
      const held = sumBalances(ends.map((end) => end.balance));
      const last = ends.reduce((one, other) => (other.moment > one.moment ? other : one));
      if (held === null || last.on === null) return [];
      const quantity = held - this.movedInside(asset, period);
      if (quantity < 0n) return [];
      const until = last.at === null ? null : last.at + second;
      const decimals = Math.min(...ends.map((end) => end.decimals));
      const text = writtenWith(quantity as Quantity, decimals);
      return [{ account, asset, day: formatDay(last.on), until, quantity: text, isLeast }];
    });
  }

  private movedInside(asset: string, period: number): bigint {
    let moved = 0n;
    for (const [on, change] of this.inside.get(asset) ?? []) if (this.periodOf(on) <= period) moved += change;
    return moved;
  }
}

function sumBalances(balances: readonly (bigint | null)[]): bigint | null {
  let sum = 0n;
  for (const balance of balances) {
    if (balance === null) return null;
    sum += balance;
  }
  return sum;
}

function writtenWith(quantity: Quantity, decimals: number): string {
  const [whole = '', fraction = ''] = formatQuantity(quantity).split('.');
  const written = fraction.padEnd(decimals, '0');
  return written === '' ? whole : `${whole}.${written}`;
}
