import { afterAll, beforeAll, expect, test } from 'bun:test';
import { ArrayColumn, toArrayText } from '../../src/db/array.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await testDatabase();
});
afterAll(() => books.drop());

const texts = [
  'plain',
  '',
  'null',
  'NULL',
  'NuLl',
  'two words',
  'a,b',
  '{a}',
  '"quoted"',
  'back\\slash',
  '\\',
  'Zürich',
  '🚀 and 日本',
  'line\nend\ttab',
  `${'x'.repeat(63)}é`,
  `${'long '.repeat(2_000)}ü`,
];

test('any text survives the round trip through its array', async () => {
  const columns = [new ArrayColumn(), new ArrayColumn()] as const;
  // Every other row is empty, including the first and the last.
  texts.forEach((text, at) => {
    columns[0].name(2 * at + 1, text);
    columns[1].free(2 * at + 1, text);
  });
  const wanted = [...texts.flatMap((text) => [null, text]), null];
  const written = [...columns.map((column) => column.take(wanted.length)), toArrayText(wanted, (text) => text)];
  for (const array of written) {
    const [row] = await books.asOwner((sql) => sql`select to_json(${array}::text[]) as texts`);
    expect(row?.texts).toEqual(wanted);
  }
});

test('a column restarts with each batch, and is null if no row has a value', () => {
  const column = new ArrayColumn();
  expect(column.take(3)).toBeNull();
  column.plain(1, '0.25');
  expect(column.take(3)).toBe('{NULL,0.25,NULL}');
  expect(column.take(2)).toBeNull();
  column.plain(0, null);
  column.plain(1, 'b');
  expect(column.take(2)).toBe('{NULL,b}');
});

test('many repeated names keep their values', () => {
  const column = new ArrayColumn();
  const names = Array.from({ length: 5_000 }, (_, at) => `name ${at % 2_500}`);
  names.forEach((name, at) => {
    column.name(at, name);
  });
  expect(column.take(names.length)).toBe(`{${names.map((name) => `"${name}"`).join(',')}}`);
});
