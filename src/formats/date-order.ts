import { dayOf, formatDay } from '../base/day.ts';
import { Refusal } from '../base/refusal.ts';
import type { DateOrder } from './cells/times.ts';
import type { Row } from './format.ts';

/**
 * Day or month first, decided by the rows: `13/04/2025` has one reading, and so then has the whole file. Rows are looked at
 * until one decides. They wait in memory meanwhile, so their number is bounded: a file that goes so far without any day
 * after the 12th is asked about instead. (Reading on and dating staged rows later would bound nothing less, and could not
 * name a line to the one who waits for the answer.)
 */
export class DateOrderEvidence {
  private readonly votes: Record<DateOrder, number> = { 'month first': 0, 'day first': 0 };
  private readonly ambiguous = new Map<number, Sample>();
  private readonly noDates = new Set<number>();

  /** `places`: the columns that hold dates; null for every column whose cells all read as such dates. */
  constructor(private readonly places: readonly number[] | null) {}

  look(row: Row): void {
    const places = this.places ?? row.cells.keys();
    for (const place of places) {
      const text = row.cells[place]?.trim() ?? '';
      if (text === '' || this.noDates.has(place)) continue;
      const parts = slashed.exec(text)?.groups;
      if (parts === undefined) {
        // A column with other things in it, as a note, says nothing of dates.
        if (this.places === null) this.noDates.add(place);
        continue;
      }
      const [first, second] = [Number(parts.first), Number(parts.second)];
      // With points, and with months by name, no country begins with the month.
      if (parts.mark === '.' || parts.name !== undefined) this.votes['day first'] += 1;
      else if (first > 12 && second <= 12) this.votes['day first'] += 1;
      else if (second > 12 && first <= 12) this.votes['month first'] += 1;
      else if (first !== second && !this.ambiguous.has(place))
        this.ambiguous.set(place, sampleOf(row, place, text, parts));
    }
  }

  /** The one order that any row has; undefined where none has spoken, or they contradict one another. */
  get decided(): DateOrder | undefined {
    const { 'month first': months, 'day first': days } = this.votes;
    return months > 0 === days > 0 ? undefined : months > 0 ? 'month first' : 'day first';
  }

  /** Throws where a date was seen that has two readings. */
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

/** How many rows may wait for one that decides, and how many characters. */
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
