import type { RunningServer, Server } from './database.ts';
import type { Side } from './network.ts';
import type { Node } from './node.ts';
import { stallUploads } from './stalled.ts';

/** The kinds of faults that a run can have. */
export const trials = ['work', 'pause', 'half-open', 'disk', 'clock', 'calm'] as const;
export type Trial = (typeof trials)[number];

/** The nodes and their shared database. */
export interface Ground {
  readonly minutes: number;
  readonly nodes: readonly Node[];
  readonly database: Server;
}

/** A fault at a certain second of the run. */
interface Fault {
  readonly atSecond: number;
  /** Returns a description of what happened. */
  readonly happen: () => Promise<string>;
}

/** The faults for each kind of run, with their times. */
export const plans: Readonly<Record<Trial, (ground: Ground) => Fault[]>> = {
  // Every minute one node is killed and another is cut off. PostgreSQL ends abruptly and is restarted twice during the
  // run.
  work: (ground) => [
    ...eachMinute(ground, 8, (minute) => kill(nodeAt(ground, minute))),
    ...eachMinute(ground, 32, (minute) => cutOff(nodeAt(ground, minute + 1), cuts[minute % cuts.length] ?? [])),
    { atSecond: ground.minutes * 60 * 0.35, happen: () => restart(ground, 'SIGQUIT') },
    { atSecond: ground.minutes * 60 * 0.85, happen: () => restart(ground, 'SIGKILL') },
    ...ground.database.workers.map((worker, at) => ({
      atSecond: ground.minutes * 60 * (0.5 + at * 0.2),
      happen: () => restartWorker(worker, at + 1),
    })),
  ],
  pause: (ground) => eachMinute(ground, 5, (minute) => pause(nodeAt(ground, minute))),
  'half-open': (ground) => [
    ...eachMinute(ground, 5, stallUploads),
    ...eachMinute(ground, 12, (minute) => vanish(ground, nodeAt(ground, minute))),
  ],
  disk: (ground) => eachMinute(ground, 15, () => fillDisk(ground)),
  // The clocks are wrong from the start (`shifts`).
  clock: () => [],
  calm: () => [],
};

/** The clock offsets of the nodes in the `clock` trial, in the notation of libfaketime. */
export const shifts: readonly string[] = ['+0', '+90m', '-90m'];

const [downSeconds, cutSeconds, pauseSeconds, fullSeconds] = [4, 15, 60, 20];
const cuts: readonly (readonly Side[])[] = [['back'], ['front'], ['back', 'front']];

/** Runs each fault in a plan at its time and waits for the last one. Returns errors as sentences. */
export async function letHappen(faults: readonly Fault[], lastSecond: number): Promise<string[]> {
  const begun = performance.now();
  const happening = faults
    .filter(({ atSecond }) => atSecond < lastSecond)
    .map(async ({ atSecond, happen }) => {
      await Bun.sleep(atSecond * 1000 - (performance.now() - begun));
      const at = ((performance.now() - begun) / 1000).toFixed(0);
      try {
        console.log(`  second ${at}: ${await happen()}`);
        return [];
      } catch (error) {
        return [error instanceof Error ? error.message : String(error)];
      }
    });
  return (await Promise.all(happening)).flat();
}

function eachMinute({ minutes }: Ground, second: number, happen: (minute: number) => Promise<string>): Fault[] {
  return Array.from({ length: Math.ceil(minutes) }, (_, minute) => ({
    atSecond: minute * 60 + second,
    happen: () => happen(minute),
  }));
}

function nodeAt({ nodes }: Ground, turn: number): Node {
  return nodes[turn % nodes.length] as Node;
}

async function kill(node: Node): Promise<string> {
  await node.kill();
  await Bun.sleep(downSeconds * 1000);
  node.start();
  return `node ${node.number} was killed and started again after ${downSeconds} s`;
}

async function cutOff(node: Node, sides: readonly Side[]): Promise<string> {
  for (const side of sides) node.cut(side);
  await Bun.sleep(cutSeconds * 1000);
  for (const side of sides) node.mend(side);
  const from = sides.map((side) => (side === 'front' ? 'its users' : 'PostgreSQL'));
  return `node ${node.number} was cut off from ${from.join(' and ')} for ${cutSeconds} s`;
}

async function restart({ database }: Ground, signal: 'SIGQUIT' | 'SIGKILL'): Promise<string> {
  const started = performance.now();
  await database.restart(signal);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  return `PostgreSQL was ended by ${signal} and took connections again after ${seconds} s`;
}

async function restartWorker(worker: RunningServer, number: number): Promise<string> {
  await worker.stop('SIGKILL');
  await Bun.sleep(downSeconds * 1000);
  await worker.start();
  return `worker ${number} of Citus was ended by SIGKILL and started again after ${downSeconds} s`;
}

async function pause(node: Node): Promise<string> {
  node.pause();
  await Bun.sleep(pauseSeconds * 1000);
  node.resume();
  return `node ${node.number} was paused for ${pauseSeconds} s with its connections open, and continued`;
}

/**
 * Simulates a machine that loses power: PostgreSQL and the balancer are not notified that the other end of their
 * connections is gone.
 */
async function vanish({ database }: Ground, node: Node): Promise<string> {
  const left = await database.findSessions(node.number);
  for (const side of ['back', 'front'] as const) node.cut(side);
  await node.kill();
  const begun = performance.now();
  while ((await database.findSessions(node.number)).some((one) => left.includes(one))) {
    if (performance.now() - begun > openSecondsMax * 1000)
      throw new Error(
        `PostgreSQL still holds sessions of a node that vanished ${openSecondsMax} s ago, and their locks.`,
      );
    await Bun.sleep(500);
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  for (const side of ['back', 'front'] as const) node.mend(side);
  node.start();
  return `node ${node.number} vanished; PostgreSQL ended its ${left.length} sessions after ${seconds} s`;
}

/** A lost session can hold a taxpayer's lock until then. */
const openSecondsMax = 45;

async function fillDisk({ database }: Ground): Promise<string> {
  const makeRoom = await database.fillDisk();
  await Bun.sleep(fullSeconds * 1000);
  await makeRoom();
  return `the disk of PostgreSQL was full for ${fullSeconds} s`;
}
