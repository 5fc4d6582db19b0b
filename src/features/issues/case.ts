import { formatDay, parseDay } from '../../base/day.ts';
import { parseMoney } from '../../base/decimal.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Sql } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import { assetKeyOf, assetKeysOf } from '../../engine/events/keys.ts';
import type { Transaction } from '../../engine/model.ts';
import { typesWhere } from '../../engine/transaction-types.ts';
import type { Taxpayer } from '../auth/access.ts';
import type { RowOf } from '../books/facts/tables.ts';
import type { Given } from '../transactions/resolutions/queries.ts';
import { type Touched, touch } from '../transactions/rows/touched.ts';
import type { Action, NewResolution } from './queries.ts';

/** An issue, what somebody answered to it, and what that comes to. */

export interface Answered {
  readonly action: Action;
  readonly basis?: string;
  readonly acquired?: string;
  readonly quantity?: string;
  readonly with?: string;
  readonly amount?: string;
  readonly fee?: string;
  readonly note?: string;
}

export interface Case {
  readonly deps: Deps;
  readonly sql: Sql;
  readonly taxpayer: Taxpayer;
  readonly issue: RowOf<'issue'>;
  readonly answer: Answered;
  /** The row that could not be explained, and those that led there. */
  readonly transactions: readonly Transaction[];
}

export type Settled = Pick<
  NewResolution,
  'transactionId' | 'otherId' | 'addedId' | 'given' | 'assetKey' | 'fromDay'
> & {
  readonly touched: Touched;
};

export function basisGiven({ answer }: Case, tx: Transaction): { basis: string; acquired?: string } {
  const basis = answer.basis === undefined ? undefined : parseMoney(answer.basis);
  if (answer.basis === undefined) throw refused('/basis', 'Say what the units cost, fees included.');
  if (basis === undefined || basis < 0n)
    throw refused('/basis', 'A basis is a decimal, not negative, with at most 8 decimals.');
  if (answer.acquired === undefined) {
    if (tx.acquired !== null || !datedByAnswer.has(tx.type)) return { basis: answer.basis };
    throw refused('/acquired', 'Say when they were bought.');
  }
  const acquired = parseDay(answer.acquired);
  if (acquired === undefined) throw refused('/acquired', 'This is no day of the years 1900 to 2100.');
  if (acquired > tx.on) throw refused('/acquired', `They were there on ${formatDay(tx.on)}: they were bought by then.`);
  return { basis: answer.basis, acquired: answer.acquired };
}

/** Of other rows their own day is the day of acquisition. */
const datedByAnswer = typesWhere((row) => row.datedByAnswer);

/** An answer about a row moves the books of all that the row moves, from its day on. */
export function about(tx: Transaction, given: Given, issueOf: Transaction = tx): Settled {
  const touched = new Map<string, Transaction['on']>();
  for (const key of [...assetKeysOf(tx), ...assetKeysOf(issueOf)]) touch(touched, key, tx.on);
  const assetKey = assetKeysOf(tx)[0] ?? assetKeyOf(tx.asset, tx.assetClass);
  return { transactionId: tx.id, otherId: null, addedId: null, given, assetKey, fromDay: formatDay(tx.on), touched };
}

export function firstOf({ transactions }: Case): Transaction {
  const [first] = transactions;
  if (first === undefined) throw new Error('An issue without its row.');
  return first;
}

export function refused(pointer: string, detail: string): Refusal {
  return new Refusal('invalid', detail, { errors: [{ pointer, code: 'invalid', detail }] });
}
