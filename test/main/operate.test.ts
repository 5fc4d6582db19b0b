import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { commandTable, listOptionNames } from '../../src/commands/command-table.ts';
import { filesOptions } from '../../src/commands/report/files-request.ts';
import { flags, optionNames } from '../../src/commands/report/report.ts';
import { dataFolder, registerAt, runCommand, type Serving, serve, stop } from '../support/process.ts';
import { s3Keys, s3Server } from '../support/s3-server.ts';

const folder = dataFolder();
afterAll(() => folder.remove());
describe('without a running server', () => {
  test('each command has help that lists its exit codes and starts nothing', async () => {
    const names = Object.keys(commandTable);
    const helped = await Promise.all(names.map((name) => runCommand(folder, [name, '--help'])));
    for (const [at, { code, out, err }] of helped.entries()) {
      expect([names[at], code, err]).toEqual([names[at], 0, '']);
      expect(out).toStartWith(`lotbook ${names[at]}`);
      expect(out).toContain('Exit codes: 0');
    }
    expect(existsSync(join(folder.path, 'data'))).toBe(false);
  });

  test('OPERATIONS.md lists every command', () => {
    const page = readFileSync(join(import.meta.dir, '..', '..', '.github', 'OPERATIONS.md'), 'utf8');
    for (const name of Object.keys(commandTable)) expect(page).toContain(`\`lotbook ${name}`);
  });

  test('completion offers the options of report', () => {
    expect<string[]>([...commandTable.report.ownOptions].sort()).toEqual([...optionNames, ...flags].sort());
  });

  test('mcp has the file options of report', () => {
    expect<string[]>(listOptionNames('mcp').values.sort()).toEqual([...filesOptions].sort());
  });

  test('an unknown option is refused by name', async () => {
    const { code, err } = await runCommand(folder, ['dump', '--fast', 'x']);
    expect([code, err.split('\n')[0]]).toEqual([1, 'There is no option --fast.']);
  });

  test('completion prints a valid shell script with every command', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { code, out } = await runCommand(folder, ['completion', shell]);
      expect(code).toBe(0);
      for (const name of Object.keys(commandTable)) expect(out).toContain(name);
      if (shell !== 'bash') continue;
      const typed = `${out}\nCOMP_WORDS=(lotbook bac); COMP_CWORD=1; _lotbook; echo "$COMPREPLY"
COMP_WORDS=(lotbook plan s); COMP_CWORD=2; _lotbook; echo "$COMPREPLY"`;
      const bash = Bun.spawnSync(['bash', '-c', typed], { cwd: '/' });
      expect([bash.stdout.toString(), bash.stderr.toString()]).toEqual(['backup\nset\n', '']);
    }
    expect((await runCommand(folder, ['completion', 'cmd'])).err).toContain('bash, zsh, fish');
  });

  test('healthcheck fails if the server is not running', async () => {
    const { code, out } = await runCommand(folder, ['healthcheck'], { PORT: '1' });
    expect([code, out]).toEqual([1, 'http://localhost:1/readyz: not there\n']);
  });
});

test('doctor names the problem, without a password, and exits with 1', async () => {
  const env = { DATABASE_URL: 'postgres://someone:hunter2@127.0.0.1:1/lotbook' };
  const { code, out, err } = await runCommand(folder, ['doctor'], env);
  expect([code, err]).toEqual([1, '']);
  expect(out).toContain('FAULT    database: The PostgreSQL of DATABASE_URL cannot be used');
  expect(out).not.toContain('hunter2');
});

