import { dlopen, FFIType } from 'bun:ffi';
import { listPids, readStat } from '../base/processes.ts';
import { CommandError } from './command.ts';

const lookMilliseconds = 2_000;
const withoutWaiting = 1;

/**
 * Reaps zombies until the returned function is called. Process 1 of a container inherits every process whose parent has
 * ended, such as PostgreSQL and its sessions, and must remove their entries when they end. If this is not process 1,
 * there is nothing to reap.
 */
export function keepReaping(pid = process.pid): () => void {
  if (pid !== 1) return () => {};
  const { waitpid } = openLibrary().symbols;
  let previous: ReadonlySet<number> = new Set();
  const reap = (): void => {
    const zombies = listZombies(pid);
    // The runtime reaps its own children at once and must not find one of them missing, so a zombie is left alone for
    // one scan.
    for (const zombie of zombies) if (previous.has(zombie)) waitpid(zombie, null, withoutWaiting);
    previous = zombies;
  };
  const timer = setInterval(reap, lookMilliseconds);
  timer.unref();
  return () => clearInterval(timer);
}

/** Opens glibc. Only Linux runs programs as process 1, and the binary needs glibc anyway. */
function openLibrary() {
  try {
    return dlopen('libc.so.6', { waitpid: { args: [FFIType.i32, FFIType.ptr, FFIType.i32], returns: FFIType.i32 } });
  } catch {
    throw new CommandError(
      'Lotbook runs as process 1 and cannot load glibc, which it needs to reap ended processes. Run it under an init, such as `docker run --init`.',
    );
  }
}

function listZombies(parent: number): ReadonlySet<number> {
  return new Set(listPids().filter((pid) => isZombieChild(parent, pid)));
}

function isZombieChild(parent: number, pid: number): boolean {
  const stat = readStat(pid);
  return stat?.state === 'Z' && stat.parent === parent;
}
