import { expect } from 'bun:test';
import { formatById } from '../../src/formats/index.ts';
import { outcomeLines } from './outcome-lines.ts';
import { readWhole } from './reading.ts';

/** Returns the lines of a file from `outcomeLines`. The file must be detected as this format. */
export async function readFileLines(format: string, ...lines: readonly string[]): Promise<string[]> {
  const reading = await readWhole(lines.join('\n'));
  expect(reading.format).toBe(format);
  return outcomeLines(reading, formatById(format)?.source ?? '');
}
