import { noticesText } from './notices-text.ts';
import { writeOut } from './out.ts';

const inSources = 'The sources hold the work of nobody else: each package in node_modules has its notice beside it.\n';

/** The licences and notices of what the binary holds. */
export async function notices(_args: readonly string[]): Promise<number> {
  await writeOut(null, [new TextEncoder().encode(noticesText ?? inSources)]);
  return 0;
}
