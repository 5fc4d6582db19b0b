import { loadConfig } from '../config.ts';
import { readOptions } from './options.ts';
import { printResult, say } from './output.ts';
import { bringUp, withPostgres } from './postgres.ts';

export async function migrate(args: readonly string[]): Promise<number> {
  const { options } = readOptions('migrate', args, 0);
  const applied = await withPostgres(loadConfig(process.env), (postgres) => bringUp(postgres, say, true));
  const end = `${applied.length === 0 ? 'Nothing to do' : 'Done'}: the schema is current.`;
  return printResult(options, { applied }, [...applied.map((name) => `applied ${name}`), end].join('\n'));
}
