import { Refusal } from '../base/refusal.ts';
import type { Row } from './format.ts';
import type { RowLimits } from './rows/rows.ts';

/**
 * Measures the processor time spent reading the rows of one file, so that a busy machine refuses no file. One Worker
 * reads the files of all users, so a file that takes too long is rejected. Every pattern runs in linear time on short
 * texts, so no known file comes near this limit. Half a second is enough for twenty megabytes.
 */
export class ReadingTime {
  private spent = 0;

  constructor(
    private readonly limits: Pick<RowLimits, 'readingMilliseconds' | 'readingMillisecondsPerMegabyte'>,
    private readonly progress: { readonly bytes: number },
  ) {}

  /**
   * Reads rows in small batches. If one exceeds the time, rejects the file at the batch's row with the longest cell.
   */
  read(rows: readonly Row[], columns: readonly string[], readRow: (row: Row) => void): void {
    const { readingMilliseconds, readingMillisecondsPerMegabyte } = this.limits;
    const most = readingMilliseconds + (this.progress.bytes / 1_000_000) * readingMillisecondsPerMegabyte;
    let before = processorMilliseconds();
    for (let from = 0; from < rows.length; from += rowsAtATime) {
      const some = rows.slice(from, from + rowsAtATime);
      for (const row of some) readRow(row);
      const now = processorMilliseconds();
      this.spent += now - before;
      before = now;
      if (this.spent > most) throw tooSlow(some, columns);
    }
  }
}

/** Batches amortize the clock, because reading the time takes a third of the time of a short row. */
const rowsAtATime = 128;

/** Returns the processor time of this thread. */
function processorMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function tooSlow(rows: readonly Row[], columns: readonly string[]): Refusal {
  const cells = rows.flatMap(({ line, cells }) =>
    cells.map((cell, index) => ({ line, place: index, length: cell.length })),
  );
  const [longest] = cells.toSorted((a, b) => b.length - a.length);
  const { line, place } = longest ?? { line: 1, place: 0 };
  const column = columns[place]?.trim() || String(place + 1);
  const detail = `Reading this file takes too long. It was stopped at line ${line}, which has a long cell in column ${column.slice(0, 80)}.`;
  return new Refusal('too_slow', detail, { errors: [{ code: 'too_slow', detail, line, column }] });
}
