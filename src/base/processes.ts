import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Whether the system lists its processes as files, as Linux does. */
export const hasProc = existsSync('/proc/self/stat');

export interface ProcessStat {
  /** The file name of the program, up to 15 characters. */
  readonly name: string;
  /** One letter: `Z` is a zombie. */
  readonly state: string;
  readonly parent: number;
}

/** Returns the ids of all processes. */
export function listPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** Returns null if the process does not exist or has ended. */
export function readStat(pid: number): ProcessStat | null {
  try {
    // The name may contain parentheses and spaces. No field after it does.
    const fields = /^\d+ \((.*)\) (\S) (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    const [, name, state, parent] = fields ?? [];
    return name === undefined || state === undefined ? null : { name, state, parent: Number(parent) };
  } catch {
    return null;
  }
}
