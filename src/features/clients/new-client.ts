import { deletedMeanwhile, type Sql } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../auth/access.ts';
import { type BooksChange, requireTimeZone, timeZoneDefault } from '../auth/profile.ts';
import { planLimitRefusal, planLimits } from '../plans/limits.ts';
import { type ClientRow, countClients, insertClient, lockPreparer } from './queries.ts';

interface ClientInput extends BooksChange {
  readonly name: string;
  readonly email?: string | null | undefined;
}

/** Creates a taxpayer with its own books and the caller as preparer. The limit holds under parallel requests. */
export async function createClient(sql: Sql, deps: Deps, caller: Caller, given: ClientInput): Promise<ClientRow> {
  const timeZone = given.timeZone ?? timeZoneDefault;
  requireTimeZone(timeZone);
  if (!(await lockPreparer(sql, caller.userId))) throw deletedMeanwhile();
  const used = await countClients(sql, caller.userId);
  const limit = planLimits[caller.plan].clientsMax;
  if (used >= limit) throw limitReached(caller, limit, used);
  const client = {
    id: crypto.randomUUID(),
    name: given.name.trim(),
    email: given.email ?? null,
    taxpayerName: given.taxpayerName?.trim() ?? given.name.trim(),
    tin: given.tin ?? '',
    timeZone,
  };
  const createdAt = deps.clock.now();
  await insertClient(sql, { ...client, userId: caller.userId, now: createdAt });
  return { ...client, createdAt, transactions: 0, years: [] };
}

function limitReached({ plan }: Caller, limit: number, used: number) {
  const detail =
    limit === 0
      ? `The ${plan} plan has no client accounts; the CPA plan has ${planLimits.CPA.clientsMax}.`
      : `The ${plan} plan has ${limit} client accounts, and ${used} are in use.`;
  return planLimitRefusal(detail, 'clientsMax', { plan, limit, used, requested: 1 });
}
