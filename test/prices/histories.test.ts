import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { formatDay } from '../../src/base/day.ts';
import type { Sql } from '../../src/db/connection.ts';
import type { Transaction } from '../../src/engine/model.ts';
import { whatIf } from '../../src/features/gains/planning/what-if.ts';
import { calculate, differencesFrom } from '../../src/features/ledger/books/calculate.ts';
import { listPriceNeeds } from '../../src/features/ledger/prices/price-needs.ts';
import type { PriceQuote } from '../../src/features/ledger/prices/prices.queries.ts';
import { storePrices } from '../../src/features/ledger/prices/read-prices.ts';
import { recompute } from '../../src/features/ledger/recompute/recompute.ts';
import { readEvidence } from '../../src/features/ledger/recompute/settle.ts';
import { toClassRules, toElections } from '../../src/features/ledger/transactions/elections.ts';
import { prepare } from '../../src/features/ledger/transactions/staging.ts';
import { removeImport, stage } from '../../src/features/ledger/transactions/store.ts';
import { histories } from '../oracle/histories/generate.ts';
import { nameRowsAlike, type TestDatabase, testDatabase } from '../support/database.ts';
import { draws } from '../support/depth.ts';
import { seedFor } from '../support/seed.ts';
import { storeStaged } from '../support/staged.ts';
import { storedSettings } from '../support/stored-settings.ts';
import { undone } from '../support/undone.ts';

const seed = seedFor('properties of prices');
const numRuns = draws(25, 100);
let books: TestDatabase;
beforeAll(async () => {
  books = await testDatabase();
  await nameRowsAlike(books);
});
afterAll(() => books.drop());

/** Some rows lose their amounts or get another currency. Each day has a price, and some prices arrive later. */
const flaws = fc.record({
  kinds: fc.array(fc.constantFrom('sound', 'sound', 'EUR', 'untold', 'fee'), { minLength: 8, maxLength: 8 }),
  late: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
  cents: fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 8, maxLength: 8 }),
});

test('prices before rows, after them or both, in any order, produce the same books as a full calculation', async () => {
  const property = fc.asyncProperty(histories(12), flaws, async ({ history, rules }, plan) => {
    const settings = storedSettings(rules);
    const rows = history.map((row, at) => flawed(row, plan.kinds[at % plan.kinds.length] ?? 'sound'));
    const prices = pricesFor(rows, plan.cents);
    const late = prices.filter((_, at) => plan.late[at % plan.late.length]);
    const early = prices.filter((_, at) => !plan.late[at % plan.late.length]);
    await undone(books, async (sql) => {
      const [one, other] = [await newTaxpayer(sql, settings), await newTaxpayer(sql, settings)];
      await give(sql, one, prices);
      await importRows(sql, one, rows, settings);
      await give(sql, other, early);
      await importRows(sql, other, rows, settings);
      const waiting = await selectContent(sql, other);
      await give(sql, other, late);
      const all = await selectContent(sql, one);
      expect(await selectContent(sql, other)).toEqual(all);
      const evidence = await readEvidence(sql, other);
      const elected = { ...settings, ...(evidence === undefined ? {} : { evidence }) };
      const { years } = await calculate(sql, other, toElections(elected, 'UTC'));
      expect(await differencesFrom(sql, other, years)).toEqual([]);
      await undo(sql, other);
      await importRows(sql, other, rows, settings);
      expect(await selectContent(sql, other)).toEqual(all);
      expect(late.length > 0 || JSON.stringify(waiting) === JSON.stringify(all)).toBe(true);
    });
  });
  await fc.assert(property, { seed, numRuns });
});

test('a planned sale produces the result of the same actual sale', async () => {
  const property = fc.asyncProperty(histories(12), fc.nat(11), fc.nat(40), async ({ history, rules }, at, later) => {
    const like = history[at % history.length];
    if (like === undefined || like.quantity === null || like.quantity <= 0n || like.account === '') return;
    const { asset, assetClass, account } = like;
    if (asset === '' || assetClass === 'option' || assetClass === 'currency') return;
    const date = formatDay((like.on + later) as Transaction['on']);
    const settings = storedSettings(rules);
    await undone(books, async (sql) => {
      const who = await newTaxpayer(sql, settings);
      await importRows(sql, who, history, settings);
      const thought = await whatIf(sql, who, [{ asset, assetClass, account, quantity: '1.5', amount: '77.77', date }]);
      const sale = { ...saleLike(like), on: (like.on + later) as Transaction['on'] };
      await importRows(sql, who, [sale], settings, 'sale');
      const stored = await sql<{ year: number; summary: string; carryover: string }[]>`
        select year, summary, carryover from year_summaries where taxpayer_id = ${who} order by year`;
      const found = new Map(stored.map((row) => [row.year, JSON.parse(row.summary) as { total: { gain: string } }]));
      for (const year of thought.years) {
        const gain = BigInt(found.get(year.year)?.total.gain ?? 0);
        expect([year.year, year.total.gain.replace('.', '')]).toEqual([year.year, centsText(gain)]);
      }
    });
  });
  await fc.assert(property, { seed, numRuns });
});

