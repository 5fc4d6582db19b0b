import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Ground } from '../test/support/kills/ground.ts';
import { type Kill, killOperations } from '../test/support/kills/kill.ts';
import { killMigrations } from '../test/support/kills/migrations.ts';
import { operations } from '../test/support/kills/operations.ts';
import { killRestores } from '../test/support/kills/restores.ts';
import { dataFolder, registerAt, runCommand, type Serving, serve } from '../test/support/process.ts';
import { generator, tradesCsv } from './bench/trades.ts';

/**
 * `bun scripts/faults.ts [KILLS] [SEED] [OPERATION…]` kills the server, the command, or PostgreSQL processes KILLS
 * times, at random moments during imports, edits, calculations, locks, reports, archives, restores and migrations, and
 * then fills the disk during an import. Prints a table. OPERATION selects operations by name, such as `restore`. Exits
 * with 1 if anything was lost, duplicated or left half done. LOTBOOK_PROGRAM=dist/lotbook kills the compiled program,
 * which starts faster.
 */
const kills = Number(process.argv[2] ?? 200);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
const words = process.argv.slice(4);
const isWanted = (name: string): boolean => words.length === 0 || words.some((word) => name.includes(word));
/** Each of these restores or migrates its own database. */
const others = [
  { name: 'restore of a backup', weight: 7, kill: killRestores },
  { name: 'migration of a database with rows', weight: 7, kill: killMigrations },
] as const;
const diskMegabytes = 260;
/** Too little for the import that fills it. */
const freeMegabytes = 12;
const fullSecondsMax = 120;

const runs = [await killAll(), words.length > 0 || (await fillDisk())];
process.exit(runs.every((passed) => passed) ? 0 : 1);

async function killAll(): Promise<boolean> {
  if (kills === 0) return true;
  const random = generator(seed);
  const wanted = [...operations, ...others].filter(({ name }) => isWanted(name));
  if (wanted.length === 0) {
    console.error(
      `No operation has ${words.join(' or ')} in its name: ${[...operations, ...others].map(({ name }) => name).join(', ')}.`,
    );
    process.exit(2);
  }
  const weights = wanted.reduce((sum, { weight }) => sum + weight, 0);
  const share = (weight: number): number => Math.ceil((kills * weight) / weights);
  const names = operations.flatMap(({ name, weight }) =>
    isWanted(name) ? new Array<string>(share(weight)).fill(name) : [],
  );
  const found: Kill[] = [];
  const note = (kill: Kill): void => {
    found.push(kill);
    if (kill.faults.length > 0) console.log('FAULT', JSON.stringify(kill));
    if (found.length % 10 === 0) console.log(formatKillTable(found));
  };
  if (names.length > 0) {
    const ground = await Ground.open();
    try {
      for await (const kill of killOperations(ground, shuffled(names, random), random)) note(kill);
    } finally {
      await ground.close();
    }
  }
  for (const { name, weight, kill } of others)
    if (isWanted(name)) for await (const killed of kill(share(weight), random)) note(killed);
  console.log(formatKillTable(found));
  return found.every(({ faults }) => faults.length === 0);
}

function shuffled(names: readonly string[], random: () => number): string[] {
  return names
    .map((name) => ({ name, key: random() }))
    .sort((one, other) => one.key - other.key)
    .map(({ name }) => name);
}

/** Prints a line for each operation and a total. */
function formatKillTable(found: readonly Kill[]): string {
  const formatKillLine = (name: string, of: readonly Kill[]): string => {
    const midway = of.filter(({ isMidway }) => isMidway);
    const counts = [
      of.length,
      midway.length,
      midway.filter(({ left }) => left === 'nothing').length,
      midway.filter(({ left }) => left === 'all').length,
      of.filter(({ isReported }) => isReported).length,
      of.filter(({ faults }) => faults.length > 0).length,
    ];
    return `| ${[name, ...counts].join(' | ')} |`;
  };
  const names = [...new Set(found.map(({ operation }) => operation))];
  const victims = [...new Set(found.map(({ victim }) => victim))];
  return [
    `seed ${seed}, killed: ${victims.map((one) => `${one} ${found.filter(({ victim }) => victim === one).length}`).join(', ')}`,
    '| operation | kills | before its end | nothing done | all done | failed later, and told | faults |',
    '|---|---|---|---|---|---|---|',
    ...names.map((name) =>
      formatKillLine(
        name,
        found.filter(({ operation }) => operation === name),
      ),
    ),
    formatKillLine('all', found),
  ].join('\n');
}

/**
 * Runs the embedded PostgreSQL on a small disk that becomes full in the middle of an import and then has space again.
 */
async function fillDisk(): Promise<boolean> {
  const folder = dataFolder();
  const disk = join(folder.path, 'disk');
  mkdirSync(disk);
  if (Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', `size=${diskMegabytes}m`, 'tmpfs', disk]).exitCode !== 0) {
    console.log('Disk full: skipped, because this user cannot mount a small disk.');
    await folder.remove();
    return true;
  }
  const env = { DATA_DIR: join(disk, 'data'), RATE_LIMIT_FACTOR: '100000' };
  const serving = await serve(folder, env);
  try {
    return await fillUp(serving, () => runCommand(folder, ['plan', 'set', 'full@example.com', 'PRO'], env), disk);
  } finally {
    serving.process.kill('SIGTERM');
    await serving.process.exited;
    Bun.spawnSync(['umount', '--lazy', disk]);
    await folder.remove();
  }
}

async function fillUp(serving: Serving, upgrade: () => Promise<{ code: number }>, disk: string): Promise<boolean> {
  const cookie = await registerAt(serving, 'full@example.com');
  await upgrade();
  const [small, large] = [tradesCsv(2_000, 5), tradesCsv(40_000)];
  const first = await send(serving, cookie, small);
  const before = await fetchSummary(serving, cookie);
  const filler = join(disk, 'filler');
  const free = Number(Bun.spawnSync(['df', '--output=avail', '-B1M', disk]).stdout.toString().split('\n')[1]);
  await Bun.write(filler, new Uint8Array(Math.max(0, free - freeMegabytes) * 1_000_000));
  const full = await send(serving, cookie, large);
  console.log(`disk full: first import ${first}, with ${freeMegabytes} MB left ${full}`);
  const during = await fetchSummary(serving, cookie);
  rmSync(filler);
  const started = performance.now();
  let [again, after] = [0, 'not answered'];
  while (again !== 201 && performance.now() - started < fullSecondsMax * 1000) {
    after = await fetchSummary(serving, cookie);
    again = await send(serving, cookie, large);
    if (again !== 201) await Bun.sleep(1000);
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`  meanwhile the summary is ${during === before ? 'as before' : during.slice(0, 200)}`);
  console.log(
    `  with room again it is ${after === before ? 'as before' : after.slice(0, 200)}; the import returns ${again} after ${seconds} s`,
  );
  return first === 201 && full >= 400 && after === before && again === 201;
}

async function send(serving: Serving, cookie: string, csv: string): Promise<number> {
  const headers = { cookie, 'content-type': 'text/csv' };
  const response = await serving.request('POST', '/v1/transactions/import', { headers, body: csv }).catch(() => null);
  await response?.text();
  return response?.status ?? 0;
}

async function fetchSummary(serving: Serving, cookie: string): Promise<string> {
  const response = await serving.request('GET', '/v1/tax/summary?year=2023', { headers: { cookie } });
  return response.text();
}
