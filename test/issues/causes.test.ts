import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type IssueKind, issueKinds } from '../../src/engine/model.ts';
import { type CauseRow, groupByCause } from '../../src/features/ledger/issues/causes/group.ts';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { csvOf, importCsv } from '../support/books.ts';

/** What two open issues of a kind must share to have one cause: nothing, the account, the asset, or both. */
const shared: Readonly<Record<IssueKind, 'all' | 'account' | 'asset' | 'account and asset' | 'file'>> = {
  tax_year_by_zone: 'all',
  rejected_line: 'file',
  oversold: 'account and asset',
  basis_missing: 'account and asset',
  value_missing: 'account and asset',
  short_exceeded: 'account and asset',
  option_not_open: 'account and asset',
  class_unknown: 'asset',
  class_of_name: 'asset',
  same_security: 'asset',
  account_type_unknown: 'account',
  transfer_unpaired: 'account',
  row_differs: 'account',
  balance_differs: 'account',
  gain_differs: 'account',
  unreconciled: 'account',
  lot_not_found: 'account',
  identified_late: 'account',
  constructive_sale: 'account',
  payment_in_lieu: 'account',
  option_expired: 'account',
  gift_incomplete: 'account',
  wash_window_open: 'account',
  deep_put_written: 'account',
  discount_unknown: 'account',
  premium_unknown: 'account',
  wages_unconfirmed: 'account',
  plan_income_unknown: 'account',
  straddle_suspected: 'account',
  covered_call: 'account',
  contribution_in_kind: 'account',
  deferral_in_doubt: 'account',
  carryover_to_divide: 'account',
  loss_event: 'account',
  future_date: 'account',
};

const row = (kind: IssueKind, changes: Partial<CauseRow> = {}): CauseRow => ({
  ...{ id: crypto.randomUUID(), kind, on: '2024-03-01', asset: 'X', account: 'A' },
  ...{ transaction: crypto.randomUUID(), dollars: 100n },
  ...changes,
});

describe('causes', () => {
  test.each([...issueKinds])('group %s by what its issues share', (kind) => {
    const causes = (...rows: CauseRow[]) => groupByCause(rows).length;
    const ofFile = { importId: '1', rejectId: '', fileName: 'f.csv', code: 'unknown_type', column: null };
    const line = kind === 'rejected_line' ? { line: ofFile } : {};
    expect({
      same: causes(row(kind, line), row(kind, { ...line, on: '2024-04-01' })),
      asset: causes(row(kind, line), row(kind, { ...line, asset: 'Y' })),
      account: causes(row(kind, line), row(kind, { ...line, account: 'B' })),
      ...(kind === 'rejected_line'
        ? { file: causes(row(kind, line), row(kind, { line: { ...ofFile, importId: '2' } })) }
        : {}),
    }).toEqual({
      same: 1,
      asset: shared[kind].includes('asset') ? 2 : 1,
      account: shared[kind].includes('account') ? 2 : 1,
      ...(shared[kind] === 'file' ? { file: 2 } : {}),
    });
  });

  test('issues of one transaction are one item with the amount of the largest', () => {
    const transaction = crypto.randomUUID();
    const rows = [
      row('transfer_unpaired', { transaction, dollars: 50n }),
      row('oversold', { transaction, dollars: 70n }),
      row('account_type_unknown', { transaction, dollars: 20n }),
    ];
    const causes = groupByCause(rows).map(({ kind, items, dollars }) => [kind, items.length, dollars]);
    expect(causes).toEqual([
      ['oversold', 1, 70n],
      ['account_type_unknown', 1, 20n],
    ]);
  });

  test('missing prices of all assets are one cause, and come before other issues of the same transaction', () => {
    const transaction = crypto.randomUUID();
    const rows = [
      row('value_missing', { transaction, needsPrice: true, dollars: null }),
      row('oversold', { transaction }),
      row('value_missing', { needsPrice: true, asset: 'Y', account: 'B' }),
      row('value_missing', { asset: 'Z' }),
    ];
    const causes = groupByCause(rows).map(({ kind, reason, items, unknown }) => [kind, reason, items.length, unknown]);
    expect(causes).toEqual([
      ['value_missing', 'prices', 2, 1],
      ['value_missing', null, 1, 0],
    ]);
  });

  test('items are sorted by date, whatever their amount', () => {
    const days = ['2024-03-01', '2024-01-01', '2024-02-01'];
    const rows = days.map((on, at) => row('oversold', { on, dollars: at === 0 ? null : BigInt(at) }));
    const dates = groupByCause(rows).flatMap(({ items }) => items.map(({ issues }) => issues[0]?.on));
    expect(dates).toEqual(days.toSorted());
  });

  test('a withdrawal and a deposit are one item if each is the only candidate of the other', () => {
    const leg = (type: string, day: string, quantity: string, account: string) =>
      row('transfer_unpaired', { account, on: day, leg: { type, assetKey: 'BTC crypto', day, quantity } });
    const rows = [
      leg('withdrawal', '2024-03-01', '1', 'A'),
      leg('deposit', '2024-03-02', '0.999', 'B'),
      leg('withdrawal', '2024-06-01', '5', 'A'),
      leg('deposit', '2024-06-02', '5', 'B'),
      leg('deposit', '2024-06-03', '5', 'C'),
      leg('deposit', '2024-09-01', '0.5', 'C'),
    ];
    const causes = groupByCause(rows).map(({ reason, account, items }) => [reason ?? account, items.length]);
    expect(Object.fromEntries(causes)).toEqual({ pairs: 1, A: 1, B: 1, C: 2 });
  });
});

