import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { normalizeHeader } from '../../src/formats/cells/cells.ts';

/** A column whose numbers say nothing that another does not. */
interface RestatedMoney {
  /** As `normalizeHeader` gives it. */
  readonly column: string;
  /** The types of rows of which this holds. */
  readonly types: RegExp;
}

const table = readFileSync(join(import.meta.dir, '../fixtures/restated-money.tsv'), 'utf8');

/** By the name of the fixture. A line without a reason is none. */
export const restatedMoney: ReadonlyMap<string, readonly RestatedMoney[]> = Map.groupBy(
  table
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [format = '', column = '', types = '', why = ''] = line.split('\t');
      if (why === '') throw new Error(`Say why ${column} of ${format} says nothing of its own.`);
      return { format, column: normalizeHeader(column), types: new RegExp(`^(?:${types})$`) };
    }),
  ({ format }) => format,
) as never;
