import { answer } from './answer.ts';
import { licences } from './notices-text.ts';
import { readOptions } from './options.ts';

const inSources = 'The sources hold the work of nobody else: each package in node_modules states its licence.';

/** `licenses`: the name, version and licence of each part, a line each. `notices` has the texts. */
export async function licenses(args: readonly string[]): Promise<number> {
  const { options } = readOptions('licenses', args, 0);
  const lines = licences?.map((part) =>
    [part.name, part.version, part.licence].filter((word) => word !== '').join('  '),
  );
  await answer(options, { licences: licences ?? [] }, lines?.join('\n') ?? inSources);
  return 0;
}
