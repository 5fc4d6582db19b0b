import { Refusal } from '../../src/base/refusal.ts';
import type { Mapping } from '../../src/formats/mapping/mapping.ts';
import { proposeMapping } from '../../src/formats/mapping/mapping-proposal.ts';
import { readWhole } from '../formats/reading.ts';

/** Returns the proposed mapping for a file whose cells have no quotes. */
export function proposalOf(text: string, separator = ','): Mapping | undefined {
  const rows = text
    .trimEnd()
    .split('\n')
    .map((line, index) => ({ line: index + 1, cells: line.split(separator) }));
  return proposeMapping(rows)?.mapping;
}

/** Returns the error code for a file that is read by its proposed mapping. Undefined if it is read. */
export async function refusalCode(text: string): Promise<string | undefined> {
  const mapping = proposalOf(text);
  if (mapping === undefined) return 'no proposal';
  return readWhole(text, { mapping }).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof Refusal) return error.code;
      throw error;
    },
  );
}
