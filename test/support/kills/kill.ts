import type { Ground, Person, Victim } from './ground.ts';
import { type Answer, done, type KilledOperation, operations } from './operations.ts';
import { differenceOf, type State, stateOf } from './state.ts';

/** What was found after something was killed during an operation. */
export interface Kill {
  readonly operation: string;
  readonly victim: Victim;
  readonly milliseconds: number;
  /** False if the operation was answered before the kill. */
  readonly isMidway: boolean;
  readonly left: 'nothing' | 'all' | 'half';
  /** It was answered before it was done, failed, and says so. */
  readonly isTold: boolean;
  /** Empty if the books are right. */
  readonly faults: readonly string[];
}

/** What an operation does to the books when nothing is killed. */
interface Model {
  readonly before: State;
  readonly after: State;
  /** How long it takes. It follows what later rounds see. */
  milliseconds: number;
}

const settleSecondsMax = 60;

/** Kills something during each of the operations, each time for a new person. */
export async function* killOperations(
  ground: Ground,
  names: readonly string[],
  random: () => number,
): AsyncGenerator<Kill> {
  const models = new Map<string, Model>();
  for (const name of names) {
    const operation = operations.find((one) => one.name === name);
    if (operation === undefined) throw new Error(`There is no operation named ${name}.`);
    const model = models.get(name) ?? (await modelOf(ground, operation));
    models.set(name, model);
    const victim = operation.victims[Math.floor(random() * operation.victims.length)] as Victim;
    const share = random();
    yield await killOnce(ground, operation, model, victim, share).catch((error: unknown) => {
      const milliseconds = share * model.milliseconds;
      return {
        operation: name,
        victim,
        milliseconds,
        isMidway: false,
        left: 'half' as const,
        isTold: false,
        faults: [String(error)],
      };
    });
  }
}

async function modelOf(ground: Ground, operation: KilledOperation): Promise<Model> {
  const person = await ground.register();
  const begin = await operation.prepare(ground, person);
  const before = await stateIn(ground, person);
  const started = performance.now();
  const answer = await begin(crypto.randomUUID()).answer;
  if (answer.is !== 'done') throw new Error(`${operation.name}: ${answer.text}`);
  const milliseconds = performance.now() - started;
  await settle(ground, person);
  return { before, after: await stateIn(ground, person), milliseconds };
}

async function killOnce(
  ground: Ground,
  operation: KilledOperation,
  model: Model,
  victim: Victim,
  share: number,
): Promise<Kill> {
  const faults: string[] = [];
  const note = (what: string, found: readonly string[]) => {
    if (found.length > 0) faults.push(`${what}: ${found.join(', ')}`);
  };
  const person = await ground.register();
  const begin = await operation.prepare(ground, person);
  note('before it differs from another person', differenceOf(await stateIn(ground, person), model.before));

  const aim = await ground.aimAt(victim === 'command' ? 'server' : victim);
  const milliseconds = share * model.milliseconds;
  let key: string = crypto.randomUUID();
  const underWay = begin(key);
  let first: Answer | null = null;
  const answered = underWay.answer.then(
    (answer) => {
      first = answer;
    },
    (error: unknown) => faults.push(`at the kill ${String(error)}`),
  );
  await Bun.sleep(milliseconds);
  const isMidway = first === null;
  if (victim === 'command') underWay.process?.kill('SIGKILL');
  else await aim.kill();
  await answered;
  await aim.end();
  model.milliseconds *= isMidway ? 1.02 : 0.9;

  await ground.recover();
  note('left running', await settle(ground, person));
  const found = await stateIn(ground, person);
  const [fromBefore, fromAfter] = [differenceOf(found, model.before), differenceOf(found, model.after)];
  const left = fromAfter.length === 0 ? 'all' : fromBefore.length === 0 ? 'nothing' : 'half';
  if (left === 'half') note('half of it', fromAfter.length < fromBefore.length ? fromAfter : fromBefore);
  const acknowledged = first as Answer | null;
  const isLost = acknowledged?.is === 'done' && left !== 'all';
  const isTold = isLost && operation.mayFailLater === true && (await saysThatItFailed(ground, person));
  if (isLost && !isTold) faults.push('it was answered, and is lost');
  if (isTold) key = crypto.randomUUID();

  if (operation.isKeyed || left !== 'all') {
    const again = await untilDone(() => begin(key));
    note('left running after it was sent again', await settle(ground, person));
    note('sent again', differenceOf(await stateIn(ground, person), model.after));
    if (operation.isKeyed) {
      const third = await untilDone(() => begin(key));
      note('sent a third time', differenceOf(await stateIn(ground, person), model.after));
      if (third !== again || (acknowledged?.is === 'done' && !isTold && acknowledged.text !== again))
        faults.push('one key gave two results');
    }
  }
  note('full calculation', await differencesOf(ground, person));
  note('reports', await brokenReports(ground, person));
  return { operation: operation.name, victim, milliseconds, isMidway, left, isTold, faults };
}

async function stateIn(ground: Ground, { taxpayerId }: Person): Promise<State> {
  return ground.asOwner((sql) => stateOf(sql, taxpayerId));
}

/** Waits until nothing of the person runs. Returns what still does. */
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

async function untilDone(begin: () => { readonly answer: Promise<Answer> }): Promise<string> {
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

/** Where the stored books differ from a calculation of everything. */
async function differencesOf(ground: Ground, person: Person): Promise<string[]> {
  const text = await done(ground, person, { method: 'POST', path: '/v1/tax/calculate', body: { dryRun: true } });
  const { differences } = JSON.parse(text) as { readonly differences: readonly object[] };
  return differences.map((difference) => JSON.stringify(difference));
}

/** Reports that cannot be downloaded, or that give other bytes the second time. */
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
