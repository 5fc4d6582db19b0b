import { loadConfig } from '../config.ts';
import { migrate as applyMissing } from '../db/migrate.ts';
import { joinPostgres } from './postgres.ts';

export async function migrate(_args: readonly string[]): Promise<number> {
  const postgres = await joinPostgres(loadConfig(process.env));
  try {
    const applied = await applyMissing(postgres.ownerUrl);
    for (const name of applied) process.stdout.write(`applied ${name}\n`);
    process.stdout.write(`${applied.length === 0 ? 'Nothing to do' : 'Done'}: the schema is current.\n`);
    return 0;
  } finally {
    await postgres.close();
  }
}
