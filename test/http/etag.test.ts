import { expect, test } from 'bun:test';
import { etagOf, isNotModified, requireMatch } from '../../src/http/etag.ts';

const asked = (headers: Record<string, string>) => new Request('http://localhost/', { headers });

test('the same parts give the same strong tag, other parts another', async () => {
  const tag = await etagOf('7', 2025, null);
  expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
  expect(await etagOf('7', 2025, null)).toBe(tag);
  expect(await etagOf('72025', null)).not.toBe(tag);
});

test('If-None-Match of the tag, of a list with it, of its weak form, or of * is known to the client', async () => {
  const tag = await etagOf('1');
  for (const header of [tag, `"x", ${tag}`, `W/${tag}`, '*']) {
    expect(isNotModified(asked({ 'if-none-match': header }), tag)).toBe(true);
  }
  expect(isNotModified(asked({ 'if-none-match': '"x"' }), tag)).toBe(false);
  expect(isNotModified(asked({}), tag)).toBe(false);
});

test('If-Match of anything but the tag is 412, and a weak tag is never enough', async () => {
  const tag = await etagOf('1');
  expect(() => requireMatch(asked({}), tag)).not.toThrow();
  expect(() => requireMatch(asked({ 'if-match': tag }), tag)).not.toThrow();
  expect(() => requireMatch(asked({ 'if-match': '"x"' }), tag)).toThrow(/precondition_failed/);
  expect(() => requireMatch(asked({ 'if-match': `W/${tag}` }), tag)).toThrow(/precondition_failed/);
});
