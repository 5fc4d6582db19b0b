import { dlopen, FFIType } from 'bun:ffi';
import { readdirSync, readFileSync } from 'node:fs';
import { CommandError } from './command.ts';

const lookMilliseconds = 2_000;
const withoutWaiting = 1;

/**
 * Process 1 of a container inherits every process whose parent has ended, such as PostgreSQL and its sessions, and nobody
 * else removes their entries when they end. Reaps them until the returned function is called. Any other process has
 * nothing to reap.
 */
export function keepReaping(pid = process.pid): () => void {
  if (pid !== 1) return () => {};
  const { waitpid } = openLibrary().symbols;
  let previous: ReadonlySet<number> = new Set();
  const reap = (): void => {
    const zombies = listZombies(pid);
    // The runtime reaps its own children at once. It must not find one of them gone, so a zombie gets one look's time.
    for (const zombie of zombies) if (previous.has(zombie)) waitpid(zombie, null, withoutWaiting);
    previous = zombies;
  };
  const timer = setInterval(reap, lookMilliseconds);
  timer.unref();
  return () => clearInterval(timer);
}

/** Only Linux runs programs as process 1, and the binary needs glibc anyway. */
function openLibrary() {
  try {
    return dlopen('libc.so.6', { waitpid: { args: [FFIType.i32, FFIType.ptr, FFIType.i32], returns: FFIType.i32 } });
  } catch {
    throw new CommandError(
      'Lotbook runs as process 1 and finds no glibc to reap processes with. Start it by an init, such as `docker run --init`.',
    );
  }
}

function listZombies(parent: number): ReadonlySet<number> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return new Set(pids.map(Number).filter((pid) => isZombieOf(parent, pid)));
}

function isZombieOf(parent: number, pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')')).startsWith(`) Z ${parent} `);
  } catch {
    // It was reaped since the folder was listed.
    return false;
  }
}
