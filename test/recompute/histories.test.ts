import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Sql } from '../../src/db/connection.ts';
import type { Rules, Transaction } from '../../src/engine/model.ts';
import { defaultReadLimits } from '../../src/features/ledger/books/state/open.ts';
import { recompute } from '../../src/features/ledger/recompute/recompute.ts';
import { type StoredSettings, toClassRules } from '../../src/features/ledger/transactions/elections.ts';
import { prepare } from '../../src/features/ledger/transactions/staging.ts';
import { removeImport, stage, takeStaged } from '../../src/features/ledger/transactions/store.ts';
import { rowSources } from '../../src/features/ledger/transactions/transactions.queries.ts';
import { histories } from '../oracle/histories/generate.ts';
import { namedFormHistories } from '../oracle/histories/narrow.ts';
import { selectContent } from '../support/contents.ts';
import { nameRowsAlike, type TestDatabase, testDatabase } from '../support/database.ts';
import { draws } from '../support/depth.ts';
import { expectFull } from '../support/full-books.ts';
import { seedFor } from '../support/seed.ts';
import { storedSettings } from '../support/stored-settings.ts';
import { undone } from '../support/undone.ts';

const seed = seedFor('ledger properties');
const numRuns = draws(24, 200);
let books: TestDatabase;
beforeAll(async () => {
  books = await testDatabase();
  await nameRowsAlike(books);
});
afterAll(() => books.drop());

/** Limits under which only the parts of every book that a change can affect are read, and too few of them at first. */
const inParts = { wholeLotsMax: 0, firstLotsMin: 1, lotsPerTaking: 0, rowsPerBatch: 3 };
/** Limits under which the parts of all books change together. */
const together = { ...inParts, rowsPerBatch: 1_000 };

/** How a history is imported: the rows in each file, the order of the files, and the file that is undone. */
interface Telling {
  readonly files: readonly (readonly Transaction[])[];
  readonly settings: StoredSettings;
  /** The format of each file. Some files represent a form that reports the sales of their accounts. */
  readonly formats: readonly string[];
}

const formats = ['lotbook', 'schwab', 'coinbase'] as const;

const plans = fc.record({
  files: fc.integer({ min: 1, max: 3 }),
  /** For each row, the files that contain it. */
  sources: fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 8, maxLength: 8 }),
  rotation: fc.nat(2),
  formats: fc.array(fc.constantFrom(...formats), { minLength: 3, maxLength: 3 }),
});

/** Names on forms are inferred from all rows, so a file may add or remove one. */
const drawings = fc.oneof(
  { arbitrary: histories(14), weight: 3 },
  {
    arbitrary: namedFormHistories(14).map(({ history, rules: { formNames: _, ...rules } }) => ({ history, rules })),
    weight: 1,
  },
);

type Plan = typeof plans extends fc.Arbitrary<infer Value> ? Value : never;

test('any files, imported and undone in any order, produce the same books as a full calculation', async () => {
  const property = fc.asyncProperty(drawings, plans, async ({ history, rules }, plan) => {
    const found = addRow(history, rules, plan);
    const order = found.files.map((_, at) => (at + plan.rotation) % found.files.length).reverse();
    await undone(books, async (sql) => {
      const [one, other] = [await newTaxpayer(sql, found.settings), await newTaxpayer(sql, found.settings)];
      for (const at of found.files.keys()) await importFile(sql, one, found, at);
      const [all, allStored] = [await selectContent(sql, one), await selectSources(sql, one)];
      // Importing the file again adds nothing.
      await importFile(sql, one, found, 0, 'again');
      expect(await selectContent(sql, one)).toEqual(all);
      await undo(sql, one, 'again');
      expect(await selectContent(sql, one)).toEqual(all);
      expect(await selectSources(sql, one)).toEqual(allStored);
      // Without its last file, the books equal those of the other files in any order.
      const last = found.files.length - 1;
      await undo(sql, one, String(last));
      for (const at of order) if (at !== last) await importFile(sql, other, found, at);
      expect(await selectContent(sql, other)).toEqual(await selectContent(sql, one));
      // With the last file again, the books are as before.
      await importFile(sql, other, found, last);
      const incremental = await selectContent(sql, other);
      expect(incremental).toEqual(all);
      expect(await selectSources(sql, other)).toEqual(allStored);
      await expectFull(sql, other, found.settings);
    });
  });
  await fc.assert(property, { seed, numRuns });
});

