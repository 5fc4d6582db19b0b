import { readMigrations } from './migration-files.ts' with { type: 'macro' };

/** A macro: the bundler calls it and writes what it returns in its place, so that the binary carries the files. */
export const migrations = readMigrations();
