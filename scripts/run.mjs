// What `npm start`, `npm test` and `npm run build` call, under Node or Bun alike, on a clone where nothing is
// installed yet: so this is plain JavaScript without dependencies.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bunVersion = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies.bun;
const windows = process.platform === 'win32';

const tasks = { serve, test, build, smoke };
const [task, ...rest] = process.argv.slice(2);
if (!Object.hasOwn(tasks, task)) {
  console.error(`Usage: node scripts/run.mjs ${Object.keys(tasks).join(' | ')} [arguments]`);
  process.exit(2);
}
if (process.versions.bun === undefined && Number.parseInt(process.versions.node, 10) < 20) {
  console.error(`Lotbook needs Node 20 or later, or Bun; this is Node ${process.versions.node}.`);
  process.exit(1);
}
install();
process.exit(await tasks[task](rest));

function serve(args) {
  return run(['src/main.ts', 'serve', ...args]);
}

function build(args) {
  return run(['scripts/build.ts', ...args]);
}

/** Tries what was built. */
function smoke(args) {
  return run(['scripts/smoke.ts', ...args]);
}

/** Types, lint, every test; the last line is the sum. A check counts as one. */
async function test(args) {
  const sum = { passed: 0, failed: 0 };
  const checks = {
    types: [join('node_modules', 'typescript', 'bin', 'tsc')],
    lint: [join('node_modules', '@biomejs', 'biome', 'bin', 'biome'), 'check', '--error-on-warnings'],
  };
  // Only some files wanted: the checks of the whole are for the whole.
  for (const [name, command] of Object.entries(args.length === 0 ? checks : {})) {
    console.log(`\n${name}`);
    const code = await run(command);
    sum[code === 0 ? 'passed' : 'failed'] += 1;
  }
  const seen = { pass: 0, fail: 0 };
  // A test that needs longer than five seconds on a busy machine is not wrong; one that needs a minute hangs.
  const code = await run(['test', '--timeout=60000', ...args], (line) => {
    const [, count, word] = /^\s*(\d+) (pass|fail)$/.exec(line) ?? [];
    if (count !== undefined) seen[word] = Number(count);
  });
  sum.passed += seen.pass;
  // A runner that ends badly without a failed test, by a crash, has failed all the same.
  sum.failed += code !== 0 && seen.fail === 0 ? 1 : seen.fail;
  console.log(`\n${sum.passed} passed, ${sum.failed} failed`);
  return sum.failed === 0 && seen.pass > 0 ? 0 : 1;
}

/** Installs what is missing. What was installed is stamped, so that a restart needs no network. */
function install() {
  const lock = readFileSync(join(root, 'bun.lock'), 'utf8');
  const patches = readdirSync(join(root, 'scripts', 'patches')).sort();
  const texts = [lock, ...patches.map((name) => readFileSync(join(root, 'scripts', 'patches', name), 'utf8'))];
  const hash = createHash('sha256')
    .update(`${process.platform} ${process.arch}\n${texts.join('\n')}`)
    .digest('hex');
  const stamp = join(root, 'node_modules', '.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash && bunProgram() !== null) return;
  console.log('Installing what is missing…');
  const [program, ...words] = [...installer(), 'install', '--frozen-lockfile', `--cwd=${root}`];
  // Not from here: npm would take the Bun of an older install before the one it is told.
  const { status, error } = spawnSync(program, words, { cwd: tmpdir(), stdio: 'inherit', shell: windows });
  if (status !== 0 || bunProgram() === null) {
    console.error(`The packages could not be installed${error === undefined ? '' : ` (${error.message})`}.`);
    process.exit(1);
  }
  writeFileSync(stamp, hash);
}

/** The Bun that installs: the one that runs this, the one that is here, or the pinned one, fetched by npm. */
function installer() {
  if (process.versions.bun !== undefined) return [process.execPath];
  const here = bunProgram();
  if (here !== null) return [here];
  // The package needs its post-install step to put the program in place, whatever the user's npm is set to.
  return ['npm', 'exec', '--yes', '--ignore-scripts=false', `--package=bun@${bunVersion}`, '--', 'bun'];
}

/** The program of the pinned Bun: where its post-install step puts it, or in the package for this machine. */
function bunProgram() {
  const name = windows ? 'bun.exe' : 'bun';
  const os = windows ? 'windows' : process.platform;
  const arch = process.arch === 'arm64' ? 'aarch64' : process.arch;
  const packages = ['', '-musl'].map((libc) => join('@oven', `bun-${os}-${arch}${libc}`, 'bin', name));
  for (const path of [join('bun', 'bin', 'bun.exe'), ...packages]) {
    const program = join(root, 'node_modules', path);
    if (!existsSync(program)) continue;
    const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
    if (stdout?.trim() === bunVersion) return program;
  }
  return null;
}

/** Runs the pinned Bun; resolves to its exit code. Lines of its output are shown and, where asked for, told. */
function run(args, onLine) {
  const stdio = onLine === undefined ? 'inherit' : ['inherit', 'pipe', 'pipe'];
  const child = spawn(bunProgram(), args, { cwd: root, stdio });
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ]) {
    if (from === null) continue;
    let unfinished = '';
    from.setEncoding('utf8');
    from.on('data', (text) => {
      to.write(text);
      const lines = (unfinished + text).split('\n');
      unfinished = lines.pop();
      for (const line of lines) onLine(line);
    });
  }
  // Whoever stops us means the child, and it knows how to end well.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const unwatch = watchParent(() => child.kill('SIGTERM'));
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.on('close', (code) => {
      unwatch();
      resolve(code ?? 1);
    });
  });
}

/** npm tells a SIGTERM to the shell between us only, which dies of it and tells nobody. */
function watchParent(onGone) {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined) return () => {};
  const timer = setInterval(() => {
    if (process.ppid !== parent) onGone();
  }, 250);
  return () => clearInterval(timer);
}
