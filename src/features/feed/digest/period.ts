import { addDays, dayIn, formatDay, type Instant } from '../../../base/day.ts';
import type { DigestFrequency } from './queries.ts';

/** A day of mails begins at seven in the morning where the taxpayer is. */
const firstHour = 7;
const daysOfWeek = 7;
/** 1 January 1970 was a Thursday. */
const daysAfterMonday = 3;

/** The first day of the period at a time: weeks begin on Monday. */
export function periodAt(at: Date, timeZone: string, frequency: DigestFrequency): string {
  const day = dayIn(((at.getTime() - firstHour * 3_600_000) * 1000) as Instant, timeZone);
  if (frequency === 'daily') return formatDay(day);
  return formatDay(addDays(day, -((((day + daysAfterMonday) % daysOfWeek) + daysOfWeek) % daysOfWeek)));
}
