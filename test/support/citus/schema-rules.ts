import { parsePlPgSQL } from 'libpg-query';
import { tablePlacements } from '../../../src/db/citus.ts';
import type { Sql } from '../../../src/db/connection.ts';
import { parsed } from './recorded.ts';
import { tablesOf } from './rules.ts';
import { visit } from './tree.ts';

/** Returns the parts of the schema that Citus refuses. Empty if the schema can be distributed. */
export async function schemaFaults(sql: Sql): Promise<string[]> {
  return [
    ...(await policiesThatSelect(sql)),
    ...(await triggersThatMix(sql)),
    ...(await triggersThatNotify(sql)),
    ...(await functionsOfRows(sql)),
    ...(await columnsNotGranted(sql)),
  ];
}

/** Finds policies with subqueries: "Subqueries are not supported in policies". */
async function policiesThatSelect(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string; table: string }[]>`
    select p.polname as name, c.relname as table from pg_policy p join pg_class c on c.oid = p.polrelid
    where c.relnamespace = 'public'::regnamespace
      and concat(pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)) ~* '\\mselect\\M'`;
  return rows.map(({ name, table }) => `policy ${name} of ${table} has a subquery`);
}

/**
 * Finds triggers that Citus refuses with "could not find named tuplestore": a statement on a distributed table goes to
 * a worker, which has no transition tables.
 */
async function triggersThatMix(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string; definition: string; transitions: string[] }[]>`
    select p.proname as name, pg_get_functiondef(p.oid) as definition,
      array_agg(distinct n.name) as transitions
    from pg_trigger t join pg_proc p on p.oid = t.tgfoid, unnest(array[t.tgnewtable, t.tgoldtable]) as n (name)
    where p.pronamespace = 'public'::regnamespace and n.name is not null
    group by p.oid, p.proname`;
  const faults: string[] = [];
  for (const { name, definition, transitions } of rows) {
    for (const text of await statementsWithin(definition)) {
      const tables = (await parsed(text)).flatMap(tablesOf);
      if (
        tables.some((table) => transitions.includes(table)) &&
        tables.some((table) => tablePlacements[table] === 'taxpayer')
      ) {
        faults.push(
          `function ${name} reads a transition table together with another table: ${text.replace(/\s+/g, ' ')}`,
        );
      }
    }
  }
  return faults;
}

/**
 * Finds triggers that notify: "cannot PREPARE a transaction that has executed LISTEN, UNLISTEN, or NOTIFY". A commit on
 * several workers fails.
 */
async function triggersThatNotify(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string; table: string }[]>`
    select t.tgname as name, c.relname as table
    from pg_trigger t join pg_proc p on p.oid = t.tgfoid join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'public'::regnamespace and not t.tgisinternal and p.prosrc ~* '\\m(pg_)?notify\\M'`;
  return rows
    .filter(({ table }) => tablePlacements[table] !== 'coordinator')
    .map(({ name, table }) => `trigger ${name} of ${table} notifies`);
}

/**
 * Finds columns without a grant ("permission denied"): a worker receives the columns that a default or an identity
 * fills as if the statement had named them.
 */
async function columnsNotGranted(sql: Sql): Promise<string[]> {
  const rows = await sql<{ role: string; table: string; column: string }[]>`
    select distinct r.rolname as role, c.relname as table, a.attname as column
    from pg_class c join pg_attribute given on given.attrelid = c.oid, aclexplode(given.attacl) x
    join pg_roles r on r.oid = x.grantee, pg_attribute a
    where c.relnamespace = 'public'::regnamespace and x.privilege_type = 'INSERT' and a.attrelid = c.oid
      and (a.atthasdef and a.attgenerated = '' or a.attidentity <> '')
      and not has_column_privilege(r.oid, c.oid, a.attnum, 'INSERT')`;
  return rows
    .filter(({ table }) => tablePlacements[table] !== 'coordinator')
    .map(({ role, table, column }) => `${role} may insert into ${table}, but not its ${column}`);
}

async function statementsWithin(definition: string): Promise<string[]> {
  const texts: string[] = [];
  visit(await parsePlPgSQL(definition), (kind, content) => {
    if (kind === 'PLpgSQL_expr' && /^\s*(select|insert|update|delete|with)\b/i.test(String(content.query))) {
      texts.push(String(content.query));
    }
    return undefined;
  });
  return texts;
}

/** Finds functions that take a row, because the row type of a shard differs from the row type of its table. */
async function functionsOfRows(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select distinct p.proname as name
    from pg_proc p, unnest(p.proargtypes) a (oid) join pg_type t on t.oid = a.oid join pg_class c on c.oid = t.typrelid
    where p.pronamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`;
  return rows.map(({ name }) => `function ${name} takes the row of a table`);
}
