import { canonicalJson } from '../../../base/json.ts';
import type { Sql } from '../../../db/connection.ts';
import { updateSettings } from '../books/books.queries.ts';
import type { StoredSettings } from '../transactions/elections.ts';
import { type AccountSource, collectEvidence, type Evidence } from '../transactions/evidence.ts';
import { parseDayColumn } from '../transactions/rows/columns.ts';
import { touch } from '../transactions/rows/touched.ts';
import { selectAccountSources, selectKeysOfAccounts } from './recompute.queries.ts';
import type { SettledTickers } from './tickers.ts';

/**
 * The sources of rows that were added or removed. They can change which form reports the sales of an account. `same`
 * means that no source or account is new. `any` means that all rows must be read. A list contains the sources that were
 * added.
 */
export type ChangedSources = 'same' | 'any' | readonly AccountSource[];

/**
 * Determines from the rows which form reports the sales of each account (`transactions/evidence.ts`). If the form of an
 * account changes, marks all its books to be recomputed from their first row on.
 */
export async function settleEvidence(
  sql: Sql,
  taxpayerId: string,
  before: SettledTickers,
  changed: ChangedSources,
): Promise<SettledTickers> {
  if (changed === 'same') return before;
  const { touched, settings } = before;
  const known = settings.evidence ?? {};
  const evidence = changed === 'any' ? await readEvidence(sql, taxpayerId) : collectEvidence(changed, known);
  const accounts = accountsReadOtherwise(known, evidence ?? {});
  if (accounts.length === 0) return before;
  const { evidence: _, ...others } = settings;
  const after: StoredSettings = evidence === undefined ? others : { ...others, evidence };
  await updateSettings(sql, taxpayerId, after);
  if (touched === 'all') return { touched, settings: after };
  const all = new Map([...touched]);
  for (const { asset_key, day } of await selectKeysOfAccounts(sql, taxpayerId, accounts)) {
    touch(all, asset_key, parseDayColumn(day));
  }
  return { touched: all, settings: after };
}

/** Collects the evidence from all rows. */
export async function readEvidence(sql: Sql, taxpayerId: string): Promise<Evidence | undefined> {
  return collectEvidence(await selectAccountSources(sql, taxpayerId));
}

function accountsReadOtherwise(before: Evidence, after: Evidence): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => canonicalJson(before[name] ?? {}) !== canonicalJson(after[name] ?? {}));
}
