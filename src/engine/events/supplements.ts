import type { Day } from '../../base/day.ts';
import type { Money } from '../../base/decimal.ts';
import type { Transaction } from '../model.ts';
import { toAssetKey } from './keys.ts';

/**
 * What a broker's supplement for employee stock adds to a row of Form 1099: the part of the basis that was taxed as
 * wages, which Form 1099-B leaves out (26 CFR 1.6045-1(d)(6)(ii)(A); i8949, "Code B").
 */
export interface Supplement {
  /** The amount paid for the shares. Null if the supplement does not state it. */
  readonly basis: Money | null;
  readonly wages: Money;
  /** The offering date of an employee stock purchase plan. Null for other stock, whose wages were paid when it vested. */
  readonly offered: Day | null;
}

/** The rows of Form 1099 with a supplement, and the rows of supplements that are the same sales. */
export interface MatchedSupplements {
  readonly byForm: ReadonlyMap<string, Supplement & { readonly units: bigint }>;
  readonly matched: ReadonlySet<string>;
}

/**
 * Matches rows of a supplement to rows of Form 1099 of the same account, asset and day. One sale has equal units and
 * proceeds in both. A form may also combine the shares of several grants into one row. Rows that are left may differ by
 * a fee, because a form shows proceeds after it, and a supplement may show them before.
 */
export function matchSupplements(rows: readonly Transaction[]): MatchedSupplements {
  const byForm = new Map<string, Supplement & { readonly units: bigint }>();
  const matched = new Set<string>();
  const supplements = rows.filter(isSupplement);
  if (supplements.length === 0) return { byForm, matched };
  const groups = Map.groupBy(rows, (row) => `${row.account} ${row.on} ${toAssetKey(row.asset, row.assetClass)}`);
  for (const group of groups.values()) {
    const ordered = [...group].sort(inOrder);
    const forms = ordered.filter((row) => !isSupplement(row));
    const free = (): Transaction[] => ordered.filter((row) => isSupplement(row) && !matched.has(row.id));
    const match = (form: Transaction, parts: readonly Transaction[]): void => {
      for (const { id } of parts) matched.add(id);
      byForm.set(form.id, { ...combine(parts), units: form.quantity ?? 0n });
    };
    for (const isSame of [isSameSale, isSameBeforeFee]) {
      for (const form of forms) {
        if (byForm.has(form.id)) continue;
        const equal = free().filter((row) => isSame(form, [row]));
        const first = equal.find(({ acquired }) => acquired === form.acquired) ?? equal[0];
        if (first !== undefined) match(form, [first]);
      }
      for (const form of forms) {
        if (byForm.has(form.id)) continue;
        const parts = [free().filter(({ acquired }) => acquired === form.acquired), free()].find((some) =>
          isSame(form, some),
        );
        if (parts !== undefined) match(form, parts);
      }
    }
  }
  return { byForm, matched };
}

/** Returns whether a row of a sale comes from a supplement, which states the wages in the basis. */
export function isSupplement({ wages }: Pick<Transaction, 'wages'>): boolean {
  return wages !== null;
}

/** Returns what a row of a supplement states. Null for other rows. */
export function readSupplement({ wages, basis, offered }: Transaction): Supplement | null {
  return wages === null ? null : { wages, basis, offered };
}

/** Returns the correct basis: the amount paid and the wages. Null if the amount paid is unknown. */
export function basisWithWages(basis: Money | null, supplement: Supplement | null): Money | null {
  const paid = supplement?.basis ?? basis;
  return paid === null ? null : ((paid + (supplement?.wages ?? 0n)) as Money);
}

/** Returns whether rows sum to the units and, within a dollar each, to the proceeds of a form row. */
function isSameSale(form: Transaction, rows: readonly Transaction[]): boolean {
  return sumsTo(form, rows, oneDollar * BigInt(rows.length));
}

/** Does the same with proceeds that differ by up to $10 or 1%, which a fee can explain. */
function isSameBeforeFee(form: Transaction, rows: readonly Transaction[]): boolean {
  const onePercent = (form.amount ?? 0n) / 100n;
  return sumsTo(form, rows, onePercent > tenDollars ? onePercent : tenDollars);
}

function sumsTo(form: Transaction, rows: readonly Transaction[], tolerance: bigint): boolean {
  if (rows.length === 0) return false;
  const units = rows.reduce((sum, { quantity }) => sum + (quantity ?? 0n), 0n);
  const amount = rows.reduce((sum, row) => sum + (row.amount ?? 0n), 0n);
  const difference = amount - (form.amount ?? 0n);
  return units === form.quantity && (difference < 0n ? -difference : difference) <= tolerance;
}

const oneDollar = 100_000_000n;
const tenDollars = 10n * oneDollar;

function combine(rows: readonly Transaction[]): Supplement {
  return {
    basis: rows.some(({ basis }) => basis === null)
      ? null
      : (rows.reduce((sum, { basis }) => sum + (basis ?? 0n), 0n) as Money),
    wages: rows.reduce((sum, { wages }) => sum + (wages ?? 0n), 0n) as Money,
    offered: rows.find(({ offered }) => offered !== null)?.offered ?? null,
  };
}

function inOrder(a: Transaction, b: Transaction): number {
  return a.line - b.line || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
