import { hash } from 'node:crypto';
import type { Sql } from '../../../db/connection.ts';
import type { Mapping } from '../../../formats/mapping/mapping.ts';
import { headerKey, type RememberedMapping } from '../../../formats/opening.ts';

export interface MappingRow {
  readonly id: string;
  readonly header: string[];
  readonly mapping: Mapping;
  readonly createdAt: Date;
  readonly usedAt: Date;
}

/** Selects mappings, most recently used first. `after` is the last mapping on the previous page. */
export async function selectMappings(
  sql: Sql,
  taxpayerId: string,
  after: { readonly usedAt: string; readonly id: string } | null,
  limit: number,
) {
  return sql<MappingRow[]>`
    select id, header, mapping, created_at as "createdAt", used_at as "usedAt" from import_mappings
    where taxpayer_id = ${taxpayerId}
      ${after === null ? sql`` : sql`and (used_at, id) < (${after.usedAt}::timestamptz, ${after.id}::uuid)`}
    order by used_at desc, id desc limit ${limit}`;
}

interface NewMapping {
  readonly id: string;
  readonly signature: string;
  readonly header: readonly string[];
  readonly mapping: Mapping;
  readonly at: Date;
}

/** Stores the mapping for a header. Replaces an earlier mapping for the same header. */
async function upsertMapping(sql: Sql, taxpayerId: string, newMapping: NewMapping): Promise<void> {
  await sql`
    insert into import_mappings (taxpayer_id, id, signature, header, mapping, created_at, used_at)
    values (${taxpayerId}, ${newMapping.id}, ${newMapping.signature}, ${newMapping.header as string[]}, ${sql.json(newMapping.mapping as never)},
      ${newMapping.at}, ${newMapping.at})
    on conflict (taxpayer_id, signature) do update
      set mapping = excluded.mapping, header = excluded.header, used_at = excluded.used_at`;
}

/** Deletes all but the most recently used mappings. */
async function deleteOldMappings(sql: Sql, taxpayerId: string, kept: number): Promise<void> {
  await sql`
    delete from import_mappings where taxpayer_id = ${taxpayerId} and id in (
      select id from import_mappings where taxpayer_id = ${taxpayerId} order by used_at desc, id desc offset ${kept}
    )`;
}

/** Deletes a mapping. Returns false if it does not exist. */
export async function deleteMapping(sql: Sql, taxpayerId: string, id: string): Promise<boolean> {
  const rows = await sql`delete from import_mappings where taxpayer_id = ${taxpayerId} and id = ${id} returning 1`;
  return rows.length > 0;
}

/** The maximum number of mappings per taxpayer. The least recently used mappings are deleted. */
const mappingsMax = 200;

/** Saves the mapping of a file, so that it applies to later files with the same header. */
export async function rememberMapping(
  sql: Sql,
  taxpayerId: string,
  { header, mapping, at }: RememberedMapping & { readonly at: Date },
): Promise<void> {
  const signature = hash('sha256', headerKey(header), 'hex');
  await upsertMapping(sql, taxpayerId, { id: crypto.randomUUID(), signature, header, mapping, at });
  await deleteOldMappings(sql, taxpayerId, mappingsMax);
}

export async function recallMappings(sql: Sql, taxpayerId: string): Promise<RememberedMapping[]> {
  const rows = await selectMappings(sql, taxpayerId, null, mappingsMax);
  return rows.map(({ header, mapping }): { header: string[]; mapping: Mapping } => ({ header, mapping }));
}
