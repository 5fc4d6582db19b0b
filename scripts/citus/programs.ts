import { existsSync, readdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** Where Debian and PostgreSQL's own packages have their versions. */
const packagesFolder = '/usr/lib/postgresql';

export type Found = { readonly programs: string } | { readonly lacks: readonly string[] };

/** The folder of a PostgreSQL that has Citus: as installed, or with Citus built into it from sources. */
export function findPrograms(source: string | null): Found {
  const installed = installedPrograms();
  if (source === null) {
    const withCitus = installed.find(hasCitus);
    if (withCitus !== undefined) return { programs: withCitus };
    return {
      lacks: [
        'Citus is not here: no PostgreSQL of this machine has it, and no sources were named.',
        `Looked in: ${installed.length === 0 ? `${packagesFolder} and PATH, where there is no PostgreSQL with pg_config` : installed.join(', ')}.`,
        'Install a package postgresql-N-citus, or give the folder of its sources: --source FOLDER. No test was run on a cluster.',
      ],
    };
  }
  const folder = resolve(source);
  if (!existsSync(join(folder, 'configure')))
    return { lacks: [`${folder} has no sources of Citus: there is no configure.`] };
  const [programs] = installed;
  if (programs === undefined) {
    return { lacks: ['Citus is built for an installed PostgreSQL, and none with pg_config and its headers is here.'] };
  }
  const config = join(programs, 'bin', 'pg_config');
  for (const command of [
    ['./configure', `PG_CONFIG=${config}`],
    ['make', `-j${cpus().length}`],
    ['make', 'install'],
  ]) {
    const { exitCode } = Bun.spawnSync(command, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
    if (exitCode !== 0) return { lacks: [`"${command.join(' ')}" failed in ${folder}.`] };
  }
  return hasCitus(programs) ? { programs } : { lacks: [`${programs} has no Citus after it was built.`] };
}

/** The newest first. */
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
