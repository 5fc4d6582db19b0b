import { expect, test } from 'bun:test';
import { computeEtag, isNotModified, requireMatch } from '../../src/http/etag.ts';

const asked = (headers: Record<string, string>) => new Request('http://localhost/', { headers });

test('equal parts produce the same strong tag, and different parts produce another one', async () => {
  const tag = await computeEtag('7', 2025, null);
  expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
  expect(await computeEtag('7', 2025, null)).toBe(tag);
  expect(await computeEtag('72025', null)).not.toBe(tag);
});

test('If-None-Match matches the tag, a list that contains it, its weak form, and *', async () => {
  const tag = await computeEtag('1');
  for (const header of [tag, `"x", ${tag}`, `W/${tag}`, '*']) {
    expect(isNotModified(asked({ 'if-none-match': header }), tag)).toBe(true);
  }
  expect(isNotModified(asked({ 'if-none-match': '"x"' }), tag)).toBe(false);
  expect(isNotModified(asked({}), tag)).toBe(false);
});

test('If-Match with anything but the tag returns 412, and a weak tag never matches', async () => {
  const tag = await computeEtag('1');
  expect(() => requireMatch(asked({}), tag)).not.toThrow();
  expect(() => requireMatch(asked({ 'if-match': tag }), tag)).not.toThrow();
  expect(() => requireMatch(asked({ 'if-match': '"x"' }), tag)).toThrow(/precondition_failed/);
  expect(() => requireMatch(asked({ 'if-match': `W/${tag}` }), tag)).toThrow(/precondition_failed/);
});
