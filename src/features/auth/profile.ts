import { defaultTimeZone, isTimeZone, statedTimeZone, timeZoneName } from '../../base/day.ts';
import { Refusal } from '../../base/refusal.ts';
import { type Sql, withTaxpayerLock } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import type { Caller } from './access.ts';
import { planLimits } from './plan.ts';
import { readProfile, type TaxpayerChange, updateTaxpayer, updateUserName } from './queries.ts';

/**
 * Called in the transaction that changes a taxpayer's time zone, under the taxpayer's lock. Instants then fall on other
 * days, so the ledger dates its transactions again. `app.ts` passes it, because the ledger is a later room.
 */
export type TimeZoneHook = (sql: Sql, taxpayerId: string, timeZone: string) => Promise<unknown>;

/** The response of `GET /account`, register and login. */
export async function accountOf(deps: Deps, userId: string) {
  const today = deps.clock.now().toISOString().slice(0, 10);
  const row = await deps.database.asService((sql) => readProfile(sql, userId, today));
  if (row === undefined) throw new Refusal('unauthenticated', 'This account does not exist any more.');
  const limits = planLimits[row.plan];
  return {
    id: row.id,
    email: row.email,
    emailVerified: row.isVerified,
    name: row.name,
    taxpayerName: row.taxpayerName,
    ...(row.tin === '' ? {} : { tin: row.tin }),
    ...timeZoneView(row.timeZone),
    plan: row.plan,
    demo: row.isDemo,
    usage: {
      transactions: row.transactions,
      transactionLimit: limits.transactionsMax,
      aiMessagesToday: row.aiMessagesToday,
      aiMessagesPerDay: limits.aiMessagesPerDay,
      clients: row.clients,
      clientLimit: limits.clientsMax,
    },
  };
}

export async function changeAccount(
  deps: Deps,
  caller: Caller,
  change: BooksChange & { readonly name?: string | null | undefined },
  onTimeZone: TimeZoneHook,
): Promise<void> {
  // The books come first: they may refuse, and then nothing is changed.
  await changeBooks(deps, caller.taxpayerId, change, onTimeZone);
  const name = given(change.name, '')?.trim();
  if (name !== undefined) await deps.database.asService((sql) => updateUserName(sql, caller.userId, name));
}

export interface BooksChange {
  readonly taxpayerName?: string | null | undefined;
  readonly tin?: string | null | undefined;
  readonly timeZone?: string | null | undefined;
}

/** What else happens in the transaction of a change. */
interface AlongWithBooks {
  /** Refuses what must not be changed any more, under the taxpayer's lock: of two changes at once, the second sees the first. */
  readonly check?: (() => Promise<void>) | undefined;
  readonly change?: (sql: Sql) => Promise<void>;
}

/** The name, number and time zone of a taxpayer: one's own, or a client's. */
export async function changeBooks(
  deps: Deps,
  taxpayerId: string,
  asked: BooksChange,
  onTimeZone: TimeZoneHook,
  along: AlongWithBooks = {},
): Promise<void> {
  requireTimeZone(asked.timeZone ?? undefined);
  const timeZone = asked.timeZone === undefined ? undefined : keptTimeZone(asked.timeZone);
  const taxpayerName = given(asked.taxpayerName, '')?.trim();
  const change: TaxpayerChange = { taxpayerName, tin: given(asked.tin, ''), timeZone };
  await deps.database.asTaxpayer(taxpayerId, async (sql) => {
    if (timeZone !== undefined || along.check !== undefined) await withTaxpayerLock(sql, taxpayerId);
    await along.check?.();
    await updateTaxpayer(sql, taxpayerId, change);
    await along.change?.(sql);
    if (timeZone !== undefined) await onTimeZone(sql, taxpayerId, timeZone);
  });
}

/** The time zone as it is kept. The default unless one is stated. */
export function keptTimeZone(stated: string | null | undefined): string {
  return stated === null || stated === undefined ? defaultTimeZone : statedTimeZone(stated);
}

/** The time zone in a response, and whether anybody stated it. */
export function timeZoneView(kept: string): { readonly timeZone: string; readonly timeZoneStated: boolean } {
  return { timeZone: timeZoneName(kept), timeZoneStated: kept !== defaultTimeZone };
}

/** A merge patch (RFC 7396): null removes a value, and a member that is left out stays. */
function given(value: string | null | undefined, none: string): string | undefined {
  return value === null ? none : value;
}

/** Refuses an unknown time zone before anything is written. */
export function requireTimeZone(timeZone: string | undefined): void {
  if (timeZone === undefined || isTimeZone(timeZone)) return;
  const detail = 'This is no IANA time zone; one is "America/New_York".';
  throw new Refusal('invalid', detail, { errors: [{ pointer: '/timeZone', code: 'invalid', detail }] });
}
