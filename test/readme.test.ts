import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { Messages } from '../src/commands/report/messages.ts';
import { readBooks, readReportRequest } from '../src/commands/report/report.ts';
import { transactionTypes } from '../src/engine/model.ts';
import { reportFormats } from '../src/forms/index.ts';
import { testApp } from './support/app.ts';

const root = join(import.meta.dir, '..');
const readText = (path: string): string => readFileSync(join(root, path), 'utf8');
const readme = readText('README.md');
const operations = readText('.github/OPERATIONS.md');
const api = readText('.github/API.md');
const design = readText('.github/DESIGN.md');
const folder = mkdtempSync(join(tmpdir(), 'lotbook-readme-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('OPERATIONS.md has every heading that a message names', () => {
  const sources = new Bun.Glob('src/**/*.ts').scanSync({ cwd: root });
  const named = [...sources].flatMap((path) =>
    [...readText(path).matchAll(/OPERATIONS\.md, "([^"]+)"/g)].map(([, name]) => name),
  );
  expect(named.length).toBeGreaterThan(0);
  const headings = [...operations.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading);
  expect(named.filter((name) => !headings.includes(name))).toEqual([]);
});

test('CONTRIBUTING and DESIGN name only files and identifiers that exist', () => {
  const paths = ['src', 'test', 'scripts', 'sql'].flatMap((folder) => [
    ...new Bun.Glob(`${folder}/**/*`).scanSync({ cwd: root }),
  ]);
  const words = new Set<string>();
  for (const path of paths.filter((name) => /\.(?:tsx?|sql)$/.test(name)))
    for (const [word] of readText(path).matchAll(/\b[A-Za-z]\w+/g)) words.add(word);
  const text = readText('.github/CONTRIBUTING.md') + design;
  const quoted = [...new Set([...text.matchAll(/`([^`\s]+)`/g)].map(([, name = '']) => name))];
  const files = quoted.filter(
    (name) => /^(?:src|test|scripts|sql)\/[\w./-]+$/.test(name) && !/NAME|NNNN|ID\b|FEATURE/.test(name),
  );
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((name) => !existsSync(join(root, name)))).toEqual([]);
  const identifiers = quoted.filter(
    (name) => /^(?:[a-z]+[A-Z]|[A-Z][a-z]+[A-Z])\w*$/.test(name) && !name.includes('NAME'),
  );
  expect(identifiers.length).toBeGreaterThan(30);
  expect(identifiers.filter((name) => !words.has(name))).toEqual([]);
});

test('the walk from sign-up to Form 8949 works with copy and paste', async () => {
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
    // 10 AAPL sold for $1,848.50 and bought at $1,250; 100 KO sold at a loss of $400, of which $160 is a wash sale; 0.2
    // BTC sold for $18,170 and bought at $12,420.
    expect(said).toContain('"longTerm":{"proceeds":"1848.50","basis":"1250.00","adjustment":"0.00","gain":"598.50"');
    expect(said).toContain('"washSaleDisallowed":"160.00"');
    expect(said).toContain('"total":{"proceeds":"25618.50","basis":"19670.00","adjustment":"160.00","gain":"6108.50"');
    // The form of an account is assumed until it is set.
    expect(said).toContain(
      '"account":"Schwab","boxes":["C","F"],"form":"none","suggestedForm":"1099-B","because":"name"',
    );
    expect(said).toContain('"form":"1099-B"');
    expect(said).toContain('2024: a gain of $6,108.50 from 3 sales');
    expect(readFileSync(join(folder, 'form-8949.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
    expect(readFileSync(join(folder, 'gains.txf'), 'latin1')).toStartWith('V042');
  } finally {
    await server.stop(true);
    await served.close();
  }
});

test('the quoted totals equal those of the command line for the same rows', async () => {
  const rows = /cat > trades\.csv <<'END'\n([\s\S]*?)END\n/.exec(readme)?.[1] ?? '';
  const quoted = /```text\n(No form is set[\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const path = join(folder, 'quoted.csv');
  writeFileSync(path, rows);
  const order = readReportRequest([path, '--year', '2024', '--format', 'summary']);
  const books = await readBooks(order, new Messages());
  const totals = Buffer.concat(await Array.fromAsync(order.format.render(books))).toString();
  expect(quoted).not.toBe('');
  expect(totals).toContain(quoted);
});

test('the table in DESIGN lists exactly the dependencies', () => {
  const table = /## Dependencies\n(.*?)\nThree packages/s.exec(design)?.[1] ?? '';
  const named = table
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1]));
  expect(named.sort()).toEqual(
    [...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)].sort(),
  );
});

test('API.md lists every transaction type', () => {
  expect(api.replaceAll('\n', ' ')).toContain(transactionTypes.join(' '));
});

describe.each([
  'README.md',
  ...readdirSync(join(root, '.github'))
    .filter(isPage)
    .map((name) => `.github/${name}`),
])('%s', (page) => {
  const text = readText(page);

  test('the pages name only existing files', () => {
    const paths = [...text.matchAll(/`((?:src|test|scripts|sql)\/[\w./-]+)`/g)].map((match) => match[1] ?? '');
    expect(paths.filter((path) => !/NAME|ID\.|LAYOUT/.test(path) && !existsSync(join(root, path)))).toEqual([]);
  });

  test('the pages link only to existing pages and headings', () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
    const near = links.filter((link) => !/^https?:/.test(link));
    const broken = near.filter((link) => {
      const [path = '', heading] = link.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      if (!existsSync(join(root, target))) return true;
      return heading !== undefined && !headingsOf(readText(target)).includes(heading);
    });
    expect(broken).toEqual([]);
  });
});

test('the report formats in the walk exist', () => {
  const formats = [...readme.matchAll(/format[= ](\w+)/g)].map((match) => match[1]);
  const known = reportFormats.map((format) => format.id);
  for (const format of formats.filter((each) => each === '8949' || each === 'txf'))
    expect(known).toContain(format ?? '');
});

function isPage(name: string): boolean {
  return name.endsWith('.md');
}

/** Returns the anchors that a code host generates for the headings of a page. */
function headingsOf(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map((match) => match[1] ?? '');
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
}
