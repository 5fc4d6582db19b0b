import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { normalizeHeader } from '../../src/formats/cells/cells.ts';

/** A column whose numbers repeat those in another. */
interface RestatedMoney {
  /** The name returned by `normalizeHeader`. */
  readonly column: string;
  /** The types of rows to which the entry applies. */
  readonly types: RegExp;
}

const table = readFileSync(join(import.meta.dir, '../fixtures/restated-money.tsv'), 'utf8');

/** Entries by the name of the fixture. A line must have a reason. */
export const restatedMoney: ReadonlyMap<string, readonly RestatedMoney[]> = Map.groupBy(
  table
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [format = '', column = '', types = '', why = ''] = line.split('\t');
      if (why === '') throw new Error(`Add the reason why ${column} of ${format} is redundant to restated-money.tsv.`);
      return { format, column: normalizeHeader(column), types: new RegExp(`^(?:${types})$`) };
    }),
  ({ format }) => format,
) as never;
