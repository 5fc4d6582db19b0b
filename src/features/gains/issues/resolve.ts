import { parseMoney } from '../../../base/decimal.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { assetKeysOf } from '../../../engine/keys.ts';
import type { Transaction } from '../../../engine/model.ts';
import { notFound } from '../../../http/errors.ts';
import type { Taxpayer } from '../../auth/access.ts';
import { releaseTransactionRoom } from '../../plans/limits.ts';
import { dayOf, transactionOf } from '../../transactions/columns.ts';
import type { Given } from '../../transactions/resolutions/queries.ts';
import { takesBasis } from '../../transactions/resolutions/restate.ts';
import { removeOne } from '../../transactions/store.ts';
import { touch } from '../../transactions/touched.ts';
import { recompute } from '../recompute.ts';
import { selectTransactions } from '../tax/queries.ts';
import { type Answered, about, basisGiven, type Case, firstOf, refused, type Settled } from './case.ts';
import { openMissingContracts, openMissingLot } from './missing.ts';
import { ordinalOf } from './names.ts';
import { type Action, deleteResolution, insertResolution, isPaired, selectIssue, selectWorkOf } from './queries.ts';

/** Stores an answer and brings the books after it. In the caller's transaction, under the taxpayer's lock. */
export async function resolveIssue(
  deps: Deps,
  sql: Sql,
  taxpayer: Taxpayer,
  factId: string,
  answer: Answered,
): Promise<void> {
  const issue = await selectIssue(sql, taxpayer.id, factId);
  if (issue === undefined) {
    if ((await selectWorkOf(sql, taxpayer.id, factId)) === undefined) throw notFound();
    throw new Refusal('conflict', 'This was answered already. Take the answer back first.');
  }
  const rows = new Map((await selectTransactions(sql, taxpayer.id, issue.transactions)).map((row) => [row.id, row]));
  const transactions = issue.transactions.flatMap((id) => {
    const row = rows.get(id);
    return row === undefined ? [] : [transactionOf(row)];
  });
  const settled = await settlers[answer.action]({ deps, sql, taxpayer, issue, answer, transactions });
  const { touched, ...stored } = settled;
  await insertResolution(sql, taxpayer.id, {
    id: crypto.randomUUID(),
    issueId: factId,
    action: answer.action,
    note: answer.note ?? '',
    issue,
    at: deps.clock.now(),
    ...stored,
  });
  await recompute(sql, taxpayer.id, touched);
  // An answer that does not answer is worse than none: it would hide what is open.
  if ((await selectIssue(sql, taxpayer.id, factId)) !== undefined) {
    throw refused('', 'The issue stands all the same: this does not answer it.');
  }
}

/** Takes an answer back: the issue is open again, unless something else has answered it meanwhile. */
export async function reopenIssue(sql: Sql, taxpayerId: string, factId: string): Promise<void> {
  const gone = await deleteResolution(sql, taxpayerId, factId);
  if (gone === undefined) throw notFound();
  const touched = new Map([[gone.asset_key, dayOf(gone.from_day)]]);
  for (const row of await selectTransactions(sql, taxpayerId, [gone.transaction_id])) {
    const tx = transactionOf(row);
    for (const key of assetKeysOf(tx)) touch(touched, key, tx.on);
  }
  if (gone.added_id !== null) {
    const removed = await removeOne(sql, taxpayerId, gone.added_id);
    if (removed !== undefined) await releaseTransactionRoom(sql, taxpayerId, 1);
    for (const [key, day] of removed ?? []) touch(touched, key, day);
  }
  await recompute(sql, taxpayerId, touched);
}

const settlers: Readonly<Record<Action, (asked: Case) => Promise<Settled>>> = {
  accept: async (asked) => about(firstOf(asked), {}),
  basis: (asked) => (isOfOneMissing(asked) ? openMissingLot(asked) : supplyBasis(asked)),
  value: (asked) => (asked.issue.issue === 'option_not_open' ? openMissingContracts(asked) : setValue(asked)),
  pair: pairLegs,
};

