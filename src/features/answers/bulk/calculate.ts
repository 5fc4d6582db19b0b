import { Refusal, type RefusalCode } from '../../../base/refusal.ts';
import type { Deps } from '../../../deps.ts';
import { runCalculation } from '../../gains/calculations/calculation.ts';
import { createReports } from '../../gains/reports/create.ts';
import { inTurn } from '../../ledger/transactions/turn.ts';
import type { Caller } from '../../people/auth/access.ts';
import { requireRolePermission } from '../../people/auth/permissions.ts';
import type { ClientRow } from '../../people/clients/clients.queries.ts';
import { refusalOnly } from './chosen-clients.ts';

export interface CalculatedClient {
  readonly client: string;
  readonly name: string;
  readonly status: 'completed' | 'refused';
  readonly reports: { readonly id: string; readonly year: number }[];
  readonly problem?: { readonly code: RefusalCode; readonly detail: string };
}

interface BulkCalculationOptions {
  readonly year: number | undefined;
  readonly beforeBooks: (taxpayerId: string) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Runs one calculation at a time, because parallel calculations would take the cores and connections that other
 * requests need.
 */
export async function calculateClients(
  deps: Deps,
  caller: Caller,
  clients: readonly ClientRow[],
  options: BulkCalculationOptions,
): Promise<CalculatedClient[]> {
  const done: CalculatedClient[] = [];
  for (const client of clients) {
    // The HTTP client disconnected. Finished calculations remain. The error prevents a partial response from being
    // stored for replay.
    if (options.signal.aborted)
      throw new Refusal('bad_request', 'The request was canceled. Finished calculations are kept.');
    deps.rateLimits.take('work', caller.userId);
    done.push(await calculateOne(deps, client, options));
  }
  return done;
}

async function calculateOne(
  deps: Deps,
  { id: client, name, role }: ClientRow,
  { year, beforeBooks }: BulkCalculationOptions,
): Promise<CalculatedClient> {
  try {
    requireRolePermission(role, 'write');
    await beforeBooks(client);
    const { reports } = await inTurn(deps, client, (sql) =>
      runCalculation(deps, sql, client, crypto.randomUUID(), { year }, createReports),
    );
    return { client, name, status: 'completed', reports };
  } catch (error) {
    const { code, detail } = refusalOnly(error);
    return { client, name, status: 'refused', reports: [], problem: { code, detail } };
  }
}
