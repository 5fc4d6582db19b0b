import { readMigrations } from './migration-files.ts' with { type: 'macro' };

/** A macro: the bundler replaces the call with its result, so the binary contains the files. */
export const migrations = readMigrations();
