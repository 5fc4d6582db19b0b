import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * `bun scripts/deploy/walk.ts FOLDER`, run as root on Debian without Docker, runs the steps of the Dockerfile in order
 * in a bare chroot, starts its command as its user, and runs its health check. Creates the folder with debootstrap
 * unless it exists. Run `npm run build` first.
 */
const sources = join(import.meta.dir, '..', '..');
const root = resolve(process.argv[2] ?? join(tmpdir(), 'lotbook-walk'));
const startMillisecondsMax = 60_000;
const inherited = ['ignore', 'inherit', 'inherit'] as const;
const instructions = readInstructions(readFileSync(join(import.meta.dir, 'Dockerfile'), 'utf8'));
const env: Record<string, string> = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };
const made = { user: 'root', folder: '/', health: [] as string[], entry: [] as string[], words: [] as string[] };

for (const { name, rest } of instructions) await take(name, rest);
await runServer();

async function take(name: string, rest: string): Promise<void> {
  console.log(`${name} ${rest}`);
  if (name === 'FROM') return makeRoot(/^debian:(\w+)-slim$/.exec(rest)?.[1] ?? fail(`${rest} is not Debian`));
  if (name === 'RUN') return run(['sh', '-ec', rest]);
  if (name === 'COPY') {
    const [, mode = '644', from = '', to = ''] = /^(?:--chmod=(\d+) )?(\S+) (\S+)$/.exec(rest) ?? fail(rest);
    copyFileSync(join(sources, from), join(root, to));
    return run(['chmod', mode, to]);
  }
  if (name === 'ENV') for (const pair of rest.split(' ')) env[pair.split('=')[0] ?? ''] = pair.split('=')[1] ?? '';
  else if (name === 'USER') made.user = rest;
  else if (name === 'WORKDIR') made.folder = rest;
  else if (name === 'HEALTHCHECK') made.health = JSON.parse(rest.slice(rest.indexOf('[')));
  else if (name === 'ENTRYPOINT') made.entry = JSON.parse(rest);
  else if (name === 'CMD') made.words = JSON.parse(rest);
  else if (!['VOLUME', 'EXPOSE', 'STOPSIGNAL'].includes(name)) fail(`Unknown instruction ${name}`);
}

function makeRoot(suite: string): void {
  if (!existsSync(join(root, 'etc'))) {
    mkdirSync(root, { recursive: true });
    const { exitCode } = Bun.spawnSync(['debootstrap', '--variant=minbase', suite, root], { stdio: [...inherited] });
    if (exitCode !== 0) fail('debootstrap failed');
  }
  copyFileSync('/etc/resolv.conf', join(root, 'etc', 'resolv.conf'));
}

/** Starts twice. The second start finds the data from the first. */
async function runServer(): Promise<void> {
  const port = freePort();
  for (const start of ['first', 'second']) {
    const begun = performance.now();
    const server = spawn([...made.entry, ...made.words], { ...env, PORT: port }, made.user);
    const child = server.start();
    while (spawn(made.health, { ...env, PORT: port }, made.user).exitedSync() !== 0) {
      if (child.exitCode !== null || performance.now() - begun > startMillisecondsMax) fail('not healthy');
      await Bun.sleep(200);
    }
    console.log(`healthy after ${Math.round(performance.now() - begun)} ms (${start} start)`);
    const owner = await readOutput(['stat', '-c', '%U %a', `${made.folder}/postgres`]);
    if (owner.trim() !== `${made.user} 700`) fail(`the data belongs to ${owner}`);
    child.kill('SIGTERM');
    if ((await child.exited) !== 0) fail('it did not stop cleanly');
  }
  console.log('walked');
}

function run(command: readonly string[]): void {
  if (spawn(command, env, 'root').exitedSync() !== 0) fail(command.join(' '));
}

/** Runs in the chroot, with /proc and /dev as in a container. */
function spawn(command: readonly string[], environment: Readonly<Record<string, string>>, user: string) {
  const line = inChroot(command, user);
  return {
    start: () => Bun.spawn(line, { env: environment, stdio: [...inherited] }),
    exitedSync: (): number =>
      Bun.spawnSync(line, { env: environment, stdio: ['ignore', 'ignore', 'inherit'] }).exitCode,
  };
}

async function readOutput(command: readonly string[]): Promise<string> {
  const child = Bun.spawn(inChroot(command, 'root'), { env, stdio: ['ignore', 'pipe', 'inherit'] });
  return new Response(child.stdout).text();
}

function inChroot(command: readonly string[], user: string): string[] {
  const mounts = `mount --bind /dev "$0/dev"; mount -t proc proc "$0/proc"; exec chroot --userspec="$1" "$0" sh -c 'cd "$0"; exec "$@"' "$2" "\${@:3}"`;
  return ['unshare', '--mount', 'bash', '-ec', mounts, root, `${user}:${user}`, made.folder, ...command];
}

/** Removes comments and joins continued lines. */
function readInstructions(text: string): { name: string; rest: string }[] {
  const lines = text
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n');
  return lines.flatMap((line) => {
    const [, name, rest] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    return name === undefined || rest === undefined ? [] : [{ name, rest }];
  });
}

function freePort(): string {
  const probe = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
  const { port } = probe;
  probe.stop(true);
  return String(port);
}

function fail(why: string): never {
  console.error(`failed: ${why}`);
  process.exit(1);
}
