import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One step of the schema. A released step is never changed. A later change is a new migration. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

/** Returns every file in sql/ that starts with a number, in numeric order. */
export function readMigrations(): Migration[] {
  const folder = join(import.meta.dir, '..', '..', 'sql');
  const files = readdirSync(folder).filter((file) => /^\d/.test(file));
  return files.sort().map((file) => ({
    number: Number.parseInt(file, 10),
    name: file.slice(0, -'.sql'.length),
    sql: readFileSync(join(folder, file), 'utf8'),
  }));
}

/** The reason why this program may not change the database, for the person who runs the command. */
export const migrateAsOwner = 'Run "lotbook migrate" first, with the DATABASE_URL of the owner.';

export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}
