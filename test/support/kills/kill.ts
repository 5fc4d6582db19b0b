import type { Ground, Person, Victim } from './ground.ts';
import { done, type KilledOperation, type Outcome, operations, type UnderWay } from './operations.ts';
import { differenceOf, type State, selectState } from './state.ts';

/** The findings after a kill during an operation. */
export interface Kill {
  readonly operation: string;
  readonly victim: Victim;
  readonly milliseconds: number;
  /** False if the operation finished before the kill. */
  readonly isMidway: boolean;
  readonly left: 'nothing' | 'all' | 'half';
  /** The operation responded before it was complete, then failed and reports the failure. */
  readonly isReported: boolean;
  /** Empty if the books are correct. */
  readonly faults: readonly string[];
}

/** The effect of an operation on the books without a kill. */
interface Model {
  readonly before: State;
  readonly after: State;
  /** The time it takes, updated after each round. */
  milliseconds: number;
}

const settleSecondsMax = 150;

type ServerVictim = Exclude<Victim, 'command'>;

/** Twice as likely as the other victims, because users mostly run the server. */
const victims: readonly ServerVictim[] = ['server', 'server', 'session', 'postmaster'];

/** The number of users with an operation in progress at each kill. */
const atOnce = 4;

/** Kills something during the operations, a few of which run at a time, each for a new user. */
export async function* killOperations(
  ground: Ground,
  names: readonly string[],
  random: () => number,
): AsyncGenerator<Kill> {
  const models = new Map<string, Model>();
  for (let next = 0; next < names.length; next += atOnce) {
    const chosen = names.slice(next, next + atOnce).map((name) => {
      const operation = operations.find((one) => one.name === name);
      if (operation === undefined) throw new Error(`There is no operation named ${name}.`);
      return operation;
    });
    for (const operation of chosen)
      if (!models.has(operation.name)) models.set(operation.name, await fetchModel(ground, operation));
    const victim = victims[Math.floor(random() * victims.length)] as ServerVictim;
    const shares = chosen.map(() => random());
    const begun = await Promise.all(
      chosen.map((operation) => prepareOne(ground, operation, models.get(operation.name) as Model)),
    );
    await killDuring(ground, victim, begun, shares);
    await ground.recover();
    for (const one of begun)
      yield await judged(ground, one.operation.isCommand && victim === 'server' ? 'command' : victim, one);
  }
}

/** A user's operation, from its preparation to the findings after the kill. */
interface Begun {
  readonly operation: KilledOperation;
  readonly model: Model;
  readonly person: Person;
  readonly begin: (key: string) => UnderWay;
  readonly faults: string[];
  key: string;
  answer: Outcome | null;
  isMidway: boolean;
  milliseconds: number;
}

async function prepareOne(ground: Ground, operation: KilledOperation, model: Model): Promise<Begun> {
  const person = await ground.register();
  const begin = await operation.prepare(ground, person);
  const faults = named(
    'before it differs from another person',
    differenceOf(await fetchState(ground, person), model.before),
  );
  const key = crypto.randomUUID();
  return { operation, model, person, begin, faults, key, answer: null, isMidway: false, milliseconds: 0 };
}

/**
 * Starts each operation so that the given part of its usual time has passed at the kill. Commands are killed with the
 * server.
 */
async function killDuring(
  ground: Ground,
  victim: ServerVictim,
  begun: readonly Begun[],
  shares: readonly number[],
): Promise<void> {
  // Parallel operations share the processor.
  const timeOf = (at: number): number => (shares[at] ?? 0) * (begun[at]?.model.milliseconds ?? 0);
  const longest = Math.max(...begun.map((_, at) => timeOf(at)));
  const aim = await ground.aimAt(victim);
  const processes: Bun.Subprocess[] = [];
  const started = begun.map(async (one, at) => {
    one.milliseconds = timeOf(at);
    await Bun.sleep(longest - one.milliseconds);
    const underWay = one.begin(one.key);
    if (underWay.process !== undefined) processes.push(underWay.process);
    return { answered: take(one, underWay) };
  });
  await Bun.sleep(longest);
  const underWay = await Promise.all(started);
  for (const one of begun) one.isMidway = one.answer === null;
  if (victim === 'server') for (const process of processes) process.kill('SIGKILL');
  await aim.kill();
  await Promise.all(underWay.map(({ answered }) => answered));
  await aim.end();
  for (const { model, isMidway } of begun) model.milliseconds *= isMidway ? 1.02 : 0.9;
}

async function take(one: Begun, { answer }: UnderWay): Promise<void> {
  try {
    one.answer = await answer;
  } catch (error) {
    one.faults.push(`at the kill ${String(error)}`);
  }
}

async function fetchModel(ground: Ground, operation: KilledOperation): Promise<Model> {
  const person = await ground.register();
  const begin = await operation.prepare(ground, person);
  const before = await fetchState(ground, person);
  const started = performance.now();
  const answer = await begin(crypto.randomUUID()).answer;
  if (answer.is !== 'done') throw new Error(`${operation.name}: ${answer.text}`);
  const milliseconds = performance.now() - started;
  await settle(ground, person);
  return { before, after: await fetchState(ground, person), milliseconds };
}

