import { defaultTimeZone } from '../../../base/day.ts';
import type { Database } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { selectNewestReport } from '../../gains/reports/reports.queries.ts';
import type { ImportDeps } from '../../ledger/imports/import-deps.ts';
import { openImports } from '../../ledger/imports/open.ts';
import { insertUser } from '../../people/auth/auth.queries.ts';
import { deleteUser } from '../../people/auth/deletion/deletion.queries.ts';
import { canonicalEmail } from '../../people/auth/sign-in.ts';
import { demoEmail, demoYears } from './books.ts';
import { type DemoUserRow, markDemo, selectAbandonedDemos, selectUserWithBooks } from './demo.queries.ts';
import { fillDemo } from './fill.ts';

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
