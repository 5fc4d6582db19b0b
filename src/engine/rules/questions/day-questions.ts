import type { Fold } from '../../book/fold.ts';
import { assetOfKey, parseOption } from '../../events/keys.ts';
import { isSuspected } from './account-types.ts';
import { raiseDeepPuts } from './deep-puts.ts';
import { noteStraddleLosses } from './straddles.ts';

/** The checks at the end of a day that a replay needs, in addition to the issues that the rules raise. */
export interface DayQuestions {
  /**
   * Whether the book has accounts that may be tax-advantaged. Their lines are then written individually, because they
   * are counted after the books.
   */
  readonly hasSuspects: boolean;
  readonly hasOptions: boolean;
}

/** Returns null for nearly every book, so that no day is checked. */
export function findDayQuestions(fold: Fold): DayQuestions | null {
  const hasSuspects = [...collectAccounts(fold)].some((name) => isSuspected(fold.rules, name));
  const hasOptions = [...collectKeys(fold)].some((key) => parseOption(assetOfKey(key)) !== undefined);
  return hasSuspects || hasOptions ? { hasSuspects, hasOptions } : null;
}

export function askAboutDay(fold: Fold, { hasOptions }: DayQuestions): void {
  if (!hasOptions) return;
  noteStraddleLosses(fold, fold.facts.slice(fold.dayStart));
  raiseDeepPuts(fold);
}

function collectAccounts({ ledger, pools, shorts, written }: Fold): Set<string> {
  return new Set([
    ...(ledger?.places ?? []).map(({ account }) => account),
    ...(ledger?.others ?? []).flatMap(({ account, toAccount }) => [account, toAccount]),
    ...[...pools.values()].flatMap((accounts) => [...accounts.keys()]),
    ...[...shorts.values(), ...written.values()].flat().map(({ account }) => account),
  ]);
}

function collectKeys({ ledger, pools, written }: Fold): Set<string> {
  const rows = (ledger?.others ?? []).map(({ asset }) => `:${asset}`);
  return new Set([...rows, ...pools.keys(), ...written.keys()]);
}
