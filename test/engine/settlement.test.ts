import { expect, test } from 'bun:test';
import { books } from '../support/ledger.ts';

test.each([
  ['2025-06-05', '2025-06-06', 'identified'],
  ['2025-06-05', '2025-06-07', 'late'],
  ['2018-06-06', '2018-06-08', 'identified'],
  ['2018-06-06', '2018-06-09', 'late'],
  ['2016-06-06', '2016-06-09', 'identified'],
  ['2016-06-06', '2016-06-10', 'late'],
] as const)('sold on %s, named on %s: %s (SEC rule 15c6-1 of the time)', (sold, named, expected) => {
  const { lines } = books(`
    buy 2015-01-05 1 X @1
    b2: buy 2015-01-06 1 X @2
    sell ${sold} 1 X @3 lots b2:1 identified ${named}T12:00:00Z
  `);
  expect(lines.map(({ disposal }) => disposal.identified)).toEqual([expected]);
});
