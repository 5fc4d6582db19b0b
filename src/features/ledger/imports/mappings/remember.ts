import { hash } from 'node:crypto';
import type { Sql } from '../../../../db/connection.ts';
import type { Mapping } from '../../../../formats/mapping/mapping.ts';
import { headerKey, type RememberedMapping } from '../../../../formats/opening.ts';
import { deleteOldMappings, selectMappings, upsertMapping } from './mappings.queries.ts';

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
