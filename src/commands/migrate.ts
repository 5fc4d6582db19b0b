import { loadConfig } from '../config.ts';
import { readOptions } from './options.ts';
import { bringUp, joinPostgres } from './postgres.ts';
import { printResult } from './result.ts';

export async function migrate(args: readonly string[]): Promise<number> {
  const { options } = readOptions('migrate', args, 0);
  const postgres = await joinPostgres(loadConfig(process.env));
  try {
    const applied = await bringUp(postgres, say, true);
    const end = `${applied.length === 0 ? 'Nothing to do' : 'Done'}: the schema is current.`;
    await printResult(options, { applied }, [...applied.map((name) => `applied ${name}`), end].join('\n'));
    return 0;
  } finally {
    await postgres.close();
  }
}

/** Prints a sentence in addition to the result. */
export function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
