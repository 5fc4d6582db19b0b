import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FormName, findDifferences } from '../../scripts/forms/differences.ts';
import { lastYearCompared } from '../../src/forms/preview.ts';

/**
 * The official blank forms are stored outside of the project. Without them nothing is compared, and the test reports
 * it.
 */
const folder = join(process.env.LOTBOOK_SHARED ?? join(import.meta.dir, '../../../shared'), 'forms');

describe('the comparison with the official PDF', () => {
  for (const form of ['f8949', 'f1040sd'] as const) {
    for (const year of [2024, 2025]) {
      test(`${form} for ${year} equals ours in fields and words`, async () => {
        const official = officialForm(form, year);
        if (official !== undefined) expect(await findDifferences(form, year, official)).toEqual([]);
      });
    }

    test(`${form}: a form with another layout is reported as different`, async () => {
      const official = officialForm(form, 2024);
      if (official === undefined) return;
      const differences = await findDifferences(form, 2025, official);
      expect(
        differences.filter((difference) => difference.includes('the form has no field there')).length,
      ).toBeGreaterThan(5);
      expect(differences.filter((difference) => difference.includes('we have no field')).length).toBeGreaterThan(5);
      expect(differences.filter((difference) => difference.includes('the word')).length).toBeGreaterThan(5);
    });
  }

  test('the forms for the last compared year exist', () => {
    expect(lastYearCompared).toBe(2025);
    if (existsSync(folder)) expect(existsSync(join(folder, `f8949_${lastYearCompared}.pdf`))).toBe(true);
  });
});

function officialForm(form: FormName, year: number): Uint8Array | undefined {
  const file = join(folder, `${form}_${year}.pdf`);
  if (existsSync(file)) return readFileSync(file);
  console.log(`${file} is not there: what it would prove is not checked`);
  return undefined;
}