function isOfOneMissing({ issue }: Case): boolean {
  return issue.issue === 'oversold' || issue.issue === 'option_not_open';
}

/** To the row that opened the lot: the last one that the issue names, where it names the sale first. */
async function supplyBasis(asked: Case): Promise<Settled> {
  const opener = asked.transactions[1] ?? firstOf(asked);
  if (!takesBasis(opener.type)) {
    throw refused(
      '/action',
      `A ${opener.type} has no basis of its own. Correct the row, or accept the issue with a note.`,
    );
  }
  return about(opener, basisGiven(asked, opener), firstOf(asked));
}

async function setValue(asked: Case): Promise<Settled> {
  const { issue, answer } = asked;
  const tx = firstOf(asked);
  if (issue.issue !== 'value_missing') throw refused('/action', 'No value is missing here.');
  const figure = ordinalOf(issue.id) === 2 ? 'fee' : tx.type === 'inherit' || tx.type === 'mark' ? 'fmv' : 'amount';
  const amount = answer.amount === undefined ? undefined : parseMoney(answer.amount);
  if (amount === undefined || amount < 0n) {
    throw refused('/amount', 'Say the value in US dollars: a decimal, not negative, with at most 8 decimals.');
  }
  const fee = answer.fee === undefined ? undefined : parseMoney(answer.fee);
  if (answer.fee !== undefined && (fee === undefined || fee < 0n))
    throw refused('/fee', 'A fee is a decimal, not negative.');
  const foreign = tx.currency !== '' && tx.currency !== 'USD';
  if (foreign && figure !== 'fee' && tx.fee !== null && fee === undefined) {
    throw refused('/fee', `Its fee is stated in ${tx.currency}: say it in US dollars, too.`);
  }
  const given: Given = {
    figure,
    amount: answer.amount ?? '',
    ...(answer.fee === undefined ? {} : { fee: answer.fee }),
  };
  return about(tx, given);
}

/** A withdrawal and a deposit are two ends of one transfer. */
async function pairLegs(asked: Case): Promise<Settled> {
  const { sql, taxpayer, issue, answer } = asked;
  if (issue.issue !== 'transfer_unpaired') throw refused('/action', 'This is no leg of a transfer.');
  const own = firstOf(asked);
  const wanted = answer.with !== undefined && uuid.test(answer.with) ? answer.with : undefined;
  const [row] = wanted === undefined ? [] : await selectTransactions(sql, taxpayer.id, [wanted]);
  if (row === undefined) throw refused('/with', 'Name the transaction that is the other end.');
  const other = transactionOf(row);
  const { left, arrived } = endsOf(own, other);
  for (const leg of [left, arrived]) {
    if (await isPaired(sql, taxpayer.id, leg.id)) throw refused('/with', 'One of the two has another end already.');
  }
  return { ...about(left, {}), otherId: arrived.id };
}

/** The two as the ends of one transfer, or why they are not. */
export function endsOf(
  own: Transaction,
  other: Transaction,
): { readonly left: Transaction; readonly arrived: Transaction } {
  const [left, arrived] = own.type === 'withdrawal' ? [own, other] : [other, own];
  if (left.type !== 'withdrawal' || arrived.type !== 'deposit')
    throw refused('/with', 'A pair is a withdrawal and a deposit.');
  const key = assetKeysOf(left)[0] ?? '';
  if (key !== assetKeysOf(arrived)[0]) throw refused('/with', 'The two are of different assets.');
  if (arrived.on < left.on) throw refused('/with', 'It arrived before it left.');
  if ((arrived.quantity ?? 0n) > (left.quantity ?? 0n)) throw refused('/with', 'More arrived than left.');
  const short = (left.quantity ?? 0n) - (arrived.quantity ?? 0n);
  if (short > 0n && left.feeAsset !== '' && left.feeAsset !== left.asset) {
    throw refused('/with', `Less arrived than left, and the fee was paid in ${left.feeAsset}.`);
  }
  return { left, arrived };
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
