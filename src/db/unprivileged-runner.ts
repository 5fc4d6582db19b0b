import { accessSync, chownSync, constants, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The reason why the embedded PostgreSQL cannot run here, for the person who started the program. */
export class EmbeddedError extends Error {
  override readonly name = 'EmbeddedError';
}

/** How PostgreSQL's programs are run. They refuse to run as root, or as a user that has no name on the system. */
export interface Runner {
  /** The command line that precedes the program's own arguments. */
  readonly prefix: readonly string[];
  /** The user that runs the program, if it is not our user. */
  readonly identity: Identity | null;
  /** Makes a folder that only the program's user may enter. */
  makeFolder(path: string): void;
}

interface Identity {
  readonly uid: number;
  readonly gid: number;
}

/** Chooses a user for data in a folder that may not exist yet. Does not add a user to the machine. */
export function runnerFor(folder: string, programs: string): Runner {
  const uid = process.getuid?.();
  if (uid === undefined) return plain;
  if (uid !== 0) return { ...plain, prefix: prefixFor(uid) };
  // In another user's folder, root acts as that user so that the user can still use the folder later.
  const owner = readOwner(nearestExisting(folder));
  if (owner.uid !== 0) return runnerAs(owner, folder, programs);
  return canRename() ? { ...plain, prefix: namespace() } : runnerAs(nobody(), folder, programs);
}

/** Gives a file that root created in another user's folder to that user. */
export function giveToOwnerOfFolder(path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = readOwner(dirname(path));
  chownSync(path, uid, gid);
}

const plain: Runner = { prefix: [], identity: null, makeFolder: makePrivate };

function runnerAs(identity: Identity, folder: string, programs: string): Runner {
  const needed = [nearestExisting(dirname(folder)), join(programs, 'bin', 'postgres')];
  if (!needed.every((path) => succeeds(['test', '-x', path], identity))) {
    throw new EmbeddedError(
      'PostgreSQL refuses to run as root, and its data or its programs are in a folder that only root can enter. ' +
        'Start as an ordinary user, choose a different DATA_DIR, or set DATABASE_URL.',
    );
  }
  return {
    prefix: prefixFor(identity.uid),
    identity,
    makeFolder: (path) => {
      makePrivate(path);
      chownSync(path, identity.uid, identity.gid);
    },
  };
}

function prefixFor(uid: number): readonly string[] {
  return hasName(uid) || !canRename() ? [] : namespace();
}

/**
 * Returns a command that opens a user namespace, in which the program's user and the owner of its files appear as a
 * named user.
 */
function namespace(): readonly string[] {
  const { uid, gid } = nobody();
  return ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--'];
}

function canRename(): boolean {
  return process.platform === 'linux' && succeeds([...namespace(), 'true']);
}

/** Returns the user `nobody`, or any other user that is not root. */
function nobody(): Identity {
  const [user] = users().filter(({ uid }) => uid !== 0);
  const named = users().find(({ name, uid }) => name === 'nobody' && uid !== 0);
  return named ?? user ?? { uid: 65_534, gid: 65_534 };
}

function hasName(uid: number): boolean {
  return process.platform !== 'linux' || users().some((user) => user.uid === uid);
}

function users(): readonly (Identity & { readonly name: string })[] {
  if (!existsSync('/etc/passwd')) return [];
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  return lines
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
}

function makePrivate(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  accessSync(path, constants.W_OK | constants.X_OK);
}

function readOwner(path: string): Identity {
  const { uid, gid } = statSync(path);
  return { uid, gid };
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}

function succeeds(command: string[], identity: Identity | null = null): boolean {
  try {
    const more = identity === null ? {} : { uid: identity.uid, gid: identity.gid };
    return Bun.spawnSync(command, { stdio: ['ignore', 'ignore', 'ignore'], ...more }).exitCode === 0;
  } catch {
    return false;
  }
}
