import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder that the packages from Debian and from PostgreSQL's own repository use. */
const packagesFolder = '/usr/lib/postgresql';

export type ProgramSearch = { readonly programs: string } | { readonly lacks: readonly string[] };

/** Returns the folder of an installed PostgreSQL that has Citus. */
export function findPrograms(): ProgramSearch {
  const installed = installedPrograms();
  const programs = installed.find(hasCitus);
  if (programs !== undefined) return { programs };
  return {
    lacks: [
      'No PostgreSQL on this machine has Citus, and DATABASE_URL names no cluster.',
      `Looked in: ${installed.length === 0 ? `${packagesFolder} and PATH (no PostgreSQL with pg_config)` : installed.join(', ')}.`,
      'Install a package postgresql-N-citus, or set DATABASE_URL to the coordinator of a cluster. No test was run on a cluster.',
    ],
  };
}

/** Returns the installed programs, newest first. */
function installedPrograms(): string[] {
  const versions = existsSync(packagesFolder) ? readdirSync(packagesFolder) : [];
  const onPath = Bun.which('pg_config');
  const folders = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(packagesFolder, version))
    .concat(onPath === null ? [] : [dirname(dirname(onPath))]);
  return folders.filter((folder) =>
    ['pg_config', 'initdb', 'postgres'].every((name) => existsSync(join(folder, 'bin', name))),
  );
}

function hasCitus(programs: string): boolean {
  const { stdout } = Bun.spawnSync([join(programs, 'bin', 'pg_config'), '--sharedir']);
  return existsSync(join(stdout.toString().trim(), 'extension', 'citus.control'));
}
