import { expect } from 'bun:test';
import { formatById } from '../../src/formats/index.ts';
import { outcomeLines } from './outcome-lines.ts';
import { readWhole } from './reading.ts';

/** What the lines of a file say, by `outcomeLines`. The file must be taken for one of this format. */
export async function linesOf(format: string, ...lines: readonly string[]): Promise<string[]> {
  const reading = await readWhole(lines.join('\n'));
  expect(reading.format).toBe(format);
  return outcomeLines(reading, formatById(format)?.source ?? '');
}
