import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { startBalancer } from './balancer.ts';
import { check } from './checker.ts';
import { Timetable } from './client.ts';
import { letWork } from './crowd.ts';
import { type Server, startDatabase } from './database.ts';
import { letHappen, plans, shifts } from './faults.ts';
import { figureLines, growthLine } from './figures.ts';
import { type Operation, readHistory } from './history.ts';
import { killImports } from './killed-imports.ts';
import { layCables } from './network.ts';
import { Node, untilReady } from './node.ts';
import type { Options } from './options.ts';
import { type Office, type Person, years } from './person.ts';
import { plantLoss } from './planted.ts';

/** Runs a trial inside the namespaces. Returns true if the checker found no errors. */
export async function run(options: Options, folder: string): Promise<boolean> {
  const { trial, minutes, users, seed } = options;
  const size = trial === 'kills' ? `${options.kills} imports` : `${users} people, ${minutes} min`;
  console.log(`${trial}: ${options.nodes} nodes, ${size}, seed ${seed}${options.citus ? ', on Citus' : ''}`);
  layCables(options.nodes);
  const database = await startDatabase(folder, { isSmall: trial === 'disk', isCluster: options.citus });
  const nodes = Array.from({ length: options.nodes }, (_, at) => new Node(at + 1, folder, database.url));
  for (const node of nodes) node.start(trial === 'clock' ? clockOff(node.number) : {});
  await untilReady(nodes);
  if (trial === 'kills') {
    const isExact = await killImports(nodes, database, options);
    const left = await leftUndone(database);
    for (const sentence of left) console.log(`WRONG ${sentence}`);
    return isExact && left.length === 0;
  }
  startBalancer(folder, nodes);
  await Bun.sleep(2_000);
  const times = new Timetable();
  const office = createOffice(folder, times, database);
  const until = performance.now() + minutes * 60_000;
  const crowd = letWork(users, office, seed, () => performance.now() > until);
  const watch = setInterval(() => {
    for (const node of nodes) node.noteMemory();
  }, 5_000);
  const parts = Array.from({ length: growthLines }, (_, at) => (minutes * (at + 1)) / growthLines);
  const growth = watchGrowth(parts, (minute) => growthLine(times, minute, nodes, database));
  const found = await letHappen(plans[trial]({ minutes, nodes, database }), minutes * 60);
  await crowd.ended;
  clearInterval(watch);
  growth.stop();
  await untilReady(nodes);
  for (const line of await figureLines(times, minutes, nodes, database)) console.log(line);
  const wrong = [...found, ...(await lookOnceMore(crowd.people)), ...(await leftUndone(database))];
  const history = readHistory(getHistoryPath(folder));
  return (await holdsToModel(history, wrong)) && wrong.length === 0;
}

/** How often a run prints its memory and its database size. */
const growthLines = 10;

/** Skips a database that does not respond. The run itself stops it or cuts it off. */
function watchGrowth(minutes: readonly number[], line: (minute: number) => Promise<string>): { stop(): void } {
  const timers = minutes.map((minute) =>
    setTimeout(() => void line(minute).then(console.log, () => undefined), minute * 60_000),
  );
  return { stop: () => timers.forEach(clearTimeout) };
}

function clockOff(node: number): Readonly<Record<string, string>> {
  const library = clockLibraries.find((path) => existsSync(path));
  if (library === undefined) throw new Error('libfaketime is not installed: clocks cannot be moved.');
  return {
    LD_PRELOAD: library,
    FAKETIME: shifts[(node - 1) % shifts.length] ?? '+0',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
}

const clockLibraries = [process.arch === 'arm64' ? 'aarch64' : 'x86_64'].map(
  (machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`,
);

/** The time that the sweeps have to finish all work in progress. */
const sweptSeconds = 90;

async function leftUndone({ pool }: Server): Promise<string[]> {
  for (const deadline = performance.now() + sweptSeconds * 1000; ; await Bun.sleep(1_000)) {
    const [row] = await pool<{ running: number; staged: number; jobs: number }[]>`
      select (select count(*)::integer from imports where status = 'running') as running,
        (select count(*)::integer from staged) as staged,
        (select count(*)::integer from jobs.job where data ? 'taxpayerId' and state not in ('completed', 'cancelled')) as jobs`;
    const { running = 0, staged = 0, jobs = 0 } = row ?? {};
    if (running + staged + jobs === 0) return [];
    if (performance.now() > deadline)
      return [`${running} imports are still running, ${staged} rows are staged, and ${jobs} jobs are not done.`];
  }
}

function getHistoryPath(folder: string): string {
  return join(folder, 'history.ndjson');
}

function createOffice(folder: string, times: Timetable, database: Server): Office {
  return {
    times,
    record: (operation: Operation) => appendFileSync(getHistoryPath(folder), `${JSON.stringify(operation)}\n`),
    upgrade: async (email) => {
      for (;;) {
        const found = await database.pool`update users set plan = 'PRO' where email = ${email}`.catch(() => null);
        if (found !== null) return;
        await Bun.sleep(500);
      }
    },
  };
}

const atOnce = 4;

/** After all faults, each user signs in, reads everything, recalculates, and checks that no notification was missed. */
async function lookOnceMore(people: readonly Person[]): Promise<string[]> {
  const wrong: string[] = [];
  const waiting = [...people];
  const looking = Array.from({ length: atOnce }, async () => {
    for (let person = waiting.pop(); person !== undefined; person = waiting.pop()) {
      await person.signIn();
      await person.list();
      for (const year of years) await person.summary(year);
      wrong.push(...[await person.calculate(), await person.missedNotifications()].filter((one) => one !== null));
    }
  });
  await Promise.all(looking);
  return wrong;
}

async function holdsToModel(history: readonly Operation[], wrong: readonly string[]): Promise<boolean> {
  for (const sentence of wrong) console.log(`WRONG ${sentence}`);
  const { findings, users, writes, reads } = await check(history);
  for (const { user, operation, says } of findings) {
    console.log(`WRONG ${user}: ${says}`);
    console.log(`  at ${JSON.stringify(operation).slice(0, 600)}`);
  }
  const unknown = history.filter(({ outcome }) => outcome === 'unknown').length;
  const retried = history.filter(({ attempts, outcome }) => attempts > 1 && outcome === 'ok').length;
  console.log(
    `${users} accounts, ${writes} writes acknowledged, ${reads} reads compared with the model, ${retried} done after several attempts, ${unknown} with unknown outcome: ${findings.length} wrong`,
  );
  const faulty = new Set(findings.map(({ user }) => user));
  const planted = await check(plantLoss(history.filter(({ user }) => !faulty.has(user))));
  console.log(`a row removed from one response: ${planted.findings.length > 0 ? 'found' : 'NOT FOUND'}`);
  return findings.length === 0 && planted.findings.length > 0;
}
