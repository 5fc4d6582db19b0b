import { hash } from 'node:crypto';
import { defaultTimeZone } from '../../../base/day.ts';
import type { Database } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { engineVersion } from '../../../engine/replay.ts';
import { responseSaver } from '../../../http/saved-response.ts';
import { createReport } from '../../gains/reports/create.ts';
import { selectNewestReport } from '../../gains/reports/reports.queries.ts';
import { selectTaxpayer } from '../../ledger/books/books.queries.ts';
import type { ImportDeps } from '../../ledger/imports/import-deps.ts';
import { selectImports } from '../../ledger/imports/imports.queries.ts';
import { openImports } from '../../ledger/imports/open.ts';
import { runImport } from '../../ledger/imports/run.ts';
import { textUpload } from '../../ledger/imports/upload.ts';
import { readPrices, storePrices } from '../../ledger/prices/read-prices.ts';
import { recompute } from '../../ledger/recompute/recompute.ts';
import { changeSettings } from '../../ledger/settings/settings.ts';
import type { StoredSettings } from '../../ledger/transactions/elections.ts';
import { inTurn } from '../../ledger/transactions/store.ts';
import type { Taxpayer } from '../../people/auth/access.ts';
import { insertUser, updateTaxpayer } from '../../people/auth/auth.queries.ts';
import { deleteUser } from '../../people/auth/deletion.queries.ts';
import { canonicalEmail } from '../../people/auth/sign-in.ts';
import coinbase from './books/coinbase.csv' with { type: 'text' };
import coinbaseForm from './books/coinbase-1099-da.csv' with { type: 'text' };
import fidelity from './books/fidelity.csv' with { type: 'text' };
import fidelityForm from './books/fidelity-1099-b.csv' with { type: 'text' };
import prices from './books/prices.csv' with { type: 'text' };
import schwab from './books/schwab.csv' with { type: 'text' };
import { type DemoUserRow, markDemo, selectAbandonedDemos, selectUserWithBooks } from './demo.queries.ts';

/** Manages the demo account. The first visit creates and fills it. */
export class DemoAccount {
  readonly #deps: ImportDeps;
  /** The id of the demo user once the account is filled; null before that. */
  #filled: string | null = null;
  #making: Promise<string> | null = null;

  constructor(deps: Deps) {
    this.#deps = openImports(deps);
  }

  /** Returns the id of the demo user. */
  async userId(): Promise<string> {
    const user = await this.#find();
    if (user !== undefined && user.id === this.#filled) return user.id;
    this.#making ??= this.#make().finally(() => {
      this.#making = null;
    });
    return this.#making;
  }

  #find(): Promise<DemoUserRow | undefined> {
    return this.#deps.database.asService((sql) => selectUserWithBooks(sql, demoEmail));
  }

  async #make(): Promise<string> {
    const { database, clock } = this.#deps;
    await database.asService(async (sql) => {
      const user = {
        id: crypto.randomUUID(),
        taxpayerId: crypto.randomUUID(),
        passwordHash: null,
        isVerified: false,
        name: 'Demo books',
        timeZone: defaultTimeZone,
      };
      // Another server may create the account at the same time. The first one wins.
      if (await insertUser(sql, { ...user, email: demoEmail, now: clock.now() })) await markDemo(sql, user.id);
    });
    const demoUser = await this.#find();
    if (demoUser === undefined) throw new Error('The new demo account is missing.');
    if (!(await isFilled(database, demoUser.taxpayerId))) await fillDemo(this.#deps, demoUser.taxpayerId);
    await deleteAbandoned(database);
    this.#filled = demoUser.id;
    return demoUser.id;
  }
}

/**
 * Returns whether the account is filled, by looking for the last year's report. `fillDemo` creates that report last.
 */
async function isFilled(database: Database, taxpayerId: string): Promise<boolean> {
  const last = Math.max(...demoYears);
  const report = await database.asTaxpayer(taxpayerId, (sql) => selectNewestReport(sql, taxpayerId, last), {
    readOnly: true,
  });
  return report !== undefined;
}

async function deleteAbandoned(database: Database): Promise<void> {
  const ids = await database.asService((sql) => selectAbandonedDemos(sql, demoEmail));
  for (const id of ids) await database.asService((sql) => deleteUser(sql, id));
}

