import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { servicesFile, testsByFormat, writeServices } from '../../scripts/services.ts';

test('the page of services and programs lists the formats and the cards that exist', () => {
  const remedy = 'Run bun scripts/services.ts, and commit .github/SERVICES.md.';
  expect(readFileSync(servicesFile, 'utf8') === writeServices() ? '' : remedy).toBe('');
});

test('the page names tests that exist', () => {
  for (const file of Object.values(testsByFormat)) expect(existsSync(join(import.meta.dir, '../..', file))).toBe(true);
});