/** Simulates a taxpayer who imports month after month, then undoes one of the months and imports it again. */
test('rows in date order affect only parts of books, and produce the result of a full calculation', async () => {
  const drawn = [histories(40), fc.array(fc.nat(), { minLength: 4, maxLength: 4 }), fc.nat()] as const;
  const property = fc.asyncProperty(...drawn, async ({ history, rules }, cuts, dice) => {
    const rows = [...history].sort((a, b) => a.on - b.on);
    const ends = [...new Set(cuts.map((cut) => cut % rows.length)), rows.length].sort((a, b) => a - b);
    const files = ends.map((end, at) => rows.slice(ends[at - 1] ?? 0, end));
    const settings = storedSettings(rules);
    const found = { files, settings, formats };
    await undone(books, async (sql) => {
      const taxpayerId = await newTaxpayer(sql, settings);
      for (const at of files.keys()) {
        await importFile(sql, taxpayerId, found, at);
        await expectFull(sql, taxpayerId, settings);
      }
      const all = await selectContent(sql, taxpayerId);
      const again = dice % files.length;
      await undo(sql, taxpayerId, String(again));
      await expectFull(sql, taxpayerId, settings);
      await importFile(sql, taxpayerId, found, again);
      expect(await selectContent(sql, taxpayerId)).toEqual(all);
    });
  });
  await fc.assert(property, { seed, numRuns: Math.ceil(numRuns / 20) });
});

async function newTaxpayer(sql: Sql, settings: StoredSettings): Promise<string> {
  const id = crypto.randomUUID();
  await sql`
    insert into taxpayers (id, created_by, settings) values (${id}, ${id}, ${sql.json(settings as never)})`;
  await recompute(sql, id, new Map());
  return id;
}

function addRow(history: readonly Transaction[], rules: Rules, plan: Plan): Telling {
  const files: Transaction[][] = Array.from({ length: plan.files }, () => []);
  history.forEach((row, at) => {
    const source = plan.sources[at % plan.sources.length] ?? 0;
    files[source % plan.files]?.push(row);
    // Some rows occur twice: in another file, on another line.
    if (source >= 5 && plan.files > 1) files[(source + 1) % plan.files]?.push({ ...row, line: row.line + 3 });
  });
  return { files, settings: storedSettings(rules), formats: plan.formats };
}

async function importFile(sql: Sql, taxpayerId: string, found: Telling, at: number, name = String(at)): Promise<void> {
  const scope = { taxpayerId, importId: importIdOf(name) };
  const format = found.formats[at % found.formats.length] ?? null;
  await sql`
    insert into imports (taxpayer_id, id, status, format, created_at, moved_at)
    values (${taxpayerId}, ${scope.importId}, 'completed', ${format}, now(), now())`;
  const { accounts } = toClassRules(found.settings);
  const rows = (found.files[at] ?? []).map((row) => {
    return prepare(row, row.line, { accounts, sourceClass: null, timeZone: null });
  });
  await stage(sql, scope, 0, rows);
  const file = { rows: rows.length, repeats: true, lastLine: null };
  // Half of the files use the real limits: earlier states are read whole and together with later ones, and few rows are
  // stored at once. The other files store rows book by book as the books are computed.
  const [limits, waitingMin] = at % 2 === 1 ? [defaultReadLimits, undefined] : [inParts, 1];
  const resolution = { accounts, timeZone: 'UTC' };
  const taken = await takeStaged(sql, scope, file, new Date(0), resolution, waitingMin);
  const { touched, arrivals } = taken;
  // Two of three files look up their sources like an import. The third queries the sources of all rows.
  const sources = at % 3 === 2 ? 'any' : taken.accounts.map((row) => ({ ...row, format }));
  await recompute(sql, taxpayerId, touched, { limits, arrivals, sources });
  await taken.close();
}

async function undo(sql: Sql, taxpayerId: string, name: string): Promise<void> {
  const scope = { taxpayerId, importId: importIdOf(name) };
  const { touched } = await removeImport(sql, scope, { accounts: {}, timeZone: 'UTC' }, new Date());
  await recompute(sql, taxpayerId, touched, { limits: together });
  await sql`delete from imports where taxpayer_id = ${taxpayerId} and id = ${scope.importId}`;
}

function importIdOf(name: string): string {
  return `00000000-0000-4000-8000-${name === 'again' ? '0'.repeat(12) : name.padStart(12, '1')}`;
}

async function selectSources(sql: Sql, taxpayerId: string): Promise<object[]> {
  return sql`
    select transaction_id, import_id, line from ${rowSources(sql)} s where taxpayer_id = ${taxpayerId}
    order by transaction_id, import_id`;
}
