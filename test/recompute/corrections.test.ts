import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { addDays, type Day, dayOf } from '../../src/base/day.ts';
import type { Money, Quantity } from '../../src/base/decimal.ts';
import type { Sql } from '../../src/db/connection.ts';
import type { LotMethod, Transaction } from '../../src/engine/model.ts';
import { unstatedMembers } from '../../src/engine/unstated-members.ts';
import { defaultReadLimits } from '../../src/features/ledger/books/state/open.ts';
import { recompute } from '../../src/features/ledger/recompute/recompute.ts';
import { selectDerivable } from '../../src/features/ledger/transactions/derived.queries.ts';
import { type StoredSettings, toClassRules } from '../../src/features/ledger/transactions/elections.ts';
import { toTransaction } from '../../src/features/ledger/transactions/rows.ts';
import { prepare } from '../../src/features/ledger/transactions/staging.ts';
import { correctRows, stage, takeStaged } from '../../src/features/ledger/transactions/store.ts';
import { selectContent } from '../support/contents.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { draws } from '../support/depth.ts';
import { seedFor } from '../support/seed.ts';
import { undone } from '../support/undone.ts';

const seed = seedFor('corrections');
const numRuns = draws(15, 50);
let books: TestDatabase;
beforeAll(async () => {
  books = await testDatabase();
});
afterAll(() => books.drop());

/** Limits under which only the lots that a row can affect are read from a state. */
const inParts = { ...defaultReadLimits, wholeLotsMax: 0, firstLotsMin: 1, lotsPerTaking: 1 };

/**
 * A random row: the number of days since the previous one, the account, the kind, the units, the price, and other
 * details.
 */
const steps = fc.array(
  fc.record({
    days: fc.noBias(fc.nat(6)),
    account: fc.integer({ min: 0, max: 5 }),
    sells: fc.integer({ min: 0, max: 9 }),
    units: fc.integer({ min: 1, max: 4 }),
    price: fc.integer({ min: 80, max: 120 }),
    other: fc.noBias(fc.nat(1000)),
    timed: fc.boolean(),
  }),
  { minLength: 30, maxLength: 60 },
);

const fifo: readonly LotMethod[] = ['FIFO', 'FIFO', 'FIFO'];
const lifo: readonly LotMethod[] = ['LIFO', 'LIFO', 'LIFO'];

const settings = fc.record({
  method: fc.constantFrom<LotMethod>(...fifo, ...fifo, ...lifo, 'HIFO', 'LOFO', 'AVERAGE'),
  fragmentOrder: fc.constantFrom('wash_adjusted_first', 'wash_adjusted_last'),
  washSoldBefore: fc.constantFrom('exclude', 'exclude', 'include'),
  washPeriod: fc.constantFrom('tacking', 'replacement'),
  washSales: fc.constantFrom('securities_and_tokenized', 'none'),
  accounts: fc.constantFrom({}, {}, { 'account 1': { type: 'ira' } }),
  methodFrom: fc.constantFrom([], [], [{ year: 2024, method: 'LIFO' }]),
});

const corrections = fc.array(
  fc.record({ row: fc.noBias(fc.nat(1000)), price: fc.integer({ min: 70, max: 130 }), part: fc.nat(5) }),
  { minLength: 3, maxLength: 3 },
);

type Steps = typeof steps extends fc.Arbitrary<infer Drawn> ? Drawn : never;

test('after any amount is corrected, the books equal a full calculation', async () => {
  const drawn = [steps, settings, corrections, fc.boolean()] as const;
  const property = fc.asyncProperty(...drawn, async (rows, elected, wrong, parts) => {
    const rules = elected as StoredSettings;
    await undone(books, async (sql) => {
      const taxpayerId = await importRows(sql, rowsOf(rows), rules);
      for (const { row, price, part } of wrong) {
        const touched = await correctAmount(sql, taxpayerId, rules, row, price, part === 0);
        if (touched === null) continue;
        await recompute(sql, taxpayerId, touched, { limits: parts ? inParts : defaultReadLimits });
        const incremental = await selectContent(sql, taxpayerId);
        await recompute(sql, taxpayerId, 'all');
        expect(await selectContent(sql, taxpayerId)).toEqual(incremental);
      }
    });
  });
  await fc.assert(property, { seed, numRuns, endOnFailure: true });
});

