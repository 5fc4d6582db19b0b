import { canonicalJson } from '../../../base/json.ts';
import type { Sql } from '../../../db/connection.ts';
import { updateSettings } from '../books/books.queries.ts';
import type { StoredSettings } from '../transactions/elections.ts';
import { collectEvidence, type Evidence } from '../transactions/evidence.ts';
import { parseDayColumn, touch } from '../transactions/rows/columns.ts';
import { selectAccountSources, selectKeysOfAccounts } from './recompute.queries.ts';
import type { Recomputation, Settled, StepContext } from './step.ts';

/**
 * Determines from the rows which form reports the sales of each account (`transactions/evidence.ts`). If the form of an
 * account changes, marks all its books to be recomputed from their first row on.
 */
export async function settleEvidence(
  { sql, taxpayerId, arrivals }: StepContext,
  { touched, settings, sources }: Pick<Recomputation, 'touched' | 'settings' | 'sources'>,
): Promise<Settled> {
  if (sources === 'same') return { touched, settings };
  // Stores all staged rows, because all rows must be read.
  if (sources === 'any') await arrivals.bring();
  const known = settings.evidence ?? {};
  const evidence = sources === 'any' ? await readEvidence(sql, taxpayerId) : collectEvidence(sources, known);
  const accounts = accountsReadOtherwise(known, evidence ?? {});
  if (accounts.length === 0) return { touched, settings };
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
