import { type Day, formatDay } from '../../../base/day.ts';

/** A state that may be kept. */
export interface Candidate {
  readonly day: string;
  /** How many rows its month has until then. */
  readonly rows: number;
}

/** What tells which states are kept: of one history the same ones, in however many imports it came. */
export interface Choice {
  /** The year of the book's last day; null where states are kept of no months. */
  readonly lastYear: string | null;
  /** A month of fewer rows is replayed sooner than its state is kept. */
  readonly rowsMin: number;
}

/**
 * Of all states, in their order, those that are kept: each year's last, the last of each busy month of the last year,
 * for what is corrected is mostly of that year, and the last of all.
 */
export function chosenOf<State extends Candidate>(states: readonly State[], { lastYear, rowsMin }: Choice): State[] {
  return states.filter(({ day, rows }, at) => {
    const next = states[at + 1]?.day;
    if (next === undefined || yearIn(next) !== yearIn(day)) return true;
    return monthIn(next) !== monthIn(day) && yearIn(day) === lastYear && rows >= rowsMin;
  });
}

/** Counts the rows of each month in a replay, and says after which of its days the state is kept. */
export class MonthRows {
  /** The month that is counted, and how many rows of it the state has that the replay resumed from. */
  #month: string;
  #before: number;
  #doneBefore = 0;
  #ended: Candidate | null = null;

  constructor(
    private readonly choice: Choice,
    kept: Candidate | null,
  ) {
    this.#month = kept === null ? '' : monthIn(kept.day);
    this.#before = kept?.rows ?? 0;
  }

  /** Asked at the end of each day but the last, with how many rows are done. */
  endsState(on: Day, next: Day, done: number): boolean {
    const [day, nextDay] = [formatDay(on), formatDay(next)];
    if (monthIn(day) === monthIn(nextDay)) return false;
    this.#ended = this.candidate(day, done);
    this.#month = '';
    this.#doneBefore = done;
    return chosenOf([this.#ended, { day: nextDay, rows: 0 }], this.choice)[0] === this.#ended;
  }

  candidate(day: string, done: number): Candidate {
    if (this.#ended?.day === day) return this.#ended;
    return { day, rows: done - this.#doneBefore + (monthIn(day) === this.#month ? this.#before : 0) };
  }
}

function monthIn(day: string): string {
  return day.slice(0, 7);
}

export function yearIn(day: string): string {
  return day.slice(0, 4);
}
