import { noticesText, licenses as partLicenses } from './notices-text.ts';
import { readOptions } from './options.ts';
import { printResult, printText } from './output.ts';

const inSources = 'Third-party code is not bundled here: each package in node_modules';

/** `licenses` prints the name, version and license of each component, one per line. `notices` prints the texts. */
export async function licenses(args: readonly string[]): Promise<number> {
  const { options } = readOptions('licenses', args, 0);
  const lines = partLicenses?.map((part) =>
    [part.name, part.version, part.license].filter((word) => word !== '').join('  '),
  );
  return printResult(
    options,
    { licenses: partLicenses ?? [] },
    lines?.join('\n') ?? `${inSources} states its license.`,
  );
}

/** Prints the licenses and notices of the components in the binary. */
export async function notices(_args: readonly string[]): Promise<number> {
  await printText(noticesText ?? `${inSources} contains its notice.\n`);
  return 0;
}
