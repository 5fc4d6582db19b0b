import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface BrokenColumns {
  readonly date: string;
  readonly number: string;
  /** As the reader names the column of the number, where that is not how the header does. */
  readonly blamed: string;
}

const table = readFileSync(join(import.meta.dir, '../fixtures/broken-columns.csv'), 'utf8');

/** The columns that the suite breaks, a line each format: one that holds the date, one that holds a number. */
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
