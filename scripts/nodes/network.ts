import { existsSync } from 'node:fs';

/**
 * The run has its own network, in namespaces that end with it. Each node has two cables, one to the balancer (front)
 * and one to PostgreSQL (back). The clients, the balancer and PostgreSQL are at the other end of the cables.
 */
export type Side = 'front' | 'back';

const sides = { front: '10.77.1', back: '10.77.2' } as const;

/** The addresses of the balancer and PostgreSQL at the other end of the cables. */
export const addresses = { front: `${sides.front}.1`, back: `${sides.back}.1` } as const;

/** PostgreSQL trusts this network. */
export const backNetwork = `${sides.back}.0/24`;

/** Returns what this machine lacks for a run, in sentences. */
export function lacking(): string[] {
  const missing: string[] = [];
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    return ['Network namespaces need Linux and root. Nothing was run.'];
  }
  for (const program of ['ip', 'unshare', 'haproxy'])
    if (Bun.which(program) === null) missing.push(`The program ${program} is not installed. Nothing was run.`);
  if (missing.length === 0 && Bun.spawnSync([...namespaces, 'true']).exitCode !== 0)
    missing.push('This machine refuses namespaces (unshare --net --mount --pid). Nothing was run.');
  return missing;
}

const namespaces = ['unshare', '--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
const mark = 'LOTBOOK_NODES_INSIDE';

/** Returns whether this process is inside the namespaces. */
export function isInside(): boolean {
  return process.env[mark] === '1';
}

/**
 * Runs the same program again in its own namespaces. All processes that it leaves running end with them. The first
 * process there is a shell, which reaps ended processes. Otherwise a killed PostgreSQL would seem to be alive.
 */
export async function runInside(program: string, args: readonly string[]): Promise<number> {
  const child = Bun.spawn([...namespaces, 'sh', '-c', '"$@"; exit $?', 'sh', process.execPath, program, ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
    // Each user keeps a stream open. By default, Bun's fetch makes at most 256 requests at once and queues the others.
    env: { BUN_CONFIG_MAX_HTTP_REQUESTS: '20000', ...process.env, [mark]: '1' },
  });
  return child.exited;
}

/** Connects this number of nodes. */
export function layCables(nodes: number): void {
  if (!existsSync('/run/netns')) ip('netns', 'list');
  run('mkdir', '-p', '/run/netns');
  // A separate folder for namespace names so that the machine's own namespaces do not change.
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

/** Returns the prefix of a command that runs at the node's end of its cables. */
export function atNode(node: number): readonly string[] {
  return ['ip', 'netns', 'exec', namespaceOf(node)];
}

/** Drops packets from now on without notifying either end. */
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
