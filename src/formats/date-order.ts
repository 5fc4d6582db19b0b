import { type Day, dayOf, formatDay } from '../base/day.ts';
import { Refusal } from '../base/refusal.ts';
import { type DateOrder, type DateOrderCode, dateOrderCodes, dateOrders } from './cells/times.ts';
import type { Row } from './format.ts';

/**
 * Decides from the rows which part of a date comes first: one `13/04/2025` decides for the whole file. Rows are read
 * until one decides. They wait in memory, so their number is bounded, and a longer file without a deciding date is
 * refused with a question. (Reading on and dating staged rows later would need the same bound, and could not name the
 * line in question.)
 */
export class DateOrderEvidence {
  /** The orders that all dates so far allow. */
  private readonly possible: Set<DateOrderCode>;
  private isDated = false;
  private readonly ambiguous = new Map<number, Sample>();
  private readonly noDates = new Set<number>();
  private readonly sorting = new Map<number, ColumnSorting>();

  /**
   * `columnIndexes`: the date columns. Null: the file is from a known source whose users choose the date order, and every
   * column counts whose cells are all dates of this shape.
   */
  constructor(private readonly columnIndexes: readonly number[] | null) {
    this.possible = new Set(dateOrderCodes.filter((order) => columnIndexes !== null || order !== 'ymd'));
  }

  look(row: Row): void {
    const columnIndexes = this.columnIndexes ?? row.cells.keys();
    for (const columnIndex of columnIndexes) {
      const text = row.cells[columnIndex]?.trim() ?? '';
      if (text === '' || this.noDates.has(columnIndex)) continue;
      const parts = writtenShape.exec(text)?.groups;
      if (parts === undefined) {
        // A column with other texts, such as a note, decides nothing.
        if (this.columnIndexes === null) this.noDates.add(columnIndex);
        continue;
      }
      this.lookAt(row, columnIndex, text, listReadings(parts));
    }
  }

  /** The order that all dates allow. Undefined if they allow several or contradict each other. */
  get decided(): DateOrder | undefined {
    if (!this.isDated) return undefined;
    const orders = [...this.possible].filter((order) => order !== 'ymd' || !this.isUnlikelyYearFirst);
    const [only, ...others] = this.isSurelyYearFirst ? (['ymd'] as const) : orders;
    return only === undefined || others.length > 0 ? undefined : dateOrders[only];
  }

  /** Throws if a date is ambiguous. */
  refuseToGuess(header: readonly string[]): void {
    const samples = [...this.ambiguous]
      .filter(([columnIndex]) => !this.noDates.has(columnIndex))
      .map(([, sample]) => sample);
    const [sample] = samples.sort((a, b) => a.line - b.line);
    if (sample === undefined) return;
    const column = header[sample.place]?.trim() ?? '';
    const why = this.possible.size === 0 ? 'the other rows contradict each other' : 'no other row settles it';
    // An order that another date rules out is offered only if the dates contradict each other.
    const orders = [...sample.readings.keys()].filter((order) => this.possible.size === 0 || this.possible.has(order));
    const readings = orders.map((order) => ({ value: order, reads: formatDay(sample.readings.get(order) as Day) }));
    const listed = readings.map(({ value, reads }) => `${reads} if the ${firstPart[value]} comes first`).join(' or ');
    const choices = readings.map(({ value }) => `dateOrder=${value}`).join(' or ');
    const detail = `The dates in this file can be read in ${readings.length === 2 ? 'two' : 'three'} ways: "${sample.text}" on line ${sample.line} is ${listed}, and ${why}. Choose with ${choices}.`;
    throw new Refusal('ambiguous_file', detail, {
      errors: [
        {
          code: 'ambiguous_date',
          detail: `"${sample.text}" can be read in ${readings.length === 2 ? 'two' : 'three'} ways`,
          line: sample.line,
          column,
        },
      ],
      members: { parameter: 'dateOrder', readings },
    });
  }

