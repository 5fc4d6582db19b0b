import { yearOf } from '../../src/base/day.ts';
import { resolveAssetClass } from '../../src/engine/events/classes.ts';
import type { Transaction } from '../../src/engine/model.ts';
import type { Draft } from '../../src/formats/format.ts';
import { proposeMapping } from '../../src/formats/mapping/mapping-proposal.ts';
import { readRows, rowLimits } from '../../src/formats/rows/rows.ts';
import { readWhole, streamOf } from '../formats/reading.ts';
import { defaultRules } from './golden.ts';
import { replayAll } from './ledger.ts';
import type { UnfriendlyLayout } from './unfriendly-layouts.ts';

/**
 * `right`: the results are correct and no question is raised. `asked`: there is a question, a rejected line or an issue
 * with dollars.
 */
export interface UnfriendlyVerdict {
  readonly verdict: 'right' | 'asked' | 'wrong';
  readonly why: string;
}

/** Accepts a layout's proposal unchanged, and compares the results with those of its true history. */
export async function judgeResults({
  text,
  truth,
}: Pick<UnfriendlyLayout, 'text' | 'truth'>): Promise<UnfriendlyVerdict> {
  const rows = [];
  for await (const batch of readRows(streamOf(text), rowLimits, { bytes: 0 })) rows.push(...batch);
  const proposal = proposeMapping(rows);
  if (proposal === undefined) return { verdict: 'asked', why: 'no proposal' };
  const shown = JSON.stringify(proposal.mapping);
  const reading = await readWhole(text, { mapping: proposal.mapping }).catch((error: unknown) => String(error));
  if (typeof reading === 'string') return { verdict: 'asked', why: reading };
  const rejected = reading.outcomes.flatMap((outcome) => (outcome.kind === 'rejected' ? [outcome.issue] : []));
  if (rejected.length > 0) return { verdict: 'asked', why: `${rejected[0]?.code}: ${rejected[0]?.reason}` };
  const [found, expected] = [
    resultsOf(reading.drafts),
    resultsOf((await readWhole(truth, { format: 'lotbook' })).drafts),
  ];
  if (found.asked !== '' && expected.asked === '') return { verdict: 'asked', why: found.asked };
  if (found.results === expected.results) return { verdict: 'right', why: '' };
  return { verdict: 'wrong', why: `${found.results}\n  not ${expected.results}\n  ${shown}` };
}

/** Returns the amounts of a return: gains by year, asset and term, contracts, income, and remaining holdings. */
function resultsOf(drafts: readonly Draft[]): { readonly results: string; readonly asked: string } {
  const transactions = drafts.map((draft, index): Transaction => {
    const assetClass = resolveAssetClass(draft, defaultRules, null);
    return { ...draft, assetClass, account: draft.account || 'Imported', note: '', id: String(index).padStart(6, '0') };
  });
  const books = replayAll(transactions, defaultRules);
  const sums = new Map<string, bigint>();
  const add = (key: string, value: bigint): void => void sums.set(key, (sums.get(key) ?? 0n) + value);
  for (const fact of books.facts) {
    const year = yearOf(fact.on);
    if (fact.kind === 'disposal')
      add(`${year} ${fact.asset} ${fact.term}`, fact.proceeds - fact.basis + fact.adjustment);
    if (fact.kind === 'contract_1256') add(`${year} 1256 ${fact.asset}`, fact.gain);
    if (fact.kind === 'income') add(`${year} ${fact.type}`, fact.amount);
  }
  for (const lot of books.lots) {
    add(`held ${lot.asset}`, lot.quantity);
    add(`cost ${lot.asset}`, lot.basis ?? 0n);
  }
  const results = [...sums].filter(([, value]) => value !== 0n).map(([key, value]) => `${key}=${value}`);
  const issue = books.issues.find(({ dollars }) => dollars !== null && dollars !== 0n);
  return { results: results.sort().join('; '), asked: issue === undefined ? '' : `${issue.kind}: ${issue.detail}` };
}
