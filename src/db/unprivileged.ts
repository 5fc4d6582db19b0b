import { accessSync, chownSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EmbeddedError } from './embedded-error.ts';

/** How PostgreSQL's programs are run: it refuses to run as root. */
export interface Runner {
  /** Words before the program's own. */
  readonly prefix: readonly string[];
  /** The user the program runs as, where that is another one. */
  readonly identity: { readonly uid: number; readonly gid: number } | null;
  /** Makes a folder that only the program's user may enter. */
  makeFolder(path: string): void;
}

/** Any user that is not root and is known to this process alone: inside the namespace root's files are its own. */
const namespace = ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--'];
/** By convention the user without rights. */
const nobody = { uid: 65_534, gid: 65_534 };

/** For data in a folder that may exist already or not; the host's users stay as they are. */
export function runnerFor(folder: string, programs: string): Runner {
  if (process.getuid?.() !== 0) return { prefix: [], identity: null, makeFolder: makePrivate };
  const owner = ownerOf(folder);
  // Data of another user: root may become that user.
  if (owner !== null && owner.uid !== 0) return runnerAs(owner, folder, programs);
  if (succeeds([...namespace, 'true'])) return { prefix: namespace, identity: null, makeFolder: makePrivate };
  return runnerAs(nobody, folder, programs);
}

function runnerAs(identity: { uid: number; gid: number }, folder: string, programs: string): Runner {
  const needed = [nearestExisting(dirname(folder)), join(programs, 'bin', 'postgres')];
  if (!needed.every((path) => succeeds(['test', '-x', path], identity))) {
    throw new EmbeddedError(
      'PostgreSQL refuses to run as root, and its data or its programs lie where only root may enter. ' +
        'Start as an ordinary user, choose another DATA_DIR, or set DATABASE_URL.',
    );
  }
  return {
    prefix: [],
    identity,
    makeFolder: (path) => {
      makePrivate(path);
      chownSync(path, identity.uid, identity.gid);
    },
  };
}

function makePrivate(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  accessSync(path, constants.W_OK | constants.X_OK);
}

function ownerOf(path: string): { uid: number; gid: number } | null {
  if (!existsSync(path)) return null;
  const { uid, gid } = statSync(path);
  return { uid, gid };
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}

function succeeds(command: string[], identity: { uid: number; gid: number } | null = null): boolean {
  try {
    return Bun.spawnSync(command, { stdio: ['ignore', 'ignore', 'ignore'], ...identity }).exitCode === 0;
  } catch {
    return false;
  }
}
