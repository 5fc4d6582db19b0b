import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Day } from '../../src/base/day.ts';
import type { Column } from '../../src/commands/report/cells.ts';
import { DayColumn, ValueColumn, WordColumn } from '../../src/commands/report/columns.ts';
import { IntegerColumn } from '../../src/commands/report/integers.ts';
import { fitsLimbs, highOf, lowOf } from '../../src/engine/events/limbs.ts';
import { seedFor } from '../support/seed.ts';

const seed = seedFor('report columns');

test('a column of integers tells them as integers, as doubles and in limbs', () => {
  const integer = fc.oneof(
    fc.bigInt({ min: -(1n << 127n), max: (1n << 127n) - 1n }),
    fc.bigInt({ min: -(1n << 64n), max: 1n << 64n }),
    fc.maxSafeInteger().map(BigInt),
    fc.nat(126).map((bits) => 1n << BigInt(bits)),
    fc.nat(126).map((bits) => (1n << BigInt(bits)) - 1n),
  );
  fc.assert(
    fc.property(fc.array(fc.option(integer, { nil: null }), { minLength: 1, maxLength: 20 }), (integers) => {
      const column = new IntegerColumn<bigint>();
      for (const [row, one] of integers.entries()) column.set(row, one);
      for (const [row, one] of integers.entries()) {
        expect(column.get(row)).toBe(one);
        expect(column.isStated(row)).toBe(one !== null);
        const near = one !== null && Number.isSafeInteger(Number(one)) ? Number(one) : Number.NaN;
        expect(column.near(row)).toBe(near);
        const limbs = one !== null && fitsLimbs(one) ? [highOf(one), lowOf(one)] : null;
        if (limbs === null) expect(column.highLimb(row)).toBeNaN();
        else expect([column.highLimb(row), column.lowLimb(row)]).toEqual(limbs);
      }
    }),
    { seed, numRuns: 2000 },
  );
});

test('a column behind another tells the rows of both, whichever of them states anything', () => {
  const day = fc.option(fc.integer({ min: 0, max: 40_000 }), { nil: null });
  const word = fc.constantFrom<string>('', 'a', 'b', 'c');
  const integer = fc.option(fc.bigInt({ min: -(1n << 70n), max: 1n << 70n }), { nil: null });
  const row = fc.record({ day, word, integer, value: word });
  type Row = typeof row extends fc.Arbitrary<infer Told> ? Told : never;
  const columnsOf = (rows: readonly Row[]) => {
    const [days, words, integers, values] = [
      new DayColumn(),
      new WordColumn<string>(''),
      new IntegerColumn<bigint>(),
      new ValueColumn<string>(''),
    ];
    for (const [at, told] of rows.entries()) {
      days.set(at, told.day as Day | null);
      words.set(at, told.word);
      integers.set(at, told.integer);
      values.set(at, told.value);
    }
    return [days, words, integers, values] as const;
  };
  const rowsIn = fc.array(row, { maxLength: 12 });
  fc.assert(
    fc.property(rowsIn, rowsIn, (first, second) => {
      const columns = columnsOf(first);
      for (const [at, other] of columnsOf(second).entries()) {
        columns[at]?.append(other.state, first.length, second.length);
      }
      const adopted = columnsOf([]);
      for (const [at, column] of adopted.entries()) column.adopt((columns[at] as Column).state);
      for (const [at, told] of [...first, ...second].entries()) {
        for (const [days, words, integers, values] of [columns, adopted]) {
          const found = { day: days.get(at), word: words.get(at), integer: integers.get(at), value: values.get(at) };
          expect<object>(found).toEqual(told);
        }
      }
    }),
    { seed, numRuns: 500 },
  );
});
