import { Refusal } from '../../base/refusal.ts';
import { type Sql, withTaxpayerLock } from '../../db/connection.ts';
import { rulesHash } from '../../engine/replay.ts';
import { selectAllocation } from '../allocation/queries.ts';
import { selectTaxpayer, updateSettings } from '../books/queries.ts';
import { type Recomputed, recompute } from '../recompute/recompute.ts';
import { type Resolution, reclassify, redate } from '../transactions/derived/derive.ts';
import { accountsOf, electionsOf, type StoredSettings } from '../transactions/elections.ts';
import { type Touched, touch } from '../transactions/rows/touched.ts';

/** What rows were dated and classified by. */
export interface Read {
  readonly stored: StoredSettings;
  readonly timeZone: string;
}

/** Stores the settings and brings the books after them. Under the taxpayer's lock. */
export async function changeSettings(sql: Sql, taxpayerId: string, settings: StoredSettings): Promise<Recomputed> {
  const before = await selectTaxpayer(sql, taxpayerId);
  await refuseOtherPool(sql, taxpayerId, before.settings, settings);
  await updateSettings(sql, taxpayerId, settings);
  const touched = await resettle(sql, taxpayerId, { stored: before.settings, timeZone: before.time_zone }, new Map());
  const hashOf = (stored: StoredSettings): string => rulesHash(electionsOf(stored, before.time_zone).rules);
  const sameRules = hashOf(before.settings) === hashOf(settings);
  return recompute(sql, taxpayerId, sameRules ? touched : 'all');
}

/** What was allocated from the universal pool was in no wallet before: else units and basis would stand twice. */
async function refuseOtherPool(
  sql: Sql,
  taxpayerId: string,
  before: StoredSettings,
  after: StoredSettings,
): Promise<void> {
  const [was, is] = [before, after].map((stored) => electionsOf(stored, 'UTC').rules.digitalAssetScopeBefore2025);
  if (was === is || (await selectAllocation(sql, taxpayerId)) === undefined) return;
  const detail = 'The universal pool was allocated to wallets, which cannot be taken back (Rev. Proc. 2024-28):';
  throw new Refusal('conflict', `${detail} digitalAssetScopeBefore2025 stays ${was}.`);
}

/**
 * After the taxpayer's zone was changed, in the same transaction: times may fall on other days, those of rows and those
 * at which lots were identified.
 */
export async function changeTimeZone(sql: Sql, taxpayerId: string, timeZone: string): Promise<void> {
  await withTaxpayerLock(sql, taxpayerId);
  const { settings } = await selectTaxpayer(sql, taxpayerId);
  const touched = await redate(sql, taxpayerId, { accounts: accountsOf(settings), timeZone });
  await recompute(sql, taxpayerId, settings.standingOrders === undefined ? touched : 'all');
}

/** Whether rows would be dated and classified now as they were then. */
export async function isSettled(sql: Sql, taxpayerId: string, read: Read): Promise<boolean> {
  const { settings, time_zone } = await selectTaxpayer(sql, taxpayerId);
  const [before, now] = [accountsOf(read.stored), accountsOf(settings)];
  return read.timeZone === time_zone && accountsOfOtherClass(before, now).length === 0;
}

/** Dates and classifies rows again where the settings are not those that they were read under. */
export async function resettle(sql: Sql, taxpayerId: string, read: Read, touched: Touched): Promise<Touched> {
  const now = await selectTaxpayer(sql, taxpayerId);
  const resolution = { accounts: accountsOf(now.settings), timeZone: now.time_zone };
  const all = new Map(touched);
  const accounts = accountsOfOtherClass(accountsOf(read.stored), resolution.accounts);
  if (accounts.length > 0) merge(all, await reclassify(sql, taxpayerId, accounts, resolution));
  if (read.timeZone !== now.time_zone) merge(all, await redate(sql, taxpayerId, resolution));
  return all;
}

function accountsOfOtherClass(before: Resolution['accounts'], after: Resolution['accounts']): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name]?.assetClass !== after[name]?.assetClass);
}

function merge(all: Map<string, Parameters<typeof touch>[2]>, more: Touched): void {
  for (const [key, day] of more) touch(all, key, day);
}
