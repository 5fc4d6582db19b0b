import { type Day, formatDay } from '../../base/day.ts';
import { formatQuantity, type Quantity } from '../../base/decimal.ts';
import type { Issue } from '../../engine/model.ts';
import { UnitCounts, type UnitRow } from './units.ts';

/** How many units of an asset an account held at the end of a day, as its broker, exchange or owner states. */
export interface StatedBalance {
  readonly account: string;
  readonly asset: string;
  readonly on: Day;
  readonly quantity: Quantity;
  /** How many decimals the statement has: a broker may leave the others out. */
  readonly decimals: number;
}

/** A statement, and what the rows come to. */
export interface CheckedBalance<Stated extends StatedBalance = StatedBalance> {
  readonly stated: Stated;
  readonly counted: Quantity;
  /** Stated less counted; zero where they agree. */
  readonly difference: Quantity;
  /** The last rows until the statement that moved the asset there, and the next one. */
  readonly rows: readonly string[];
}

const rowsBeforeMax = 3;

/** Compares statements with rows, which come in the order of `compareUnitRows`. */
export class BalanceCheck<Stated extends StatedBalance = StatedBalance> {
  private readonly counts = new UnitCounts();
  private readonly waiting: Stated[];
  private readonly recent = new Map<string, string[]>();
  private readonly checked: { readonly found: CheckedBalance<Stated>; readonly rows: string[] }[] = [];
  /** Statements whose next row has not come yet, by account and asset. */
  private readonly open = new Map<string, string[][]>();

  constructor(stated: readonly Stated[]) {
    // The first day last: it is taken from the end.
    this.waiting = stated.toSorted((a, b) => b.on - a.on);
    for (const one of stated) this.recent.set(nameOf(one), []);
  }

  take(row: UnitRow): void {
    this.settle(row.on);
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

  /** The statements by day, account and asset. */
  end(): CheckedBalance<Stated>[] {
    this.settle(null);
    return this.checked.map(({ found }) => found).sort((a, b) => compareStated(a.stated, b.stated));
  }

  /** Statements of days before that one. */
  private settle(before: Day | null): void {
    for (let last = this.waiting.at(-1); last !== undefined; last = this.waiting.at(-1)) {
      if (before !== null && last.on >= before) return;
      this.waiting.pop();
      const name = nameOf(last);
      const counted = this.counts.unitsOf(last.account, last.asset);
      const rows = [...(this.recent.get(name) ?? [])];
      const difference = differenceOf(last, counted);
      this.checked.push({ found: { stated: last, counted, difference, rows }, rows });
      this.open.set(name, [...(this.open.get(name) ?? []), rows]);
    }
  }
}

/** A statement of three decimals or more may be rounded, or cut off, at the last of them. */
function differenceOf({ quantity, decimals }: StatedBalance, counted: Quantity): Quantity {
  const difference = quantity - counted;
  const size = difference < 0n ? -difference : difference;
  const isRounded = decimals >= roundedFrom && size < 10n ** BigInt(quantityDecimals - decimals);
  return (isRounded ? 0n : difference) as Quantity;
}

const roundedFrom = 3;
const quantityDecimals = 18;

/** One issue for each day on which a difference begins or becomes another; none while it stays. */
export function balanceIssues(checked: readonly CheckedBalance[]): Issue[] {
  const issues: Issue[] = [];
  for (const own of Map.groupBy(checked, ({ stated }) => nameOf(stated)).values()) {
    let before: CheckedBalance | undefined;
    let agreed: CheckedBalance | undefined;
    for (const one of own) {
      if (one.difference !== 0n && one.difference !== (before?.difference ?? 0n)) issues.push(issueOf(one, agreed));
      if (one.difference === 0n) agreed = one;
      before = one;
    }
  }
  return issues.sort((a, b) => a.on - b.on || (a.id < b.id ? -1 : 1));
}

function issueOf({ stated, counted, difference, rows }: CheckedBalance, agreed: CheckedBalance | undefined): Issue {
  const { account, asset, on, quantity } = stated;
  const day = formatDay(on);
  const units = formatQuantity((difference < 0n ? -difference : difference) as Quantity);
  const what = difference > 0n ? 'are missing in' : 'are too many in';
  const since = agreed === undefined ? 'No earlier balance agrees.' : `They agreed on ${formatDay(agreed.stated.on)}.`;
  const both = `${formatQuantity(quantity)} is stated at the end of ${day} and the rows come to ${formatQuantity(counted)}.`;
  return {
    kind: 'issue',
    causedOn: on,
    id: `balance/${day}/${asset}/${account}`,
    issue: 'balance_differs',
    on,
    asset,
    account,
    transactions: rows,
    dollars: null,
    detail: `${units} ${asset} ${what} the rows of ${account}: ${both} ${since} Import what is missing or correct the rows. Delete the balance if it is wrong.`,
  };
}

function compareStated(a: StatedBalance, b: StatedBalance): number {
  return a.on - b.on || (nameOf(a) < nameOf(b) ? -1 : 1);
}

function nameOf({ account, asset }: { readonly account: string; readonly asset: string }): string {
  return JSON.stringify([account, asset]);
}
