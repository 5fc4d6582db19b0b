import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { normalizeHeader } from '../../src/formats/cells/cells.ts';

/** A column whose numbers repeat those of another. */
interface RestatedMoney {
  /** As returned by `normalizeHeader`. */
  readonly column: string;
  /** The types of rows to which this applies. */
  readonly types: RegExp;
}

const table = readFileSync(join(import.meta.dir, '../fixtures/restated-money.tsv'), 'utf8');

/** Keyed by the name of the fixture. A line without a reason does not count. */
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
