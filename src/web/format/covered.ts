import { day, now } from './dates.ts';

/** The first and last day with a transaction. */
export interface CoveredDays {
  readonly first: string;
  readonly last: string;
}

/** Formats `Jan 10 to Jan 30, 2024`. */
export function formatCovered({ first, last }: CoveredDays): string {
  const isOneYear = first.slice(0, 4) === last.slice(0, 4);
  return `${isOneYear ? shortDay(first) : day(first)} to ${day(last)}`;
}

/** A month without a transaction at either end of the year is usual. */
const daysWithoutTrade = 31;

/**
 * Asks for the part of a tax year that the days may not cover. Null if they reach from its first month to its last, or
 * to the last month before today.
 */
export function askForRest(year: number, { first, last }: CoveredDays): string | null {
  const end = Math.min(Date.parse(`${year}-12-31`), now());
  const latestFirst = toDay(Date.parse(`${year}-01-01`) + daysWithoutTrade * millisecondsOfDay);
  const earliestLast = toDay(end - daysWithoutTrade * millisecondsOfDay);
  const add = 'Add a file if you did.';
  if (last < `${year}-01-01` || first > `${year}-12-31`) {
    return `No ${year} transactions. Did you trade here in ${year}? ${add}`;
  }
  const periods = [
    ...(first > latestFirst ? [`before ${shortDay(first)}`] : []),
    ...(last < earliestLast ? [`after ${shortDay(last)}`] : []),
  ];
  return periods.length === 0 ? null : `Did you trade here ${periods.join(' or ')}? ${add}`;
}

const millisecondsOfDay = 86_400_000;

const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

const shortDay = (date: string): string => day(date).replace(/, \d{4}$/, '');
