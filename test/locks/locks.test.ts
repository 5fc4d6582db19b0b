import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { RateProvider } from '../../src/features/ledger/prices/providers/ecb.ts';
import { refreshRates } from '../../src/features/ledger/prices/refresh.ts';
import { recompute } from '../../src/features/ledger/recompute/recompute.ts';
import { type TestApp, type TestClient, testApp, testClock } from '../support/app.ts';
import { draws } from '../support/depth.ts';
import { seedFor } from '../support/seed.ts';

interface State {
  year: number;
  locked: boolean;
  lockedAt: string | null;
  lines: number;
  hash: string | null;
}
interface Entry {
  id: string;
  action: string;
  at: string;
  by: string;
  hash: string;
  lines: number;
}
interface Change {
  change: string;
  columns: string[];
  before: Record<string, string> | null;
  after: Record<string, string> | null;
}
interface Amendment {
  locked: boolean;
  counts: Record<string, number>;
  totals: Record<string, { before: Record<string, unknown>; after: Record<string, unknown> }>;
  data: Change[];
  hasMore: boolean;
  nextCursor: string | null;
}
interface Locked {
  code: string;
  detail: string;
  year: number;
  changes: number;
  lines: Change[];
  errors: { code: string; detail: string }[];
}

const seed = seedFor('locks over random histories');

const header = 'date,type,account,asset,quantity,amount\n';
const trades = `${header}2023-01-02,buy,Schwab,AAPL,10,1000
2023-06-03,sell,Schwab,AAPL,4,600
2024-06-03,sell,Schwab,AAPL,4,700
`;
/** An older lot that FIFO sells first, which changes the basis in the 2023 and 2024 lines. */
const older = `${header}2022-05-05,buy,Schwab,AAPL,4,80\n`;
/** A purchase and a sale after the locked years. */
const later = `${header}2025-03-03,buy,Schwab,AAPL,5,900\n2025-04-04,sell,Schwab,AAPL,2,500\n`;

const clock = testClock('2025-05-01T12:00:00Z');
let service: TestApp;
beforeAll(async () => {
  service = await testApp({ clock });
});
afterAll(() => service.close());

const send = (person: TestClient, csv: string, query = '', headers: Record<string, string> = {}) =>
  person.request('POST', `/v1/transactions/import${query}`, {
    body: csv,
    headers: { 'content-type': 'text/csv', ...headers },
  });
const lock = (person: TestClient, year: number, query = '') =>
  person.json<State>('POST', `/v1/tax/years/${year}/lock${query}`);
const unlock = (person: TestClient, year: number) => person.json<State>('POST', `/v1/tax/years/${year}/unlock`);
const amendment = (person: TestClient, year: number, query = '') =>
  person.json<Amendment>('GET', `/v1/tax/years/${year}/amendment${query}`);
const history = async (person: TestClient, year: number) =>
  (await person.json<{ data: Entry[] }>('GET', `/v1/tax/years/${year}/history`)).data;
const refusal = async (response: Response): Promise<Locked> => {
  expect(response.status).toBe(409);
  return (await response.json()) as Locked;
};

/** Registers a taxpayer with lines in 2023 and 2024 and locks 2023. */
async function filed(): Promise<TestClient> {
  const person = await service.register('CPA');
  expect((await send(person, trades)).status).toBe(201);
  await lock(person, 2023);
  return person;
}

/** Returns everything that a change could leave behind. */
async function everything(person: TestClient) {
  return {
    lines: await person.json('GET', '/v1/tax/disposals'),
    lots: await person.json('GET', '/v1/tax/lots'),
    summary: await person.json('GET', '/v1/tax/summary?year=2023'),
    transactions: await person.json('GET', '/v1/transactions'),
    settings: await person.json('GET', '/v1/tax/settings'),
    imports: await person.json('GET', '/v1/imports'),
    prices: await person.json('GET', '/v1/prices'),
  };
}

