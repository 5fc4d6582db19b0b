import { noticesText } from './notices-text.ts';
import { writeOut } from './output.ts';

const inSources = 'Third-party code is not bundled here: each package in node_modules contains its notice.\n';

/** Prints the licenses and notices of the components in the binary. */
export async function notices(_args: readonly string[]): Promise<number> {
  await writeOut(null, [new TextEncoder().encode(noticesText ?? inSources)]);
  return 0;
}
