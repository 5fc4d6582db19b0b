import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface BrokenColumns {
  readonly date: string;
  readonly number: string;
  /** The name that the reader uses for the number column, if it differs from the header. */
  readonly blamed: string;
}

const table = readFileSync(join(import.meta.dir, '../fixtures/broken-columns.csv'), 'utf8');

/** The columns that the tests break, one line per format: one with a date, and one with a number. */
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
