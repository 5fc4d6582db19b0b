import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formats } from '../../src/formats/index.ts';
import { outcomeLines } from './outcome-lines.ts';
import { readWhole } from './reading.ts';

/**
 * One table of expected contents for each format, `fixtures/tables/ID.txt`. A block has a title after `# `, the lines of
 * a file, `=>`, and the expected lines (`outcome-lines.ts`). A block without input reads the format's fixture. Check
 * the expected lines manually against the rows.
 */

interface TableBlock {
  readonly title: string;
  readonly input: readonly string[];
  readonly expected: readonly string[];
}

const folder = join(import.meta.dir, '../fixtures');

for (const { id, source } of formats) {
  describe(id, () => {
    for (const { title, input, expected } of readTable(id)) {
      test(title, async () => {
        const text = input.length === 0 ? readFileSync(join(folder, 'formats', `${id}.csv`), 'utf8') : input.join('\n');
        const reading = await readWhole(text);
        expect(reading.format).toBe(id);
        expect(outcomeLines(reading, source)).toEqual([...expected]);
      });
    }
  });
}

function readTable(id: string): TableBlock[] {
  const path = join(folder, 'tables', `${id}.txt`);
  if (!existsSync(path))
    throw new Error(`Add test/fixtures/tables/${id}.txt with the expected contents of the format's fixture.`);
  const blocks = readFileSync(path, 'utf8').split(/^# /m).slice(1);
  return blocks.map((block) => {
    const [title = '', ...lines] = block.trimEnd().split('\n');
    const arrow = lines.indexOf('=>');
    return { title, input: lines.slice(0, arrow), expected: lines.slice(arrow + 1) };
  });
}