/**
 * Returns mostly purchases and sales of one stock, sometimes a dividend, and rarely a row that affects all lots or a
 * short position.
 */
function rowsOf(drawn: Steps): Transaction[] {
  let on = dayOf(2023, 12, 10) as Day;
  const held = new Map<string, number>();
  return drawn.map(({ days, account, sells, units, price, other, timed }, line) => {
    on = addDays(on, days);
    const name = `account ${account === 0 ? 1 : 0}`;
    const owned = held.get(name) ?? 0;
    const isSale = sells < 4 && owned >= units;
    const row = {
      ...unstatedMembers,
      id: '',
      line: line + 2,
      on,
      at: null,
      account: name,
      asset: 'ABC',
      assetClass: 'stock' as const,
      amount: (BigInt(units * price * 100) * 1_000_000n) as Money,
    };
    if (other === 0) return { ...row, type: 'split', ratio: { numerator: 2n, denominator: 1n }, amount: null };
    if (other < 24) return { ...row, type: 'dividend', amount: 1_000_000_000n as Money };
    if (other === 24) return { ...row, type: 'return_of_capital' };
    held.set(name, owned + (isSale ? -units : units));
    const at = timed ? (on * 86_400 + 50_000 + line) * 1_000_000 : null;
    const quantity = (BigInt(units) * 10n ** 18n) as Quantity;
    return { ...row, at, type: isSale ? 'sell' : 'buy', quantity } as Transaction;
  }) as Transaction[];
}

async function importRows(sql: Sql, rows: readonly Transaction[], settings: StoredSettings): Promise<string> {
  const id = crypto.randomUUID();
  await sql`
    insert into taxpayers (id, created_by, settings) values (${id}, ${id}, ${sql.json(settings as never)})`;
  await recompute(sql, id, new Map());
  const scope = { taxpayerId: id, importId: crypto.randomUUID() };
  const { accounts } = toClassRules(settings);
  const prepared = rows.map((row) => prepare(row, row.line, { accounts, sourceClass: null, timeZone: null }));
  await stage(sql, scope, 0, prepared);
  const file = { rows: rows.length, repeats: true, lastLine: null };
  const { touched, arrivals, close } = await takeStaged(sql, scope, file, new Date(0), { accounts, timeZone: 'UTC' });
  await recompute(sql, id, touched, { arrivals });
  await close();
  return id;
}

/** Corrects the amount as a patch does. */
async function correctAmount(
  sql: Sql,
  taxpayerId: string,
  settings: StoredSettings,
  at: number,
  price: number,
  inParts: boolean,
) {
  const trades = await sql<{ id: string }[]>`
    select id from transactions where taxpayer_id = ${taxpayerId} and type in ('buy', 'sell') order by on_day, line`;
  const id = trades[at % Math.max(1, trades.length)]?.id;
  if (id === undefined) return null;
  const before = await selectDerivable(sql, taxpayerId, id);
  if (before === undefined) throw new Error('A row that is no more.');
  const row = toTransaction(before);
  const units = (row.quantity ?? 0n) / 10n ** 18n;
  // Includes fractions of a cent at times.
  const amount = (units * BigInt(price) * 100_000_000n + (inParts ? 400_000n : 0n)) as Money;
  const statement = { ...row, assetClass: before.stated_class, amount };
  const { accounts } = toClassRules(settings);
  const how = { accounts, sourceClass: before.source_class, timeZone: before.time_zone };
  return correctRows(sql, taxpayerId, [{ before: row, after: prepare(statement, before.line, how) }]);
}
