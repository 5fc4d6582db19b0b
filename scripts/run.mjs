// Runs for `npm start`, `npm test` and `npm run build`, under Node or Bun, in a clone without installed packages. It is
// therefore plain JavaScript without dependencies.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bunVersion = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies.bun;
const windows = process.platform === 'win32';

const tasks = {
  serve,
  check,
  test,
  'test:unit': testUnit,
  'test:db': testDatabase,
  'test:deep': testDeep,
  build,
  smoke,
  release,
};
const [task, ...words] = process.argv.slice(2);
if (!Object.hasOwn(tasks, task)) {
  console.error(`Usage: node scripts/run.mjs ${Object.keys(tasks).join(' | ')} [arguments]`);
  process.exit(2);
}
if (process.versions.bun === undefined && Number.parseInt(process.versions.node, 10) < 20) {
  console.error(`Lotbook needs Node 20 or later, or Bun; this is Node ${process.versions.node}.`);
  process.exit(1);
}
/** The failed tests by title, each with the last lines printed before it. The runner repeats the titles at its end. */
const failures = new Map();

install();
process.exit(await tasks[task](words));

function serve(args) {
  return run(['src/main.ts', 'serve', ...args]);
}

function build(args) {
  return run(['scripts/build.ts', ...args]);
}

/** Builds every file of a release. */
function release(args) {
  return run(['scripts/release/index.ts', ...args]);
}

/** Tests the built binary. */
function smoke(args) {
  return run(['scripts/smoke.ts', ...args]);
}

/** Runs the type check, lint and the layering test, in seconds. */
async function check() {
  return conclude([await types(), await lint(), await runTests(['./test/layering.test.ts'])]);
}

async function testUnit(args) {
  return conclude([await runTests([...inWorkers(), ...testFiles('unit'), ...args])]);
}

async function testDatabase(args) {
  return conclude([await runTests([...inWorkers(), ...testFiles('database', 'browser'), ...args])]);
}

/** Runs everything, or only the named test files and flags without the other checks. */
async function test(args) {
  if (args.length > 0) return conclude([await runTests(args)]);
  return conclude([await types(), await lint(), await runTests(inWorkers())]);
}

/** Does the same with the full number of random cases, one of which may take an hour. */
function testDeep(args) {
  process.env.LOTBOOK_TEST_DEPTH = 'deep';
  process.env.LOTBOOK_TEST_TIMEOUT ??= '3600000';
  return test(args);
}

function types() {
  return runCheck('types', [join('node_modules', 'typescript', 'bin', 'tsc')]);
}

function lint() {
  return runCheck('lint', [join('node_modules', '@biomejs', 'biome', 'bin', 'biome'), 'check', '--error-on-warnings']);
}

/**
 * Distributes the test files over worker processes. Each has its own PostgreSQL and its own browser, which its files
 * share. There is one more than cores, because a database test waits for PostgreSQL and a browser test for the browser.
 * With a given server there is only one process so that the load on the server does not multiply. The slowest files
 * start first, so that no worker is left with one of them at the end.
 */
function inWorkers() {
  if (process.env.LOTBOOK_TEST_DATABASE_URL !== undefined) return [];
  const workers = Math.min(availableParallelism() + 1, 4);
  return [`--parallel=${workers}`, '--no-isolate', `--timings=${join('test', 'timings.json')}`];
}

function testFiles(...kinds) {
  const script = join('scripts', 'test-files.ts');
  const { status, stdout, stderr } = spawnSync(bunProgram(), [script, ...kinds], { cwd: root, encoding: 'utf8' });
  if (status === 0) return stdout.trim().split('\n');
  console.error(stderr);
  process.exit(1);
}

/** Counts as one test. */
async function runCheck(name, command) {
  console.log(`\n${name}`);
  const code = await run(command);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
}

async function runTests(args) {
  const seen = { pass: 0, fail: 0 };
  const recent = [];
  // The same timeout as in test/support/preload.ts, which Bun forgets after the first file of a process
  // (oven-sh/bun#43787).
  const timeout = process.env.LOTBOOK_TEST_TIMEOUT ?? '600000';
  const code = await run(['test', `--timeout=${timeout}`, ...args], (line) => {
    const [, count, word] = /^\s*(\d+) (pass|fail)$/.exec(line) ?? [];
    if (count !== undefined) seen[word] = Number(count);
    recent.push(line);
    if (/^\((pass|fail)\)|^\S+\.test\.tsx?:$/.test(line)) keepFailure(recent.splice(0));
  });
  // A runner that crashes without a failed test has failed, and so has a runner without tests.
  const ranBadly = seen.fail === 0 && (code !== 0 || seen.pass === 0);
  return { passed: seen.pass, failed: ranBadly ? 1 : seen.fail };
}

function keepFailure(lines) {
  const title = lines.at(-1);
  if (title.startsWith('(fail)') && !failures.has(title)) failures.set(title, lines.slice(-40).join('\n'));
}

/** Repeats the failed tests, prints the totals as the last line, and returns the exit code. */
function conclude(sums) {
  if (failures.size > 0) console.log(`\nFailed tests:\n\n${[...failures.values()].slice(0, 20).join('\n\n')}`);
  const passed = sums.reduce((sum, each) => sum + each.passed, 0);
  const failed = sums.reduce((sum, each) => sum + each.failed, 0);
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

/** Installs missing packages. A stamp records the installed versions so that a restart needs no network. */
function install() {
  const lock = readFileSync(join(root, 'bun.lock'), 'utf8');
  const patches = readdirSync(join(root, 'scripts', 'patches')).sort();
  const texts = [lock, ...patches.map((name) => readFileSync(join(root, 'scripts', 'patches', name), 'utf8'))];
  const hash = createHash('sha256')
    .update(`${process.platform} ${process.arch}\n${texts.join('\n')}`)
    .digest('hex');
  const stamp = join(root, 'node_modules', '.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash && bunProgram() !== null) return;
  console.log('Installing packages…');
  const [program, ...words] = [...installer(), 'install', '--frozen-lockfile', `--cwd=${root}`];
  // Does not run in the project folder, where npm would use the Bun from an older install before the one on the path.
  const { status, error } = spawnSync(program, words, { cwd: tmpdir(), stdio: 'inherit', shell: windows });
  if (status !== 0 || bunProgram() === null) {
    console.error(`The packages could not be installed${error === undefined ? '' : ` (${error.message})`}.`);
    process.exit(1);
  }
  writeFileSync(stamp, hash);
}

/**
 * Returns the Bun that installs the packages: the running one, the installed one, or the pinned one, downloaded by npm.
 */
function installer() {
  if (process.versions.bun !== undefined) return [process.execPath];
  const here = bunProgram();
  if (here !== null) return [here];
  // The package needs its post-install step to put the program in place, so this overrides the user's npm setting.
  return ['npm', 'exec', '--yes', '--ignore-scripts=false', `--package=bun@${bunVersion}`, '--', 'bun'];
}

/**
 * Returns the program of the pinned Bun, which its post-install step put in place, or the one in the package for this
 * machine.
 */
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

/**
 * Runs the pinned Bun and resolves to its exit code. With `onLine`, shows the lines of its output and also passes them
 * to it.
 */
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
  // Signals are meant for the child, which can shut down cleanly.
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

/**
 * Calls back when the shell between npm and this process is gone. npm sends a SIGTERM only to that shell, which ends
 * and does not pass it on.
 */
function watchParent(onGone) {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined) return () => {};
  const timer = setInterval(() => {
    if (process.ppid !== parent) onGone();
  }, 250);
  return () => clearInterval(timer);
}
