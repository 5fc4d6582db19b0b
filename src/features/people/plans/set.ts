import type { Database } from '../../../db/connection.ts';
import { insertEntryOfUser } from '../../../http/audit/queries.ts';
import type { Plan } from '../auth/plan.ts';
import { updatePlan } from './plans.queries.ts';

export { isPlan } from '../auth/plan.ts';

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