describe('a locked year', () => {
  test('refuses an import that would change its lines, lists the lines, and changes nothing', async () => {
    const person = await filed();
    const before = await everything(person);
    const problem = await refusal(await send(person, older));
    expect(problem.code).toBe('year_locked');
    expect(problem.detail).toBe(
      '2023 is locked, and this change would alter one of its Form 8949 entries: 4 AAPL sold 2023-06-03 from Schwab: box C → F, date acquired 2023-01-02 → 2022-05-05, start of the holding period 2023-01-02 → 2022-05-05, cost basis $400.00 → $80.00, gain $200.00 → $520.00, term short → long. Nothing was changed. Unlock the year first.',
    );
    expect(problem).toMatchObject({ year: 2023, changes: 1 });
    expect(problem.errors).toMatchObject([{ code: 'line_changed' }]);
    expect(problem.lines).toMatchObject([
      { change: 'changed', before: { basis: '400.00' }, after: { basis: '80.00', gain: '520.00' } },
    ]);
    expect(await everything(person)).toEqual(before);
  });

  test('accepts an import that leaves its lines unchanged, even in the same book', async () => {
    const person = await filed();
    expect((await send(person, later)).status).toBe(201);
    const dividend = `${header}2023-09-09,dividend,Schwab,AAPL,,12.00\n2023-02-02,buy,Schwab,KO,1,60\n`;
    expect((await send(person, dividend)).status).toBe(201);
    expect((await amendment(person, 2023)).data).toEqual([]);
  });

  test('refuses a change that adds or removes a line', async () => {
    const person = await filed();
    const more = await refusal(await send(person, `${header}2023-07-07,sell,Schwab,AAPL,0.488512345678,150\n`));
    expect(more.detail).toContain(
      'about 0.4885 AAPL sold 2023-07-07 from Schwab would become a new entry with a gain of',
    );
    expect(more.lines.map(({ change }) => change)).toContain('added');
    const { data } = await person.json<{ data: { id: string }[] }>('GET', '/v1/transactions?type=sell&year=2023');
    const less = await refusal(await person.request('DELETE', `/v1/transactions/${data[0]?.id}`));
    expect(less.lines.map(({ change }) => change)).toEqual(['gone']);
  });

  test('refuses a January purchase that would make a December loss a wash sale', async () => {
    const person = await service.register('PRO');
    await send(person, `${header}2023-11-01,buy,Schwab,KO,10,1000\n2023-12-20,sell,Schwab,KO,10,800\n`);
    await lock(person, 2023);
    const problem = await refusal(await send(person, `${header}2024-01-10,buy,Schwab,KO,10,850\n`));
    expect(problem.detail).toContain('adjustment code none → W, adjustment $0.00 → $200.00');
    expect((await send(person, `${header}2024-01-20,buy,Schwab,KO,10,850\n`)).status).toBe(201);
  });

  test('refuses every kind of write that would change it', async () => {
    const person = await service.register('CPA');
    const first = await person.json<{ id: string }>(
      'POST',
      '/v1/transactions/import',
      { body: trades, headers: { 'content-type': 'text/csv' } },
      201,
    );
    await send(person, `${header}2023-02-02,sell,Kraken,BTC,1,20000\n2022-03-03,buy,Schwab,AAPL,1,50\n`);
    await send(person, 'date,type,account,asset,quantity,amount,currency\n2023-03-03,buy,Kraken,ETH,1,1000,EUR\n');
    await send(person, `${header}2023-04-04,sell,Kraken,ETH,1,1500\n`);
    await lock(person, 2023);
    const before = await everything(person);
    const buys = await person.json<{ data: { id: string }[] }>('GET', '/v1/transactions?type=buy&asset=AAPL');
    const issues = await person.json<{ data: { id: string; kind: string }[] }>('GET', '/v1/tax/issues');
    const oversold = issues.data.find(({ kind }) => kind === 'oversold');
    const csv = { 'content-type': 'text/csv' };
    const attempts: Record<string, Promise<Response>> = {
      undo: person.request('DELETE', `/v1/imports/${first.id}`),
      byHand: person.request('POST', '/v1/transactions', {
        body: { date: '2021-01-01', type: 'buy', account: 'Schwab', asset: 'AAPL', quantity: '9', amount: '9.00' },
      }),
      correction: person.request('PATCH', `/v1/transactions/${buys.data[0]?.id}`, { body: { amount: '77.00' } }),
      removal: person.request('DELETE', `/v1/transactions/${buys.data[0]?.id}`),
      method: person.request('PATCH', '/v1/tax/settings', { body: { method: 'LIFO' } }),
      account: person.request('PATCH', '/v1/tax/settings', {
        body: { accounts: { Schwab: { type: 'taxable', form: '1099-B' } } },
      }),
      price: person.request('POST', '/v1/prices', { body: 'date,asset,usd\n2023-03-03,EUR,1.10\n', headers: csv }),
      answer: person.request('POST', `/v1/tax/issues/${oversold?.id}/resolve`, {
        body: { action: 'basis', basis: '100.00', acquired: '2020-01-01', note: 'found it' },
      }),
      dryRun: send(person, older, '?dryRun=true'),
    };
    for (const [what, response] of Object.entries(attempts)) {
      const { code } = await refusal(await response);
      expect([what, code]).toEqual([what, 'year_locked']);
    }
    expect(await everything(person)).toEqual(before);
  });

  test('refuses a time zone that would move a sale to another year', async () => {
    const person = await service.register('PRO');
    await send(person, `${header}2023-01-01,buy,Kraken,BTC,1,100\n2024-01-01T03:00:00Z,sell,Kraken,BTC,1,300\n`);
    await lock(person, 2023);
    const { code } = await refusal(
      await person.request('PATCH', '/v1/account', { body: { timeZone: 'America/New_York' } }),
    );
    expect(code).toBe('year_locked');
    expect(await person.json<{ timeZone: string }>('GET', '/v1/account')).toMatchObject({ timeZone: 'UTC' });
  });

  test('fails an asynchronous import with a reason', async () => {
    const person = await filed();
    const accepted = await send(person, older, '', { prefer: 'respond-async' });
    expect(accepted.status).toBe(202);
    const where = accepted.headers.get('location') ?? '';
    for (;;) {
      const { status, problem } = await person.json<{ status: string; problem?: { code: string; detail: string } }>(
        'GET',
        where,
      );
      if (status === 'running') {
        await Bun.sleep(20);
        continue;
      }
      expect(status).toBe('failed');
      expect(problem?.code).toBe('year_locked');
      expect(problem?.detail).toContain('cost basis $400.00 → $80.00');
      break;
    }
    expect((await amendment(person, 2023)).data).toEqual([]);
  });

  test('accepts a row that is removed and stored again with the same lines', async () => {
    const person = await filed();
    await unlock(person, 2023);
    const { data } = await person.json<{ data: { id: string }[] }>('GET', '/v1/transactions?type=sell&year=2023');
    await person.json('DELETE', `/v1/transactions/${data[0]?.id}`);
    const again = {
      date: '2023-06-03',
      type: 'sell',
      account: 'Schwab',
      asset: 'AAPL',
      quantity: '4',
      amount: '600.00',
    };
    await person.json('POST', '/v1/transactions', { body: again }, 201);
    expect((await amendment(person, 2023)).data).toEqual([]);
  });

  test('keeps the figures of an earlier engine version until it is unlocked', async () => {
    const person = await service.register('PRO');
    await send(person, trades);
    // Simulates books that another version calculated.
    await service.books.asOwner(async (sql) => {
      const mine = sql`select m.taxpayer_id from memberships m join users u on u.id = m.user_id where u.email = ${person.email}`;
      await sql`update disposals set basis = 399 where taxpayer_id in (${mine}) and on_day = '2023-06-03'`;
      await sql`update checkpoints set engine = 'earlier', days = regexp_replace(days, ':\\S+', ':earlier', 'g') where taxpayer_id in (${mine})`;
    });
    await lock(person, 2023);
    const problem = await refusal(await send(person, later));
    expect(problem.detail).toContain('cost basis $399.00 → $400.00');
    await unlock(person, 2023);
    expect((await send(person, later)).status).toBe(201);
    expect((await amendment(person, 2023)).data.map(({ columns }) => columns)).toEqual([['basis', 'gain']]);
  });

  test('blocks new provider rates for its own taxpayer only', async () => {
    const [locked, open] = [await service.register('PRO'), await service.register('PRO')];
    const rows = '2023-03-03,buy,D,SAP,10,1000,EUR\n2023-04-04,sell,D,SAP,10,1200,USD\n';
    for (const person of [locked, open]) await send(person, `${header.trim()},currency\n${rows}`);
    const before = await locked.json('GET', '/v1/tax/disposals');
    await lock(locked, 2023);
    const rate = { asset: 'EUR', day: '2023-03-03', usd: '1.10' };
    const provider: RateProvider = { source: 'ecb', read: async () => [rate] };
    expect(await refreshRates(service.deps, recompute, provider, AbortSignal.timeout(5000))).toBe(1);
    expect(await locked.json('GET', '/v1/tax/disposals')).toEqual(before);
    expect(await open.json('GET', '/v1/tax/disposals')).toMatchObject({ data: [{ basis: '1100.00' }] });
    // There is no request to respond to, so the feed reports it once, for any number of tries.
    await refreshRates(service.deps, recompute, provider, AbortSignal.timeout(5000));
    const { data: feed } = await locked.json<{ data: { kind: string }[] }>('GET', '/v1/notifications');
    expect(feed.filter(({ kind }) => kind === 'year_conflict')).toMatchObject([
      { title: 'A new exchange rate would change 2023, which is locked', link: '/v1/tax/summary?year=2023' },
    ]);
  });

  test('appears in the list of years', async () => {
    const person = await filed();
    const { data } = await person.json<{ data: { year: number; locked: boolean }[] }>('GET', '/v1/tax/years');
    expect(data.map(({ year, locked }) => [year, locked])).toEqual([
      [2023, true],
      [2024, false],
    ]);
  });

  test('refuses its first line if it had no activity', async () => {
    const person = await filed();
    expect(await lock(person, 2021)).toMatchObject({ locked: true, lines: 0 });
    const sold = `${header}2020-01-01,buy,Schwab,KO,1,50\n2021-02-02,sell,Schwab,KO,1,60\n`;
    expect((await refusal(await send(person, sold))).lines).toMatchObject([{ change: 'added', before: null }]);
  });
});

