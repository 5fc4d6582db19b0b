import type { Day } from '../../base/day.ts';
import { effectiveDays, effectiveDaysMax } from './effective-dates.ts';
import { type DateOrder, readEpoch, readTime } from './times.ts';

/** The date columns and zones of a file. */
export interface DatesOfFile {
  /** Column names, normalized by `normalizeHeader`. */
  readonly names: readonly string[];
  /** The date column in the mapping. */
  readonly mapped: string | undefined;
  /** The zone for times without an offset. */
  readonly zone: string;
  /** The zone that determines the day of every time. */
  readonly taxZone: string;
  readonly dates: DateOrder | undefined;
}

/**
 * Finds the day of a rejected row that its format did not date. Tries the mapped column, the trade date column, the
 * first date column, and the first date in the row. Returns null if there is no readable date.
 */
export function dayOfRow(cells: readonly string[], file: DatesOfFile): Day | null {
  const { names, mapped } = file;
  const columnIndexes = [...names.keys()];
  const isDate = (columnIndex: number): boolean =>
    dateNames.test(names[columnIndex] ?? '') && !laterNames.test(names[columnIndex] ?? '');
  const ordered = [
    ...columnIndexes.filter((columnIndex) => names[columnIndex] === mapped),
    ...columnIndexes.filter((columnIndex) => isDate(columnIndex) && tradeNames.test(names[columnIndex] ?? '')),
    ...columnIndexes.filter(isDate),
    ...cells.keys(),
  ];
  for (const columnIndex of [...new Set(ordered)].slice(0, cellsMax)) {
    const text = (cells[columnIndex] ?? '').trim().slice(0, textMax);
    const since1970 = isDate(columnIndex) ? readEpochDay(text, file) : undefined;
    if (since1970 !== undefined) return since1970;
    if (!/\d{4}|\d[/.-]\d{2}$/.test(text)) continue;
    const day = readTimeDay(text, file) ?? readTimeDay(text, { ...file, dates: 'day first' });
    if (day !== undefined) return day;
  }
  return null;
}

/**
 * Returns the day after "as of" if the row has exactly one within the year before it was booked, or else the booked
 * day.
 */
export function effectiveDayOfRow(cells: readonly string[], booked: Day, order?: DateOrder): Day {
  const days = new Set(cells.slice(0, cellsMax).flatMap((text) => effectiveDays(text, booked, order)));
  const [day, ...others] = days;
  const isUsable = day !== undefined && others.length === 0 && day <= booked && booked - day <= effectiveDaysMax;
  return isUsable ? day : booked;
}

function readTimeDay(text: string, { zone, taxZone, dates }: DatesOfFile): Day | undefined {
  return readTime(text, zone, taxZone, dates)?.on;
}

/** Parses seconds, milliseconds or microseconds since 1970. */
function readEpochDay(text: string, { taxZone }: DatesOfFile): Day | undefined {
  return readEpoch(text.length === 16 ? text.slice(0, 13) : text, taxZone)?.on;
}

const dateNames = /\b(?:date|time|timestamp|datetime|datum|fecha|zeit)\b|date$/;
const tradeNames = /\b(?:trade|transaction|execution|executed|activity|sold|sale|close|closed|closing)\b/;
/** Names of date columns that do not set the row's effective day, such as settlement. */
const laterNames =
  /\b(?:settle\w*|value|post\w*|process\w*|expir\w*|matur\w*|acquir\w*|acquisition|purchase\w*|bought|open\w*|vest\w*|updated?|report\w*)\b/;

const cellsMax = 100;
const textMax = 60;
