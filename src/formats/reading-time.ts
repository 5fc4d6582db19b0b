import { Refusal } from '../base/refusal.ts';
import type { Row } from './format.ts';
import type { RowLimits } from './rows/rows.ts';

/**
 * The time spent reading the rows of one file, excluding the time in which it arrives. One Worker reads the files of
 * all users, so a file whose cells take too long is refused on its own. Every pattern is linear and sees only short
 * texts, so a file that exceeds this limit is unlike any known file. Half a second reads twenty megabytes.
 */
export class ReadingTime {
  private spent = 0;

  constructor(
    private readonly limits: Pick<RowLimits, 'readingMilliseconds' | 'readingMillisecondsPerMegabyte'>,
    private readonly progress: { readonly bytes: number },
  ) {}

  /**
   * Reads rows a few at a time. Refuses the file at the row with the longest cell among those that exceeded the time.
   */
  read(rows: readonly Row[], columns: readonly string[], readRow: (row: Row) => void): void {
    const { readingMilliseconds, readingMillisecondsPerMegabyte } = this.limits;
    const most = readingMilliseconds + (this.progress.bytes / 1_000_000) * readingMillisecondsPerMegabyte;
    let before = performance.now();
    for (let from = 0; from < rows.length; from += rowsAtATime) {
      const some = rows.slice(from, from + rowsAtATime);
      for (const row of some) readRow(row);
      const now = performance.now();
      this.spent += now - before;
      before = now;
      if (this.spent > most) throw tooSlow(some, columns);
    }
  }
}

/** Getting the time takes as long as reading a short row. */
const rowsAtATime = 32;

function tooSlow(rows: readonly Row[], columns: readonly string[]): Refusal {
  const cells = rows.flatMap(({ line, cells }) => cells.map((cell, place) => ({ line, place, length: cell.length })));
  const [longest] = cells.toSorted((a, b) => b.length - a.length);
  const { line, place } = longest ?? { line: 1, place: 0 };
  const column = columns[place]?.trim() || String(place + 1);
  const detail = `Reading this file takes too long. It was stopped at line ${line}, which has a long cell in column ${column.slice(0, 80)}.`;
  return new Refusal('too_slow', detail, { errors: [{ code: 'too_slow', detail, line, column }] });
}
