import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** dist/lotbook in an empty folder, from sign-up to Form 8949: what `npm run build` made must work where nothing else is. */
const binary = join(import.meta.dir, '..', 'dist', 'lotbook');
const folder = mkdtempSync(join(tmpdir(), 'lotbook-smoke-'));
const port = freePort();
const base = `http://127.0.0.1:${port}`;
const sum = { passed: 0, failed: 0 };
const csv =
  'date,type,account,asset,quantity,amount,fee\n2024-01-02,buy,Broker,AAPL,10,1000,1\n2025-03-04,sell,Broker,AAPL,4,600,1\n';
let cookie = '';
let reportId = '';

// None of it leaks in: no packages, no Bun, no settings.
const env = { PATH: process.env.PATH ?? '', PORT: String(port) };
const server = Bun.spawn([binary, 'serve'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
try {
  await step('it gets ready', async () => {
    for (const deadline = performance.now() + 60_000; performance.now() < deadline; await Bun.sleep(100)) {
      if ((await fetch(`${base}/readyz`).catch(() => null))?.ok) return;
      if (server.exitCode !== null) throw new Error(`it ended with ${server.exitCode}`);
    }
    throw new Error('it did not, within a minute');
  });
  await step('a person signs up', async () => {
    const body = JSON.stringify({ email: 'ann@example.com', password: 'correct horse battery' });
    const response = await ask('POST', '/v1/auth/register', 201, { body, type: 'application/json' });
    cookie = (response.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
  });
  await step('a command changes the plan meanwhile', async () => {
    const command = Bun.spawn([binary, 'plan', 'set', 'ann@example.com', 'PRO'], { cwd: folder, env });
    if ((await command.exited) !== 0) throw new Error('it failed');
  });
  await step('it knows the notices of what it holds, and holds nothing that draws web pages', async () => {
    const command = Bun.spawn([binary, 'notices'], { cwd: folder, env, stdout: 'pipe' });
    const text = await new Response(command.stdout).text();
    for (const name of [
      'PostgreSQL',
      'OpenSSL',
      'Bun',
      'elysia ',
      'preact ',
      'jspdf ',
      'swagger-ui-dist ',
      'dejavu-fonts-ttf ',
    ])
      if (!text.includes(`\n${name}`)) throw new Error(`there is none of ${name}`);
    if (text.includes('html2canvas')) throw new Error('it holds html2canvas');
  });
  await step('a file is imported', async () => {
    const imported = await (await ask('POST', '/v1/transactions/import', 201, { body: csv, type: 'text/csv' })).json();
    expectEqual((imported as { imported: number }).imported, 2);
  });
  await step('the gain is known', async () => {
    const summary = (await (await ask('GET', '/v1/tax/summary?year=2025', 200)).json()) as { total: { gain: string } };
    expectEqual(summary.total.gain, '198.60');
  });
  await step('a report is made', async () => {
    const body = JSON.stringify({ year: 2025 });
    const response = await ask('POST', '/v1/tax/reports', 201, { body, type: 'application/json' });
    reportId = ((await response.json()) as { id: string }).id;
  });
  for (const [format, start] of [
    ['8949', '%PDF-'],
    ['pdf', '%PDF-'],
    ['txf', 'V042'],
    ['csv', ''],
    ['json', '{'],
  ] as const) {
    await step(`it is downloaded as ${format}`, async () => {
      const text = await (await ask('GET', `/v1/tax/reports/${reportId}/download?format=${format}`, 200)).text();
      if (text.length < 50 || !text.startsWith(start))
        throw new Error(`it begins with ${JSON.stringify(text.slice(0, 40))}`);
    });
  }
  await step('the web client is inside, compressed', async () => {
    const page = await (await ask('GET', '/', 200)).text();
    const paths = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
    if (paths.length < 2) throw new Error('its page names no files');
    for (const path of paths) {
      const response = await ask('GET', path, 200);
      expectEqual(response.headers.get('content-encoding'), 'br');
      if ((await response.text()).length < 1000) throw new Error(`${path} is empty`);
    }
  });
  await step('the docs and their document are inside', async () => {
    const page = await (await ask('GET', '/docs', 200)).text();
    for (const [, path] of page.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
      const asset = await (await ask('GET', path ?? '', 200)).bytes();
      if (asset.length === 0) throw new Error(`${path} is empty`);
    }
    await ask('GET', '/v1/openapi.json', 200);
  });
  await step('it backs up what it runs on', async () => void (await run(['backup', 'backups'])));
  await step('the backup is restored, its tables, indexes and books are checked', async () => {
    const checked = await run(['verify', 'backups']);
    if (!/amcheck: no fault.*calculated: no fault/s.test(checked)) throw new Error(checked);
  });
  await step('each part inside has a licence', async () => {
    for (const part of ['Bun ', 'PostgreSQL ', 'openssl ', 'elysia ']) {
      if (!(await run(['licenses'])).split('\n').some((line) => line.startsWith(part)))
        throw new Error(`${part}has none`);
    }
  });
  await step('a file of many rows is imported by a Worker', async () => {
    const rows = Array.from({ length: 20_001 }, (_, index) => `2026-01-02,buy,Large,AAPL,1,${index + 100}.00,0\n`);
    const body = `date,type,account,asset,quantity,amount,fee\n${rows.join('')}`;
    const imported = await (await ask('POST', '/v1/transactions/import', 201, { body, type: 'text/csv' })).json();
    expectEqual((imported as { imported: number }).imported, 20_001);
  });
  await step('dumps what was imported within a minute', async () => {
    await run(['dump', 'books.dump']);
    if (Bun.file(join(folder, 'books.dump')).size < 10_000) throw new Error('The dump is too small.');
  });
  await step('a job does what was answered in advance', async () => {
    const body = `date,type,account,asset,quantity,amount,fee\n2026-01-02,buy,Later,MSFT,1,100.00,0\n`;
    const asked = { body, type: 'text/csv', prefer: 'respond-async' };
    const { id } = (await (await ask('POST', '/v1/transactions/import', 202, asked)).json()) as { id: string };
    const events = await (await ask('GET', `/v1/imports/${id}/events`, 200)).text();
    expectEqual(events.includes('event: done'), true);
  });
  await step('a report needs no server', async () => {
    await Bun.write(join(folder, 'trades.csv'), csv);
    const args = ['report', 'trades.csv', '--year', '2025', '--format', 'csv', '--out', 'lines.csv'];
    const command = Bun.spawn([binary, ...args], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] });
    if ((await command.exited) !== 0) throw new Error('it failed');
    if (!(await Bun.file(join(folder, 'lines.csv')).text()).includes('AAPL')) throw new Error('the line is missing');
  });
  await step('SIGTERM ends it well, and its database', async () => {
    server.kill('SIGTERM');
    expectEqual(await server.exited, 0);
    expectEqual(await Bun.file(join(folder, 'data', 'postgres', 'postmaster.pid')).exists(), false);
  });
} finally {
  server.kill('SIGKILL');
  await server.exited;
  rmSync(folder, { recursive: true, force: true });
}
console.log(`\n${sum.passed} passed, ${sum.failed} failed`);
process.exit(sum.failed === 0 ? 0 : 1);

async function step(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
    sum.passed += 1;
    console.log(`(pass) ${name}`);
  } catch (error) {
    sum.failed += 1;
    console.log(`(fail) ${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Runs a command of the binary to its end; what it prints. */
async function run(args: readonly string[]): Promise<string> {
  const command = Bun.spawn([binary, ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });
  const [out, err, code] = await Promise.all([
    new Response(command.stdout).text(),
    new Response(command.stderr).text(),
    command.exited,
  ]);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${err}${out}`);
  return out;
}

async function ask(
  method: string,
  path: string,
  status: number,
  given?: { body: string; type: string; prefer?: string },
): Promise<Response> {
  const headers = {
    cookie,
    ...(given === undefined ? {} : { 'content-type': given.type }),
    ...(given?.prefer === undefined ? {} : { prefer: given.prefer }),
  };
  const response = await fetch(`${base}${path}`, {
    method,
    headers,
    ...(given === undefined ? {} : { body: given.body }),
  });
  if (response.status === status) return response;
  throw new Error(`${method} ${path} answered ${response.status}: ${(await response.text()).slice(0, 300)}`);
}

function expectEqual(found: unknown, wanted: unknown): void {
  if (found !== wanted) throw new Error(`${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`);
}

function freePort(): number {
  const probe = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
  const free = probe.port ?? 0;
  probe.stop(true);
  return free;
}
