import { dayOf, formatDay } from '../base/day.ts';
import { Refusal } from '../base/refusal.ts';
import type { DateOrder } from './cells/times.ts';
import type { Row } from './format.ts';

/**
 * Decides from the rows whether the day or the month comes first: one `13/04/2025` decides for the whole file. Rows are
 * read until one decides. They wait in memory, so their number is bounded: a longer file without any day after the 12th
 * is refused with a question. (Reading on and dating staged rows later would be no better bounded, and could not name
 * the line in question.)
 */
export class DateOrderEvidence {
  private readonly votes: Record<DateOrder, number> = { 'month first': 0, 'day first': 0 };
  private readonly ambiguous = new Map<number, Sample>();
  private readonly noDates = new Set<number>();

  /** `places`: the columns that hold dates. Null: every column whose cells are all dates of this shape. */
  constructor(private readonly places: readonly number[] | null) {}

  look(row: Row): void {
    const places = this.places ?? row.cells.keys();
    for (const place of places) {
      const text = row.cells[place]?.trim() ?? '';
      if (text === '' || this.noDates.has(place)) continue;
      const parts = slashed.exec(text)?.groups;
      if (parts === undefined) {
        // A column with other texts, such as a note, decides nothing.
        if (this.places === null) this.noDates.add(place);
        continue;
      }
      const [first, second] = [Number(parts.first), Number(parts.second)];
      // No country writes the month first with points, or with months by name.
      if (parts.mark === '.' || parts.name !== undefined) this.votes['day first'] += 1;
      else if (first > 12 && second <= 12) this.votes['day first'] += 1;
      else if (second > 12 && first <= 12) this.votes['month first'] += 1;
      else if (first !== second && !this.ambiguous.has(place))
        this.ambiguous.set(place, sampleOf(row, place, text, parts));
    }
  }

  /** The order that all deciding rows have. Undefined where none decides, or where they contradict one another. */
  get decided(): DateOrder | undefined {
    const { 'month first': months, 'day first': days } = this.votes;
    return months > 0 === days > 0 ? undefined : months > 0 ? 'month first' : 'day first';
  }

  /** Throws where a date has two readings. */
  refuseToGuess(header: readonly string[]): void {
    const samples = [...this.ambiguous].filter(([place]) => !this.noDates.has(place)).map(([, sample]) => sample);
    const [sample] = samples.sort((a, b) => a.line - b.line);
    if (sample === undefined) return;
    const column = header[sample.place]?.trim() ?? '';
    const contradict = this.votes['month first'] > 0;
    const why = contradict ? 'other rows contradict one another' : 'no other row decides';
    const detail = `The dates of this file have two readings: "${sample.text}" on line ${sample.line} is ${sample.monthFirst} with the month first and ${sample.dayFirst} with the day first, and ${why}. Say which with dateOrder=mdy or dateOrder=dmy.`;
    throw new Refusal('ambiguous_file', detail, {
      errors: [{ code: 'ambiguous_date', detail: `"${sample.text}" has two readings`, line: sample.line, column }],
      members: {
        parameter: 'dateOrder',
        readings: [
          { value: 'mdy', reads: sample.monthFirst },
          { value: 'dmy', reads: sample.dayFirst },
        ],
      },
    });
  }
}

/** The most rows that may wait for one that decides, and the most characters. */
export const rowsAheadMax = 20_000;
export const charactersAheadMax = 8 * 1024 ** 2;

interface Sample {
  readonly place: number;
  readonly line: number;
  readonly text: string;
  readonly monthFirst: string;
  readonly dayFirst: string;
}

const slashed =
  /^(?<first>\d{1,2})(?:(?<mark>[/.-])(?<second>\d{1,2})[/.-](?<year>\d{4}|\d{2})(?!\d)|[-/. ](?<name>[A-Za-z]{3,9})\b)/;

function sampleOf(row: Row, place: number, text: string, parts: Record<string, string | undefined>): Sample {
  const [first, second] = [Number(parts.first), Number(parts.second)];
  const year = Number(parts.year) + (parts.year?.length === 2 ? 2000 : 0);
  const reading = (month: number, day: number): string => {
    const on = dayOf(year, month, day);
    return on === undefined ? 'no date' : formatDay(on);
  };
  const shown = text.slice(0, 40);
  return { place, line: row.line, text: shown, monthFirst: reading(first, second), dayFirst: reading(second, first) };
}
