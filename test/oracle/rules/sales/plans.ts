import type { Day } from '../../../../src/base/day.ts';
import type { Transaction } from '../../../../src/engine/model.ts';
import type { OracleEvent } from '../../events/events.ts';
import { cents, dollars, type Exact, isLongTerm, least, most, nothing, portion } from '../../numbers.ts';
import { type OracleLot, raise, type State } from '../../state.ts';

/** What decides the income from shares of an employee stock purchase plan. Amounts are for the lot or a part of it. */
export interface OraclePlan {
  readonly offered: Day | null;
  readonly price: Exact;
  /** "The fair market value of the share at the time of exercise" over the price. Null if the row does not state it. */
  readonly spread: Exact | null;
  /** "The fair market value of the share at the time the option was granted" over the price at that time. */
  readonly discount: Exact | null;
}

export function planOf({ type, offered, amount, fmv, discount }: Transaction): OraclePlan | undefined {
  if (type !== 'espp_purchase') return undefined;
  const price = cents(dollars(amount));
  return {
    offered,
    price,
    spread: fmv === null || amount === null ? null : most(nothing, cents(dollars(fmv)).minus(price)),
    discount: discount === null ? null : cents(dollars(discount)),
  };
}

/** Returns the amounts of some units after the first `before` units. */
export function partOfPlan(
  plan: OraclePlan | undefined,
  before: Exact,
  units: Exact,
  whole: Exact,
): OraclePlan | undefined {
  const part = (amount: Exact): Exact => portion(amount, before, units, whole);
  return plan === undefined ? undefined : eachAmount(plan, part);
}

export function bothPlans(a: OraclePlan | undefined, b: OraclePlan | undefined): OraclePlan | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const add = (one: Exact | null, other: Exact | null) => (one === null || other === null ? null : one.plus(other));
  return {
    offered: a.offered,
    price: a.price.plus(b.price),
    spread: add(a.spread, b.spread),
    discount: add(a.discount, b.discount),
  };
}

/** Returns the rest of a plan without a part of it. */
export function restOfPlan(plan: OraclePlan | undefined, part: OraclePlan | undefined): OraclePlan | undefined {
  return part === undefined
    ? plan
    : bothPlans(
        plan,
        eachAmount(part, (amount) => amount.negated()),
      );
}

function eachAmount(plan: OraclePlan, change: (amount: Exact) => Exact): OraclePlan {
  return {
    ...plan,
    price: change(plan.price),
    spread: plan.spread === null ? null : change(plan.spread),
    discount: plan.discount === null ? null : change(plan.discount),
  };
}

/** The part of a lot that is disposed of. */
interface PartWithPlan {
  readonly lot: OracleLot | null;
  readonly plan?: OraclePlan | undefined;
  readonly basis: Exact;
  readonly hidden: Exact;
}

/**
 * Adds the compensation from a disposition to the basis and to income (IRC 423(c), last sentence; 421(b)). If the
 * holding periods of 423(a)(1) are met, it is the lesser amount of 423(c)(1) and (2). Otherwise it is the spread when
 * the option was exercised (83(a)).
 */
export function withCompensation<T extends PartWithPlan>(
  state: State,
  { transaction }: OracleEvent,
  part: T,
  on: Day,
  worth: Exact | null,
): T {
  const { plan, lot } = part;
  if (plan === undefined || lot === null) return part;
  const compensation = compensationOf(plan, lot.acquired, on, worth);
  if (compensation === null) {
    raise(state, transaction.id, 'plan_income_unknown');
    return part;
  }
  if (compensation.isZero()) return part;
  raise(state, transaction.id, 'wages_unconfirmed');
  const { id: transactionId, account } = transaction;
  state.incomes.push({ type: 'espp_purchase', transactionId, on, account, amount: compensation });
  return { ...part, basis: part.basis.plus(compensation), hidden: part.hidden.plus(compensation) };
}

function compensationOf(plan: OraclePlan, bought: Day, on: Day, worth: Exact | null): Exact | null {
  if (!isLongTerm(bought, on)) return plan.spread;
  if (plan.offered === null) return null;
  if (!isMoreThanTwoYears(plan.offered, on)) return plan.spread;
  if (plan.discount?.isZero()) return nothing;
  if (worth === null) return null;
  const over = most(nothing, worth.minus(plan.price));
  if (over.isZero()) return nothing;
  return plan.discount === null ? null : least(over, plan.discount);
}

/** Counts two calendar years from the day after the first day, like a holding period. */
function isMoreThanTwoYears(from: Day, to: Day): boolean {
  const start = new Date((from + 1) * 86_400_000);
  const end = Date.UTC(start.getUTCFullYear() + 2, start.getUTCMonth(), start.getUTCDate());
  return to * 86_400_000 >= end;
}
