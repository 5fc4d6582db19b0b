import { Refusal } from '../base/refusal.ts';
import type { Sql } from '../db/connection.ts';
import { type KeyScope, storeResponse } from './queries.ts';

export interface RouteResponse<Status extends number, Body> {
  readonly status: Status;
  readonly body: Body;
}

/**
 * Saves the response in the transaction that does the work, so either both are committed or neither is. Returns the
 * response, so the work can end with `return saveResponse(sql, { status: 201, body })`.
 */
export type SaveResponse = SaveRouteResponse & {
  /** For work in a Worker, the key under which it saves the response. Null if nothing is saved. */
  readonly heldKey: HeldKey | null;
};

type SaveRouteResponse = <Status extends number, Body>(
  sql: Sql,
  response: RouteResponse<Status, Body>,
  /** The SHA-256 of an upload, which is known once the upload has streamed. */
  fingerprint?: string,
) => Promise<RouteResponse<Status, Body>>;

/**
 * An Idempotency-Key that this request has claimed. It is plain data from which a Worker creates its own
 * `SaveResponse`.
 */
export interface HeldKey {
  readonly scope: KeyScope;
  readonly claim: string;
  /** The digest of the request, if it is known before the work. */
  readonly fingerprint: string | null;
}

export function responseSaver(heldKey: HeldKey | null): SaveResponse {
  const save: SaveRouteResponse = async (sql, response, fingerprint) => {
    if (heldKey === null) return response;
    const saved = {
      claim: heldKey.claim,
      fingerprint: fingerprint ?? heldKey.fingerprint ?? '',
      status: response.status,
      body: JSON.stringify(response.body),
    };
    // Another request took over the key when this one seemed dead. Only one of them may commit.
    if (!(await storeResponse(sql, heldKey.scope, saved))) throw inFlight();
    return response;
  };
  return Object.assign(save, { heldKey });
}

export function inFlight(): Refusal {
  return new Refusal(
    'idempotency_in_flight',
    'A request with this Idempotency-Key is still in progress. Wait for it, then retry.',
    {
      retryAfterSeconds: 1,
    },
  );
}