/**
 * Fills a user's account with the demo books for the operator. Returns `in use` if the account already has
 * transactions, so that demo data never mixes with real data.
 */
export async function fillAccount(deps: Deps, email: string): Promise<'done' | 'unknown' | 'in use'> {
  const user = await deps.database.asService((sql) => selectUserWithBooks(sql, canonicalEmail(email)));
  if (user === undefined) return 'unknown';
  if (user.transactions > 0) return 'in use';
  await fillDemo(openImports(deps), user.taxpayerId);
  return 'done';
}

/**
 * The files of a fictional taxpayer: wash sales within an account and across two accounts, options that expire or are
 * bought back, coins that are staked, traded and moved, dividends, and 12 SOL from an unknown source. Two Forms 1099
 * differ from the books: a broker does not see the wash sale in the IRA, and an exchange reports proceeds before its fee.
 */
export const demoFiles: readonly { readonly name: string; readonly text: string }[] = [
  { name: 'fidelity.csv', text: fidelity },
  { name: 'schwab.csv', text: schwab },
  { name: 'coinbase.csv', text: coinbase },
  { name: 'fidelity-1099-b.csv', text: fidelityForm },
  { name: 'coinbase-1099-da.csv', text: coinbaseForm },
];

const demoPrices = prices;

/** The settings of the fictional taxpayer: the form of each account, and the figures for the tax estimate. */
const demoSettings: StoredSettings = {
  filingStatus: 'single',
  taxableIncome: { 2024: '92000.00', 2025: '96000.00' },
  accounts: {
    Fidelity: { type: 'taxable', form: '1099-B' },
    Schwab: { type: 'taxable', form: '1099-B' },
    Coinbase: { type: 'taxable', form: '1099-DA' },
    Ledger: { type: 'taxable', form: 'none' },
    'Fidelity Roth IRA': { type: 'roth_ira' },
  },
};

/** The years with sales. A report is created for each. */
const demoYears = [2024, 2025] as const;

/** The name printed on the forms. */
const demoName = 'Demo Taxpayer';

const contentLetters = 12;

/**
 * The email address of the demo account. It has no @, so it cannot be registered by a user. It contains a hash of the
 * demo data and the engine version, so a release that changes either one fills a new account and does not disturb
 * visitors of the previous one.
 */
export const demoEmail = `demo-${hash('sha256', JSON.stringify([engineVersion, demoFiles, demoPrices, demoSettings]), 'hex').slice(0, contentLetters)}`;

/** Imports the demo books into an account. Resumes an earlier run that was interrupted. */
async function fillDemo(deps: ImportDeps, taxpayerId: string): Promise<void> {
  // Uses the PRO plan, because the demo rows exceed the smallest plan and are not the user's own.
  const taxpayer: Taxpayer = { id: taxpayerId, timeZone: 'UTC', plan: 'PRO', role: 'owner' };
  await inTurn(deps, taxpayerId, async (sql) => {
    await updateTaxpayer(sql, taxpayerId, { taxpayerName: demoName });
    const { settings } = await selectTaxpayer(sql, taxpayerId);
    await changeSettings(sql, taxpayerId, { ...settings, ...demoSettings });
  });
  const there = await inTurn(deps, taxpayerId, (sql) => selectImports(sql, taxpayerId, null, demoFiles.length));
  const isThere = (name: string): boolean => there.some((row) => row.fileName === name && row.status === 'completed');
  for (const file of demoFiles.filter(({ name }) => !isThere(name))) {
    const upload = textUpload(file.name, new TextEncoder().encode(file.text), new AbortController());
    await runImport(deps, taxpayer, upload, { dryRun: false, async: false }, responseSaver(null));
  }
  const { prices } = await readPrices(new Blob([demoPrices]).stream());
  await inTurn(deps, taxpayerId, (sql) => storePrices(sql, taxpayerId, prices, deps.clock.now(), recompute));
  for (const year of demoYears) {
    await inTurn(deps, taxpayerId, (sql) => createReport(sql, taxpayerId, year, deps.clock.now()));
  }
}
