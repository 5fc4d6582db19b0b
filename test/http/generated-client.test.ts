import { afterAll, beforeAll, expect, mock, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestApp, testApp } from '../support/app.ts';

/** Generates a client from the document, compiles it under every strict option, and uses it. */
const modules = join(import.meta.dir, '../../node_modules');
const folder = mkdtempSync(join(tmpdir(), 'lotbook-client-'));
let served: TestApp;
let server: Bun.Server<undefined>;

beforeAll(async () => {
  served = await testApp();
  server = Bun.serve({ port: 0, hostname: 'localhost', fetch: (request) => served.app.fetch(request) });
  mkdirSync(join(folder, 'src'));
  symlinkSync(modules, join(folder, 'node_modules'));
  // The generator needs the API of TypeScript 5, which this project no longer has.
  const typescript = await import('typescript-5');
  mock.module('typescript', () => ({ ...typescript, default: typescript.default }));
  const { astToString, default: generate } = await import('openapi-typescript');
  const document = await (await served.request('GET', '/v1/openapi.json')).text();
  writeFileSync(join(folder, 'src', 'lotbook.d.ts'), astToString(await generate(document)));
  writeFileSync(join(folder, 'src', 'client.ts'), client);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
});
afterAll(async () => {
  await server.stop(true);
  await served.close();
  rmSync(folder, { recursive: true, force: true });
});

const compilerOptions = {
  target: 'ESNext',
  module: 'Preserve',
  moduleResolution: 'bundler',
  lib: ['ESNext', 'DOM', 'DOM.Iterable'],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  noUnusedLocals: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
  noEmit: true,
};

/** A typical client: uploads a file, lists the resulting lines, creates the report and downloads it. */
const client = `
import createClient from 'openapi-fetch';
import type { components, paths } from './lotbook.d.ts';

type Line = components['schemas']['Disposal'];

export async function fileReturn(baseUrl: string, cookie: string, file: File, year: number): Promise<[Line[], Blob]> {
  const lotbook = createClient<paths>({ baseUrl, headers: { cookie } });
  const imported = await lotbook.POST('/v1/transactions/import', {
    body: { file },
    bodySerializer: (body) => {
      const form = new FormData();
      if (typeof body === 'object' && body.file instanceof File) form.set('file', body.file);
      return form;
    },
  });
  if (imported.error !== undefined) throw new Error(imported.error.code);
  const status: 'running' | 'completed' | 'failed' = imported.data.status;
  if (status !== 'completed') throw new Error(status);

  const lines = await lotbook.GET('/v1/tax/disposals', { params: { query: { year, limit: 10 } } });
  if (lines.error !== undefined) throw new Error(lines.error.detail);

  const report = await lotbook.POST('/v1/tax/reports', { body: { year } });
  if (report.error !== undefined) throw new Error(report.error.detail);
  const form = await lotbook.GET('/v1/tax/reports/{id}/download', {
    params: { path: { id: report.data.id }, query: { format: '8949' } },
    parseAs: 'blob',
  });
  if (form.error !== undefined) throw new Error(form.error.detail);
  return [lines.data.data, form.data];
}
`;

function compile(): string {
  const { stdout } = Bun.spawnSync([join(modules, '.bin', 'tsc'), '-p', folder], { stdout: 'pipe' });
  return stdout.toString();
}

test('compiles under every strict option', () => {
  expect(compile()).toBe('');
});

test('refuses what the document does not allow', () => {
  const path = join(folder, 'src', 'wrong.ts');
  writeFileSync(path, client.replace("format: '8949'", "format: '8950'"));
  const complaints = compile();
  rmSync(path);
  expect(complaints).toContain('"8950"');
});

test('uploads a file, lists its lines, and downloads the form', async () => {
  const { fileReturn } = (await import(join(folder, 'src', 'client.ts'))) as {
    fileReturn: (url: string, cookie: string, file: File, year: number) => Promise<[{ gain: string }[], Blob]>;
  };
  const { cookie } = await served.register();
  const rows = [
    'date,type,account,asset,quantity,amount,fee',
    '2023-01-05,buy,Schwab,AAPL,20,2500.00,0',
    '2024-02-01,sell,Schwab,AAPL,10,1850.00,1.50',
  ];
  const file = new File([`${rows.join('\n')}\n`], 'trades.csv', { type: 'text/csv' });
  const [lines, form] = await fileReturn(server.url.origin, cookie, file, 2024);
  expect(lines.map(({ gain }) => gain)).toEqual(['598.50']);
  expect((await form.text()).slice(0, 5)).toBe('%PDF-');
});
