import type { Day } from '../../../src/base/day.ts';
import type { Transaction } from '../../../src/engine/model.ts';
import { dollars, Exact } from '../numbers.ts';
import { isSame } from '../state.ts';

/**
 * Removes rows that a corrected form replaces. The id of the corrected row is the original's id plus `/corrected`.
 * Otherwise, the units identify the original row.
 */
export function withoutCorrected(transactions: readonly Transaction[]): readonly Transaction[] {
  const ordered = [...transactions].sort((a, b) => a.line - b.line || (a.id < b.id ? -1 : 1));
  const gone = new Set<Transaction>();
  for (const { externalId, ...sale } of ordered.filter(isCorrection)) {
    const same = ordered.filter(
      (other) =>
        !gone.has(other) &&
        !isCorrection(other) &&
        other.type === sale.type &&
        other.on === sale.on &&
        other.account === sale.account &&
        other.asset === sale.asset &&
        other.assetClass === sale.assetClass,
    );
    const corrected =
      same.find((other) => other.externalId !== '' && `${other.externalId}/corrected` === externalId) ??
      same.find((other) => other.quantity === sale.quantity);
    if (corrected !== undefined) gone.add(corrected);
  }
  return transactions.filter((transaction) => !gone.has(transaction));
}

function isCorrection({ type, externalId }: Transaction): boolean {
  return type.startsWith('reported_') && externalId.endsWith('/corrected');
}

/** What a supplement adds to a row of a form: what was paid, what was wages, and the units that both are for. */
export interface OracleSupplement {
  readonly paid: bigint | null;
  readonly wages: bigint;
  readonly offered: Day | null;
  readonly units: bigint;
}

/** A row of a form with its supplement. */
export type SupplementedRow = Transaction & { readonly supplement?: OracleSupplement };

/**
 * Joins rows of supplements, which state wages, to the forms' rows of the same sales: first to a row of equal units and
 * proceeds, preferably of the same purchase, then all rows of one purchase or of the day to one row. Then rows of equal
 * units whose proceeds differ by a fee.
 */
export function withSupplements(transactions: readonly Transaction[]): readonly SupplementedRow[] {
  const reported = transactions.filter(({ type }) => type === 'reported_sale');
  if (reported.every(({ wages }) => wages === null)) return transactions;
  const ordered = [...reported].sort((a, b) => a.line - b.line || (a.id < b.id ? -1 : 1));
  const joined = new Map<string, readonly Transaction[]>();
  const used = new Set<string>();
  const freeOf = (form: Transaction): Transaction[] =>
    ordered.filter(
      (row) =>
        row.wages !== null &&
        !used.has(row.id) &&
        row.account === form.account &&
        row.on === form.on &&
        isSame(row, form.asset, form.assetClass),
    );
  const join = (form: Transaction, rows: readonly Transaction[]): void => {
    joined.set(form.id, rows);
    for (const { id } of rows) used.add(id);
  };
  const forms = ordered.filter(({ wages }) => wages === null);
  const waiting = () => forms.filter(({ id }) => !joined.has(id));
  for (const hasFee of [false, true]) {
    for (const form of waiting()) {
      const equal = freeOf(form).filter((row) => areAlike(form, [row], hasFee));
      const [one] = [...equal].sort(
        (a, b) => Number(b.acquired === form.acquired) - Number(a.acquired === form.acquired),
      );
      if (one !== undefined) join(form, [one]);
    }
    for (const form of waiting()) {
      const free = freeOf(form);
      const ofPurchase = free.filter(({ acquired }) => acquired === form.acquired);
      const rows = [ofPurchase, free].find((some) => areAlike(form, some, hasFee));
      if (rows !== undefined) join(form, rows);
    }
  }
  return transactions
    .filter(({ id }) => !used.has(id))
    .map((row) => {
      const rows = joined.get(row.id);
      if (rows === undefined) return row;
      const isPaidKnown = rows.every(({ basis }) => basis !== null);
      const supplement = {
        paid: isPaidKnown ? total(rows.map(({ basis }) => basis)) : null,
        wages: total(rows.map(({ wages }) => wages)),
        offered: rows.find(({ offered }) => offered !== null)?.offered ?? null,
        units: row.quantity ?? 0n,
      };
      return { ...row, supplement };
    });
}

/** `hasFee`: a form shows proceeds less a fee of up to $10 or 1%. Otherwise rows differ by rounding, up to a dollar each. */
function areAlike(form: Transaction, rows: readonly Transaction[], hasFee: boolean): boolean {
  if (rows.length === 0 || total(rows.map(({ quantity }) => quantity)) !== form.quantity) return false;
  const apart = dollars(total(rows.map(({ amount }) => amount)))
    .minus(dollars(form.amount))
    .abs();
  const percent = dollars(form.amount).times('0.01');
  return apart.lte(rows.length) || (hasFee && (apart.lte(10) || apart.lte(percent)));
}

function total(amounts: readonly (bigint | null)[]): bigint {
  return amounts.reduce<bigint>((sum, amount) => sum + (amount ?? 0n), 0n);
}

/**
 * Returns what a supplement states about the units of a row, from the row itself or the row joined to it. Amounts are in
 * dollars.
 */
export function statedWages(row: SupplementedRow): { paid: Exact | null; wages: Exact; offered: Day | null } | null {
  if (row.wages !== null)
    return { paid: row.basis === null ? null : dollars(row.basis), wages: dollars(row.wages), offered: row.offered };
  const { supplement } = row;
  if (supplement === undefined) return null;
  const { paid, wages, offered, units } = supplement;
  const share = (amount: bigint): Exact =>
    dollars(BigInt(new Exact(amount.toString()).times(String(row.quantity)).div(String(units)).toFixed(0, 4)));
  return { paid: paid === null ? null : share(paid), wages: share(wages), offered };
}
