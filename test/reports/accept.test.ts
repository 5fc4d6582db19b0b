import { expect, test } from 'bun:test';
import { acceptedFormat } from '../../src/features/gains/reports/stored.ts';

test.each([
  [null, '8949'],
  ['*/*', '8949'],
  ['application/pdf', '8949'],
  ['text/csv', 'csv'],
  ['Application/JSON; charset=utf-8', 'json'],
  ['application/json;q=0.5, text/csv;q=0.9', 'csv'],
  ['text/html, application/xhtml+xml, */*;q=0.8', '8949'],
  ['application/json;q=0', '8949'],
  ['text/csv;q=nonsense', '8949'],
  ['__proto__', '8949'],
])('Accept: %s selects %s', (accept, format) => {
  expect(acceptedFormat(accept)).toBe(format);
});
