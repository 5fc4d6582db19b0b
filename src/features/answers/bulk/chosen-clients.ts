import { Refusal } from '../../../base/refusal.ts';
import type { Deps } from '../../../deps.ts';
import { notFound, parseUuid } from '../../../http/errors.ts';
import type { Caller } from '../../people/auth/access.ts';
import { type ClientRow, readClients } from '../../people/clients/clients.queries.ts';

/** Higher than the client limit of any plan. */
export const chosenClientsMax = 100;

/** Returns the clients for a bulk operation: either the requested ones or all. Excludes other CPAs' clients. */
export async function readChosenClients(
  deps: Deps,
  { userId }: Caller,
  ids: readonly string[] | undefined,
): Promise<ClientRow[]> {
  const rows = await deps.database.asService((sql) => readClients(sql, userId, { limit: chosenClientsMax }));
  if (ids === undefined) return rows.slice(0, chosenClientsMax);
  const chosenIds = new Set(ids.map(parseUuid));
  const chosen = rows.filter(({ id }) => chosenIds.has(id));
  if (chosen.length < chosenIds.size) throw notFound();
  return chosen;
}

/** Returns the reason why a client was left out. Rethrows a bug, which ends the whole operation. */
export function refusalOnly(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}
