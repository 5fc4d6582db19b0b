import type { Sql } from '../../../src/db/connection.ts';
import { tablesOf } from '../../../src/features/ledger/archives/contents.ts';

/**
 * A digest of the rows in each table with taxpayer data. Two users who performed the same operations have equal
 * digests.
 */
export type State = ReadonlyMap<string, string>;

/** All calculated or stored data, except requests in progress and access grants. */
const tables = [...tablesOf('kept', 'checked', 'made'), 'audit_entries'] as const;

/** Conditions for the rows to compare, in tables where some rows depend on the kill or on time. */
const counted: Readonly<Record<string, string>> = {
  // A failed import remains in the list of imports, with its events and its notification.
  imports: `status <> 'failed'`,
  // The number of progress reports depends on the speed of the import.
  import_events: `kind = 'done'`,
  import_texts: `(select i.status from imports i where (i.taxpayer_id, i.id) = (x.taxpayer_id, x.import_id)) <> 'failed'`,
  notifications: `kind <> 'import_failed'`,
  notified_subjects: `kind <> 'import_failed'`,
};

/**
 * Random ids, ids derived from them, addresses and the times of the run differ between two users who performed the same
 * operations.
 */
const ofOnePerson = [
  '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
  '"id": ?"[0-9a-f]{24}"',
  'person[0-9]+@example.com',
  '[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}[.][0-9]+(Z|[+]00:00)',
  '"durationMs": ?[0-9]+',
].join('|');

export async function selectState(sql: Sql, taxpayerId: string): Promise<State> {
  const columns = await sql<{ table: string; names: string[] }[]>`
    select table_name as table, array_agg(column_name::text) as names from information_schema.columns
    where table_schema = 'public' and (data_type in ('uuid', 'timestamp with time zone') or is_identity = 'YES' or column_name = 'sequence')
    group by table_name`;
  const left = new Map(columns.map(({ table, names }) => [table, names]));
  const state = new Map<string, string>();
  for (const table of tables) {
    const rows = await sql<{ text: string }[]>`
      select count(*) || ' ' || coalesce(sum(hashtextextended(
        regexp_replace((to_jsonb(x) - ${left.get(table) ?? []}::text[])::text, ${ofOnePerson}, '', 'g'), 0)), 0) as text
      from ${sql(table)} x where taxpayer_id = ${taxpayerId} and ${sql.unsafe(counted[table] ?? 'true')}`;
    state.set(table, rows[0]?.text ?? '');
  }
  state.set('report_books', await textsOfReports(sql, taxpayerId));
  return state;
}

/** Returns the texts of the reports, because equal books can be compressed to different bytes. */
async function textsOfReports(sql: Sql, taxpayerId: string): Promise<string> {
  const parts = await sql<{ digest: string; content: Uint8Array<ArrayBuffer> }[]>`
    select digest, content from report_books where taxpayer_id = ${taxpayerId} order by digest, part`;
  const texts = [...Map.groupBy(parts, ({ digest }) => digest).values()].map((found) =>
    Bun.hash(Bun.gunzipSync(Buffer.concat(found.map(({ content }) => content)))),
  );
  return `${parts.length} ${texts.sort().join(' ')}`;
}

/** Returns the tables in which two states differ. */
export function differenceOf(one: State, other: State): string[] {
  return [...one].flatMap(([table, rows]) => {
    const there = other.get(table);
    return there === rows ? [] : [`${table} (${countOf(rows)}, not ${countOf(there)})`];
  });
}

const countOf = (rows = ''): string => rows.split(' ')[0] ?? '';
