import { addDays, dayIn, formatDay, type Instant } from '../../../../base/day.ts';
import type { DigestFrequency } from './digest.queries.ts';

/** Emails are due at 7 AM in the taxpayer's time zone. */
const firstHour = 7;
const daysOfWeek = 7;
/** January 1, 1970 was a Thursday, three days after a Monday. */
const daysAfterMonday = 3;

/** Returns the first day of the period that contains `at`. Weeks begin on Monday. */
export function periodAt(at: Date, timeZone: string, frequency: DigestFrequency): string {
  const day = dayIn(((at.getTime() - firstHour * 3_600_000) * 1000) as Instant, timeZone);
  if (frequency === 'daily') return formatDay(day);
  return formatDay(addDays(day, -((((day + daysAfterMonday) % daysOfWeek) + daysOfWeek) % daysOfWeek)));
}
