import type { Refusal } from '../../base/refusal.ts';
import type { Database, Sql } from '../../db/connection.ts';
import { insertEntryOfUser } from '../../http/audit/queries.ts';
import { type Plan, planLimitRefusal, planLimits } from './auth/plan.ts';
import type { NotifiedSubject } from './notifications.queries.ts';
import { notifyOfNew } from './notifications.ts';
import { addTransactions, readTransactionsStored, subtractTransactions, updatePlan } from './plans.queries.ts';

export { findUpgrade as upgradeOf, isPlan, type Plan, planLimitRefusal, planLimits, plans } from './auth/plan.ts';

/**
 * Counts added transactions against the plan, in one statement: with a read followed by a write, parallel requests
 * stored 69 transactions where the limit was 50. Runs in the caller's transaction, so a rollback also undoes the count.
 */
export async function reserveTransactions(
  sql: Sql,
  taxpayer: { readonly id: string; readonly plan: Plan },
  added: number,
): Promise<void> {
  const { transactionsMax } = planLimits[taxpayer.plan];
  if (await addTransactions(sql, taxpayer.id, added, transactionsMax)) return;
  throw transactionLimitRefusal(taxpayer.plan, await readTransactionsStored(sql, taxpayer.id), added);
}

/** Counts rows without enforcing the limit: rows added by an answer to an issue, and rows of a dry run. */
export async function countTransactions(sql: Sql, taxpayerId: string, added: number): Promise<void> {
  await addTransactions(sql, taxpayerId, added, null);
}

/** Returns a refusal if rows that are already counted exceed the plan's limit, or null if they do not. */
export async function transactionLimitPassed(
  sql: Sql,
  { id, plan }: { readonly id: string; readonly plan: Plan },
  added: number,
): Promise<Refusal | null> {
  const { transactionsMax } = planLimits[plan];
  const stored = await readTransactionsStored(sql, id);
  if (added === 0 || transactionsMax === null || stored <= transactionsMax) return null;
  return transactionLimitRefusal(plan, stored - added, added);
}

function transactionLimitRefusal(plan: Plan, used: number, requested: number): Refusal {
  const limit = planLimits[plan].transactionsMax ?? 0;
  const detail = `Your ${plan} plan includes ${limit} transactions. You have ${used} and tried to add ${requested} more. Upgrade your plan or add fewer.`;
  return planLimitRefusal(detail, 'transactionsMax', { plan, limit, used, requested });
}

export async function releaseTransactions(sql: Sql, taxpayerId: string, removed: number): Promise<void> {
  await subtractTransactions(sql, taxpayerId, removed);
}

const kind = 'limit_near';
const nearPercent = 80;
/** The subject never expires, so each limit is reported once. A plan with a different limit has a different subject. */
const always = '9999-12-31';

/** Notifies the taxpayer once when the number of stored transactions is close to the plan's limit. */
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
  await notifyOnce(sql, taxpayer.id, subject, {
    title: `You've used ${stored} of the ${transactionsMax} transactions in your plan`,
    body: `The ${taxpayer.plan} plan includes ${transactionsMax} transactions. A file that exceeds the limit is not imported at all. Upgrade to add more.`,
    at,
  });
}

/**
 * Notifies the user once a day when few AI messages are left. `used` is the number of messages sent today. Skips the
 * last message, which has a different notification (`limit_reached`).
 */
export async function notifyQuestionsNear(
  sql: Sql,
  taxpayer: { readonly id: string; readonly plan: Plan },
  used: number,
  at: Date,
): Promise<void> {
  const { aiMessagesPerDay: max } = planLimits[taxpayer.plan];
  if (max === null || used >= max || used * 100 < max * nearPercent) return;
  const today = at.toISOString().slice(0, 10);
  await notifyOnce(
    sql,
    taxpayer.id,
    { subject: `questions ${max} ${today}`, untilOn: today },
    {
      title: `You've used ${used} of ${max} questions today`,
      body: `The ${taxpayer.plan} plan includes ${max} questions to the assistant a day (UTC). Upgrade for unlimited questions.`,
      at,
    },
  );
}

/** Notifies the CPA once when the plan has room for one more client, and once when it is full. */
export async function notifyClientsNear(
  sql: Sql,
  holder: { readonly id: string; readonly plan: Plan },
  clients: number,
  at: Date,
): Promise<void> {
  const { clientsMax: max } = planLimits[holder.plan];
  const left = max - clients;
  if (max === 0 || left < 0 || left > 1) return;
  await notifyOnce(
    sql,
    holder.id,
    { subject: `clients ${clients} of ${max}`, untilOn: always },
    {
      title: `You've used ${clients} of the ${max} clients in your plan`,
      body:
        left === 1
          ? `The ${holder.plan} plan has room for one more client.`
          : `The ${holder.plan} plan has no room for another client. Delete, hand over or leave one to make room.`,
      at,
    },
  );
}

async function notifyOnce(
  sql: Sql,
  taxpayerId: string,
  subject: NotifiedSubject,
  words: { readonly title: string; readonly body: string; readonly at: Date },
): Promise<void> {
  const today = words.at.toISOString().slice(0, 10);
  const write = () => ({ ...words, link: '/v1/plans' });
  await notifyOfNew(sql, taxpayerId, [subject], { kind, subjectOf: () => subject, write, today, at: words.at });
}

/** Changes a plan immediately, at the operator's request. Returns false if no account has this email address. */
export function setPlan(database: Database, email: string, plan: Plan): Promise<boolean> {
  return database.asService(async (sql) => {
    const userId = await updatePlan(sql, email.trim().toLowerCase(), plan);
    if (userId === undefined) return false;
    const by = { actor: 'operator', address: null, requestId: null } as const;
    await insertEntryOfUser(sql, userId, { ...by, action: 'plan_changed', subject: plan });
    return true;
  });
}

export interface PlanPrice {
  readonly cents: number;
  readonly interval: 'month' | 'year';
}

/** Amounts are in US cents. */
export const planPrices: Readonly<Record<Exclude<Plan, 'FREE'>, PlanPrice>> = {
  PRO: { cents: 4_900, interval: 'month' },
  CPA: { cents: 49_900, interval: 'year' },
};
