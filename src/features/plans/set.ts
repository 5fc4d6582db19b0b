import type { Database } from '../../db/connection.ts';
import type { Plan } from '../auth/plan.ts';
import { updatePlan } from './queries.ts';

export { isPlan } from '../auth/plan.ts';

/** Changes a plan at once, for the operator. False: nobody has this e-mail address. */
export function setPlan(database: Database, email: string, plan: Plan): Promise<boolean> {
  return database.asService((sql) => updatePlan(sql, email.trim().toLowerCase(), plan));
}
