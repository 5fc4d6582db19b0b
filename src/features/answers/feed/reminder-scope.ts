import type { Day } from '../../../base/day.ts';
import type { Rules } from '../../../engine/model.ts';

/** The books that need reminders, and the current time. */
export interface ReminderScope {
  readonly taxpayerId: string;
  readonly rules: Rules;
  readonly today: Day;
  readonly at: Date;
}
