import type { Day } from '../base/day.ts';
import type { Money } from '../base/decimal.ts';
import { magnitude } from './cells/amounts.ts';
import { normalizeHeader } from './cells/cells.ts';
import { numberIn, readMoneyRounded } from './cells/fields.ts';
import { type DateOrder, readEpoch, readTime } from './cells/times.ts';

/** What is known of the dates of a file. */
export interface DatesOfFile {
  /** The names of its columns, as `normalizeHeader` writes them. */
  readonly names: readonly string[];
  /** The column that a mapping reads the date from. */
  readonly mapped: string | undefined;
  /** The zone of times without offset. */
  readonly zone: string;
  /** The zone in which all times are dated. */
  readonly taxZone: string;
  readonly dates: DateOrder | undefined;
}

/**
 * The day of a rejected row that its format did not date: by the mapped column, else by the column of the trade date, else by
 * the first column of a date, else by the first date of the row. Null if no date can be read.
 */
export function dayOfRow(cells: readonly string[], file: DatesOfFile): Day | null {
  const { names, mapped } = file;
  const places = [...names.keys()];
  const isDate = (place: number): boolean => dateNames.test(names[place] ?? '') && !laterNames.test(names[place] ?? '');
  const ordered = [
    ...places.filter((place) => names[place] === mapped),
    ...places.filter((place) => isDate(place) && tradeNames.test(names[place] ?? '')),
    ...places.filter(isDate),
    ...cells.keys(),
  ];
  for (const place of new Set(ordered.slice(0, cellsMax))) {
    const text = (cells[place] ?? '').trim().slice(0, textMax);
    const since1970 = isDate(place) ? epochIn(text, file) : undefined;
    if (since1970 !== undefined) return since1970;
    if (!/\d{4}|\d[/.-]\d{2}$/.test(text)) continue;
    const day = dayIn(text, file) ?? dayIn(text, { ...file, dates: 'day first' });
    if (day !== undefined) return day;
  }
  return null;
}

function dayIn(text: string, { zone, taxZone, dates }: DatesOfFile): Day | undefined {
  return readTime(text, zone, taxZone, dates)?.on;
}

/** Seconds, milliseconds or microseconds since 1970. */
function epochIn(text: string, { taxZone }: DatesOfFile): Day | undefined {
  return readEpoch(text.length === 16 ? text.slice(0, 13) : text, taxZone)?.on;
}

const dateNames = /\b(?:date|time|timestamp|datetime|datum|fecha|zeit)\b|date$/;
const tradeNames = /\b(?:trade|transaction|execution|executed|activity|sold|sale|close|closed|closing)\b/;
/** Columns of other days than the one on which the row counts. */
const laterNames =
  /\b(?:settle\w*|value|post\w*|process\w*|expir\w*|matur\w*|acquir\w*|acquisition|purchase\w*|bought|open\w*|vest\w*|updated?|report\w*)\b/;

/** Columns of money by their names, the likeliest first. */
const moneyNames: readonly RegExp[] = [
  /^(?:net )?(?:amount|total)\b|^total (?:amount|value)|\bamount (?:\(?\$\)?|usd)/,
  /\b(?:amount|total|proceeds|subtotal|net|betrag|importe|montant)\b/,
  /\b(?:value|cash|cost|basis|worth)\b/,
];
/** Columns whose number is no money that moved. */
const otherNames = /\b(?:price|balance|rate|fee|fees|commission|tax|quantity|units|shares|crypto|asset)\b/;

/**
 * The money of a rejected row, without a sign: by the header if the row has one cell for each column. Null if no column of
 * money has a number.
 */
export function amountOfRow(header: readonly string[], cells: readonly string[]): Money | null {
  const names = header.map(normalizeHeader);
  if (names.length < cells.length - 1) return null;
  for (const shape of moneyNames) {
    for (const [place, name] of names.entries()) {
      if (!shape.test(name) || otherNames.test(name)) continue;
      const text = (cells[place] ?? '').trim().slice(0, textMax);
      const amount = readMoneyRounded(numberIn(text, 'either') ?? '');
      if (amount !== undefined && amount !== 0n) return magnitude(amount);
    }
  }
  return null;
}

const cellsMax = 100;
const textMax = 60;
