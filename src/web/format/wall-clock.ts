import { dayIn, formatDay, formatInstant, type Instant, parseWrittenDay, toInstant } from '../../base/day.ts';

/** A date and an optional time in some time zone: `2025-02-03` and `14:30:00`. */
export interface WallClock {
  readonly date: string;
  readonly time: string;
}

/** Converts the date of a row, which is a day or an instant in UTC. */
export function toWallClock(value: string, timeZone: string): WallClock {
  if (!value.includes('T')) return { date: value, time: '' };
  const instant = (Date.parse(value) * 1000) as Instant;
  const clock = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', timeStyle: 'medium' });
  return { date: formatDay(dayIn(instant, timeZone)), time: clock.format(Date.parse(value)) };
}

/** Converts a date and a time to the date of a row. */
export function fromWallClock({ date, time }: WallClock, timeZone: string): string {
  const day = parseWrittenDay(date);
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  if (day === undefined || time === '') return date;
  return formatInstant(toInstant(day, ((hours * 60 + minutes) * 60 + seconds) * 1_000_000, timeZone));
}
