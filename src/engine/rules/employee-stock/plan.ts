import { addDays, addYears, type Day, formatDay, longTermOn } from '../../../base/day.ts';
import { type Cents, centsToMoney, formatCents, roundToCents } from '../../../base/decimal.ts';
import { least, most } from '../../book/amounts.ts';
import type { LotPlan } from '../../book/book.ts';
import { type Fold, raise, writeIncome } from '../../book/fold.ts';
import type { Slice } from '../../book/lots.ts';
import { toNotOnForm } from '../../book/not-on-form-1099.ts';
import { type AcquireEvent, dollars, type Event } from '../../events/event.ts';

/**
 * Returns the amounts of a purchase under an employee stock purchase plan that determine its income when it is sold.
 * Undefined for other purchases. A value below the price paid is no income.
 */
export function readPlanTerms({ tx }: AcquireEvent): LotPlan | undefined {
  if (tx.type !== 'espp_purchase') return undefined;
  const [paid, value, discount] = [dollars(tx, tx.amount), dollars(tx, tx.fmv), dollars(tx, tx.discount)];
  const paidCents = paid === null ? 0n : roundToCents(paid);
  return {
    offered: tx.offered,
    paid: paidCents,
    spread: value === null || paid === null ? null : most(0n, roundToCents(value) - paidCents),
    discount: discount === null ? null : roundToCents(discount),
  };
}

/** The terms of a plan, and what it was disposed of for. Amounts are in cents. */
interface PlanDisposal {
  readonly plan: LotPlan;
  readonly purchased: Day;
  readonly disposed: Day;
  /** The value of the shares on the day of the disposition. For a sale, the proceeds. Null if unknown. */
  readonly value: bigint | null;
}

/** The ordinary income of a disposition. `income` is null if a date or an amount that it depends on is unknown. */
interface PlanIncome {
  readonly isQualifying: boolean | null;
  readonly income: bigint | null;
}

/**
 * Computes the ordinary income of a disposition of stock bought under an employee stock purchase plan. If it is sold
 * within two years of the offering or one year of the purchase, the income is the value on the purchase date less the
 * price paid, even if the sale is a loss (IRC 421(b); Pub. 525, "Employee stock purchase plan"). Otherwise it is the
 * discount on the offering date, or the value now less the price paid if that is less, and never below zero (423(c)).
 */
export function computePlanIncome({ plan, purchased, disposed, value }: PlanDisposal): PlanIncome {
  if (disposed < longTermOn(purchased)) return { isQualifying: false, income: plan.spread };
  if (plan.offered === null) return { isQualifying: null, income: null };
  if (disposed < addYears(addDays(plan.offered, 1), 2)) return { isQualifying: false, income: plan.spread };
  const gain = value === null ? null : most(0n, value - plan.paid);
  if (gain === 0n || plan.discount === 0n) return { isQualifying: true, income: 0n };
  if (gain === null || plan.discount === null) return { isQualifying: true, income: null };
  return { isQualifying: true, income: least(gain, plan.discount) };
}

/** The part of a lot that is disposed of. */
type PlanSlice = Pick<Slice, 'lot' | 'basis' | 'notOnForm'> & { readonly plan?: LotPlan | undefined };

/**
 * Adds the ordinary income of a disposition to the basis of its slice, which no broker may do (26 CFR
 * 1.6045-1(d)(6)(ii)(A)), and writes it as income of that day. Unknown income is not added, and an issue asks for it.
 */
export function includePlanIncome<T extends PlanSlice>(
  fold: Fold,
  event: Event,
  slice: T,
  { value, disposed, row }: { readonly value: bigint | null; readonly disposed: Day; readonly row: number | string },
): T {
  const { plan, lot } = slice;
  if (plan === undefined) return slice;
  const { isQualifying, income } = computePlanIncome({ plan, purchased: lot.acquired, disposed, value });
  if (income === null) {
    raiseUnknownIncome(fold, event, { plan, isQualifying, row, value, purchase: lot.openedBy });
    return slice;
  }
  if (income === 0n) return slice;
  writeIncome(
    fold,
    { ...event, on: disposed },
    { type: 'espp_purchase', amount: centsToMoney(income as Cents), id: `${event.tx.id}/${event.ordinal}.plan${row}` },
  );
  const kind = isQualifying === true ? 'qualifying' : 'disqualifying';
  raiseWages(fold, event, income as Cents, `a ${kind} disposition of ${event.asset} on ${formatDay(disposed)}`, row);
  return {
    ...slice,
    basis: slice.basis + income,
    notOnForm: toNotOnForm(
      { heldSince: lot.heldSince, notOnForm: slice.notOnForm },
      (slice.notOnForm?.stepUp ?? 0n) + income,
    ),
  };
}

/** Asks whether Form W-2 includes income that the basis of a sale includes. */
export function raiseWages(fold: Fold, event: Event, income: Cents, what: string, row: number | string): void {
  const detail =
    `The basis includes $${formatCents(income)} of ordinary income from ${what}. Check that box 1 of Form W-2 includes ` +
    `it. If it does not, add it on line 1h of Form 1040. Otherwise the basis is too high by this amount.`;
  raise(fold, event, 'wages_unconfirmed', detail, { dollars: income, suffix: row });
}

function raiseUnknownIncome(
  fold: Fold,
  event: Event,
  { plan, isQualifying, row, value, purchase }: UnknownIncome,
): void {
  const missing = [
    isQualifying === null ? 'the offering date' : null,
    isQualifying !== true && plan.spread === null ? 'the value on the purchase date' : null,
    isQualifying !== false && plan.discount === null ? 'the discount on the offering date' : null,
    isQualifying !== false && value === null ? 'the value on this day' : null,
  ].filter((what) => what !== null);
  const detail =
    `The ordinary income from ${event.asset} disposed of on ${formatDay(event.on)} depends on ${missing.join(' and ')} ` +
    `(Form 3922). Until the rows state it, the basis is the price paid.`;
  const gain = value === null ? null : most(0n, value - plan.paid);
  const stake = isQualifying === true ? gain : plan.spread;
  raise(fold, event, 'plan_income_unknown', detail, {
    dollars: stake as Cents | null,
    transactions: [purchase],
    suffix: row,
  });
}

interface UnknownIncome {
  readonly plan: LotPlan;
  readonly isQualifying: boolean | null;
  readonly row: number | string;
  readonly value: bigint | null;
  readonly purchase: string;
}
