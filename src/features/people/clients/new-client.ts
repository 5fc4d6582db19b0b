import type { Sql } from '../../../db/connection.ts';
import { booksDeleted } from '../../../db/database-refusals.ts';
import type { Deps } from '../../../deps.ts';
import type { Caller } from '../auth/access.ts';
import { countClients } from '../auth/auth.queries.ts';
import { requireClientCapacity } from '../auth/plan.ts';
import { type BooksChange, requireTimeZone, resolveTimeZone } from '../auth/profile.ts';
import { type ClientRow, insertClient, lockClientHolder } from './clients.queries.ts';

interface ClientInput extends BooksChange {
  readonly name: string;
  readonly email?: string | null | undefined;
}

/**
 * Creates a taxpayer with its own books and makes the caller its manager. Parallel requests cannot exceed the plan's
 * limit.
 */
export async function createClient(sql: Sql, deps: Deps, caller: Caller, clientInput: ClientInput): Promise<ClientRow> {
  requireTimeZone(clientInput.timeZone ?? undefined);
  const timeZone = resolveTimeZone(clientInput.timeZone);
  await reserveClientCapacity(sql, caller.userId);
  const client = {
    id: crypto.randomUUID(),
    name: clientInput.name.trim(),
    email: clientInput.email ?? null,
    taxpayerName: clientInput.taxpayerName?.trim() ?? clientInput.name.trim(),
    tin: clientInput.tin ?? '',
    timeZone,
  };
  const createdAt = deps.clock.now();
  await insertClient(sql, { ...client, userId: caller.userId, now: createdAt });
  return { ...client, role: 'manager', createdAt, transactions: 0, years: [] };
}

/**
 * Throws `plan_limit` if the new manager's plan has no room for another client. Concurrent requests wait for each
 * other.
 */
export async function reserveClientCapacity(sql: Sql, userId: string): Promise<void> {
  const plan = await lockClientHolder(sql, userId);
  if (plan === undefined) throw booksDeleted();
  requireClientCapacity(plan, await countClients(sql, userId), 1);
}
