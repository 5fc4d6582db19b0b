import { type Day, dayOf, formatDay } from '../../base/day.ts';
import { limits } from '../../base/limits.ts';
import { stockOfRoot } from '../../engine/events/keys.ts';
import { plainNumber } from './fields.ts';

/** The parts of an option symbol. The books use symbols like `AAPL 2025-01-17 C 150`. */
export interface OptionSymbol {
  readonly underlying: string;
  readonly expires: Day;
  readonly right: 'call' | 'put';
  /** A plain decimal without trailing zeros. */
  readonly strike: string;
}

export function formatOption(option: OptionSymbol): string {
  const right = option.right === 'call' ? 'C' : 'P';
  return `${option.underlying} ${formatDay(option.expires)} ${right} ${option.strike}`;
}

/**
 * Returns the number of shares per contract, which follows from the root: 100, or 10 for a mini option (`AAPL7`). Null
 * for an adjusted contract, whose root ends in another digit, because only a clearing house memo lists its deliverable.
 */
export function sharesOfContract({ underlying }: Pick<OptionSymbol, 'underlying'>): 100n | 10n | null {
  const mark = /\d$/.exec(underlying)?.[0];
  return mark === undefined ? 100n : mark === '7' ? 10n : null;
}

/** Returns the number of units to multiply a contract's price by. An adjusted contract is still quoted per 100. */
export function unitsOfPrice(option: OptionSymbol): bigint {
  return sharesOfContract(option) ?? 100n;
}

/** Returns the stock's ticker, without the digit of an adjusted contract. */
export function stockOf({ underlying }: OptionSymbol): string {
  return stockOfRoot(underlying);
}

/**
 * Parses the common spellings: Lotbook's own; OCC (`AAPL 250117C00150000`, also without blanks); Fidelity
 * (`-AAPL250117C150`, Webull without the dash); Schwab (`AAPL 01/17/2025 150.00 C`); Robinhood (`AAPL 1/17/2025 Call
 * $150.00`, and elsewhere `AAPL $150 Call 1/17/2025`); IBKR (`AAPL 17JAN25 150 C`); TD Ameritrade (`AAPL Jan 17 2025
 * 150.0 Call`); E*TRADE (`AAPL--250117C00150000`, `AAPL Jan 17 '25 $150 Call`).
 */
export function readOption(text: string): OptionSymbol | undefined {
  if (text.length > limits.valueCharacters) return undefined;
  const trimmed = text.trim().replace(/\s+/g, ' ');
  for (const shape of shapes) {
    const groups = shape.exec(trimmed)?.groups;
    if (groups !== undefined) return toOptionSymbol(groups);
  }
  return undefined;
}

/** Returns whether a name contains an option's right and date, so it cannot be the name of a share. */
export function looksLikeOption(name: string): boolean {
  if (name.length < shortestOption || name.length > limits.valueCharacters) return false;
  return occLike.test(name) || (/\b(?:CALL|PUT)S?\b/i.test(name) && dateLike.test(name));
}

/** The length of `PUT JAN1`, the shortest name that the patterns below match. */
const shortestOption = 8;
const occLike = /^[A-Z.]{1,6}[ -]{0,6}\d{6}[CP]\d{5,8}$/i;
const dateLike =
  /\d{1,2}[/-]\d{1,2}[/-]\d{2,4}|\b(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)[A-Z]* {0,2}\d{1,2}|\d{1,2} {0,2}(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)(?:\b|\d)|\b\d{6}\b/i;

const root = '(?<root>[A-Z][A-Z0-9./]{0,9})';
const strike = '\\$?(?<strike>\\d[\\d,]*(?:\\.\\d+)?)';
const right = '(?<right>C|P|CALL|PUT|Call|Put|call|put)';
const shapes: readonly RegExp[] = [
  new RegExp(`^${root} (?<year>\\d{4})-(?<month>\\d{2})-(?<day>\\d{2}) ${right} ${strike}$`),
  new RegExp(`^${root}(?: |-{1,5})?(?<year>\\d{2})(?<month>\\d{2})(?<day>\\d{2})${right}(?<occ>\\d{8})$`),
  new RegExp(`^-?${root}(?<year>\\d{2})(?<month>\\d{2})(?<day>\\d{2})${right}${strike}$`),
  new RegExp(`^${root} (?<month>\\d{1,2})/(?<day>\\d{1,2})/(?<year>\\d{2,4}) ${strike} ${right}$`),
  new RegExp(`^${root} (?<month>\\d{1,2})/(?<day>\\d{1,2})/(?<year>\\d{2,4}) ${right} ${strike}$`),
  new RegExp(
    `^${root} \\$(?<strike>\\d[\\d,]*(?:\\.\\d+)?) ${right} (?<month>\\d{1,2})/(?<day>\\d{1,2})/(?<year>\\d{2,4})$`,
  ),
  new RegExp(`^${root} (?<day>\\d{2})(?<month>[A-Z]{3})(?<year>\\d{2}) ${strike} ${right}$`),
  new RegExp(`^${root} (?<month>[A-Z][A-Za-z]{2}) (?<day>\\d{1,2}) (?<year>\\d{4}|'\\d{2}) ${strike} ${right}$`),
];
const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

function toOptionSymbol(groups: Record<string, string | undefined>): OptionSymbol | undefined {
  const { root: underlying = '', year = '', month = '', day = '', right: side = '', occ } = groups;
  const monthNumber = /^\d+$/.test(month) ? Number(month) : months.indexOf(month.toUpperCase()) + 1;
  const yearNumber = Number(year.replace("'", ''));
  const expires = dayOf(yearNumber < 100 ? 2000 + yearNumber : yearNumber, monthNumber, Number(day));
  const price = occ === undefined ? plainNumber(groups.strike ?? '') : `${occ.slice(0, 5)}.${occ.slice(5)}`;
  if (expires === undefined || price === undefined) return undefined;
  return { underlying, expires, right: /^c/i.test(side) ? 'call' : 'put', strike: trimmedStrike(price) };
}

function trimmedStrike(price: string): string {
  const [whole = '', fraction = ''] = price.split('.');
  const significant = fraction.replace(/0+$/, '');
  return `${whole.replace(/^0+(?=\d)/, '') || '0'}${significant === '' ? '' : `.${significant}`}`;
}
