import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface BrokenColumns {
  readonly date: string;
  readonly number: string;
  /** The column of the number as the reader names it, if the header names it differently. */
  readonly blamed: string;
}

const table = readFileSync(join(import.meta.dir, '../fixtures/broken-columns.csv'), 'utf8');

/** The columns that the suite breaks, one line per format: one that holds the date, one that holds a number. */
export const brokenColumns: ReadonlyMap<string, BrokenColumns> = new Map(
  table
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [format = '', date = '', number = '', blamed = ''] = line.split(',');
      return [format, { date, number, blamed: blamed || number }];
    }),
);
