import type { Mapping } from '../../src/formats/mapping/mapping.ts';
import { proposalOf } from '../support/proposed.ts';
import { outcomeLines } from './outcome-lines.ts';
import { readWhole } from './reading.ts';

/** Returns the lines of a file that is read by a mapping, by default the unchanged proposal. */
export async function readLines(file: string, mapping: Mapping | undefined = proposalOf(file)): Promise<string[]> {
  if (mapping === undefined) return ['no proposal'];
  return outcomeLines(await readWhole(file, { mapping }), 'Imported');
}
