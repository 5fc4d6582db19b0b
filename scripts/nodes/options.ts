import { type Trial, trials } from './faults.ts';

export interface Options {
  readonly trial: Trial | 'kills';
  readonly minutes: number;
  readonly users: number;
  readonly nodes: number;
  /** Of imports, in the trial of kills. */
  readonly kills: number;
  readonly seed: number;
  /** The history and the logs stay. */
  readonly keep: boolean;
  /** The database is a coordinator of Citus with two workers, of which one is ended too. */
  readonly citus: boolean;
}

export const usage = `bun scripts/nodes/index.ts [TRIAL] [options]

  work       a node is killed and one is cut off each minute, PostgreSQL is restarted twice (the trial without a name)
  pause      a node stands still for a minute (SIGSTOP) while the others go on
  half-open  a node vanishes without closing its connections, uploads stop in their middle
  disk       the disk of PostgreSQL is full for a while
  clock      the clocks of two nodes are wrong by 90 minutes, one either way
  calm       nothing goes wrong: for figures of speed
  kills      a node is killed at a random moment of an import, so many times

  --minutes N   how long people work (10)
  --users N     how many (50)
  --nodes N     servers behind the balancer (3)
  --kills N     of imports, in the trial of kills (200)
  --seed N      what they do
  --keep        the history and the logs stay where the run says
  --citus       on a cluster of Citus, from an installed postgresql-N-citus`;

/** Null where they cannot be read. */
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
