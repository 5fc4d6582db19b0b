import { Refusal } from '../base/refusal.ts';
import type { Row } from './format.ts';
import type { RowLimits } from './rows/rows.ts';

/**
 * The time that the rows of one file take to be read, without the time in which it arrives. One Worker reads the files of
 * all users, so a file whose cells take too long is refused by itself. Every pattern is linear and meets short texts
 * only: a file that passes this limit is one that nobody thought of. Half a second reads twenty megabytes.
 */
export class ReadingTime {
  private spent = 0;

  constructor(
    private readonly limits: Pick<RowLimits, 'readingMilliseconds' | 'readingMillisecondsPerMegabyte'>,
    private readonly progress: { readonly bytes: number },
  ) {}

  /** Reads one row after another, and refuses the file at the row with which its time is over. */
  *each(rows: readonly Row[], columns: readonly string[]): Generator<Row> {
    const { readingMilliseconds, readingMillisecondsPerMegabyte } = this.limits;
    const most = readingMilliseconds + (this.progress.bytes / 1_000_000) * readingMillisecondsPerMegabyte;
    let before = performance.now();
    for (const row of rows) {
      yield row;
      const now = performance.now();
      this.spent += now - before;
      before = now;
      if (this.spent > most) throw tooSlow(row, columns);
    }
  }
}

function tooSlow({ line, cells }: Row, columns: readonly string[]): Refusal {
  const lengths = cells.map((cell) => cell.length);
  const place = lengths.indexOf(Math.max(...lengths));
  const column = columns[place]?.trim() || String(place + 1);
  const detail = `Reading this file takes too long. It was stopped on line ${line}, whose longest cell is in column ${column.slice(0, 80)}.`;
  return new Refusal('too_slow', detail, { errors: [{ code: 'too_slow', detail, line, column }] });
}
