import type { Day } from '../../../base/day.ts';
import type { Sql } from '../../../db/connection.ts';
import type { StoredIssues } from '../books/questions.ts';
import type { BookPlan, KnownDays, Membership, OnBookReplayed } from '../books/replay-books.ts';
import type { ReadLimits } from '../books/state/open.ts';
import type { BookChanges } from '../books/summaries.ts';
import type { Elections, StoredSettings } from '../transactions/elections.ts';
import type { AccountSource } from '../transactions/evidence.ts';
import type { TouchedKeys } from '../transactions/rows.ts';
import type { Arrivals } from '../transactions/store.ts';
import type { AccountState, AccountUses, RowKinds } from './recompute.queries.ts';

/**
 * The sources of rows that were added or removed. They can change which form reports the sales of an account. `same`
 * means that no source or account is new. `any` means that all rows must be read. A list contains the sources that were
 * added.
 */
export type ChangedSources = 'same' | 'any' | readonly AccountSource[];

/** The values that pass from step to step. */
export interface Recomputation {
  /** The books with changed rows, and then also those that depend on them, each with the first affected day. */
  readonly touched: TouchedKeys | 'all';
  readonly sources: ChangedSources;
  readonly settings: StoredSettings;
  readonly timeZone: string;
  readonly uses: AccountUses;
  /** Null unless all books are recomputed. */
  readonly rowKinds: RowKinds | null;
  /** The books before the change. */
  readonly stored: readonly Membership[];
  readonly days: KnownDays;
  readonly elections: Elections;
  /** Which kinds of answers the taxpayer gave. */
  readonly answers: { readonly restate: boolean; readonly accept: boolean };
  /** The day of the last row. Null if there are no rows. */
  readonly through: Day | null;
  readonly plan: BookPlan;
  /** The years whose facts changed, and by how much. */
  readonly changes: BookChanges;
  /** The assets whose balances and stated gains are checked. Null means all. */
  readonly assets: ReadonlySet<string> | null;
  /** Returns whether rows or lines of a year may have changed. */
  readonly mayHaveChanged: (year: number) => boolean;
  /** The stored issues that belong to no book. */
  readonly unbooked: StoredIssues;
  /** The open questions that are part of the revision. */
  readonly questions: readonly string[];
  /** The revision before the change. */
  readonly revisionBefore: string;
  /** The number of issues in all years. */
  readonly issues: number;
  readonly revision: string;
}

/** What all steps share. */
export interface StepContext {
  readonly sql: Sql;
  readonly taxpayerId: string;
  readonly arrivals: Arrivals;
  readonly onBook: OnBookReplayed;
  readonly limits: ReadLimits;
  readonly stated: ReadonlySet<string>;
  readonly read: { readonly account: AccountState; readonly rowKinds: RowKinds } | undefined;
}

/** Used if rows arrive or change during the recomputation. */
export const allUses: AccountUses = {
  links: true,
  forms: true,
  statedGains: true,
  worthless: true,
  prices: true,
  numbers: true,
  balances: true,
  rejects: true,
  locks: true,
};

type ValueName = keyof Recomputation;

export interface RecomputeStep {
  readonly name: string;
  readonly reads: readonly ValueName[];
  readonly writes: readonly ValueName[];
  readonly run: (context: StepContext, values: Recomputation) => Promise<Partial<Recomputation>>;
}

/** Declares a step. `run` gets only the values that the step reads, and must return all values that it writes. */
export function step<Read extends ValueName, Write extends ValueName>(
  name: string,
  { reads, writes }: { readonly reads: readonly Read[]; readonly writes: readonly Write[] },
  run: (context: StepContext, values: Pick<Recomputation, Read>) => Promise<Pick<Recomputation, Write>>,
): RecomputeStep {
  return { name, reads, writes, run };
}

/** The values that the steps before the elections update: they can reach further books and change the settings. */
export type Settled = Pick<Recomputation, 'touched' | 'settings'>;