describe('unlocking', () => {
  test('must be requested, and the history records who locked it, when, and the hash of the lines', async () => {
    const person = await filed();
    const first = await lock(person, 2023);
    expect(first).toMatchObject({ year: 2023, locked: true, lockedAt: '2025-05-01T12:00:00.000Z', lines: 1 });
    expect(await unlock(person, 2023)).toEqual({ ...first, locked: false, lockedAt: null });
    expect(await unlock(person, 2023)).toMatchObject({ locked: false });
    expect((await send(person, older)).status).toBe(201);
    const second = await lock(person, 2023);
    expect(second.hash).not.toBe(first.hash);
    const entries = await history(person, 2023);
    expect(entries.map(({ action, by, hash }) => [action, by, hash])).toEqual([
      ['lock', person.email, second.hash],
      ['unlock', person.email, first.hash],
      ['lock', person.email, first.hash],
    ] as [string, string, string][]);
    expect(await history(person, 2024)).toEqual([]);
  });

  test('an amendment lists the added, removed and changed lines, with the totals', async () => {
    const person = await filed();
    await send(person, `${header}2023-02-02,buy,Schwab,KO,1,60\n`);
    await unlock(person, 2023);
    await send(person, older);
    await send(person, `${header}2023-08-08,sell,Schwab,KO,1,55\n`);
    const found = await amendment(person, 2023);
    expect(found.counts).toEqual({ added: 1, gone: 0, changed: 1 });
    expect(found.data.map(({ change, columns }) => [change, columns])).toEqual([
      ['changed', ['box', 'acquired', 'heldSince', 'basis', 'gain', 'term']],
      ['added', []],
    ]);
    expect(found.data[0]?.before).toMatchObject({ asset: 'AAPL', basis: '400.00' });
    expect(found.data[0]?.after).toMatchObject({ asset: 'AAPL', basis: '80.00' });
    expect(found.totals).toMatchObject({
      shortTerm: { before: { gain: '200.00', count: 1 }, after: { gain: '-5.00', count: 1 } },
      longTerm: { before: { gain: '0.00', count: 0 }, after: { gain: '520.00', count: 1 } },
      total: { before: { gain: '200.00' }, after: { gain: '515.00' } },
    });
    const page = await amendment(person, 2023, '?limit=1');
    expect([page.data.length, page.hasMore]).toEqual([1, true]);
    const rest = await amendment(person, 2023, `?limit=1&cursor=${page.nextCursor}`);
    expect([...page.data, ...rest.data]).toEqual(found.data);
    await lock(person, 2023);
    expect((await amendment(person, 2023)).data).toEqual([]);
    const filedAs = (await history(person, 2023)).at(-1);
    expect((await amendment(person, 2023, `?lock=${filedAs?.id}`)).data).toEqual(found.data);
  });

  test('a year that was never locked has no amendment', async () => {
    const person = await filed();
    expect((await person.request('GET', '/v1/tax/years/2024/amendment')).status).toBe(404);
    expect((await person.request('GET', '/v1/tax/years/1899/amendment')).status).toBe(422);
  });
});

