import { testDatabase } from '../../test/support/database.ts';
import type { Measured } from './measure.ts';
import { type Served, serveApp } from './served.ts';

const people = 200;
const tries = Number(process.env.BENCH_TRIES ?? 200);
/** Pause between two requests of another user, short enough to see each wait. */
const askedMilliseconds = 20;
/** Work that runs after a response, such as sending email, is done before the next request. */
const restMilliseconds = 30;

/**
 * Measures how long 200 users who sign in at once wait, how long others wait at the same time, and whether the response
 * time reveals which addresses are registered.
 */
export async function benchSignIns(): Promise<Measured[]> {
  const books = await testDatabase();
  const served = await serveApp(books.url);
  try {
    return [...(await allAtOnce(served)), ...(await tellingTimes(served))];
  } finally {
    await served.stop();
    await books.drop();
  }
}

async function allAtOnce(served: Served): Promise<Measured[]> {
  const cookie = await served.register('PRO');
  await served.register('PRO');
  const waits: number[] = [];
  const others: number[] = [];
  let isOver = false;
  const beside = (async () => {
    while (!isOver) {
      others.push(await timed(() => served.summary(cookie)));
      await Bun.sleep(askedMilliseconds);
    }
  })();
  const statuses = new Map<number, number>();
  const whole = await timed(async () => {
    await Promise.all(
      Array.from({ length: people }, async () => {
        let status = 0;
        waits.push(await timed(async () => (status = await post(served, 'login', known))));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }),
    );
  });
  isOver = true;
  await beside;
  const counts = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  return [
    { what: `${people} sign-ins at once (${counts}), all of them`, value: whole / 1000, unit: 's' },
    { what: 'the slowest of them', value: Math.max(...waits) / 1000, unit: 's' },
    { what: "another's summary meanwhile, p50", value: at(others, 0.5), unit: 'ms' },
    { what: "another's summary meanwhile, p99", value: at(others, 0.99), unit: 'ms' },
  ];
}

interface Person {
  readonly email: string;
  readonly password: string;
}
const known: Person = { email: 'bench2@example.com', password: 'correct horse 2' };

/**
 * Sends the same request alternately for a registered and an unregistered address so that other work on the machine
 * affects both.
 */
async function tellingTimes(served: Served): Promise<Measured[]> {
  const questions = {
    'a sign-in with a wrong password': (email: string) => post(served, 'login', { email, password: 'wrong horse' }),
    'a link to set a new password': (email: string) => post(served, 'password/reset', { email }),
    registering: (email: string) => post(served, 'register', { email, password: 'correct horse battery' }),
  };
  const measured: Measured[] = [];
  for (const [what, question] of Object.entries(questions)) {
    const times: { readonly known: number[]; readonly unknown: number[] } = { known: [], unknown: [] };
    for (let turn = 0; turn < tries; turn++) {
      for (const kind of turn % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
        const email = kind === 'known' ? known.email : `nobody${what.length}-${turn}@example.com`;
        times[kind].push(await timed(() => question(email)));
        await Bun.sleep(restMilliseconds);
      }
    }
    const [ours, nobody] = [at(times.known, 0.5), at(times.unknown, 0.5)];
    measured.push(
      { what: `${what}, known address, median of ${tries}`, value: ours, unit: 'ms' },
      { what: 'the same, unknown address', value: nobody, unit: 'ms' },
      { what: 'the difference', value: (Math.abs(ours - nobody) / nobody) * 100, unit: '%' },
    );
  }
  return measured;
}

function post(served: Served, path: string, body: object): Promise<number> {
  return served.ask('POST', `/v1/auth/${path}`, '', JSON.stringify(body));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function at(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
