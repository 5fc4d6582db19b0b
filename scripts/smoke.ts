import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Tests dist/lotbook, or the given program, in an empty folder, from registration to Form 8949, because the result of
 * `npm run build` must work without anything else installed.
 */
const binary = resolve(process.argv[2] ?? join(import.meta.dir, '..', 'dist', 'lotbook'));
const folder = mkdtempSync(join(tmpdir(), 'lotbook-smoke-'));
const port = freePort();
const base = `http://127.0.0.1:${port}`;
const sum = { passed: 0, failed: 0 };
const csv =
  'date,type,account,asset,quantity,amount,fee\n2024-01-02,buy,Broker,AAPL,10,1000,1\n2025-03-04,sell,Broker,AAPL,4,600,1\n';
let cookie = '';
let reportId = '';

// Nothing from the environment leaks in: no packages, no Bun, no settings.
const env = { PATH: process.env.PATH ?? '', PORT: String(port) };
const server = Bun.spawn([binary, 'serve'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
try {
  await step('it becomes ready', async () => {
    for (const deadline = performance.now() + 60_000; performance.now() < deadline; await Bun.sleep(100)) {
      if ((await fetch(`${base}/readyz`).catch(() => null))?.ok) return;
      if (server.exitCode !== null) throw new Error(`it ended with ${server.exitCode}`);
    }
    throw new Error('it did not become ready within a minute');
  });
  await step('a user registers', async () => {
    const body = JSON.stringify({ email: 'ann@example.com', password: 'correct horse battery' });
    const response = await ask('POST', '/v1/auth/register', 201, { body, type: 'application/json' });
    cookie = (response.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
  });
  await step('a command changes the plan while the server runs', async () => {
    const command = Bun.spawn([binary, 'plan', 'set', 'ann@example.com', 'PRO'], { cwd: folder, env });
    if ((await command.exited) !== 0) throw new Error('it failed');
  });
  await step('it lists the notices of its parts, and contains nothing that draws web pages', async () => {
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
      if (!text.includes(`\n${name}`)) throw new Error(`the notice of ${name} is missing`);
    if (text.includes('html2canvas')) throw new Error('it contains html2canvas');
  });
  await step('a file is imported', async () => {
    const imported = await (await ask('POST', '/v1/transactions/import', 201, { body: csv, type: 'text/csv' })).json();
    expectEqual((imported as { imported: number }).imported, 2);
  });
  await step('the gain is available', async () => {
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
  await step('the web client is included, compressed', async () => {
    const page = await (await ask('GET', '/', 200)).text();
    const paths = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
    if (paths.length < 2) throw new Error('its page names no files');
    for (const path of paths) {
      const response = await ask('GET', path, 200);
      expectEqual(response.headers.get('content-encoding'), 'br');
      if ((await response.text()).length < 1000) throw new Error(`${path} is empty`);
    }
  });
  await step('the docs and their document are included', async () => {
    const page = await (await ask('GET', '/docs', 200)).text();
    for (const [, path] of page.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
      const asset = await (await ask('GET', path ?? '', 200)).bytes();
      if (asset.length === 0) throw new Error(`${path} is empty`);
    }
    await ask('GET', '/v1/openapi.json', 200);
  });
  await step('it backs up its own database', async () => void (await run(['backup', 'backups'])));
  await step('the backup is restored, and its tables, indexes and books are checked', async () => {
    const checked = await run(['verify', 'backups']);
    if (!/amcheck: no fault.*calculated: no fault/s.test(checked)) throw new Error(checked);
  });
  await step('each bundled part has a license', async () => {
    for (const part of ['Bun ', 'PostgreSQL ', 'openssl ', 'elysia ']) {
      if (!(await run(['licenses'])).split('\n').some((line) => line.startsWith(part)))
        throw new Error(`${part}has none`);
    }
  });
  await step('a Worker imports a file of many rows', async () => {
    const rows = Array.from({ length: 20_001 }, (_, index) => `2026-01-02,buy,Large,AAPL,1,${index + 100}.00,0\n`);
    const body = `date,type,account,asset,quantity,amount,fee\n${rows.join('')}`;
    const imported = await (await ask('POST', '/v1/transactions/import', 201, { body, type: 'text/csv' })).json();
    expectEqual((imported as { imported: number }).imported, 20_001);
  });
  await step('dumps the imported rows within a minute', async () => {
    await run(['dump', 'books.dump']);
    if (Bun.file(join(folder, 'books.dump')).size < 10_000) throw new Error('The dump is too small.');
  });
  await step('a job finishes an import that was accepted asynchronously', async () => {
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
  await step('SIGTERM stops it and its database cleanly', async () => {
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

/** Runs a command of the binary to completion and returns its output. */
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
  throw new Error(`${method} ${path} returned ${response.status}: ${(await response.text()).slice(0, 300)}`);
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
