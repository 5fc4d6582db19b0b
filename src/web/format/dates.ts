const days = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' });
const longDays = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' });
const moments = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });
const localDays = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });
const localTimes = new Intl.DateTimeFormat('en-US', { timeStyle: 'short' });
const utcMoments = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const months = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' });

/** Formats the acquisition date, which is null if the purchase is unknown. */
export const acquiredDay = (date: string | null): string => (date === null ? 'unknown' : day(date));

/** Returns the browser's time zone, or '' for UTC, which browsers also report to hide the user's location. */
export function browserTimeZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return timeZone === 'UTC' || timeZone === 'Etc/UTC' ? '' : timeZone;
}

/** Formats `2024-03-01` as `Mar 1, 2024`. Returns values that are not dates (`INHERITED`, `VARIOUS`) unchanged. */
export function day(date: string): string {
  return /^\d{4}-\d\d-\d\d/.test(date) ? days.format(new Date(`${date.slice(0, 10)}T00:00:00Z`)) : date;
}

/**
 * Formats the dates and amounts in a sentence from the API: `Sold on 2024-03-01 for $1250.50` → `Sold on Mar 1, 2024
 * for $1,250.50`. Leaves option names such as `AMD 2025-08-15 C 140`, years, and names made of digits unchanged.
 */
export function withDays(text: string): string {
  return text
    .replaceAll(/\b\d{4}-\d\d-\d\d\b(?! [CP] \d)/g, day)
    .replaceAll(/(?<![\w.,-])\d{4,}(?=\.\d+\b)|(?<=\$)\d{4,}\b/g, (digits) =>
      digits.replaceAll(/\B(?=(?:\d{3})+$)/g, ','),
    );
}

/** Formats the dates and numbers in a sentence from the API: `$30246.04 on 2024-03-01` → `$30,246.04 on Mar 1, 2024`. */
export function withFormats(text: string): string {
  return withDays(text).replaceAll(/(?:(?<=\$)|^)\d{4,}(?=[. ])/g, (digits) =>
    digits.replaceAll(/\B(?=(\d{3})+$)/g, ','),
  );
}

/** Formats `Friday, March 1, 2024` for the heading of a group of rows. */
export const longDay = (date: string): string => longDays.format(new Date(`${date.slice(0, 10)}T00:00:00Z`));

/** Returns the number of days from one calendar day to another. */
export function daysBetween(from: string, to: string): number {
  const [start = 0, end = 0] = [from, to].map((date) => Date.parse(`${date.slice(0, 10)}T00:00:00Z`));
  return Math.round((end - start) / 86_400_000);
}

/** Formats the instant of a row as `Jan 1, 2026, 2:00 AM UTC`, in UTC regardless of the user's time zone. */
export const utcMoment = (instant: string): string => `${utcMoments.format(new Date(instant))} UTC`;

/** Formats an instant in the user's own time zone. */
export const moment = (instant: string): string => moments.format(new Date(instant));

/** Formats the day of an instant in the user's own time zone. */
export const localDay = (instant: string): string => localDays.format(new Date(instant));

/** Formats the time of an instant in the user's own time zone as `2:30 PM`. */
export const localTime = (instant: string): string => localTimes.format(new Date(instant));

/** Formats `2024-03` as `Mar`. */
export const month = (text: string): string => months.format(new Date(`${text.slice(0, 7)}-01T00:00:00Z`));

/** Returns the browser's time in milliseconds since 1970. */
export const now = (): number => performance.timeOrigin + performance.now();
