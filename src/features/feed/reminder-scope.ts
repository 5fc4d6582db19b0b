import type { Day } from '../../base/day.ts';
import type { Rules } from '../../engine/model.ts';

/** The books to check for reminders, and the time. */
export interface ReminderScope {
  readonly taxpayerId: string;
  readonly rules: Rules;
  readonly today: Day;
  readonly at: Date;
}
