import { Refusal } from '../../base/refusal.ts';
import type { Sql } from '../../db/connection.ts';
import { type KeyScope, storeAnswer } from '../queries.ts';

export interface RouteAnswer<Status extends number, Body> {
  readonly status: Status;
  readonly body: Body;
}

/**
 * Saves the response in the transaction that does the work, so both are committed or neither. Returns the response, so
 * that work ends with `return saveResponse(sql, { status: 201, body })`.
 */
export type SaveResponse = SaveAnswer & {
  /** For work in a Worker: the key that it saves the response under. Null if nothing is saved. */
  readonly heldKey: HeldKey | null;
};

type SaveAnswer = <Status extends number, Body>(
  sql: Sql,
  answer: RouteAnswer<Status, Body>,
  /** An upload's SHA-256, known once it has streamed. */
  fingerprint?: string,
) => Promise<RouteAnswer<Status, Body>>;

/** An Idempotency-Key that this request has claimed. Plain data from which a Worker creates its own `SaveResponse`. */
export interface HeldKey {
  readonly scope: KeyScope;
  readonly claim: string;
  /** The digest of the request, if it is known before the work. */
  readonly fingerprint: string | null;
}

export function responseSaver(heldKey: HeldKey | null): SaveResponse {
  const save: SaveAnswer = async (sql, answer, fingerprint) => {
    if (heldKey === null) return answer;
    const saved = {
      claim: heldKey.claim,
      fingerprint: fingerprint ?? heldKey.fingerprint ?? '',
      status: answer.status,
      body: JSON.stringify(answer.body),
    };
    // Another request took the key over when this one seemed dead. Only one of them may commit.
    if (!(await storeAnswer(sql, heldKey.scope, saved))) throw inFlight();
    return answer;
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
