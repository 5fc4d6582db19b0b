import { formatDay, parseDay } from '../../base/day.ts';
import { parseMoney } from '../../base/decimal.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Sql } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import { assetKeyOf, assetKeysOf } from '../../engine/events/keys.ts';
import { type AssetClass, issueKindTable, type Transaction } from '../../engine/model.ts';
import { typesWhere } from '../../engine/transaction-types.ts';
import type { Taxpayer } from '../auth/access.ts';
import type { RowOf } from '../books/facts/tables.ts';
import type { Given } from '../transactions/resolutions/queries.ts';
import { type Touched, touch } from '../transactions/rows/touched.ts';
import type { NewResolution, ResolutionAction } from './queries.ts';

/** Original issue discount that was income of a year (Form 1099-OID). */
export interface DiscountOfYear {
  readonly year: number;
  readonly amount: string;
}

/** The body of a request that resolves an issue. */
export interface ResolutionInput {
  readonly action: ResolutionAction;
  readonly basis?: string;
  readonly acquired?: string;
  readonly quantity?: string;
  readonly with?: string;
  readonly amount?: string;
  readonly fee?: string;
  readonly assetClass?: AssetClass;
  readonly collectible?: boolean;
  readonly discounts?: readonly DiscountOfYear[];
  readonly note?: string;
}

/** An issue, the input that resolves it, and the rows that it names. */
export interface ResolutionContext {
  readonly deps: Deps;
  readonly sql: Sql;
  readonly taxpayer: Taxpayer;
  readonly issue: RowOf<'issue'>;
  readonly answer: ResolutionInput;
  /** The row with the issue, and the rows that led to it. */
  readonly transactions: readonly Transaction[];
}

/** What a resolution stores, and the books that it changes. */
export type ResolutionEffect = Pick<
  NewResolution,
  'transactionId' | 'otherId' | 'addedId' | 'given' | 'assetKey' | 'fromDay'
> & {
  readonly touched: Touched;
  /** Further rows that it adds. Taking it back removes each. */
  readonly alsoAdded?: readonly Pick<NewResolution, 'addedId' | 'given'>[];
  /** The issue, where its rows have other ids now. */
  readonly issue?: RowOf<'issue'>;
};

export function parseBasis({ answer }: ResolutionContext, tx: Transaction): { basis: string; acquired?: string } {
  const basis = answer.basis === undefined ? undefined : parseMoney(answer.basis);
  if (answer.basis === undefined) throw invalidMember('/basis', 'State what the units cost, fees included.');
  if (basis === undefined || basis < 0n)
    throw invalidMember('/basis', 'A basis is a decimal that is not negative, with at most 8 decimals.');
  if (answer.acquired === undefined) {
    if (tx.acquired !== null || !datedByAnswer.has(tx.type)) return { basis: answer.basis };
    throw invalidMember('/acquired', 'State when they were bought.');
  }
  const acquired = parseDay(answer.acquired);
  if (acquired === undefined) throw invalidMember('/acquired', 'This is not a day of the years 1900 to 2100.');
  if (acquired > tx.on)
    throw invalidMember(
      '/acquired',
      `They were held on ${formatDay(tx.on)}, so they were bought on or before that day.`,
    );
  return { basis: answer.basis, acquired: answer.acquired };
}

/** Types whose day of acquisition a resolution may state. Other rows were acquired on their own day. */
const datedByAnswer = typesWhere((row) => row.datedByAnswer);

/** A resolution of a row changes the books of all assets of the row, from its day on. */
export function effectOn(tx: Transaction, given: Given, issueOf: Transaction = tx): ResolutionEffect {
  const touched = new Map<string, Transaction['on']>();
  for (const key of [...assetKeysOf(tx), ...assetKeysOf(issueOf)]) touch(touched, key, tx.on);
  const assetKey = assetKeysOf(tx)[0] ?? assetKeyOf(tx.asset, tx.assetClass);
  return { transactionId: tx.id, otherId: null, addedId: null, given, assetKey, fromDay: formatDay(tx.on), touched };
}

export function issueRowOf({ transactions, issue }: ResolutionContext): Transaction {
  const [first] = transactions;
  if (first === undefined) {
    const { resolvedBy } = issueKindTable[issue.issue];
    const detail = `No row of the books is near this issue, so that it cannot be accepted. It ends by ${resolvedBy}.`;
    throw invalidMember('/action', detail);
  }
  return first;
}

export function invalidMember(pointer: string, detail: string): Refusal {
  return new Refusal('invalid', detail, { errors: [{ pointer, code: 'invalid', detail }] });
}