interface CauseView {
  readonly id: string;
  readonly kind: IssueKind;
  readonly asset: string;
  readonly account: string;
  readonly reason: string | null;
  readonly count: number;
  readonly issues: number;
  readonly dollars: string;
}

interface AnswerView {
  readonly label: string;
  readonly operation: string;
  readonly target: string | null;
  readonly body: Record<string, unknown>;
  readonly fields: readonly { readonly name: string; readonly isRequired: boolean }[];
}

interface DetailsView extends CauseView {
  readonly answers: readonly AnswerView[];
  readonly items: readonly {
    readonly rejectId: string | null;
    readonly issues: readonly { readonly id: string; readonly kind: string; readonly answers: readonly AnswerView[] }[];
  }[];
}

describe('GET /tax/issues/causes', () => {
  let app: TestApp;
  let who: TestClient;
  beforeAll(async () => {
    app = await testApp();
    who = await app.register('PRO');
    await importCsv(
      who,
      csvOf(
        ...['sell 2024-01-05 3 VVV @300 #s1 !Brokerage', 'sell 2024-02-05 3 VVV @600 #s2 !Brokerage'],
        ...['buy 2024-01-02 1 BND @100 #b1 !IRA_1111', 'sell 2024-03-05 1 BND @190 #s3 !IRA_1111'],
        ...['buy 2024-01-02 2 BTC @100 #b2 !Kraken', 'withdrawal 2024-04-01 1 BTC #w1 !Kraken'],
        ...['deposit 2024-05-20 1 BTC #d1 !Ledger'],
      ),
    );
  });
  afterAll(() => app.close());

  const list = async (query = '') =>
    (await who.json<{ data: CauseView[] }>('GET', `/v1/tax/issues/causes${query}`)).data;
  const open = (id: string) => who.json<DetailsView>('GET', `/v1/tax/issues/causes/${id}`);
  const find = async (kind: IssueKind) => {
    const cause = (await list()).find((each) => each.kind === kind);
    if (cause === undefined) throw new Error(`No cause of the kind ${kind}.`);
    return open(cause.id);
  };

  test('lists causes with their items, by the amount at stake', async () => {
    const causes = (await list()).map(({ kind, asset, account, reason, count, issues, dollars }) => [
      ...[kind, asset, account, reason, count, issues, dollars],
    ]);
    expect(causes).toEqual([
      ['oversold', 'VVV', 'Brokerage', null, 2, 2, '900.00'],
      ['account_type_unknown', 'BND', 'IRA_1111', null, 1, 1, '90.00'],
      ['transfer_unpaired', 'BTC', '', 'pairs', 1, 2, '0.00'],
    ]);
    expect(await list('?year=2023')).toEqual([]);
  });

  test('pages by cursor', async () => {
    const first = await who.json<{ data: CauseView[]; nextCursor: string }>('GET', '/v1/tax/issues/causes?limit=2');
    const rest = await list(`?limit=2&cursor=${first.nextCursor}`);
    expect([...first.data, ...rest].map(({ kind }) => kind)).toEqual((await list()).map(({ kind }) => kind));
  });

  test('has the answers to all items, and to each', async () => {
    const cause = await find('oversold');
    expect(cause.answers.map(({ label, operation }) => [label, operation])).toEqual([
      ['Import older history', 'importTransactions'],
      ['Keep a cost of $0 for all', 'resolveIssues'],
    ]);
    const [answer] = cause.items[0]?.issues[0]?.answers ?? [];
    expect(answer).toMatchObject({
      label: 'Enter cost basis',
      operation: 'resolveIssue',
      body: { action: 'basis', quantity: '3' },
    });
    expect(answer?.fields.map(({ name }) => name)).toEqual(['basis', 'acquired']);
  });

  test('proposes the type in the name of an account first, and its body resolves the cause', async () => {
    const cause = await find('account_type_unknown');
    const answers = cause.items[0]?.issues[0]?.answers ?? [];
    expect(answers.map(({ label }) => label)).toEqual([
      ...["It's an IRA", "It's a Roth IRA", "No, it's taxable", "It's a 401(k)", "It's an HSA", 'Keep anyway'],
    ]);
    await who.json('PATCH', '/v1/tax/settings', { body: answers[0]?.body ?? {} });
    expect((await list()).map(({ kind }) => kind)).not.toContain('account_type_unknown');
    expect(await open(cause.id)).toMatchObject({ kind: 'account_type_unknown', count: 0, items: [] });
  });

  test('an answer to a pair resolves both of its issues', async () => {
    const cause = await find('transfer_unpaired');
    const [answer] = cause.items[0]?.issues[0]?.answers ?? [];
    expect(answer?.label).toBe('Match');
    await who.json('POST', `/v1/tax/issues/${answer?.target}/resolve`, { body: answer?.body ?? {} });
    expect((await list()).map(({ kind }) => kind)).toEqual(['oversold']);
  });

  test('one answer resolves all items of a cause', async () => {
    const [, keep] = (await find('oversold')).answers;
    await who.json('POST', '/v1/tax/issues/resolve', { body: { ...keep?.body, note: 'Small, and long ago' } });
    expect(await list()).toEqual([]);
  });

  test('causes of another taxpayer have no items, and an id that no cause can have is refused', async () => {
    const other = await app.register('PRO');
    await importCsv(other, csvOf('sell 2024-01-05 3 VVV @300 #s1 !Brokerage'));
    const { data } = await other.json<{ data: CauseView[] }>('GET', '/v1/tax/issues/causes');
    expect((await open(data[0]?.id ?? '')).items).toEqual([]);
    expect((await app.request('GET', '/v1/tax/issues/causes/eA', who)).status).toBe(404);
  });
});
