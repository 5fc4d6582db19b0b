import { afterAll, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { transactionTypes } from '../src/engine/model.ts';
import { reportFormats } from '../src/forms/index.ts';
import { testApp } from './support/app.ts';
import { layers } from './support/layering.ts';

const readme = readFileSync(join(import.meta.dir, '..', 'README.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'lotbook-readme-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the walk from sign-up to Form 8949 works by copy and paste', async () => {
  const walk = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => match[1]).join('\n');
  expect(walk).toContain('/auth/register');
  const served = await testApp();
  const server = Bun.serve({ port: 0, hostname: 'localhost', fetch: (request) => served.app.fetch(request) });
  try {
    const script = walk.replaceAll('http://localhost:3000', `http://localhost:${server.port}`);
    const shell = Bun.spawn(['sh', '-eu', '-c', script], { cwd: folder, stdout: 'pipe', stderr: 'pipe' });
    const [said, complaints] = await Promise.all([
      new Response(shell.stdout).text(),
      new Response(shell.stderr).text(),
    ]);
    expect(complaints).toBe('');
    expect(await shell.exited).toBe(0);
    // 10 AAPL for 1,848.50 bought at 1,250; 100 KO at a loss of 400, of which 160 washed; 0.2 BTC for 18,170 bought at 12,420.
    expect(said).toContain('"longTerm":{"proceeds":"1848.50","basis":"1250.00","adjustment":"0.00","gain":"598.50"');
    expect(said).toContain('"washSaleDisallowed":"160.00"');
    expect(said).toContain('"total":{"proceeds":"25618.50","basis":"19670.00","adjustment":"160.00","gain":"6108.50"');
    expect(said).toContain('2024: a gain of $6,108.50 from 3 sales');
    expect(readFileSync(join(folder, 'form-8949.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
    expect(readFileSync(join(folder, 'gains.txf'), 'latin1')).toStartWith('V042');
  } finally {
    await server.stop(true);
    await served.close();
  }
});

test('every dependency is in the table, and the table names no other', () => {
  const table = /## Dependencies\n(.*?)\nThree packages/s.exec(readme)?.[1] ?? '';
  const named = table
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1]));
  expect(named.sort()).toEqual(
    [...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)].sort(),
  );
});

test('it lists the rooms in the order that the layering test holds', () => {
  expect(readme).toContain(`\`${layers.join(' · ')}\``);
});

test('it knows every transaction type', () => {
  expect(readme.replaceAll('\n', ' ')).toContain(transactionTypes.join(' '));
});

test('the files that it and CONTRIBUTING point to are there', () => {
  const contributing = readFileSync(join(import.meta.dir, '..', '.github', 'CONTRIBUTING.md'), 'utf8');
  const paths = [...`${readme}\n${contributing}`.matchAll(/`((?:src|test|scripts|sql)\/[\w./-]+)`/g)].map(
    (match) => match[1] ?? '',
  );
  expect(paths.length).toBeGreaterThan(15);
  for (const path of paths.filter((each) => !/NAME|ID\.csv/.test(each))) {
    expect([path, existsSync(join(import.meta.dir, '..', path))]).toEqual([path, true]);
  }
});

test('the report formats of the walk exist', () => {
  const formats = [...readme.matchAll(/format[= ](\w+)/g)].map((match) => match[1]);
  const known = reportFormats.map((format) => format.id);
  for (const format of formats.filter((each) => each === '8949' || each === 'txf'))
    expect(known).toContain(format ?? '');
});
