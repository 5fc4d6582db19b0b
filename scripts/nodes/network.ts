import { existsSync } from 'node:fs';

/**
 * A network of the run's own, in namespaces that end with it: each node has two cables, one to the balancer (front) and one
 * to PostgreSQL (back). What asks, the balancer and PostgreSQL stand where the cables come together.
 */
export type Side = 'front' | 'back';

const sides = { front: '10.77.1', back: '10.77.2' } as const;

/** What stands where the cables come together is reached there. */
export const addresses = { front: `${sides.front}.1`, back: `${sides.back}.1` } as const;

/** For PostgreSQL, which trusts this network. */
export const backNetwork = `${sides.back}.0/24`;

/** What this machine lacks for a run, in sentences. */
export function lacking(): string[] {
  const missing: string[] = [];
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    return ['Network namespaces need Linux and root: nothing was run.'];
  }
  for (const program of ['ip', 'unshare', 'haproxy'])
    if (Bun.which(program) === null) missing.push(`The program ${program} is not installed: nothing was run.`);
  if (missing.length === 0 && Bun.spawnSync([...namespaces, 'true']).exitCode !== 0)
    missing.push('This machine gives no namespaces (unshare --net --mount --pid is refused): nothing was run.');
  return missing;
}

const namespaces = ['unshare', '--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
const mark = 'LOTBOOK_NODES_INSIDE';

/** Whether this process is inside already. */
export function isInside(): boolean {
  return process.env[mark] === '1';
}

/**
 * The same program once more, in namespaces of its own. Whatever it leaves running ends with it. A shell is the first
 * process there: it buries the dead, or a PostgreSQL that was killed would seem to live.
 */
export async function runInside(program: string, args: readonly string[]): Promise<number> {
  const child = Bun.spawn([...namespaces, 'sh', '-c', '"$@"; exit $?', 'sh', process.execPath, program, ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
    // Each person keeps a stream open. Bun's fetch makes 256 requests at once where nothing is said, and lets the others wait.
    env: { BUN_CONFIG_MAX_HTTP_REQUESTS: '20000', ...process.env, [mark]: '1' },
  });
  return child.exited;
}

/** Lays the cables of so many nodes. */
export function layCables(nodes: number): void {
  if (!existsSync('/run/netns')) ip('netns', 'list');
  run('mkdir', '-p', '/run/netns');
  // A folder of names of its own: those of the machine stay as they are.
  run('mount', '-t', 'tmpfs', 'tmpfs', '/run/netns');
  ip('link', 'set', 'lo', 'up');
  for (const side of Object.keys(sides) as Side[]) {
    ip('link', 'add', side, 'type', 'bridge');
    ip('addr', 'add', `${addresses[side]}/24`, 'dev', side);
    ip('link', 'set', side, 'up');
  }
  for (let node = 1; node <= nodes; node++) {
    const name = namespaceOf(node);
    ip('netns', 'add', name);
    ip('-n', name, 'link', 'set', 'lo', 'up');
    for (const side of Object.keys(sides) as Side[]) {
      ip('link', 'add', cableOf(node, side), 'type', 'veth', 'peer', 'name', side, 'netns', name);
      ip('link', 'set', cableOf(node, side), 'master', side, 'up');
      ip('-n', name, 'addr', 'add', `${addressOfNode(node, side)}/24`, 'dev', side);
      ip('-n', name, 'link', 'set', side, 'up');
    }
  }
}

export function addressOfNode(node: number, side: Side): string {
  return `${sides[side]}.${10 + node}`;
}

/** Goes before a command that runs at the node's end of its cables. */
export function atNode(node: number): readonly string[] {
  return ['ip', 'netns', 'exec', namespaceOf(node)];
}

/** Packets are lost from now on, and neither end is told. */
export function cut(node: number, side: Side): void {
  ip('link', 'set', cableOf(node, side), 'down');
}

export function mend(node: number, side: Side): void {
  ip('link', 'set', cableOf(node, side), 'up');
}

function namespaceOf(node: number): string {
  return `node${node}`;
}

function cableOf(node: number, side: Side): string {
  return `${side}${node}`;
}

function ip(...words: readonly string[]): void {
  run('ip', ...words);
}

function run(...command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command, { stdio: ['ignore', 'ignore', 'pipe'] });
  if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${stderr.toString().trim()}`);
}
