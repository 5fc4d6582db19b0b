import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { draws, isDeep } from '../support/depth.ts';
import { seedFor } from '../support/seed.ts';
import { judgeResults } from '../support/unfriendly-bench.ts';
import { type LayoutKind, layoutKinds, unfriendlyLayout } from '../support/unfriendly-layouts.ts';
import { wildLayout } from '../support/wild-layouts.ts';

const layoutsMax = draws(100, 1_000);
const seed = seedFor('unfriendly layouts');
const counts = { right: 0, asked: 0, wrong: 0 };

describe('none of the random layouts is silently wrong', () => {
  test.each([...layoutKinds])('%s', async (kind: LayoutKind) => {
    const wrong: string[] = [];
    for (let index = layoutKinds.indexOf(kind); index < layoutsMax; index += layoutKinds.length) {
      const layout = unfriendlyLayout(seed, index);
      const { verdict, why } = await judgeResults(layout);
      counts[verdict] += 1;
      if (verdict === 'wrong') wrong.push(`${layout.name}, seed ${seed}\n${layout.text}${why}`);
    }
    expect(wrong).toEqual([]);
  });

  test('the README states how many proposals are correct unchanged', () => {
    expect(counts.right + counts.asked + counts.wrong).toBe(layoutsMax);
    // At least seven of ten files are read without a question.
    expect(counts.right).toBeGreaterThanOrEqual(0.7 * layoutsMax);
    if (!isDeep || process.env.LOTBOOK_SEED !== undefined) return;
    const readme = readFileSync(join(import.meta.dir, '../../README.md'), 'utf8').replaceAll('\n', ' ');
    expect(readme).toContain(
      `Of 1,000 generated layouts, ${counts.right} proposals are right without changes, ${counts.asked} ask a question, and none is silently wrong`,
    );
  });
});

const shared = process.env.LOTBOOK_SHARED ?? join(import.meta.dir, '../../../shared');
const formats = join(shared, 'formats');

if (!existsSync(formats)) {
  console.log(`The headers in the wild are not at ${formats}: they are not tested here.`);
} else {
  test('none of the real-world headers, filled with rows of our own, is silently wrong', async () => {
    const headers = [...headersOfCatalog(), ...headersOfFiles()];
    const layouts = headers.flatMap((header, index) => wildLayout(header, index) ?? []);
    const wrong: string[] = [];
    for (const layout of layouts) {
      const { verdict, why } = await judgeResults(layout);
      if (verdict === 'wrong') wrong.push(`${layout.text}${why}`);
    }
    expect(layouts.length).toBeGreaterThan(25);
    expect(wrong).toEqual([]);
  });
}

/** Returns the headers in the catalog, as `Date | Side | …`, without those that use patterns for names. */
function headersOfCatalog(): string[][] {
  const text = readFileSync(join(formats, 'CATALOG-headers.md'), 'utf8');
  return [...text.matchAll(/`([^`]*\|[^`]*)`/g)]
    .map(([, header = '']) => header.split('|').map((cell) => cell.trim()))
    .filter((header) => !header.some((cell) => /[~*]/.test(cell) || cell === ''));
}

/** Returns the first line in each given file that looks like a header. */
function headersOfFiles(): string[][] {
  const folders = readdirSync(formats).filter((name) => statSync(join(formats, name)).isDirectory());
  return folders.flatMap((folder) =>
    readdirSync(join(formats, folder))
      .filter((name) => /\.(?:csv|txt|tsv)$/.test(name))
      .flatMap((name) => {
        const [first = ''] = readFileSync(join(formats, folder, name), 'utf8').split(/\r?\n/);
        const cells = first.split(/[,;\t]/).map((cell) => cell.replaceAll('"', '').trim());
        return cells.length > 4 && cells.every((cell) => cell !== '' && !/^\d/.test(cell)) ? [cells] : [];
      }),
  );
}
