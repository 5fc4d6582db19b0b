import { type Day, formatDay } from '../../../base/day.ts';
import { formatQuantity, type Quantity } from '../../../base/decimal.ts';
import type { Issue } from '../../../engine/model.ts';
import { UnitCounts, type UnitRow } from './units.ts';

/**
 * The units of an asset that an account held at the end of a day, as reported by the broker or exchange or entered by
 * the taxpayer.
 */
export interface StatedBalance {
  readonly account: string;
  /** The asset's name in the books. */
  readonly asset: string;
  /** The asset's name in the statement, if the books use a different one. */
  readonly statedAs?: string;
  readonly on: Day;
  readonly quantity: Quantity;
  /** The number of decimals in the stated quantity. A broker may round or truncate the rest. */
  readonly decimals: number;
  /** Only rows up to this time count toward the balance. Null means all rows of the day. */
  readonly until: number | null;
  /** True if the account may have held more. Then only units missing from the rows are a difference. */
  readonly isLeast: boolean;
}

/** A stated balance together with the balance calculated from the rows. */
export interface CheckedBalance<Stated extends StatedBalance = StatedBalance> {
  readonly stated: Stated;
  readonly counted: Quantity;
  /** The stated balance less the calculated one. Zero if they agree. */
  readonly difference: Quantity;
  /**
   * The ids of the last rows before the stated balance that moved the asset in this account, and of the first row after
   * it.
   */
  readonly rows: readonly string[];
}

const rowsBeforeMax = 3;

/** Compares stated balances with rows. The rows must be sorted by `compareUnitRows`. */
export class BalanceCheck<Stated extends StatedBalance = StatedBalance> {
  private readonly counts = new UnitCounts();
  /** Unchecked balances stated for a whole day, in descending order. The next one is removed from the end. */
  private readonly ofDays: Stated[];
  /** Unchecked balances stated for a moment, in the same order. */
  private readonly ofMoments: Stated[];
  private readonly recent = new Map<string, string[]>();
  private readonly checked: { readonly found: CheckedBalance<Stated>; readonly rows: string[] }[] = [];
  /** The `rows` of checked balances that do not include the next row yet, by account and asset. */
  private readonly open = new Map<string, string[][]>();

  constructor(stated: readonly Stated[]) {
    this.ofDays = stated.filter(({ until }) => until === null).sort((a, b) => b.on - a.on);
    this.ofMoments = stated.filter(({ until }) => until !== null).sort((a, b) => momentOf(b) - momentOf(a));
    for (const one of stated) this.recent.set(nameOf(one), []);
  }

  take(row: UnitRow): void {
    this.settle(row);
    for (const movement of this.counts.take(row)) {
      const name = nameOf(movement);
      const recent = this.recent.get(name);
      if (recent === undefined || recent.at(-1) === row.id) continue;
      recent.push(row.id);
      if (recent.length > rowsBeforeMax) recent.shift();
      for (const rows of this.open.get(name) ?? []) rows.push(row.id);
      this.open.delete(name);
    }
  }

  /** Returns the checked balances, sorted by day, account and asset. */
  end(): CheckedBalance<Stated>[] {
    this.settle(null);
    return this.checked.map(({ found }) => found).sort((a, b) => compareStated(a.stated, b.stated));
  }

  /** Checks the balances stated before this row, or all remaining balances if `row` is null. */
  private settle(row: UnitRow | null): void {
    for (const waiting of [this.ofDays, this.ofMoments]) {
      for (let last = waiting.at(-1); last !== undefined; last = waiting.at(-1)) {
        if (row !== null && !isBefore(last, row)) break;
        waiting.pop();
        this.compare(last);
      }
    }
  }

  private compare(stated: Stated): void {
    const name = nameOf(stated);
    const counted = this.counts.unitsOf(stated.account, stated.asset);
    const rows = [...(this.recent.get(name) ?? [])];
    const difference = computeDifference(stated, counted);
    this.checked.push({ found: { stated, counted, difference, rows }, rows });
    this.open.set(name, [...(this.open.get(name) ?? []), rows]);
  }
}

function isBefore(stated: StatedBalance, { on, at }: UnitRow): boolean {
  // Compares instants if possible, because the day of an instant may have been derived in a different time zone.
  return stated.until === null || at === null ? stated.on < on : stated.until < at;
}

function momentOf({ until }: StatedBalance): number {
  return until ?? 0;
}

/** Returns stated less calculated units. Ignores a rounding difference if the statement has three or more decimals. */
function computeDifference({ quantity, decimals, isLeast }: StatedBalance, counted: Quantity): Quantity {
  const difference = quantity - counted;
  if (isLeast && difference < 0n) return 0n as Quantity;
  const size = difference < 0n ? -difference : difference;
  const isRounded = decimals >= roundedFrom && size < 10n ** BigInt(quantityDecimals - decimals);
  return (isRounded ? 0n : difference) as Quantity;
}

const roundedFrom = 3;
const quantityDecimals = 18;

/**
 * Returns one issue for each day when a difference begins or changes. A difference that stays the same does not cause
 * another issue.
 */
export function balanceIssues(checked: readonly CheckedBalance[]): Issue[] {
  const issues: Issue[] = [];
  for (const own of Map.groupBy(checked, ({ stated }) => statedNameOf(stated)).values()) {
    let before: CheckedBalance | undefined;
    let agreed: CheckedBalance | undefined;
    for (const one of own) {
      if (one.difference !== 0n && one.difference !== (before?.difference ?? 0n))
        issues.push(buildBalanceIssue(one, agreed));
      if (one.difference === 0n) agreed = one;
      before = one;
    }
  }
  return issues.sort((a, b) => a.on - b.on || (a.id < b.id ? -1 : 1));
}

function buildBalanceIssue(
  { stated, counted, difference, rows }: CheckedBalance,
  agreed: CheckedBalance | undefined,
): Issue {
  const { account, asset, statedAs, on, quantity } = stated;
  const day = formatDay(on);
  const units = (difference < 0n ? -difference : difference) as Quantity;
  const what = difference > 0n ? 'are missing from' : 'too many are in';
  const since = agreed === undefined ? 'No earlier balance agrees.' : `They agreed on ${formatDay(agreed.stated.on)}.`;
  const both = `${account} reported ${formatQuantity(quantity)} ${statedAs ?? asset} at the end of ${day}. The transactions add up to ${formatQuantity(counted)}.`;
  return {
    kind: 'issue',
    causedOn: on,
    id: `balance/${day}/${statedAs ?? asset}/${account}`,
    issue: 'balance_differs',
    on,
    asset,
    account,
    transactions: rows,
    dollars: null,
    units,
    detail: `${both} ${formatQuantity(units)} ${asset} ${what} the transactions of ${account}. ${since} Import or correct the transactions. Delete the balance if it is wrong.`,
  };
}

function compareStated(a: StatedBalance, b: StatedBalance): number {
  return a.on - b.on || (statedNameOf(a) < statedNameOf(b) ? -1 : 1);
}

/**
 * Returns a key for the account and the asset as named in the statement. If a security has two names, each name has its
 * own balances, and each is compared with all units of the security.
 */
function statedNameOf({ account, asset, statedAs }: StatedBalance): string {
  return nameOf({ account, asset: statedAs ?? asset });
}

function nameOf({ account, asset }: { readonly account: string; readonly asset: string }): string {
  return JSON.stringify([account, asset]);
}
