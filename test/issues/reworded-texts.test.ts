import { afterAll, beforeAll, expect, test } from 'bun:test';
import { addDays, type Day, formatDay, parseDay } from '../../src/base/day.ts';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { csvOf, elect, fetchAll, importCsv } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

interface Issue {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly asset: string;
  readonly units: string | null;
  readonly closesOn: string | null;
  readonly proposals: { action: string; detail: string; quantity?: string }[];
}

const header = 'date,type,account,asset,quantity,amount,fee,id\n';
const isin = 'US0378331005';
const loss = addDays(parseDay(new Date().toISOString().slice(0, 10)) as Day, -10);
const closes = formatDay(addDays(loss, 30));

/** Replaces every text that Lotbook writes for users, wherever it is stored. User data stays as it is. */
async function rewordTexts(): Promise<number> {
  return app.books.asOwner(async (sql) => {
    const columns = await sql<{ table: string; column: string; type: string }[]>`
      select c.table_name as table, c.column_name as column, c.data_type as type
      from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and (
        c.column_name in ('detail', 'reason', 'title', 'body', 'box_reason')
        or (c.table_name, c.column_name) in (('resolutions', 'issue'), ('imports', 'problem'), ('imports', 'skips'), ('imports', 'warnings'))
      )`;
    for (const { table, column, type } of columns) {
      await sql`alter table ${sql(table)} no force row level security`;
      if (type !== 'jsonb') await sql`update ${sql(table)} set ${sql(column)} = 'Reworded.'`;
      else
        await sql`
          update ${sql(table)}
          set ${sql(column)} = regexp_replace(${sql(column)}::text, '"(detail|reason)": "[^"]*"', '"\\1": "Reworded."', 'g')::jsonb`;
      await sql`alter table ${sql(table)} force row level security`;
    }
    return columns.length;
  });
}

async function fetchDecisions(who: TestClient) {
  const issues = await fetchAll<Issue>(who, '/v1/tax/issues');
  const rejects = await fetchAll<{ code: string; manual: boolean }>(who, '/v1/imports/rejects');
  return {
    issues: issues.map(({ kind, status, asset, units, closesOn, proposals }) => ({
      ...{ kind, status, asset, units, closesOn },
      proposals: proposals.map(({ action, detail, quantity }) => ({ action, detail, quantity })),
    })),
    rejects: rejects.map(({ code, manual }) => [code, manual]),
  };
}

test('no decision depends on the words of a stored text', async () => {
  const who = await app.register('PRO');
  await importCsv(
    who,
    csvOf(
      'sell 2025-01-05 3.5 NONE @300 #s1',
      'buy 2024-05-01 10 KEPT @1000 #b2',
      'gift_out 2024-05-10 11 KEPT #s2',
      `buy ${formatDay(addDays(loss, -100))} 10 LOST @1000 #b1`,
      `sell ${formatDay(loss)} 10 LOST @400 #s3`,
    ),
  );
  await importCsv(
    who,
    `txid,refid,time,type,subtype,aclass,asset,amount,fee,balance
M1,T1,2024-06-03 10:00:00,margin,,currency,ZUSD,-5.00,0,95
D1,R1,2024-06-04 10:00:00,deposit,,currency,XXBT,one,0,1
`,
  );
  const kept = (await fetchAll<Issue>(who, '/v1/tax/issues')).find(({ asset }) => asset === 'KEPT');
  await who.json('POST', `/v1/tax/issues/${kept?.id}/resolve`, { body: { action: 'accept', note: 'Known.' } });

  const before = await fetchDecisions(who);
  expect(before.issues).toContainEqual(expect.objectContaining({ kind: 'oversold', asset: 'NONE', units: '3.5' }));
  expect(before.issues).toContainEqual(
    expect.objectContaining({ kind: 'wash_window_open', asset: 'LOST', units: null, closesOn: closes }),
  );
  expect(before.issues).toContainEqual(expect.objectContaining({ asset: 'KEPT', units: '1', status: 'accepted' }));
  expect(before.rejects).toEqual([
    ['unknown_type', true],
    ['bad_number', false],
  ]);
  expect(await rewordTexts()).toBeGreaterThan(10);
  expect(await fetchDecisions(who)).toEqual(before);

  const [bought] = await fetchAll<{ id: string }>(who, '/v1/transactions?asset=KEPT&type=buy');
  expect((await who.request('DELETE', `/v1/transactions/${bought?.id}`)).status).toBe(204);
  const [grown] = (await fetchDecisions(who)).issues.filter(({ asset }) => asset === 'KEPT');
  expect(grown).toMatchObject({ units: '11', status: 'open' });
});

test('two names that are separated again are no possible duplicate, whatever its text is', async () => {
  const who = await app.register('PRO');
  const same = { assets: { [isin]: { sameAs: 'AAPL' } } };
  await importCsv(who, `${header}2024-01-02,buy,Depot,${isin},10,2000,,\n2024-01-03,buy,Depot,${isin},1,200,,\n`);
  await importCsv(who, `${header}2024-01-02,buy,Depot,AAPL,10,2000,,\n`);
  const countPairs = async (): Promise<number> => (await fetchAll(who, '/v1/imports/possible-duplicates')).length;
  await elect(who, same);
  expect(await countPairs()).toBe(1);
  await rewordTexts();
  await elect(who, { assets: { [isin]: null } });
  expect(await countPairs()).toBe(0);
});
