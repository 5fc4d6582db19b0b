import { expect, test } from 'bun:test';
import { canonicalJson, isObject } from '../../src/base/json.ts';

test('two spellings of the same JSON produce the same text', () => {
  const one = { year: 2024, sales: [{ asset: 'BTC', amount: null }], method: undefined };
  const other = { sales: [{ amount: null, asset: 'BTC' }], year: 2024 };
  expect(canonicalJson(one)).toBe(canonicalJson(other));
  expect(canonicalJson(one)).toBe('{"sales":[{"amount":null,"asset":"BTC"}],"year":2024}');
});

test('lists keep their order, and different values stay different', () => {
  expect(canonicalJson(['b', 'a'])).toBe('["b","a"]');
  expect(canonicalJson({ a: 1 })).not.toBe(canonicalJson({ a: '1' }));
  expect([canonicalJson(undefined), canonicalJson(null)]).toEqual(['null', 'null']);
});

test('a list and null are not objects', () => {
  expect([{}, [], null, 'text', undefined].map(isObject)).toEqual([true, false, false, false, false]);
});
