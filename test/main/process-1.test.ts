import { afterEach, beforeEach, expect, test } from 'bun:test';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { listPids, type ProcessStat, readStat } from '../../src/base/processes.ts';
import { dataFolder, type Folder, registerAt, type Serving, serve } from '../support/process.ts';

let folder: Folder;
beforeEach(() => {
  folder = dataFolder();
});
// PostgreSQL ends with its namespace. Outside of it, the process id in its files belongs to another process.
afterEach(() => rmSync(folder.path, { recursive: true, force: true }));

/** A command that starts a program as process 1 of a namespace that ends with the program, as in a container. */
const asProcess1 = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];
const isPermitted = Bun.spawnSync([...asProcess1, 'true'], { stdio: ['ignore', 'ignore', 'ignore'] }).exitCode === 0;
if (!isPermitted) {
  console.warn('SKIPPED: the tests of Lotbook as process 1. This machine does not permit `unshare --pid`.');
}

/** Other programs may keep the machine busy. */
const backMilliseconds = 150_000;
const reapedMilliseconds = 150_000;

/** An init that reaps nothing, like a program that is not designed as init. */
const idleInit = ['sh', '-c', '"$0" "$@" & exec sleep infinity'];

test.skipIf(!isPermitted)(
  'as process 1 it restarts PostgreSQL after a kill -9, and reaps the remaining processes',
  () => survive([], expectNoZombies),
);

test.skipIf(!isPermitted)('under a process 1 that reaps nothing it restarts PostgreSQL after a kill -9', () =>
  survive(idleInit, async (pid) => expect(zombiesBelow(pid)).not.toEqual([])),
);

/** Kills PostgreSQL, waits until it serves again, and passes the first process of the namespace to `afterwards`. */
async function survive(init: readonly string[], afterwards: (pid: number) => Promise<void>): Promise<void> {
  const serving = await serve(folder, {}, [...asProcess1, ...init]);
  try {
    const cookie = await registerAt(serving, 'ann@example.com');
    const killed = postmasterBelow(serving.process.pid);
    process.kill(killed, 'SIGKILL');
    await becomesServed(serving, cookie, killed);
    const [first] = childrenOf(serving.process.pid);
    await afterwards(first ?? 0);
  } finally {
    serving.process.kill('SIGKILL');
    await serving.process.exited;
  }
}

async function becomesServed(serving: Serving, cookie: string, killed: number): Promise<void> {
  for (const deadline = performance.now() + backMilliseconds; performance.now() < deadline; await Bun.sleep(100)) {
    const { status } = await serving.request('GET', '/v1/account', { headers: { cookie } });
    if (status === 200 && postmastersBelow(serving.process.pid).some((pid) => pid !== killed)) return;
  }
  throw new Error(
    `PostgreSQL was not started again: ${readFileSync(join(folder.path, 'data', 'postgres.log'), 'utf8')}`,
  );
}

async function expectNoZombies(pid: number): Promise<void> {
  for (const deadline = performance.now() + reapedMilliseconds; performance.now() < deadline; await Bun.sleep(200)) {
    if (zombiesBelow(pid).length === 0) return;
  }
  expect(zombiesBelow(pid)).toEqual([]);
}

function postmasterBelow(pid: number): number {
  const [postmaster] = postmastersBelow(pid);
  if (postmaster === undefined) throw new Error('PostgreSQL does not run.');
  return postmaster;
}

/** Returns the main PostgreSQL processes. Their sessions and helpers have a PostgreSQL process as parent. */
function postmastersBelow(pid: number): number[] {
  const processes = processesBelow(pid).filter(({ name, state }) => name === 'postgres' && state !== 'Z');
  const pids = new Set(processes.map((each) => each.pid));
  return processes.filter(({ parent }) => !pids.has(parent)).map((each) => each.pid);
}

function zombiesBelow(pid: number): string[] {
  return processesBelow(pid).flatMap(({ name, state }) => (state === 'Z' ? [name] : []));
}

interface ProcessEntry extends ProcessStat {
  readonly pid: number;
}

function processesBelow(pid: number): ProcessEntry[] {
  const all = listPids().flatMap(readEntry);
  const below = new Set([pid]);
  // A child may have a smaller process id than its parent.
  for (let size = 0; size < below.size; ) {
    size = below.size;
    for (const entry of all) if (below.has(entry.parent)) below.add(entry.pid);
  }
  return all.filter((entry) => entry.pid !== pid && below.has(entry.pid));
}

function childrenOf(pid: number): number[] {
  return processesBelow(pid).flatMap((entry) => (entry.parent === pid ? [entry.pid] : []));
}

function readEntry(pid: number): ProcessEntry[] {
  const stat = readStat(pid);
  return stat === null ? [] : [{ pid, ...stat }];
}