  private lookAt(row: Row, columnIndex: number, text: string, readings: Readings): void {
    if (readings.size === 0) return;
    this.isDated = true;
    for (const order of this.possible) if (!readings.has(order)) this.possible.delete(order);
    const days = [...readings]
      .filter(([order]) => this.columnIndexes !== null || order !== 'ymd')
      .map(([, day]) => day);
    if (new Set(days).size > 1 && !this.ambiguous.has(columnIndex))
      this.ambiguous.set(columnIndex, { place: columnIndex, line: row.line, text: text.slice(0, 40), readings });
    const sorting = this.sorting.get(columnIndex) ?? new ColumnSorting();
    sorting.look(readings);
    this.sorting.set(columnIndex, sorting);
  }

  private get isSurelyYearFirst(): boolean {
    const others = [...this.possible].filter((order) => order !== 'ymd');
    return this.possible.has('ymd') && others.every((order) => this.isSortedOnlyBy('ymd', order));
  }

  private get isUnlikelyYearFirst(): boolean {
    return [...this.possible].some((order) => order !== 'ymd' && this.isSortedOnlyBy(order, 'ymd'));
  }

  private isSortedOnlyBy(one: DateOrderCode, other: DateOrderCode): boolean {
    return [...this.sorting.values()].some((sorting) => sorting.isSorted(one) && !sorting.isSorted(other));
  }
}

/** The maximum number of rows, and of characters, that may wait for a deciding row. */
export const rowsAheadMax = 20_000;
export const charactersAheadMax = 8 * 1024 ** 2;

/** The day of a date in each order that allows it. */
type Readings = ReadonlyMap<DateOrderCode, Day>;

interface Sample {
  readonly place: number;
  readonly line: number;
  readonly text: string;
  readonly readings: Readings;
}

/** Whether the dates of a column rise or fall throughout, in each order. */
class ColumnSorting {
  private readonly last = new Map<DateOrderCode, Day>();
  private readonly rises = new Set<DateOrderCode>();
  private readonly falls = new Set<DateOrderCode>();
  private days = 0;

  look(readings: Readings): void {
    let isNew = false;
    for (const [order, day] of readings) {
      const last = this.last.get(order);
      if (last === undefined || day !== last) isNew = true;
      if (last !== undefined && day > last) this.rises.add(order);
      if (last !== undefined && day < last) this.falls.add(order);
      this.last.set(order, day);
    }
    if (isNew) this.days += 1;
  }

  /** This number of different days is in order by chance once in 720 files. */
  isSorted(order: DateOrderCode): boolean {
    return this.days >= daysMin && this.rises.has(order) !== this.falls.has(order);
  }
}

const daysMin = 6;

const writtenShape =
  /^(?<first>\d{1,2})(?:(?<mark>[/.-])(?<second>\d{1,2})[/.-](?<third>\d{4}|\d{2})(?!\d)|[-/. ](?<name>[A-Za-z]{3,9})\b)/;

const firstPart: Readonly<Record<DateOrderCode, string>> = { mdy: 'month', dmy: 'day', ymd: 'year' };

function listReadings(parts: Record<string, string | undefined>): Readings {
  const { mark, third = '', name } = parts;
  // Month names follow the day in every order.
  if (name !== undefined) return new Map([['dmy', 0 as Day]]);
  const [first, second, last] = [Number(parts.first), Number(parts.second), Number(third)];
  const year = third.length === 2 ? 2000 + last : last;
  const days: [DateOrderCode, Day | undefined][] = [
    // No country writes the month first with points.
    ['mdy', mark === '.' ? undefined : dayOf(year, first, second)],
    ['dmy', dayOf(year, second, first)],
    ['ymd', third.length === 2 && parts.first?.length === 2 ? dayOf(2000 + first, second, last) : undefined],
  ];
  return new Map(days.flatMap(([order, day]) => (day === undefined ? [] : [[order, day] as const])));
}
