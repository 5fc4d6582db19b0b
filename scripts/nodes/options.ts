import { type Trial, trials } from './faults.ts';

export interface Options {
  readonly trial: Trial | 'kills';
  readonly minutes: number;
  readonly users: number;
  readonly nodes: number;
  /** The number of imports in the `kills` trial. */
  readonly kills: number;
  readonly seed: number;
  /** Stores the history and the logs. */
  readonly keep: boolean;
  /** Uses a Citus coordinator with two workers as the database. One worker is also killed. */
  readonly citus: boolean;
}

export const usage = `bun scripts/nodes/index.ts [TRIAL] [options]

  work       each minute a node is killed and another is cut off, PostgreSQL is restarted twice (the default)
  pause      a node is paused for a minute (SIGSTOP) while the others continue
  half-open  a node vanishes without closing its connections, uploads stop halfway
  disk       the disk of PostgreSQL is full for a while
  clock      the clocks of two nodes are wrong by 90 minutes, one in each direction
  calm       nothing goes wrong, to measure speed
  kills      a node is killed at random moments of imports

  --minutes N   how long users work (10)
  --users N     number of users (50)
  --nodes N     servers behind the balancer (3)
  --kills N     number of killed imports in the kills trial (200)
  --seed N      seed of the users' operations
  --keep        keeps the history and the logs in the printed folder
  --citus       uses a Citus cluster from an installed postgresql-N-citus`;

/** Returns null if the options cannot be parsed. */
export function readOptions(args: readonly string[]): Options | null {
  const numbers: Record<string, number> = {
    minutes: 10,
    users: 50,
    nodes: 3,
    kills: 200,
    seed: Date.now() % 1_000_000,
  };
  let trial: Options['trial'] = 'work';
  let keep = false;
  let citus = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    const named = [...trials, 'kills' as const].find((one) => one === word);
    const name = word.replace(/^--/, '');
    if (named !== undefined) trial = named;
    else if (word === '--keep') keep = true;
    else if (word === '--citus') citus = true;
    else if (word !== name && name in numbers && Number(args[at + 1]) > 0) numbers[name] = Number(args[++at]);
    else return null;
  }
  const { minutes = 0, users = 0, nodes = 0, kills = 0, seed = 0 } = numbers;
  return { trial, minutes, users, nodes, kills, seed, keep, citus };
}
