import { licenses as partLicenses } from './notices-text.ts';
import { readOptions } from './options.ts';
import { printResult } from './result.ts';

const inSources = 'Third-party code is not bundled here: each package in node_modules states its license.';

/** `licenses` prints the name, version and license of each component, one per line. `notices` prints the texts. */
export async function licenses(args: readonly string[]): Promise<number> {
  const { options } = readOptions('licenses', args, 0);
  const lines = partLicenses?.map((part) =>
    [part.name, part.version, part.license].filter((word) => word !== '').join('  '),
  );
  await printResult(options, { licenses: partLicenses ?? [] }, lines?.join('\n') ?? inSources);
  return 0;
}
