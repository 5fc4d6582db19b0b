import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { fetchAll, type ImportResource, importCsv } from '../support/books.ts';

interface Imported extends ImportResource {
  readonly accounts: readonly { readonly account: string; readonly by: string; readonly stated: string | null }[];
  readonly accountOffers: readonly { readonly from: string; readonly to: string; readonly rows: number }[];
}

interface Row {
  readonly id: string;
  readonly account: string;
  readonly asset: string;
  readonly type: string;
}

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const header = '"Date","Action","Symbol","Description","Quantity","Price","Fees & Comm","Amount"';
const title = (account: string): string => `"Transactions  for account ${account} as of 02/03/2026 09:14:00 AM ET"`;
const bought = (day: string, asset: string, units: number): string =>
  `"${day}","Buy","${asset}","${asset} INC","${units}","$10.00","","-$${units * 10}.00"`;
const sold = (day: string, asset: string, units: number): string =>
  `"${day}","Sell","${asset}","${asset} INC","${units}","$12.00","","$${units * 12}.00"`;
const schwab = (account: string | null, ...rows: readonly string[]): string =>
  `${[...(account === null ? [] : [title(account)]), header, ...rows].join('\n')}\n`;

const joint = 'Joint Tenant ...871';
const roth = 'Roth Contributory IRA ...872';
const rows = [
  sold('11/03/2025', 'ACME', 5),
  bought('08/04/2025', 'ACME', 5),
  bought('08/04/2025', 'ACME', 5),
  bought('03/03/2025', 'OTHR', 2),
];

const send = (who: TestClient, csv: string, query = ''): Promise<Imported> =>
  importCsv(who, csv, query) as Promise<Imported>;
const fetchRows = (who: TestClient): Promise<Row[]> => fetchAll(who, '/v1/transactions');
const fetchAccounts = async (who: TestClient): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { account } of await fetchRows(who)) counts[account] = (counts[account] ?? 0) + 1;
  return counts;
};
const readImport = (who: TestClient, id: string): Promise<Imported> => who.json('GET', `/v1/imports/${id}`);

/** Stores the file as an earlier version did: under the name of the source, without its account. */
async function sendEarlier(who: TestClient, csv: string, query = '?account=Schwab'): Promise<Imported> {
  const sent = await send(who, csv, query);
  await app.books.asOwner((sql) => sql`update imports set accounts = null, asked = '{}' where id = ${sent.id}`);
  return sent;
}

test('two accounts of one broker stay separate, in either file order', async () => {
  for (const files of [
    [joint, roth],
    [roth, joint],
  ]) {
    const who = await app.register();
    for (const account of files)
      expect(await send(who, schwab(account, ...rows))).toMatchObject({ imported: 4, duplicates: 0 });
    expect(await fetchAccounts(who)).toEqual({ [joint]: 4, [roth]: 4 });
    expect(await send(who, schwab(joint, ...rows))).toMatchObject({ imported: 0, duplicates: 4 });
    const issues = await fetchAll<{ kind: string; account: string }>(who, '/v1/tax/issues');
    expect(issues).toContainEqual(expect.objectContaining({ kind: 'account_type_unknown', account: roth }));
  }
});

test('the account can come from the file name, and the import lists its source', async () => {
  const who = await app.register();
  const file =
    'Run Date,Action,Symbol,Quantity,Price ($),Amount ($)\n01/02/2025,YOU BOUGHT ACME (ACME),ACME,1,10,-10.00\n';
  const form = new FormData();
  form.append('file', new File([file], 'History_for_Account_X11117781.csv', { type: 'text/csv' }));
  const sent = await who.json<Imported>('POST', '/v1/transactions/import', { body: form });
  expect(sent.accounts).toEqual([
    { account: 'Fidelity 7781', by: 'file_name', stated: 'Fidelity 7781', rows: 1 } as never,
  ]);
  expect(await fetchAccounts(who)).toEqual({ 'Fidelity 7781': 1 });
});

test('a masked number of a known account does not create a third account', async () => {
  const who = await app.register();
  await send(who, schwab(joint, ...rows));
  expect((await send(who, schwab('XXXX-5871', ...rows))).duplicates).toBe(4);
  expect(await fetchAccounts(who)).toEqual({ [joint]: 4 });
});

test('two users of an exchange stay separate, and the first one keeps the name of the exchange', async () => {
  const who = await app.register();
  const fileOf = (user: string): string =>
    [
      'Transactions',
      `User,Jane,00000000-0000-0000-0000-00000000${user}`,
      'Timestamp,Transaction Type,Asset,Quantity Transacted,Spot Price Currency,Spot Price at Transaction,Subtotal,Total (inclusive of fees and/or spread),Fees and/or Spread,Notes',
      '2025-01-05T12:00:00Z,Buy,BTC,0.01,USD,90000.00,900.00,910.00,10.00,Bought 0.01 BTC',
    ].join('\n');
  await sendEarlier(who, fileOf('7781'), '?account=Coinbase');
  for (const user of ['7781', '7782', '7781', '7782']) await send(who, fileOf(user));
  expect(await fetchAccounts(who)).toEqual({ Coinbase: 1, 'Coinbase 7782': 1 });
});

