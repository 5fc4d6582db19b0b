import { expect, test } from 'bun:test';
import { csvRecord } from '../../src/base/csv.ts';

test('a record quotes only cells that would otherwise be misread', () => {
  expect(csvRecord(['a', '', '-1.50', 'two words'])).toBe('a,,-1.50,two words\r\n');
  expect(csvRecord(['a,b', 'say "so"', 'two\nlines', ' edge'])).toBe('"a,b","say ""so""","two\nlines"," edge"\r\n');
});
