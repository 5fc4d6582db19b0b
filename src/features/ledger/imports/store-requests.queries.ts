import type { Sql } from '../../../db/connection.ts';
import type { StageScope } from '../transactions/rows/rows.queries.ts';
import type { FileKind } from './status/status.queries.ts';

/** Records that the file has arrived completely. After this, it is stored even if this server stops. */
export async function recordStoreRequest(
  sql: Sql,
  scope: StageScope,
  { format, layout, header }: FileKind,
  storeRequest: object,
): Promise<void> {
  await sql`
    update imports set format = ${format}, layout = ${layout}, header = ${header as string[]},
      store_order = ${JSON.stringify(storeRequest)}::text::json
    where taxpayer_id = ${scope.taxpayerId} and id = ${scope.importId} and status = 'running'`;
}

/** Selects imports whose file has arrived but whose server no longer responds. */
export async function selectAbandonedStoreRequests(
  sql: Sql,
  { idleSeconds, limit }: { readonly idleSeconds: number; readonly limit: number },
): Promise<StageScope[]> {
  return sql<StageScope[]>`
    select taxpayer_id as "taxpayerId", id as "importId" from imports
    where status = 'running' and store_order ->> 'isAccepted' = 'false'
      and moved_at < now() - make_interval(secs => ${idleSeconds})
    order by moved_at limit ${limit}`;
}

/** Hands the import over to a job. If several servers try, returns true for only one of them. */
export async function acceptStoreRequest(sql: Sql, scope: StageScope, idleSeconds: number): Promise<boolean> {
  const rows = await sql`
    update imports set store_order = (store_order::jsonb || '{"isAccepted": true}')::json
    where taxpayer_id = ${scope.taxpayerId} and id = ${scope.importId} and status = 'running'
      and store_order ->> 'isAccepted' = 'false' and moved_at < now() - make_interval(secs => ${idleSeconds})
    returning 1`;
  return rows.length > 0;
}

/** Selects the request to store an import. Returns null if the import has ended or was deleted. */
export async function selectStoreRequest(sql: Sql, scope: StageScope): Promise<object | null> {
  const [row] = await sql<{ order: object }[]>`
    select store_order as "order" from imports
    where taxpayer_id = ${scope.taxpayerId} and id = ${scope.importId} and status = 'running'`;
  return row?.order ?? null;
}
