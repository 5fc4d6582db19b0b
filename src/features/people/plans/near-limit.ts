import type { Sql } from '../../../db/connection.ts';
import { type Plan, planLimits } from '../auth/plan.ts';
import { type NotifiedSubject, takeSubjects } from '../notifications/notifications.queries.ts';
import { notify } from '../notifications/notify.ts';
import { readTransactionsStored } from './plans.queries.ts';

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
  const newSubjects = await takeSubjects(sql, taxpayerId, kind, [subject], words.at.toISOString().slice(0, 10));
  if (newSubjects.size > 0) await notify(sql, taxpayerId, { kind, ...words, link: '/v1/plans' });
}
