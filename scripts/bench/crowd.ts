import { addDays, type Day, dayOf, formatDay } from '../../src/base/day.ts';
import { testDatabase } from '../../test/support/database.ts';
import { type Measured, measureSeconds, quantile, readMemory } from './measure.ts';
import { type Served, serveApp } from './served.ts';
import { generator, tradesCsv } from './trades.ts';

const people = 50;
const rowsBefore = Number(process.env.BENCH_ROWS ?? 20_000);
const rowsAdded = 1_000;
const minutes = Number(process.env.BENCH_MINUTES ?? 15);
/** Pause between two actions of a user, who reads the screen. */
const pauseSeconds = { least: 2, most: 8 };

/** The actions of a user, in turn. The last one adds a file to large books. */
const crowdActions = ['summary', 'list', 'disposals', 'edit', 'summary', 'lots', 'import'] as const;
type CrowdAction = (typeof crowdActions)[number];

interface Person {
  readonly cookie: string;
  /** Ids of the rows that are corrected, in order. */
  readonly ids: readonly string[];
}

/**
 * Simulates fifty users on one server for a quarter of an hour, each with large books. They read, correct rows, and
 * sometimes import a file of 1,000 rows dated after all existing ones.
 */
export async function benchCrowd(): Promise<Measured[]> {
  const books = await testDatabase();
  const served = await serveApp(books.url);
  try {
    const crowd: Person[] = [];
    for (let at = 0; at < people; at++) {
      const cookie = await served.register('PRO');
      await served.importCsv(cookie, tradesCsv(rowsBefore));
      crowd.push({ cookie, ids: await served.transactionIds(cookie, '2024-06-01', 50) });
    }
    const seconds = new Map<CrowdAction, number[]>(crowdActions.map((action) => [action, []]));
    const refused: string[] = [];
    const until = performance.now() + minutes * 60_000;
    await Promise.all(crowd.map((one, at) => atWork(served, one, at, until, { seconds, refused })));
    const size = rowsBefore.toLocaleString('en-US');
    const of = (action: CrowdAction, share: number): number => quantile(seconds.get(action) ?? [], share) * 1_000;
    return [
      {
        what: `${people} people for ${minutes} minutes: imports of 1,000 rows into books of ${size}`,
        value: seconds.get('import')?.length ?? 0,
        unit: 'imports',
      },
      { what: 'refused or failed', value: refused.length, unit: 'requests' },
      ...[...new Set(crowdActions)].flatMap((action) => [
        { what: `${action}, p50`, value: of(action, 0.5), unit: 'ms' },
        { what: `${action}, p99`, value: of(action, 0.99), unit: 'ms' },
      ]),
      { what: 'memory of the server at its peak', value: readMemory(served.pid, 'VmHWM'), unit: 'MB' },
    ];
  } finally {
    await served.stop();
    await books.drop();
  }
}

interface CrowdResults {
  readonly seconds: ReadonlyMap<CrowdAction, number[]>;
  readonly refused: string[];
}

async function atWork(
  served: Served,
  one: Person,
  at: number,
  until: number,
  crowdResults: CrowdResults,
): Promise<void> {
  const random = generator(at + 1);
  for (let turn = at; ; turn++) {
    const { least, most } = pauseSeconds;
    await Bun.sleep((least + random() * (most - least)) * 1_000);
    if (performance.now() >= until) return;
    const action = crowdActions[turn % crowdActions.length] as CrowdAction;
    let status = 0;
    const took = await measureSeconds(async () => {
      status = await doneBy(served, one, action, turn);
    });
    crowdResults.seconds.get(action)?.push(took);
    if (status >= 300) crowdResults.refused.push(`${action} ${status}`);
  }
}

function doneBy(served: Served, { cookie, ids }: Person, action: CrowdAction, turn: number): Promise<number> {
  switch (action) {
    case 'summary':
      return served.ask('GET', '/v1/tax/summary?year=2024', cookie);
    case 'list':
      return served.ask('GET', '/v1/transactions?limit=50', cookie);
    case 'disposals':
      return served.ask('GET', '/v1/tax/disposals?year=2024&limit=50', cookie);
    case 'lots':
      return served.ask('GET', '/v1/tax/lots?limit=50', cookie);
    case 'edit': {
      const body = JSON.stringify({ amount: `${1_000 + turn}.00` });
      const path = `/v1/transactions/${ids[turn % ids.length]}`;
      return served.ask('PATCH', path, cookie, body, 'application/merge-patch+json');
    }
    case 'import':
      return served.ask('POST', '/v1/transactions/import', cookie, following(turn), 'text/csv');
    default:
      return action satisfies never;
  }
}

/**
 * Creates trades dated after all existing ones. Shares bought on a day are sold that day, and each turn has its own
 * day.
 */
function following(turn: number): string {
  const on = formatDay(addDays(dayOf(2025, 1, 1) as Day, turn));
  const lines = Array.from({ length: rowsAdded }, (_, row) => {
    const time = new Date(row * 60_000).toISOString().slice(11, 19);
    return `${on}T${time}Z,${row % 40 < 20 ? 'buy' : 'sell'},Broker,S${row % 20},5,${(900 + (row % 97)).toFixed(2)},0.35`;
  });
  return `date,type,account,asset,quantity,amount,fee\n${lines.join('\n')}\n`;
}
