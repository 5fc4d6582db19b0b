import { afterAll, beforeAll, expect, test } from 'bun:test';
import { tradesCsv } from '../../scripts/bench/trades.ts';
import { engineVersion } from '../../src/engine/replay.ts';
import { Ground, type Person } from '../support/kills/ground.ts';
import { differenceOf, type State, selectState } from '../support/kills/state.ts';
import { until } from '../support/until.ts';

let ground: Ground;
beforeAll(async () => {
  ground = await Ground.open();
});
afterAll(() => ground.close());

const csv = tradesCsv(300, 3);

test('a kill during the renewal of several accounts leaves each of them renewed or unchanged, and a restart renews the rest', async () => {
  const people = await Array.fromAsync({ length: 8 }, importTrades);
  const renewed = await fetchStates(people);
  const held = people.filter((_, at) => at % 2 === 1);

  const victim = await ground.aimAt('server');
  await victim.kill();
  for (const { taxpayerId } of people) await makeStale(taxpayerId);
  const stale = await fetchStates(people);
  expect(countEqual(stale, renewed)).toBe(0);
  await holdRenewals(held);
  await ground.recover();
  await until('a renewal is at its end, and the others of its group are done', async () => {
    const waiting = await countWaiting();
    const done = people.length - (await listStale()).length;
    await Bun.sleep(200);
    return waiting > 0 && waiting === (await countWaiting()) && done === people.length - (await listStale()).length;
  });
  await (await ground.aimAt('server')).kill();

  await until('PostgreSQL notices the kill', async () => (await countWaiting()) === 0);
  const left = await listStale();
  expect(left).toEqual(expect.arrayContaining(held.map(({ taxpayerId }) => taxpayerId)));
  const killed = await fetchStates(people);
  const expected = people.map(({ taxpayerId }, at) => (left.includes(taxpayerId) ? stale[at] : renewed[at]) as State);
  expect(killed.map((state, at) => differenceOf(state, expected[at] as State))).toEqual(people.map(() => []));

  await ground.asOwner((sql) => sql.unsafe('drop trigger hold on ledgers'));
  await ground.recover();
  await until('all accounts are renewed', async () => (await listStale()).length === 0);
  expect(countEqual(await fetchStates(people), renewed)).toBe(people.length);
});

async function importTrades(): Promise<Person> {
  const person = await ground.register();
  const headers = { 'content-type': 'text/csv', cookie: person.cookie };
  const response = await ground.request('POST', '/v1/transactions/import', { headers, body: csv });
  expect(response.status).toBe(201);
  return person;
}

/** Makes the books look as if another engine version had calculated them, with different figures. */
async function makeStale(taxpayerId: string): Promise<void> {
  await ground.asOwner(async (sql) => {
    await sql`update ledgers set engine = 'earlier' where taxpayer_id = ${taxpayerId}`;
    await sql`
      update checkpoints set engine = 'earlier', days = regexp_replace(days, ':\\S+', ':earlier', 'g')
      where taxpayer_id = ${taxpayerId}`;
    await sql`update disposals set basis = basis + 1 where taxpayer_id = ${taxpayerId}`;
  });
}

/** Makes the last statement of these renewals wait, when everything else is written. */
async function holdRenewals(held: readonly Person[]): Promise<void> {
  const ids = held.map(({ taxpayerId }) => `'${taxpayerId}'`).join(', ');
  await ground.asOwner(async (sql) => {
    await sql.unsafe(`create function hold() returns trigger language plpgsql as $$
      begin perform pg_sleep(300); return new; end $$`);
    await sql.unsafe(`create trigger hold before update on ledgers for each row
      when (old.engine = 'earlier' and new.engine = '${engineVersion}' and new.taxpayer_id in (${ids}))
      execute function hold()`);
  });
}

async function countWaiting(): Promise<number> {
  return ground.asOwner(async (sql) => {
    const rows = await sql`select from pg_stat_activity where wait_event = 'PgSleep'`;
    return rows.length;
  });
}

async function listStale(): Promise<string[]> {
  return ground.asOwner(async (sql) => {
    const rows = await sql<{ id: string }[]>`select taxpayer_id as id from ledgers where engine = 'earlier'`;
    return rows.map(({ id }) => id);
  });
}

async function fetchStates(people: readonly Person[]): Promise<State[]> {
  return ground.asOwner((sql) => Array.fromAsync(people, ({ taxpayerId }) => selectState(sql, taxpayerId)));
}

function countEqual(some: readonly State[], others: readonly State[]): number {
  return some.filter((state, at) => differenceOf(state, others[at] as State).length === 0).length;
}
