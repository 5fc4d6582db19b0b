import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { nameRowsAlike, stopTestServer, testDatabase } from '../test/support/database.ts';
import { type Killed, killedImports } from '../test/support/kills.ts';
import { dataFolder, registerAt, runCommand, type Serving, serve } from '../test/support/process.ts';
import { tradesCsv } from './bench/trades.ts';

/**
 * `bun scripts/faults.ts [KILLS] [SEED]`: kills the server so many times at random moments of imports, then fills the
 * disk of one, and prints what was found. Ends with 1 where anything was lost, doubled or left half.
 */
const kills = Number(process.argv[2] ?? 200);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
/** Few rows are stored on the server's own thread, many in a Worker (`imports/storing.ts`); a tenth of the kills more. */
const [few, many] = [2_000, 21_000];
const diskMegabytes = 260;
/** Too little for the import that fills it. */
const freeMegabytes = 12;
const fullSecondsMax = 120;

const runs = [await killServers(kills, few), await killServers(Math.ceil(kills / 10), many), await fillDisk()];
const sound = runs.every((passed) => passed);
await stopTestServer();
process.exit(sound ? 0 : 1);

async function killServers(kills: number, rows: number): Promise<boolean> {
  if (kills === 0) return true;
  const books = await testDatabase();
  await nameRowsAlike(books);
  const found: Killed[] = [];
  for await (const killed of killedImports(books, kills, rows, seed)) {
    found.push(killed);
    if (!isSound(killed)) console.log('not sound:', killed);
    if (found.length % 20 === 0) console.log(`${found.length} killed…`);
  }
  await books.drop();
  const count = (holds: (killed: Killed) => boolean): number => found.filter(holds).length;
  console.log(
    `${found.length} servers killed in the middle of an import of ${rows.toLocaleString('en-US')} trades (seed ${seed}):`,
  );
  console.log(
    `  not begun ${count(({ status }) => status === null)}, failed ${count(({ status }) => status === 'failed')}, completed ${count(({ status }) => status === 'completed')}`,
  );
  console.log(
    `  rows and gains: all ${count(({ books }) => books === 'all')}, none ${count(({ books }) => books === 'none')}, half ${count(({ books }) => books === 'half')}`,
  );
  console.log(`  sent again, not exact: ${count(({ exact }) => !exact)}`);
  console.log(
    `  longest left running by the next server: ${Math.max(0, ...found.map(({ runningSeconds }) => runningSeconds)).toFixed(1)} s`,
  );
  return found.every(isSound);
}

function isSound({ books, status, exact }: Killed): boolean {
  return books === (status === 'completed' ? 'all' : 'none') && status !== 'running' && exact;
}

/** The embedded PostgreSQL on a small disk of its own: full in the middle of an import, then with room again. */
async function fillDisk(): Promise<boolean> {
  const folder = dataFolder();
  const disk = join(folder.path, 'disk');
  mkdirSync(disk);
  if (Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', `size=${diskMegabytes}m`, 'tmpfs', disk]).exitCode !== 0) {
    console.log('Disk full: not tried, for this user may not mount a small disk.');
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
  const before = await summaryOf(serving, cookie);
  const filler = join(disk, 'filler');
  const free = Number(Bun.spawnSync(['df', '--output=avail', '-B1M', disk]).stdout.toString().split('\n')[1]);
  await Bun.write(filler, new Uint8Array(Math.max(0, free - freeMegabytes) * 1_000_000));
  const full = await send(serving, cookie, large);
  console.log(`disk full: first import ${first}, with ${freeMegabytes} MB left ${full}`);
  const during = await summaryOf(serving, cookie);
  rmSync(filler);
  const started = performance.now();
  let [again, after] = [0, 'not answered'];
  while (again !== 201 && performance.now() - started < fullSecondsMax * 1000) {
    after = await summaryOf(serving, cookie);
    again = await send(serving, cookie, large);
    if (again !== 201) await Bun.sleep(1000);
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`  meanwhile the summary is ${during === before ? 'as before' : during.slice(0, 200)}`);
  console.log(
    `  with room again it is ${after === before ? 'as before' : after.slice(0, 200)}; the import is answered ${again} after ${seconds} s`,
  );
  return first === 201 && full >= 400 && after === before && again === 201;
}

async function send(serving: Serving, cookie: string, csv: string): Promise<number> {
  const headers = { cookie, 'content-type': 'text/csv' };
  const response = await serving.request('POST', '/v1/transactions/import', { headers, body: csv }).catch(() => null);
  await response?.text();
  return response?.status ?? 0;
}

async function summaryOf(serving: Serving, cookie: string): Promise<string> {
  const response = await serving.request('GET', '/v1/tax/summary?year=2023', { headers: { cookie } });
  return response.text();
}
