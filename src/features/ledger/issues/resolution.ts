import { expectedDate, formatDay, parseDay } from '../../../base/day.ts';
import { parseMoney } from '../../../base/decimal.ts';
import { invalidMember } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { listAssetKeys, toAssetKey } from '../../../engine/events/keys.ts';
import { issueKindTable, type Transaction } from '../../../engine/model.ts';
import { typesWhere } from '../../../engine/transaction-types.ts';
import { notFound } from '../../../http/errors.ts';
import type { Taxpayer } from '../../people/auth/access.ts';
import type { RowOf } from '../books/fact-tables.ts';
import type { ResolutionValues } from '../transactions/row-issues.queries.ts';
import { type TouchedKeys, touch } from '../transactions/rows.ts';
import type { NewResolution } from './issues.queries.ts';
import type { Issue, Resolution } from './issues.schemas.ts';

/** The body of a request that resolves an issue. */
export type ResolutionInput = Readonly<typeof Resolution.static>;

/** Original issue discount that was included in the income of a year (Form 1099-OID). */
export type DiscountOfYear = NonNullable<ResolutionInput['discounts']>[number];

/** A possible resolution of an issue. Lists of proposals start with the likeliest. */
export type Proposal = Readonly<(typeof Issue.static)['proposals'][number]>;

/** An issue with its rows, and the answer that resolves it. */
export interface ResolutionContext {
  readonly deps: Deps;
  readonly sql: Sql;
  readonly taxpayer: Taxpayer;
  readonly issue: RowOf<'issue'>;
  readonly answer: ResolutionInput;
  /** The row with the issue first, then the rows that led to it. */
  readonly transactions: readonly Transaction[];
}

/** The stored data of a resolution, and the books that it changes. */
export type ResolutionEffect = Pick<
  NewResolution,
  'transactionId' | 'otherId' | 'addedId' | 'given' | 'assetKey' | 'fromDay'
> & {
  readonly touched: TouchedKeys;
  /** Other rows that the resolution adds. Reopening the issue removes them. */
  readonly alsoAdded?: readonly Pick<NewResolution, 'addedId' | 'given'>[];
  /** The issue with the new ids of its rows, if they changed. */
  readonly issue?: RowOf<'issue'>;
};

export const amountRule = "It can't be negative or have more than 8 decimals.";

export function parseBasis({ answer }: ResolutionContext, tx: Transaction): { basis: string; acquired?: string } {
  const basis = answer.basis === undefined ? undefined : parseMoney(answer.basis);
  if (answer.basis === undefined) throw invalidMember('/basis', 'Enter the cost of the units, including fees.');
  if (basis === undefined || basis < 0n) throw invalidMember('/basis', `Enter an amount like 7500.00. ${amountRule}`);
  if (answer.acquired === undefined) {
    if (tx.acquired !== null || !datedByResolution.has(tx.type)) return { basis: answer.basis };
    throw invalidMember('/acquired', 'Enter the purchase date.');
  }
  const acquired = parseDay(answer.acquired);
  if (acquired === undefined) throw invalidMember('/acquired', expectedDate);
  if (acquired > tx.on)
    throw invalidMember(
      '/acquired',
      `Enter a purchase date on or before ${formatDay(tx.on)}, when the units were already held.`,
    );
  return { basis: answer.basis, acquired: answer.acquired };
}

/** Types of rows whose acquisition date a resolution may set. All other rows are acquired on their own day. */
const datedByResolution = typesWhere((row) => row.datedByAnswer);

/** Returns the effect of a resolution on the books: it changes all assets of the row from the row's day on. */
export function effectOn(tx: Transaction, values: ResolutionValues, issueOf: Transaction = tx): ResolutionEffect {
  const touched = new Map<string, Transaction['on']>();
  for (const key of [...listAssetKeys(tx), ...listAssetKeys(issueOf)]) touch(touched, key, tx.on);
  const assetKey = listAssetKeys(tx)[0] ?? toAssetKey(tx.asset, tx.assetClass);
  return {
    transactionId: tx.id,
    otherId: null,
    addedId: null,
    given: values,
    assetKey,
    fromDay: formatDay(tx.on),
    touched,
  };
}

export function requireIssueRow({ transactions, issue }: ResolutionContext): Transaction {
  const [first] = transactions;
  if (first === undefined) {
    const { resolvedBy } = issueKindTable[issue.issue];
    throw invalidMember(
      '/action',
      `This issue can't be accepted, because no transaction is near it. It needs ${resolvedBy}.`,
    );
  }
  return first;
}

/** Decodes an issue id of the API. Throws a 404 if it is invalid. */
export function factIdOfIssueId(name: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.fromBase64(name, { alphabet: 'base64url' }),
    );
    if (!text.includes('\0')) return text;
  } catch {
    // The id was not created by this service.
  }
  throw notFound();
}

/** Returns the ordinal in `transaction/ordinal/kind/account`, which identifies an event of the row. */
export function ordinalOf(factId: string): number {
  return Number(factId.split('/')[1]);
}