test('random histories: a change is refused exactly if it would change lines in the locked year, and then nothing changes', async () => {
  const row = fc.record({
    day: fc.integer({ min: 0, max: 1094 }),
    type: fc.constantFrom('buy', 'sell', 'dividend'),
    asset: fc.constantFrom('KO', 'PEP'),
    quantity: fc.integer({ min: 1, max: 9 }),
    amount: fc.integer({ min: 1, max: 999 }),
  });
  const rows = fc.array(row, { minLength: 1, maxLength: 10 });
  const csv = (all: { day: number; type: string; asset: string; quantity: number; amount: number }[]): string => {
    const lines = all.map(({ day, type, asset, quantity, amount }) => {
      const date = new Date(Date.UTC(2022, 0, 1 + day)).toISOString().slice(0, 10);
      return `${date},${type},Schwab,${asset},${type === 'dividend' ? '' : quantity},${amount}`;
    });
    return `${header}${lines.join('\n')}\n`;
  };
  const fetchLines = async (person: TestClient) =>
    (await person.json<{ data: Record<string, string>[] }>('GET', '/v1/tax/disposals?year=2023&limit=1000')).data
      .map(({ id: _id, saleId: _sale, lotId: _lot, ...line }) => JSON.stringify(line))
      .sort();
  let [refused, accepted] = [0, 0];
  await fc.assert(
    fc.asyncProperty(rows, rows, async (first, second) => {
      const [locked, free] = [await service.register('PRO'), await service.register('PRO')];
      for (const person of [locked, free]) expect((await send(person, csv(first))).status).toBe(201);
      const before = await fetchLines(locked);
      await lock(locked, 2023);
      expect((await send(free, csv(second))).status).toBe(201);
      const changes = JSON.stringify(await fetchLines(free)) !== JSON.stringify(before);
      const { status } = await send(locked, csv(second));
      expect([changes, status]).toEqual([changes, changes ? 409 : 201]);
      expect(await fetchLines(locked)).toEqual(before);
      if (changes) refused += 1;
      else accepted += 1;
    }),
    { seed, numRuns: draws(8, 24) },
  );
  expect(refused).toBeGreaterThan(0);
  expect(accepted).toBeGreaterThan(0);
});

test("the CPA locks a client's year for the client, and other users cannot see it", async () => {
  const cpa = await service.register('CPA');
  const client = await cpa.json<{ id: string }>('POST', '/v1/clients', { body: { name: 'Ann' } }, 201);
  const query = `?client=${client.id}`;
  expect((await send(cpa, trades, query)).status).toBe(201);
  expect(await lock(cpa, 2023, query)).toMatchObject({ locked: true, lines: 1 });
  expect((await refusal(await send(cpa, older, query))).code).toBe('year_locked');
  expect((await send(cpa, older)).status).toBe(201);
  expect(await history(cpa, 2023)).toEqual([]);
  const seen = await cpa.json<{ data: Entry[] }>('GET', `/v1/tax/years/2023/history${query}`);
  expect(seen.data.map(({ by }) => by)).toEqual([cpa.email]);
  const other = await service.register('CPA');
  expect((await other.request('POST', `/v1/tax/years/2023/unlock${query}`)).status).toBe(404);
  await cpa.json('DELETE', `/v1/clients/${client.id}`);
});
