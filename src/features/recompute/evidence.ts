import { canonicalJson } from '../../base/json.ts';
import type { Sql } from '../../db/connection.ts';
import { selectTaxpayer, updateSettings } from '../books/queries.ts';
import type { StoredSettings } from '../transactions/elections.ts';
import { type AccountSource, type Evidence, evidenceIn } from '../transactions/evidence.ts';
import { dayOf } from '../transactions/rows/columns.ts';
import { type Touched, touch } from '../transactions/rows/touched.ts';
import { selectAccountSources, selectKeysOfAccounts } from './queries.ts';

/**
 * Which rows came or went, for the forms that they say report the sales of an account: none of another source or account,
 * or these beside those there were. Else all rows are asked.
 */
export type ChangedSources = 'same' | 'any' | readonly AccountSource[];

/**
 * Reads from the rows which form reports the sales of each account (`transactions/evidence.ts`). Where that is another one
 * than before, the books of the account are touched from its first row on.
 */
export async function settleEvidence(
  sql: Sql,
  taxpayerId: string,
  touched: Touched | 'all',
  changed: ChangedSources,
): Promise<Touched | 'all'> {
  if (changed === 'same') return touched;
  const { settings } = await selectTaxpayer(sql, taxpayerId);
  const before = settings.evidence ?? {};
  const evidence = changed === 'any' ? await readEvidence(sql, taxpayerId) : evidenceIn(changed, before);
  const accounts = accountsReadOtherwise(before, evidence ?? {});
  if (accounts.length === 0) return touched;
  const { evidence: _, ...others } = settings;
  const after: StoredSettings = evidence === undefined ? others : { ...others, evidence };
  await updateSettings(sql, taxpayerId, after);
  if (touched === 'all') return touched;
  const all = new Map([...touched]);
  for (const { asset_key, day } of await selectKeysOfAccounts(sql, taxpayerId, accounts)) {
    touch(all, asset_key, dayOf(day));
  }
  return all;
}

/** What all rows say, read anew. */
export async function readEvidence(sql: Sql, taxpayerId: string): Promise<Evidence | undefined> {
  return evidenceIn(await selectAccountSources(sql, taxpayerId));
}

function accountsReadOtherwise(before: Evidence, after: Evidence): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => canonicalJson(before[name] ?? {}) !== canonicalJson(after[name] ?? {}));
}