function centsText(cents: bigint): string {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0');
  return cents < 0n ? `-${digits}` : digits;
}

function saleLike(row: Transaction): Transaction {
  const nothing = {
    fee: null,
    feeAsset: '',
    feeQuantity: null,
    feeOwn: null,
    receivedAsset: '',
    receivedQuantity: null,
  };
  const none = { acquired: null, basis: null, fmv: null, ratio: null, lots: [], identifiedAt: null, shares: null };
  return {
    ...row,
    ...nothing,
    ...none,
    type: 'sell',
    at: null,
    line: 2_000_000_000,
    currency: 'USD',
    quantity: 1_500_000_000_000_000_000n as never,
    amount: 7_777_000_000n as never,
    toAccount: '',
    underlying: '',
    right: null,
    box: null,
    wash: null,
    term: null,
    externalId: 'sale',
    note: '',
  };
}

function flawed(row: Transaction, kind: string): Transaction {
  if (kind === 'EUR') return { ...row, currency: 'EUR' };
  if (kind === 'untold') return { ...row, amount: null };
  if (kind === 'fee') return { ...row, fee: null };
  return row;
}

function pricesFor(rows: readonly Transaction[], cents: readonly number[]): PriceQuote[] {
  const prices = new Map<string, PriceQuote>();
  for (const { asset, day } of rows.flatMap(listPriceNeeds)) {
    const usd = `${(cents[prices.size % cents.length] ?? 1) / 4}`;
    const price = { asset, day: formatDay(day), usd };
    prices.set(`${price.asset} ${price.day}`, price);
  }
  return [...prices.values()];
}

async function newTaxpayer(sql: Sql, settings: object): Promise<string> {
  const id = crypto.randomUUID();
  await sql`insert into taxpayers (id, created_by, settings) values (${id}, ${id}, ${sql.json(settings as never)})`;
  return id;
}

async function give(sql: Sql, taxpayerId: string, prices: readonly PriceQuote[]): Promise<void> {
  await storePrices(sql, taxpayerId, prices, new Date(0), recompute);
}

const importIds: Readonly<Record<string, string>> = {
  rows: '00000000-0000-4000-8000-000000000001',
  sale: '00000000-0000-4000-8000-000000000002',
};

async function importRows(
  sql: Sql,
  taxpayerId: string,
  rows: readonly Transaction[],
  settings: object,
  name = 'rows',
): Promise<void> {
  const scope = { taxpayerId, importId: importIds[name] ?? '' };
  const { accounts } = toClassRules(settings);
  const prepared = rows.map((row) => prepare(row, row.line, { accounts, sourceClass: null, timeZone: null }));
  await stage(sql, scope, 0, prepared);
  const file = { rows: prepared.length, repeats: true, lastLine: null };
  const { touched } = await storeStaged(sql, scope, file, { accounts, timeZone: 'UTC' });
  await recompute(sql, taxpayerId, touched);
}

async function undo(sql: Sql, taxpayerId: string): Promise<void> {
  const scope = { taxpayerId, importId: importIds.rows ?? '' };
  const { touched } = await removeImport(sql, scope, { accounts: {}, timeZone: 'UTC' }, new Date());
  await recompute(sql, taxpayerId, touched);
}

const tables = ['disposals', 'wash_sales', 'incomes', 'issues', 'lots', 'year_summaries', 'valuations'] as const;

async function selectContent(sql: Sql, taxpayerId: string): Promise<Record<string, unknown>> {
  const content: Record<string, unknown> = {};
  for (const name of tables) {
    const [row] = await sql<{ all: unknown }[]>`
      select coalesce(jsonb_agg(to_jsonb(x) - 'taxpayer_id' order by to_jsonb(x) - 'taxpayer_id'), '[]') as all
      from ${sql(name)} x where taxpayer_id = ${taxpayerId}`;
    content[name] = row?.all;
  }
  const [taxpayer] = await sql`select revision from taxpayers where id = ${taxpayerId}`;
  return { ...content, revision: taxpayer?.revision };
}
