import { Refusal } from '../../base/refusal.ts';
import type { Deps } from '../../deps.ts';
import { notFound, uuidOf } from '../../http/errors.ts';
import type { Caller } from '../auth/access.ts';
import { type ClientRow, readClients } from '../clients/queries.ts';

/** More than any plan has. */
export const chosenMax = 100;

/** The clients of an act about several: those that are named, or all. A stranger's is not there. */
export async function chosenClients(
  deps: Deps,
  { userId }: Caller,
  ids: readonly string[] | undefined,
): Promise<ClientRow[]> {
  const rows = await deps.database.asService((sql) => readClients(sql, userId, { limit: chosenMax }));
  if (ids === undefined) return rows.slice(0, chosenMax);
  const wanted = new Set(ids.map(uuidOf));
  const chosen = rows.filter(({ id }) => wanted.has(id));
  if (chosen.length < wanted.size) throw notFound();
  return chosen;
}

/** Why one of several clients was left out; a bug is none of these and ends the whole. */
export function refusalOnly(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}
