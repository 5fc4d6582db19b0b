import type { Day } from '../../base/day.ts';
import type { Rules } from '../../engine/model.ts';

/** Whose books are looked at for reminders, and when. */
export interface ReminderScope {
  readonly taxpayerId: string;
  readonly rules: Rules;
  readonly today: Day;
  readonly at: Date;
}
