import type { Sql } from '../../db/connection.ts';
import { type Plan, planLimits } from '../auth/plan.ts';
import { notify } from '../notifications/notify.ts';
import { takeSubjects } from '../notifications/queries.ts';
import { readTransactionsStored } from './queries.ts';

const kind = 'limit_near';
const nearPercent = 80;
/** A limit is said once; a plan with another limit has another subject. */
const always = '9999-12-31';

/** Says once that nearly all transactions of the plan are stored, while there is room left. */
export async function notifyLimitNear(
  sql: Sql,
  taxpayer: { readonly id: string; readonly plan: Plan },
  at: Date,
): Promise<void> {
  const { transactionsMax } = planLimits[taxpayer.plan];
  if (transactionsMax === null) return;
  const stored = await readTransactionsStored(sql, taxpayer.id);
  if (stored * 100 < transactionsMax * nearPercent) return;
  const subject = { subject: `transactions ${transactionsMax}`, untilOn: always };
  const taken = await takeSubjects(sql, taxpayer.id, kind, [subject], at.toISOString().slice(0, 10));
  if (taken.size === 0) return;
  await notify(sql, taxpayer.id, {
    kind,
    title: `${stored} of ${transactionsMax} transactions of your plan are stored`,
    body: `The ${taxpayer.plan} plan stores ${transactionsMax} transactions. A file that needs more is refused whole; the next plan has room for it.`,
    link: '/v1/plans',
    at,
  });
}