describe('with a server that backs up to a bucket automatically', () => {
  const service = s3Server();
  const env = {
    BACKUP_TO: 's3://books/ann',
    BLOBS_TO: 's3://books/files',
    BACKUP_PASSPHRASE: 'a long passphrase',
    S3_ENDPOINT: service.endpoint,
    S3_ACCESS_KEY_ID: s3Keys.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
  };
  let serving: Serving;
  let cookie = '';
  const run = (...args: string[]) => runCommand(folder, args, { ...env, PORT: new URL(serving.url).port });

  beforeAll(async () => {
    serving = await serve(folder, env);
    cookie = await registerAt(serving, 'ann@example.com');
    await until(() => [...service.objects.keys()].some((key) => /^books\/ann\/base\/.*\.json\.sealed$/.test(key)));
  });
  afterAll(async () => {
    await stop(serving.process);
    await service.close();
  });

  test('healthcheck and doctor find no problem, and metrics include the age of the backup', async () => {
    expect(await run('healthcheck')).toMatchObject({ code: 0, out: expect.stringContaining(': ready\n') });
    const { code, out } = await run('doctor', '--json');
    const { sound, findings } = JSON.parse(out) as { sound: boolean; findings: { name: string; state: string }[] };
    expect({ code, sound, out: findings.filter(({ state }) => state === 'fault') }).toEqual({
      code: 0,
      sound: true,
      out: [],
    });
    const names = [
      'version',
      'disk',
      'database',
      'clock',
      'connections',
      'schema',
      'rights',
      'extensions',
      'bucket',
      'backups',
    ];
    expect(findings.map(({ name }) => name)).toEqual(names);
    await until(async () => (await (await serving.request('GET', '/metrics')).text()).includes('backup_age_seconds'));
  });

  test('the backup is verified by restoring it, the database is verified in place, and a dump is loaded elsewhere', async () => {
    expect(await run('demo', 'ann@example.com')).toMatchObject({ code: 0, err: '' });
    const moved = await run('blobs', 'move', 'bucket', '--json');
    expect(JSON.parse(moved.out).objects).toBeGreaterThan(0);
    const backedUp = await run('backup', 's3://books/ann', '--keep', '1');
    expect([backedUp.code, backedUp.out]).toEqual([0, expect.stringContaining(', encrypted, Lotbook ')]);
    expect(backedUp.out).toContain('are only in the bucket of BLOBS_TO');
    const checked = await run('verify', 's3://books/ann');
    expect(checked).toMatchObject({ code: 0, err: '' });
    expect(checked.out).toMatch(/\d+ tables and \d+ indexes checked by amcheck: no fault\.\n/);
    expect(checked.out).toMatch(/[1-9]\d* objects of the bucket read: no fault\.\n/);
    expect(checked.out).toMatch(/taxpayers, [1-9]\d* transactions calculated: no fault\.\n/);

    const [row] = JSON.parse((await run('backup', 's3://books/ann', '--list', '--json')).out).backups;
    expect(row).toMatchObject({ sealed: true, postgres: expect.stringMatching(/^18/) });

    const dumped = await run('dump', 'all.lotbook', '--json');
    const { rows, inBucket } = JSON.parse(dumped.out) as { rows: number; inBucket: number };
    const elsewhere = { DATA_DIR: join(folder.path, 'elsewhere') };
    const loaded = await runCommand(folder, ['load', 'all.lotbook', '--json'], elsewhere);
    expect(JSON.parse(loaded.out)).toMatchObject({ rows, inBucket, applied: [] });
    expect(inBucket).toBeGreaterThan(0);

    const ann = await serving.request('GET', '/v1/account/export', { headers: { cookie } });
    await Bun.write(join(folder.path, 'ann.zip'), await ann.arrayBuffer());
    expect(await runCommand(folder, ['user', 'create', 'eve@example.com'], elsewhere)).toMatchObject({ code: 0 });
    const taken = await runCommand(folder, ['import-archive', 'ann.zip', 'eve@example.com'], elsewhere);
    expect(taken).toMatchObject({
      code: 0,
      out: expect.stringContaining('Calculated 2 tax years.\nNot imported: '),
    });
    const again = await runCommand(folder, ['import-archive', 'ann.zip', 'eve@example.com'], elsewhere);
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('The account is not empty') });

    const back = JSON.parse((await run('blobs', 'move', 'database', '--json')).out) as {
      tables: { named: number }[];
    };
    expect(back.tables.map(({ named }) => named)).toEqual([0, 0, 0]);
  });

  test('a stop stores the last WAL, and the lost folder can be restored', async () => {
    await registerAt(serving, 'bob@example.com');
    expect((await stop(serving.process)).code).toBe(0);
    expect(readdirSync(join(folder.path, 'data', 'wal'))).toEqual([]);
    rmSync(join(folder.path, 'data'), { recursive: true });
    const restored = await run('restore', 's3://books/ann');
    expect(restored).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('including every commit up to '),
    });
    const set = await run('plan', 'set', 'bob@example.com', 'PRO', '--json');
    expect(JSON.parse(set.out)).toEqual({ email: 'bob@example.com', plan: 'PRO', mailed: false });
  });
});

const pollMilliseconds = 100;
const untilMilliseconds = 150_000;

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + untilMilliseconds; performance.now() < deadline; ) {
    if (await condition()) return;
    await Bun.sleep(pollMilliseconds);
  }
  throw new Error('It did not come to that.');
}