test('later files use the account name from the request', async () => {
  const who = await app.register();
  await send(who, schwab(joint, ...rows), '?account=Our%20Schwab');
  expect((await send(who, schwab(joint, ...rows))).duplicates).toBe(4);
  expect(await fetchAccounts(who)).toEqual({ 'Our Schwab': 4 });
});

test('rows stored before their account was known are recognized, and the import offers to assign them', async () => {
  const who = await app.register();
  const first = await sendEarlier(who, schwab(joint, ...rows));
  const [edited] = (await fetchRows(who)).filter(({ asset }) => asset === 'OTHR');
  await who.json('PATCH', `/v1/transactions/${edited?.id}`, { body: { amount: '21' } });
  const longer = [bought('01/05/2026', 'ACME', 1), ...rows];
  const again = await send(who, schwab(joint, ...longer));
  expect(again).toMatchObject({ imported: 1, duplicates: 4 });
  expect(again.accountOffers).toEqual([{ from: 'Schwab', to: joint, rows: 4 }]);
  expect(await fetchAccounts(who)).toEqual({ Schwab: 4, [joint]: 1 });

  const assigned = await who.json<{ edits: { editId: string; rows: number }[]; left: number }>(
    'POST',
    `/v1/imports/${again.id}/assign-accounts`,
    {},
  );
  expect(assigned).toMatchObject({ edits: [{ account: joint, rows: 4 }], left: 0 });
  expect(await fetchAccounts(who)).toEqual({ [joint]: 5 });
  expect((await readImport(who, again.id)).accountOffers).toEqual([]);
  expect((await send(who, schwab(joint, ...longer))).duplicates).toBe(5);

  await who.json('POST', `/v1/transactions/edits/${assigned.edits[0]?.editId}/undo`, {});
  expect(await fetchAccounts(who)).toEqual({ Schwab: 4, [joint]: 1 });
  expect((await readImport(who, again.id)).accountOffers).toEqual([{ from: 'Schwab', to: joint, rows: 4 }]);
  const calculated = await who.json<{ differences: unknown[] }>('POST', '/v1/tax/calculate', { body: {} });
  expect(calculated.differences).toEqual([]);

  for (const { id } of await fetchAll<Imported>(who, '/v1/imports'))
    if (id !== first.id) await who.json('DELETE', `/v1/imports/${id}`, {}, 204);
  expect(await fetchAccounts(who)).toEqual({ Schwab: 4 });
  await who.json('DELETE', `/v1/imports/${first.id}`, {}, 204);
  expect(await fetchRows(who)).toEqual([]);
});

test('equal rows of another account do not match rows of the earlier file', async () => {
  const who = await app.register();
  await sendEarlier(who, schwab(joint, ...rows));
  const other = await send(who, schwab(roth, ...rows));
  expect(other).toMatchObject({ imported: 4, duplicates: 0, accountOffers: [] });
  expect(await fetchAccounts(who)).toEqual({ Schwab: 4, [roth]: 4 });
});

test('an earlier file without an account matches if both files have the same rows for its days', async () => {
  const who = await app.register();
  await sendEarlier(who, schwab(null, ...rows));
  const again = await send(who, schwab(joint, bought('01/05/2026', 'ACME', 1), ...rows));
  expect(again).toMatchObject({ imported: 1, duplicates: 4 });
  expect(again.accountOffers).toEqual([{ from: 'Schwab', to: joint, rows: 4 }]);

  const stranger = await app.register();
  await sendEarlier(stranger, schwab(null, ...rows, bought('06/02/2025', 'LONE', 3)));
  expect(await send(stranger, schwab(joint, ...rows))).toMatchObject({ imported: 4, duplicates: 0 });
});

test('a dry run shows the offer and does not store it', async () => {
  const who = await app.register();
  await sendEarlier(who, schwab(joint, ...rows));
  const tried = await send(who, schwab(joint, ...rows), '?dryRun=true');
  expect(tried.accountOffers).toEqual([{ from: 'Schwab', to: joint, rows: 4 }]);
  expect(await fetchAll(who, '/v1/imports')).toHaveLength(1);
});

test('a file that is read again gets the account that it names', async () => {
  const who = await app.register();
  const { id } = await sendEarlier(who, schwab(joint, ...rows));
  await who.json('POST', `/v1/imports/${id}/reread`, { body: { apply: true } });
  expect(await fetchAccounts(who)).toEqual({ [joint]: 4 });
});

