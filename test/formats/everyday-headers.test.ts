import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../../src/base/refusal.ts';
import { normalizeHeader } from '../../src/formats/cells/cells.ts';
import type { Layout } from '../../src/formats/format.ts';
import { formats } from '../../src/formats/index.ts';
import { readWhole } from './reading.ts';

/** A header of everyday words identifies no source, so a row must contain a text that only its source writes. */

const everyday = new Set(
  `date time datetime timestamp type side action transaction description details note notes amount balance quantity qty
  units shares price symbol ticker asset coin currency fee fees commission total status market pair id order cost value
  name account instrument security exchange category volume subtotal net proceeds`.split(/\s+/),
);

/** Tools without their own source are identified by their columns: ten columns in one file are enough. */
const byColumns: ReadonlySet<string> = new Set(['lotbook', 'cgt-calc-raw', 'uk-101']);
const columnsEnough = 10;

const isEveryday = ({ required }: Layout): boolean =>
  required.length < columnsEnough &&
  required.every((name) =>
    normalizeHeader(name)
      .split(' ')
      .every((word) => everyday.has(word)),
  );

const layouts = formats
  .filter(({ id }) => !byColumns.has(id))
  .flatMap((format) => format.layouts.map((layout) => ({ format, layout })))
  .filter(({ layout }) => layout.onlyWhenAsked !== true && isEveryday(layout));

test('each layout of everyday words has a text that only its source writes', () => {
  expect(layouts.length).toBeGreaterThan(2);
  expect(layouts.filter(({ layout }) => layout.evidence === undefined).map(({ layout }) => layout.id)).toEqual([]);
});

describe.each(layouts.map(({ format, layout }) => [format.id, layout] as const))('%s', (id, layout) => {
  const row = layout.required.map((name) => foreign[normalizeHeader(name)] ?? 'ACME');

  test('does not read the rows of another source', async () => {
    const file = `${layout.required.join(',')}\n${row.join(',')}\n`;
    const read = await readWhole(file).catch((error: unknown) => error);
    if (read instanceof Refusal) expect(read.code).toBe('unknown_format');
    else expect(read).not.toMatchObject({ format: id });
    // A request that names the format always gets it.
    expect((await readWhole(file, { format: id })).format).toBe(id);
  });

  test('reads its own rows', async () => {
    const own = readFileSync(join(import.meta.dir, '../fixtures/formats', `${id}.csv`), 'utf8');
    expect((await readWhole(own)).format).toBe(id);
  });
});

const foreign: Readonly<Record<string, string>> = {
  date: '2025-04-03',
  amount: '100.00',
  balance: '5000.00',
  quantity: '3',
  price: '33.00',
  value: '99.00',
  fee: '1.00',
  fees: '1.00',
  type: 'Buy',
  side: 'Buy',
  description: 'Dinner with a friend',
  details: 'Dinner with a friend',
  exchange: 'NYSE',
};
