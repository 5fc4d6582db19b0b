import { expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, loadConfig } from '../../src/config.ts';
import { bucketBlobs } from '../../src/features/ledger/blobs/bucket.ts';
import { testApp } from '../support/app.ts';

const deploy = join(import.meta.dir, '..', '..', 'scripts', 'deploy');
const readText = (name: string): string => readFileSync(join(deploy, name), 'utf8');

interface Service {
  readonly environment?: Record<string, string>;
  readonly depends_on?: Record<string, { condition: string }>;
  readonly volumes?: readonly string[];
  readonly healthcheck?: object;
}

interface Compose {
  readonly services: Record<string, Service>;
  readonly volumes?: Record<string, unknown>;
}

test('the dashboard and the alerts use existing metrics', async () => {
  const access = { endpoint: 'http://127.0.0.1:1', accessKeyId: 'key', secretAccessKey: 'secret' };
  const app = await testApp({ env: { BACKUP_TO: '/backups' }, blobs: bucketBlobs('s3://files', access) });
  app.deps.backupState.endedAt = new Date();
  await app.request('GET', '/livez');
  const there = await (await app.request('GET', '/metrics')).text();
  await app.close();
  const dashboard = JSON.parse(readText('grafana-dashboard.json')) as { panels: { targets: { expr: string }[] }[] };
  const alerts = Bun.YAML.parse(readText('alerts.yaml')) as { groups: { rules: Record<string, string>[] }[] };
  const rules = alerts.groups.flatMap((group) => group.rules);
  const asked = [
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...rules.map(({ expr }) => expr ?? ''),
  ];
  const names = new Set(asked.flatMap((expr) => expr.match(/\b(?:http|process|lotbook)_[a-z_]+/g) ?? []));
  expect(names.size).toBeGreaterThan(8);
  for (const name of names) expect(there).toMatch(new RegExp(`^${name}[ {]`, 'm'));
  for (const { alert, annotations } of rules) {
    expect([alert, Object.keys(annotations as unknown as object)]).toEqual([alert, ['summary', 'action']]);
  }
});

test('the compose files start services after their dependencies, and set existing variables', () => {
  const plain = Bun.YAML.parse(readText('compose.yaml')) as Compose;
  const citus = Bun.YAML.parse(readText('compose.citus.yaml')) as Compose;
  const services = { ...plain.services, ...citus.services };
  for (const { services: own, volumes = {} } of [plain, citus]) {
    for (const service of Object.values(own)) {
      for (const name of Object.keys(service.depends_on ?? {})) expect(Object.keys(services)).toContain(name);
      for (const volume of service.volumes ?? []) expect(Object.keys(volumes)).toContain(volume.split(':')[0] ?? '');
    }
  }
  const set = Object.entries(plain.services.lotbook?.environment ?? {}).map(([name, value]) => [
    name,
    value
      .replace(/\$\{\w+:-\}/, '')
      .replace(/\$\{BASE[^}]*\}/, 'https://lotbook.example')
      .replace(/\$\{.*?\}/, 'x'),
  ]);
  expect(loadConfig(Object.fromEntries(set))).toMatchObject({
    secure: true,
    databaseUrl: expect.stringContaining('@postgres'),
  });
});

/**
 * The image sets the first three. The remaining ones belong to the embedded PostgreSQL, which compose replaces with its
 * own.
 */
const notOfCompose = /^(?:HOST|PORT|DATA_DIR|DATABASE_DIRECT_URL|BACKUP_(?:TO|EVERY_HOURS|KEEP|PASSPHRASE))$/;

test('the compose files pass every variable that a container can use, under its own name', () => {
  const asked = new Set<string>();
  const recording = new Proxy<Record<string, string>>(
    {},
    {
      get: (_, name) => {
        asked.add(String(name));
        return 'http://localhost:1';
      },
    },
  );
  expect(() => loadConfig(recording)).toThrow(ConfigError);
  const { services } = Bun.YAML.parse(readText('compose.yaml')) as Compose;
  const environment = services.lotbook?.environment ?? {};
  expect(Object.keys(environment).toSorted()).toEqual([...asked].filter((name) => !notOfCompose.test(name)).toSorted());
  for (const [name, value] of Object.entries(environment)) {
    if (name !== 'DATABASE_URL') expect([name, value]).toEqual([name, expect.stringContaining(`\${${name}:`)]);
  }
});

test('the image does not run as root, has a health check, and runs an existing command', () => {
  const lines = readText('Dockerfile').split('\n');
  const at = (start: string): number => lines.findIndex((line) => line.startsWith(start));
  expect(at('USER lotbook')).toBeGreaterThan(at('COPY'));
  expect(at('ENTRYPOINT')).toBeGreaterThan(at('USER lotbook'));
  expect(lines.join('\n')).toContain('CMD ["lotbook", "healthcheck"]');
});

test.skipIf(Bun.which('systemd-analyze') === null)('systemd accepts the unit and every variable of its file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lotbook-unit-'));
  const unit = join(folder, 'lotbook.service');
  // The binary is not installed on this machine.
  writeFileSync(unit, readText('lotbook.service').replace('=/usr/local/bin/lotbook', '=/bin/true'));
  const { exitCode, stderr } = Bun.spawnSync(['systemd-analyze', 'verify', unit]);
  rmSync(folder, { recursive: true });
  expect([exitCode, stderr.toString()]).toEqual([0, '']);
  const lines = readText('lotbook.env')
    .split('\n')
    .flatMap((line) => /^#?([A-Z0-9_]+)=(.*)$/.exec(line)?.slice(1, 3) ?? []);
  const pairs = Array.from({ length: lines.length / 2 }, (_, at) => [lines[2 * at], lines[2 * at + 1]]);
  expect(loadConfig(Object.fromEntries(pairs)).backup.to).toBe('/mnt/backups/lotbook');
});