async function judged(ground: Ground, victim: Victim, one: Begun): Promise<Kill> {
  const { operation, milliseconds, isMidway, faults } = one;
  const found = await judge(ground, one).catch((error: unknown) => {
    faults.push(String(error));
    return { left: 'half' as const, isReported: false };
  });
  return { operation: operation.name, victim, milliseconds, isMidway, ...found, faults };
}

async function judge(ground: Ground, one: Begun): Promise<Pick<Kill, 'left' | 'isReported'>> {
  const { operation, model, person, begin, faults, answer } = one;
  faults.push(...named('left running', await settle(ground, person)));
  const found = await fetchState(ground, person);
  const [fromBefore, fromAfter] = [differenceOf(found, model.before), differenceOf(found, model.after)];
  const left = fromAfter.length === 0 ? 'all' : fromBefore.length === 0 ? 'nothing' : 'half';
  if (left === 'half')
    faults.push(...named('half of it', fromAfter.length < fromBefore.length ? fromAfter : fromBefore));
  const isLost = answer?.is === 'done' && left !== 'all';
  const isReported = isLost && operation.mayFailLater === true && (await saysThatItFailed(ground, person));
  if (isLost && !isReported) faults.push('it reported success, and its result is lost');
  const key = isReported ? crypto.randomUUID() : one.key;

  if (operation.isKeyed || left !== 'all') {
    const again = await untilDone(() => begin(key));
    faults.push(...named('left running after it was sent again', await settle(ground, person)));
    faults.push(...named('sent again', differenceOf(await fetchState(ground, person), model.after)));
    if (operation.isKeyed) {
      const third = await untilDone(() => begin(key));
      faults.push(...named('sent a third time', differenceOf(await fetchState(ground, person), model.after)));
      const isFirst = answer?.is === 'done' && !isReported;
      if (third !== again || (isFirst && answer.text !== again)) faults.push('one key gave two results');
    }
  }
  faults.push(...named('full calculation', await fetchDifferences(ground, person)));
  faults.push(...named('reports', await brokenReports(ground, person)));
  return { left, isReported };
}

function named(what: string, found: readonly string[]): string[] {
  return found.length === 0 ? [] : [`${what}: ${found.join(', ')}`];
}

async function fetchState(ground: Ground, { taxpayerId }: Person): Promise<State> {
  return ground.asOwner((sql) => selectState(sql, taxpayerId));
}

/** Waits until none of the user's work is running. Returns the work that is still running. */
async function settle(ground: Ground, { taxpayerId }: Person): Promise<readonly string[]> {
  for (const until = performance.now() + settleSecondsMax * 1000; ; await Bun.sleep(100)) {
    const running = await ground.asOwner(
      (sql) => sql<{ what: string }[]>`
        select 'import' as what from imports where taxpayer_id = ${taxpayerId} and status = 'running'
        union all select 'calculation' from calculations where taxpayer_id = ${taxpayerId} and status = 'running'
        union all select 'job ' || state from jobs.job
          where data ->> 'taxpayerId' = ${taxpayerId} and state not in ('completed', 'cancelled')
        union all select 'staged rows' from staged where taxpayer_id = ${taxpayerId} limit 10`,
    );
    if (running.length === 0 || performance.now() > until) return running.map(({ what }) => what);
  }
}

async function untilDone(begin: () => { readonly answer: Promise<Outcome> }): Promise<string> {
  for (const until = performance.now() + settleSecondsMax * 1000; ; await Bun.sleep(500)) {
    const answer = await begin().answer;
    if (answer.is === 'done') return answer.text;
    if (performance.now() > until) throw new Error(`It is not done when it is sent again: ${answer.text}`);
  }
}

async function saysThatItFailed(ground: Ground, person: Person): Promise<boolean> {
  const listed = await done(ground, person, { method: 'GET', path: '/v1/imports' });
  const { data } = JSON.parse(listed) as {
    readonly data: readonly { readonly status: string; readonly problem?: object }[];
  };
  return data.length === 1 && data[0]?.status === 'failed' && data[0].problem !== undefined;
}

/** Returns the differences between the stored books and a full calculation. */
async function fetchDifferences(ground: Ground, person: Person): Promise<string[]> {
  const text = await done(ground, person, { method: 'POST', path: '/v1/tax/calculate', body: { dryRun: true } });
  const { differences } = JSON.parse(text) as { readonly differences: readonly object[] };
  return differences.map((difference) => JSON.stringify(difference));
}

/** Returns reports that cannot be downloaded, or whose bytes differ on the second download. */
async function brokenReports(ground: Ground, person: Person): Promise<string[]> {
  const listed = await done(ground, person, { method: 'GET', path: '/v1/tax/reports' });
  const broken: string[] = [];
  for (const { id } of (JSON.parse(listed) as { readonly data: readonly { readonly id: string }[] }).data) {
    const download = { method: 'GET', path: `/v1/tax/reports/${id}/download?format=json` };
    const first = await done(ground, person, download);
    if ((await done(ground, person, download)) !== first) broken.push(id);
  }
  return broken;
}
