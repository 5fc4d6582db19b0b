import { dayOf, formatDay } from './day.ts';

/**
 * Numbers and dates as Americans type them. Each parser returns the exact text that the API accepts, or undefined. The
 * client imports this file, so it does not use decimal.js.
 */

/** Parses `$7,500`, `7,500.00`, `-5` or `(1,250.50)` to `7500`, `7500.00`, `-5` or `-1250.50`. */
export function parseTypedMoney(text: string, decimalsMax = 8): string | undefined {
  return toPlain(text.replace(/US\$|\$|\bUSD\b|\bdollars?\b/i, ''), decimalsMax);
}

/** Parses `1,060.5` to `1060.5`. */
export function parseTypedQuantity(text: string): string | undefined {
  return toPlain(text, 18);
}

/** Parses a decimal with or without thousands separators. A comma before any other number of digits is unclear. */
function toPlain(text: string, decimalsMax: number): string | undefined {
  const compact = text
    .trim()
    .replace(/^[−–]/, '-')
    .replace(/^([-+(]) /, '$1');
  const inner = /^\((.+)\)$/.exec(compact)?.[1];
  const digits = inner ?? compact.replace(/^[-+]/, '');
  if (!/^(\d+|\d{1,3}(,\d{3})+)?(\.\d*)?$/.test(digits) || !/\d/.test(digits)) return undefined;
  const [whole = '', decimals = ''] = digits.replaceAll(',', '').split('.');
  if (decimals.length > decimalsMax) return undefined;
  const sign = inner !== undefined || compact.startsWith('-') ? '-' : '';
  return `${sign}${whole.replace(/^0+(?=\d)/, '') || '0'}${decimals === '' ? '' : `.${decimals}`}`;
}

/** Parses `3/1/2025`, `3/1/25`, `Mar 1, 2025`, `1 March 2025` or `2025-03-01` to `2025-03-01`. The month comes first. */
export function parseTypedDay(text: string): string | undefined {
  const plain = text.trim().replaceAll(/\s+/g, ' ');
  const [, y = '', m = '', d = ''] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(plain) ?? [];
  if (y !== '') return toDay(y, m, d);
  const [, month = '', on = '', year = ''] = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})$/.exec(plain) ?? [];
  if (month !== '') return toDay(year, month, on);
  const named = /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/i.exec(plain);
  if (named !== null) return toDay(named[3] ?? '', monthNamed(named[1] ?? ''), named[2] ?? '');
  const dayFirst = /^(\d{1,2})[ -]([a-z]{3,9})\.?[-, ]{1,2}(\d{4})$/i.exec(plain);
  return dayFirst === null ? undefined : toDay(dayFirst[3] ?? '', monthNamed(dayFirst[2] ?? ''), dayFirst[1] ?? '');
}

/** Parses `2:30 PM`, `2 pm`, `14:30` or `14:30:05` to `14:30:00`. */
export function parseTypedTime(text: string): string | undefined {
  const typed = /^(\d{1,2})(?::(\d\d))?(?::(\d\d))? ?(?:([ap])\.?m\.?)?$/i.exec(text.trim());
  if (typed === null) return undefined;
  const [, hours = '', minutes, seconds = '00', half] = typed;
  if (half === undefined ? minutes === undefined : Number(hours) < 1 || Number(hours) > 12) return undefined;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  if (hour > 23 || Number(minutes ?? 0) > 59 || Number(seconds) > 59) return undefined;
  return `${String(hour).padStart(2, '0')}:${minutes ?? '00'}:${seconds}`;
}

/** Returns whether a date in a file could also have the day first. */
export function isUnclearDay(text: string): boolean {
  const [, month = '', on = ''] = /^(\d{1,2})[-/.](\d{1,2})[-/.]\d+$/.exec(text.trim()) ?? [];
  return Number(month) !== Number(on) && Number(month) <= 12 && Number(on) <= 12;
}

/** Two-digit years from 70 to 99 are in the last century. */
function toDay(year: string, month: string, on: string): string | undefined {
  const short = Number(year);
  const full = year.length === 4 ? short : short + (short < 70 ? 2000 : 1900);
  const day = full < 1900 || full > 2100 ? undefined : dayOf(full, Number(month), Number(on));
  return day === undefined ? undefined : formatDay(day);
}

const months = 'january february march april may june july august september october november december'.split(' ');

function monthNamed(word: string): string {
  const name = word.toLowerCase();
  return String(months.findIndex((each) => each.startsWith(name === 'sept' ? 'sep' : name)) + 1);
}