interface Question {
  readonly id: string;
  readonly account: string;
  readonly otherAccount: string;
  readonly importId: string;
  readonly detail: string;
}

const robinhood = (...trades: readonly (readonly [day: string, asset: string])[]): string => {
  const head =
    '"Activity Date","Process Date","Settle Date","Instrument","Description","Trans Code","Quantity","Price","Amount"';
  const lines = trades.map(
    ([day, asset]) => `"${day}","${day}","${day}","${asset}","${asset} Inc","Buy","1","$10.00","($10.00)"`,
  );
  return `${[head, ...lines].join('\n')}\n`;
};
const fetchQuestions = (who: TestClient): Promise<Question[]> => fetchAll(who, '/v1/imports/account-questions');
const mine = robinhood(['3/5/2025', 'AAAA'], ['4/7/2025', 'AAAA'], ['5/6/2025', 'BBBB']);
const other = robinhood(['3/5/2025', 'AAAA'], ['4/8/2025', 'CCCC'], ['5/7/2025', 'DDDD'], ['5/8/2025', 'DDDD']);

test('files of a broker without an account that differ on the same days raise one question', async () => {
  const who = await app.register();
  await send(who, mine);
  const second = await send(who, other);
  const [question, ...others] = await fetchQuestions(who);
  expect(others).toEqual([]);
  expect(question).toMatchObject({ account: 'Robinhood', otherAccount: 'Robinhood', importId: second.id });
  // The equal row in the second file was matched with a row in the first.
  expect(await fetchAccounts(who)).toEqual({ Robinhood: 6 });

  const { import: moved } = await who.json<{ import: Imported }>('POST', `/v1/imports/${second.id}/reread`, {
    body: { apply: true, account: 'Robinhood Roth IRA' },
  });
  expect(await fetchAccounts(who)).toEqual({ Robinhood: 3, 'Robinhood Roth IRA': 4 });
  expect(await fetchQuestions(who)).toEqual([]);
  expect((await readImport(who, moved.id)).accounts).toMatchObject([{ account: 'Robinhood Roth IRA', by: 'request' }]);
});

test('an answered question is not asked again, and is deleted with its import', async () => {
  const who = await app.register();
  await send(who, mine);
  const second = await send(who, other);
  const [question] = await fetchQuestions(who);
  await who.json('DELETE', `/v1/imports/account-questions/${question?.id}`, {}, 204);
  await send(who, robinhood(['3/5/2025', 'EEEE'], ['4/8/2025', 'EEEE'], ['5/7/2025', 'EEEE']));
  expect(await fetchQuestions(who)).toEqual([]);
  expect((await who.request('DELETE', `/v1/imports/account-questions/${question?.id}`)).status).toBe(404);
  await who.json('DELETE', `/v1/imports/${second.id}`, {}, 204);
  expect(await fetchQuestions(who)).toEqual([]);
});

test('a later export of the same account or of other days raises no question', async () => {
  const who = await app.register();
  await send(who, mine);
  await send(who, mine + robinhood(['7/8/2025', 'CCCC']).split('\n').slice(1).join('\n'));
  await send(who, robinhood(['9/5/2025', 'DDDD'], ['9/8/2025', 'DDDD']));
  expect(await fetchQuestions(who)).toEqual([]);
});

test('a file without an account and one with an account raise a question, in either order', async () => {
  const without = schwab(null, sold('10/03/2025', 'LONE', 1), bought('06/02/2025', 'LONE', 3));
  for (const files of [
    [without, schwab(joint, ...rows)],
    [schwab(joint, ...rows), without],
  ]) {
    const who = await app.register();
    for (const file of files) await send(who, file);
    expect(await fetchQuestions(who)).toMatchObject([{ account: 'Schwab', otherAccount: joint }]);
    const [question] = await fetchQuestions(who);
    await who.json('POST', `/v1/imports/${question?.importId}/reread`, { body: { apply: true, account: joint } });
    expect(await fetchAccounts(who)).toEqual({ [joint]: 6 });
  }
});

test('the same file under a name without the account adds nothing', async () => {
  const who = await app.register();
  await send(who, schwab(joint, ...rows));
  const again = await send(who, schwab(null, ...rows));
  expect(again).toMatchObject({ imported: 0, duplicates: 4 });
  expect(await fetchQuestions(who)).toEqual([]);
  const longer = await send(who, schwab(null, bought('01/05/2026', 'ACME', 1), ...rows));
  expect(longer).toMatchObject({ imported: 1, duplicates: 4 });
  expect(await fetchQuestions(who)).toMatchObject([{ account: 'Schwab', otherAccount: joint, importId: longer.id }]);
});
