import { expect, test } from 'bun:test';
import { migrations } from '../../src/db/migrate.ts';
import { splitStatements } from '../../src/db/sql-statements.ts';
import { parsed } from '../support/citus/recorded.ts';

test.each(migrations)('the steps are split into the statements that PostgreSQL sees: $name', async ({ sql }) => {
  const statements = splitStatements(sql);
  expect(await Promise.all(statements.map(async (statement) => (await parsed(statement)).length))).toEqual(
    statements.map(() => 1),
  );
  const apart = (await Promise.all(statements.map(parsed))).flat();
  const withoutPlaces = (parts: unknown) =>
    JSON.stringify(parts, (name, value) => (/location|_len$|_start$|_end$/.test(name) ? undefined : value));
  expect(withoutPlaces(apart)).toBe(withoutPlaces(await parsed(sql)));
});

test.each([
  ["select ';', E'\\';', \"a;b\", $$;$$, $x$ $$;$$ $x$; select 2", 2],
  ['-- one; two\nselect 1 /* ; */; ; -- the end;\n', 1],
  [
    'create function f() returns text begin atomic select case when true then 1 end; select 2; end; drop function f()',
    2,
  ],
  ['begin; select a$b$c; commit', 3],
])('a semicolon does not always end a statement: %s', (text, count) => {
  expect(splitStatements(text)).toHaveLength(count);
});
