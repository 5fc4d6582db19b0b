import { eraseDue } from '../../src/features/people/auth/deletion.ts';
import { createSubscriptionPort } from '../../src/features/people/billing/subscription.ts';
import type { TestApp } from './app.ts';

/** Runs the server's scheduled job that erases accounts whose grace period is over. */
export function eraseNow({ deps }: Pick<TestApp, 'deps'>): Promise<void> {
  return eraseDue(deps, createSubscriptionPort(deps), new AbortController().signal);
}

/** Returns the tables that contain one of the marks in any column, such as an id or an address. */
export function tablesWith({ books }: Pick<TestApp, 'books'>, marks: readonly string[]): Promise<string[]> {
  return books.asOwner(async (sql) => {
    const tables = await sql<{ name: string }[]>`
      select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`;
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await sql`select 1 from ${sql(name)} r where r::text ~ ${marks.join('|')} limit 1`;
      if (rows.length > 0) found.push(name);
    }
    return found;
  });
}
