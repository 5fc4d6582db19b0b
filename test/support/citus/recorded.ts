import { parse } from 'libpg-query';
import type { TestDatabase } from '../database.ts';
import type { Catalog } from './rules.ts';
import type { Part } from './tree.ts';

/**
 * Starts counting the statements that all clients send to this database. Returns false if the server cannot count them.
 */
export async function countStatements({ asOwner }: Pick<TestDatabase, 'asOwner'>): Promise<boolean> {
  return asOwner(async (sql) => {
    const [row] = await sql<{ loaded: boolean }[]>`
      select current_setting('shared_preload_libraries') like '%pg_stat_statements%' as loaded`;
    if (row?.loaded !== true) return false;
    await sql`create extension if not exists pg_stat_statements`;
    await sql`select pg_stat_statements_reset()`;
    return true;
  });
}

/** Returns the text of each distinct statement, with its constants as parameters. */
export async function sentStatements({ asOwner }: Pick<TestDatabase, 'asOwner'>): Promise<string[]> {
  return asOwner(async (sql) => {
    const [state] = await sql<{ lost: boolean }[]>`select dealloc > 0 as lost from pg_stat_statements_info`;
    if (state?.lost !== false) throw new Error('The server dropped statements: more were sent than it can count.');
    const rows = await sql<{ query: string }[]>`
      select distinct s.query from pg_stat_statements s
      join pg_database d on d.oid = s.dbid join pg_roles r on r.oid = s.userid
      where d.datname = current_database() and r.rolname in ('lotbook_app', 'lotbook_server')`;
    return rows.map(({ query }) => query);
  });
}

export async function parsed(text: string): Promise<Part[]> {
  return ((await parse(text)).stmts ?? []).flatMap(({ stmt }) => (stmt === undefined ? [] : [stmt]));
}

export async function readCatalog({ asOwner }: Pick<TestDatabase, 'asOwner'>): Promise<Catalog> {
  return asOwner(async (sql) => {
    const rows = await sql<{ name: string; volatility: 's' | 'v' }[]>`
      select proname as name, case when bool_or(provolatile = 'v') then 'v' else 's' end as volatility
      from pg_proc where provolatile <> 'i' and prokind in ('f', 'w') group by proname having bool_and(true)`;
    const immutable = await sql<{ name: string }[]>`
      select distinct proname as name from pg_proc where provolatile = 'i' and pronamespace = 'pg_catalog'::regnamespace`;
    const both = new Set(immutable.map(({ name }) => name));
    const numbered = await sql<{ table: string; column: string }[]>`
      select c.relname as table, a.attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and a.attidentity <> ''`;
    return {
      numbered: new Map(numbered.map(({ table, column }) => [table, column])),
      // If a name has functions of both kinds, the text does not show which one is used. The harmless one is assumed.
      volatility: new Map(rows.filter(({ name }) => !both.has(name)).map((row) => [row.name, row.volatility])),
    };
  });
}
