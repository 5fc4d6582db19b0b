const days = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' });
const longDays = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' });
const moments = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });
const utcMoments = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const months = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' });

/** Acquisition date; null if the purchase is unknown. */
export function acquiredDay(date: string | null): string {
  return date === null ? 'unknown' : day(date);
}

/**
 * The browser's IANA time zone. Empty for UTC: browsers also report UTC to hide the user's location, so the app asks
 * when the zone matters.
 */
export function browserTimeZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return timeZone === 'UTC' || timeZone === 'Etc/UTC' ? '' : timeZone;
}

/** `2024-03-01` → `Mar 1, 2024`. Values that are not dates (`INHERITED`, `VARIOUS`) are returned unchanged. */
export function day(date: string): string {
  return /^\d{4}-\d\d-\d\d/.test(date) ? days.format(new Date(`${date.slice(0, 10)}T00:00:00Z`)) : date;
}

/**
 * Formats the dates in a sentence from the API: `Sold on 2024-03-01` → `Sold on Mar 1, 2024`. Option names such as `AMD
 * 2025-08-15 C 140` stay unchanged.
 */
export function withDays(text: string): string {
  return text.replaceAll(/\b\d{4}-\d\d-\d\d\b(?! [CP] \d)/g, day);
}

/** `Friday, March 1, 2024`: the heading of a group of rows. */
export function longDay(date: string): string {
  return longDays.format(new Date(`${date.slice(0, 10)}T00:00:00Z`));
}

/** Days from one calendar day to another. */
export function daysBetween(from: string, to: string): number {
  const [start = 0, end = 0] = [from, to].map((date) => Date.parse(`${date.slice(0, 10)}T00:00:00Z`));
  return Math.round((end - start) / 86_400_000);
}

/** `Jan 1, 2026, 2:00 AM UTC`: the instant of a row, in UTC regardless of the reader's time zone. */
export function utcMoment(instant: string): string {
  return `${utcMoments.format(new Date(instant))} UTC`;
}

/** An instant in the reader's own time zone. */
export function moment(instant: string): string {
  return moments.format(new Date(instant));
}

/** `2024-03` → `Mar`. */
export function month(text: string): string {
  return months.format(new Date(`${text.slice(0, 7)}-01T00:00:00Z`));
}
