import { type Day, formatDay } from '../../base/day.ts';
import { formatDouble } from '../../base/decimal.ts';

/** Turns the cells of a workbook (ECMA-376, part 1, SpreadsheetML) into the text that the same cell has in a CSV. */

/** What a number in a cell means, according to the cell's number format. */
export type NumberMeaning = 'number' | 'day' | 'time' | 'instant';

/** The built-in number formats that show dates or times (18.8.30, numFmt). All others show numbers. */
const builtIn: Readonly<Record<number, NumberMeaning>> = {
  ...Object.fromEntries([14, 15, 16, 17, ...range(27, 36), ...range(50, 58)].map((id) => [id, 'day'])),
  ...Object.fromEntries([18, 19, 20, 21, 45, 46, 47].map((id) => [id, 'time'])),
  22: 'instant',
};

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** Returns what a number format shows. `code` is its pattern, such as `yyyy-mm-dd`, if the workbook defines it. */
export function readNumberFormat(id: number, code: string | undefined): NumberMeaning {
  if (code === undefined) return builtIn[id] ?? 'number';
  const [section = ''] = code.split(';');
  // Text in quotes, escaped characters, fillers, and brackets with a color, a condition or a locale show no part of a date.
  const plain = section.replace(/"[^"]*"|\\.|[_*]./g, '').replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '');
  if (/general/i.test(plain)) return 'number';
  const hasTime = /[hs]/i.test(plain);
  const hasDay = /[yd]/i.test(plain) || (!hasTime && /m/i.test(plain));
  return hasDay ? (hasTime ? 'instant' : 'day') : hasTime ? 'time' : 'number';
}

/**
 * Returns a number in a cell as text. Days count from the workbook's first day. Excel calls 1900 a leap year, so serial
 * numbers up to 60 are a day off.
 */
export function formatCellNumber(value: string, meaning: NumberMeaning, counts1904: boolean): string {
  const serial = Number(value);
  if (meaning === 'number' || !Number.isFinite(serial) || serial < 0 || serial >= serialEnd) return formatDouble(value);
  const whole = Math.floor(serial);
  const clock = formatClock(serial - whole);
  // A time that rounds up to midnight belongs to the next day.
  const [dayNumber, time] = clock === null ? [whole + 1, '00:00:00'] : [whole, clock];
  if (meaning === 'time') return time;
  if (!counts1904 && dayNumber < 61) return formatDouble(value);
  const day = formatDay((dayNumber - (counts1904 ? daysTo1970From1904 : daysTo1970From1900)) as Day);
  return meaning === 'day' ? day : `${day} ${time}`;
}

/** The serial number after December 31, 9999. */
const serialEnd = 2_958_466;
const [daysTo1970From1900, daysTo1970From1904] = [25_569, 24_107];

/** Returns a fraction of a day as a time, or null if it rounds to the end of the day. */
function formatClock(fraction: number): string | null {
  const milliseconds = Math.round(fraction * 86_400_000);
  if (milliseconds >= 86_400_000) return null;
  const two = (part: number): string => String(Math.floor(part)).padStart(2, '0');
  const seconds = milliseconds / 1000;
  const clock = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(two).join(':');
  const rest = milliseconds % 1000;
  return rest === 0 ? clock : `${clock}.${String(rest).padStart(3, '0')}`;
}
