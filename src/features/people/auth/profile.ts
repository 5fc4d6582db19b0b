import { defaultTimeZone, isTimeZone, statedTimeZone, timeZoneName } from '../../../base/day.ts';
import { invalidMember } from '../../../base/refusal.ts';
import { type Sql, withTaxpayerLock } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import type { TryChange } from '../../../http/years-preview.ts';
import type { Caller } from './access.ts';
import { readProfile, type TaxpayerChange, updateTaxpayer, updateUserName } from './auth.queries.ts';
import { accountDeleted } from './cancellation.ts';
import { planLimits } from './plan.ts';

/**
 * Runs in the transaction that changes a taxpayer's time zone, under the taxpayer's lock. Instants then fall on
 * different days, so the ledger recalculates transaction dates. `app.ts` injects this function, because the ledger is a
 * later module.
 */
type TimeZoneHook = (sql: Sql, taxpayerId: string, timeZone: string) => Promise<unknown>;

export interface TimeZoneHooks {
  readonly onTimeZoneChange: TimeZoneHook;
  readonly tryChange: TryChange;
}

/** Returns the response for `GET /account`, registration and sign-in. */
export async function loadAccount(deps: Deps, userId: string) {
  const today = deps.clock.now().toISOString().slice(0, 10);
  const row = await deps.database.asService((sql) => readProfile(sql, userId, today));
  if (row === undefined) throw accountDeleted(null);
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
  // Changes the books first. If this throws, nothing is changed.
  await changeBooks(deps, caller.taxpayerId, change, onTimeZone);
  const name = toStoredValue(change.name, '')?.trim();
  if (name !== undefined) await deps.database.asService((sql) => updateUserName(sql, caller.userId, name));
}

export interface BooksChange {
  readonly taxpayerName?: string | null | undefined;
  readonly tin?: string | null | undefined;
  readonly timeZone?: string | null | undefined;
}

/** Additional work in the transaction that changes books. */
interface AlongWithBooks {
  /**
   * Throws an error if the change is no longer allowed. Runs under the taxpayer's lock, so the second of two concurrent
   * requests sees the change of the first.
   */
  readonly check?: (() => Promise<void>) | undefined;
  readonly change?: (sql: Sql) => Promise<void>;
}

/** Changes the name, tax number and time zone of a user or a client. */
export async function changeBooks(
  deps: Deps,
  taxpayerId: string,
  booksChange: BooksChange,
  onTimeZone: TimeZoneHook,
  along: AlongWithBooks = {},
): Promise<void> {
  requireTimeZone(booksChange.timeZone ?? undefined);
  const timeZone = booksChange.timeZone === undefined ? undefined : resolveTimeZone(booksChange.timeZone);
  const taxpayerName = toStoredValue(booksChange.taxpayerName, '')?.trim();
  const change: TaxpayerChange = { taxpayerName, tin: toStoredValue(booksChange.tin, ''), timeZone };
  await deps.database.asTaxpayer(taxpayerId, async (sql) => {
    if (timeZone !== undefined || along.check !== undefined) await withTaxpayerLock(sql, taxpayerId);
    await along.check?.();
    await updateTaxpayer(sql, taxpayerId, change);
    await along.change?.(sql);
    if (timeZone !== undefined) await onTimeZone(sql, taxpayerId, timeZone);
  });
}

/** Returns the effect of a new time zone on the tax years. Nothing is saved. */
export async function previewTimeZone(
  deps: Deps,
  { userId, taxpayerId }: Pick<Caller, 'userId' | 'taxpayerId'>,
  { timeZone }: BooksChange,
  { onTimeZoneChange, tryChange }: TimeZoneHooks,
) {
  deps.rateLimits.take('work', userId);
  requireTimeZone(timeZone ?? undefined);
  if (timeZone === undefined) return { preview: { years: [] } };
  const zone = resolveTimeZone(timeZone);
  return tryChange(taxpayerId, async (sql) => {
    await updateTaxpayer(sql, taxpayerId, { taxpayerName: undefined, tin: undefined, timeZone: zone });
    await onTimeZoneChange(sql, taxpayerId, zone);
    return {};
  });
}

/** Returns the time zone to store. Uses the default if the user chose no time zone. */
export function resolveTimeZone(stated: string | null | undefined): string {
  return stated === null || stated === undefined ? defaultTimeZone : statedTimeZone(stated);
}

/** Returns the time zone for the response, and whether the user chose it. */
export function timeZoneView(kept: string): { readonly timeZone: string; readonly timeZoneStated: boolean } {
  return { timeZone: timeZoneName(kept), timeZoneStated: kept !== defaultTimeZone };
}

/** Converts a value from a merge patch (RFC 7396). Null removes the value, and an omitted field stays unchanged. */
function toStoredValue(value: string | null | undefined, none: string): string | undefined {
  return value === null ? none : value;
}

/** Rejects an unknown time zone before anything is stored. */
export function requireTimeZone(timeZone: string | undefined): void {
  if (timeZone === undefined || isTimeZone(timeZone)) return;
  throw invalidMember('/timeZone', 'Unknown time zone. Use an IANA name such as "America/New_York".');
}
