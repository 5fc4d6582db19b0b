import { afterAll, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder, runCommand } from '../support/process.ts';

const folder = dataFolder();
afterAll(() => folder.remove());

test('invalid settings prevent the start, are all listed, and create nothing', async () => {
  const { code, err } = await runCommand(folder, ['serve'], {
    PORT: 'http',
    BASE_URL: 'lotbook',
    GOOGLE_CLIENT_ID: 'x',
  });
  expect(code).toBe(1);
  expect(err.split('\n').filter((line) => line.startsWith('  '))).toHaveLength(3);
  expect(err).toContain('PORT');
  expect(err).toContain('BASE_URL');
  expect(err).toContain('GOOGLE_CLIENT_SECRET');
  expect(existsSync(join(folder.path, 'data'))).toBe(false);
});

test('an unknown command lists the known commands', async () => {
  const { code, err } = await runCommand(folder, ['launch']);
  expect(code).toBe(2);
  for (const name of ['serve', 'migrate', 'report', 'plan', 'demo', 'user', 'openapi', 'version'])
    expect(err).toContain(`lotbook ${name}`);
});

test('help exits with 0, and version names the program', async () => {
  expect((await runCommand(folder, ['--help'])).code).toBe(0);
  const { code, out } = await runCommand(folder, ['version']);
  expect(code).toBe(0);
  expect(out).toMatch(/^lotbook \d+\.\d+\.\d+ /);
});

test('openapi prints the document, without a database', async () => {
  const { code, out, err } = await runCommand(folder, ['openapi']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(JSON.parse(out)).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./) });
  expect(existsSync(join(folder.path, 'data'))).toBe(false);
});

test('an unreachable database is reported in a sentence without its password', async () => {
  const { code, err } = await runCommand(folder, ['migrate'], {
    DATABASE_URL: 'postgres://someone:hunter2@127.0.0.1:1/lotbook',
  });
  expect(code).toBe(1);
  expect(err).toContain('DATABASE_URL');
  expect(err).not.toContain('hunter2');
  expect(err.trim().split('\n')).toHaveLength(1);
});

test('user prints its usage if the arguments are wrong', async () => {
  for (const words of [
    ['user'],
    ['user', 'reset-password'],
    ['user', 'list', 'a@b.cd'],
    ['user', 'forget', 'a@example.com'],
  ]) {
    const { code, err } = await runCommand(folder, words);
    expect([code, err]).toEqual([
      1,
      'Usage: lotbook user list, or lotbook user create|reset-password|verify|sign-out|disable-totp|restore EMAIL, or lotbook user delete EMAIL [--now]\n',
    ]);
  }
});

test('plan set requires an existing plan', async () => {
  const { code, err } = await runCommand(folder, ['plan', 'set', 'someone@example.com', 'GOLD']);
  expect(code).toBe(1);
  expect(err).toContain('FREE|PRO|CPA');
});
