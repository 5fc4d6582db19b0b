import { readMigrations } from './migration-files.ts' with { type: 'macro' };

/** A macro: the bundler replaces the call with its result, so the binary contains the files. */
export const migrations = readMigrations();

/** The reason why this program may not change the database, for the person who runs the command. */
export const migrateAsOwner = 'Run "lotbook migrate" first, with the DATABASE_URL of the owner.';

export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}
