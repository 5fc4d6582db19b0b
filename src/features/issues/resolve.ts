import { formatDay } from '../../base/day.ts';
import { parseMoney, parseQuantity } from '../../base/decimal.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Sql } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import { assetKeysOf } from '../../engine/events/keys.ts';
import type { IssueKind, Transaction } from '../../engine/model.ts';
import { rowOf } from '../../engine/transaction-types.ts';
import { notFound } from '../../http/errors.ts';
import type { Taxpayer } from '../auth/access.ts';
import { releaseTransactionRoom } from '../plans/limits.ts';
import { recompute } from '../recompute/recompute.ts';
import { selectTransactions } from '../transactions/list/queries.ts';
import type { Given } from '../transactions/resolutions/queries.ts';
import { isDatedByRow, takesBasis } from '../transactions/resolutions/restate.ts';
import { transactionOf } from '../transactions/rows/columns.ts';
import { touch, touchedOf } from '../transactions/rows/touched.ts';
import { removeOne } from '../transactions/store.ts';
import { type Answered, about, basisGiven, type Case, firstOf, refused, type Settled } from './case.ts';
import { openMissingContracts, openMissingLot } from './missing.ts';
import { ordinalOf } from './names.ts';
import {
  type Action,
  deleteBrokenPairs,
  deleteResolutions,
  insertResolution,
  selectIssue,
  selectPairing,
  selectWorkOf,
} from './queries.ts';
import { endsOf } from './rows.ts';

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
  const { takes, settle } = settlerOf(answer.action, issue.issue);
  refuseOthers(answer, takes);
  const { touched, ...stored } = await settle({ deps, sql, taxpayer, issue, answer, transactions });
  if (issue.issue === 'transfer_unpaired') {
    const legs = [stored.transactionId, ...(stored.otherId === null ? [] : [stored.otherId])];
    await deleteBrokenPairs(sql, taxpayer.id, legs);
  }
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

/** Takes back all that was answered: the issue is open again, unless something else has answered it meanwhile. */
export async function reopenIssue(sql: Sql, taxpayerId: string, factId: string): Promise<void> {
  const gone = await deleteResolutions(sql, taxpayerId, factId);
  if (gone.length === 0) throw notFound();
  const touched = touchedOf(gone.map((one) => ({ asset_key: one.asset_key, day: one.from_day })));
  const rows = gone.map((one) => one.transaction_id);
  for (const row of await selectTransactions(sql, taxpayerId, rows)) {
    const tx = transactionOf(row);
    for (const key of assetKeysOf(tx)) touch(touched, key, tx.on);
  }
  for (const { added_id } of gone) {
    const removed = added_id === null ? undefined : await removeOne(sql, taxpayerId, added_id);
    if (removed !== undefined) await releaseTransactionRoom(sql, taxpayerId, 1);
    for (const [key, day] of removed ?? []) touch(touched, key, day);
  }
  await recompute(sql, taxpayerId, touched);
}

/** How an answer is taken, and which of its members say something then. */
interface Settler {
  readonly takes: readonly (keyof Answered)[];
  readonly settle: (asked: Case) => Promise<Settled>;
}

function settlerOf(action: Action, kind: IssueKind): Settler {
  const units = ['acquired', 'quantity'] as const;
  switch (action) {
    case 'accept':
      return { takes: [], settle: async (asked) => about(firstOf(asked), {}) };
    case 'basis':
      if (kind === 'oversold' || kind === 'option_not_open')
        return { takes: ['basis', ...units], settle: openMissingLot };
      return {
        takes: ['basis', ...units, ...(kind === 'gift_incomplete' ? ['amount' as const] : [])],
        settle: supplyBasis,
      };
    case 'value':
      if (kind === 'option_not_open') return { takes: ['amount', ...units], settle: openMissingContracts };
      return { takes: ['amount', ...(kind === 'gift_incomplete' ? [] : ['fee' as const])], settle: setValue };
    case 'pair':
      return { takes: ['with'], settle: pairLegs };
  }
}

/** What the answer has no use for was meant otherwise. */
function refuseOthers(answer: Answered, takes: readonly string[]): void {
  const others = Object.keys(answer).filter((name) => name !== 'action' && name !== 'note' && !takes.includes(name));
  if (others.length === 0) return;
  const detail = `${answer.action} takes ${['note', ...takes].join(', ')} here.`;
  throw new Refusal('invalid', detail, {
    errors: others.map((name) => ({ pointer: `/${name}`, code: 'invalid', detail })),
  });
}

/** To the row that opened the lot: the last one that the issue names, where it names the sale first. */
async function supplyBasis(asked: Case): Promise<Settled> {
  const { issue, answer } = asked;
  const opener = asked.transactions[1] ?? firstOf(asked);
  if (!takesBasis(opener.type)) {
    throw refused(
      '/action',
      `A ${opener.type} has no basis of its own. Correct the row, or accept the issue with a note.`,
    );
  }
  if (answer.quantity !== undefined && parseQuantity(answer.quantity) !== opener.quantity)
    throw refused('/quantity', 'The basis is that of all units of the row: leave the quantity out.');
  const given = basisGiven(asked, opener);
  if (given.acquired !== undefined && given.acquired !== formatDay(opener.on) && isDatedByRow(opener.type))
    throw refused('/acquired', `They were acquired on ${formatDay(opener.on)}, as the row says: leave the day out.`);
  return about(opener, issue.issue === 'gift_incomplete' ? giftGiven(asked, opener, given) : given, firstOf(asked));
}

/** Of a gift the donor's day and the value on its own day are wanted, too, where the row does not say them. */
function giftGiven({ answer }: Case, gift: Transaction, given: Given): Given {
  if (gift.acquired === null && given.acquired === undefined)
    throw refused('/acquired', 'Say when the donor bought them.');
  if (answer.amount === undefined) {
    if (gift.fmv !== null && !isForeign(gift)) return given;
    throw refused('/amount', `Say what they were worth in US dollars on ${formatDay(gift.on)}, the day of the gift.`);
  }
  return { ...given, amount: worthOf(answer) };
}

async function setValue(asked: Case): Promise<Settled> {
  const { issue, answer } = asked;
  const tx = firstOf(asked);
  if (issue.issue === 'gift_incomplete') return about(tx, { figure: 'fmv', amount: worthOf(answer) });
  if (issue.issue !== 'value_missing') throw refused('/action', 'No value is missing here.');
  const figure = ordinalOf(issue.id) === 2 ? 'fee' : (rowOf(tx.type).askedValue ?? 'amount');
  const amount = worthOf(answer);
  if (figure === 'fee' && answer.fee !== undefined) throw refused('/fee', 'The amount is the fee here.');
  const fee = answer.fee === undefined ? undefined : parseMoney(answer.fee);
  if (answer.fee !== undefined && (fee === undefined || fee < 0n))
    throw refused('/fee', 'A fee is a decimal, not negative.');
  if (isForeign(tx) && figure !== 'fee' && tx.fee !== null && fee === undefined) {
    throw refused('/fee', `Its fee is stated in ${tx.currency}: say it in US dollars, too.`);
  }
  return about(tx, { figure, amount, ...(answer.fee === undefined ? {} : { fee: answer.fee }) });
}

function worthOf({ amount }: Answered): string {
  const worth = amount === undefined ? undefined : parseMoney(amount);
  if (amount === undefined || worth === undefined || worth < 0n)
    throw refused('/amount', 'Say the value in US dollars: a decimal, not negative, with at most 8 decimals.');
  return amount;
}

function isForeign({ currency }: Transaction): boolean {
  return currency !== '' && currency !== 'USD';
}

/** A withdrawal and a deposit are two ends of one transfer. */
async function pairLegs({ sql, taxpayer, issue, answer, transactions }: Case): Promise<Settled> {
  const [own] = transactions;
  if (issue.issue !== 'transfer_unpaired' || own === undefined)
    throw refused('/action', 'This is no leg of a transfer.');
  const { left, arrived } = await endsOf(sql, taxpayer.id, own, answer.with ?? '');
  for (const leg of [left, arrived]) {
    if ((await selectPairing(sql, taxpayer.id, leg.id)) === undefined) continue;
    throw refused('/with', 'One of the two has another end already, or was said to have none.');
  }
  return { ...about(left, {}), otherId: arrived.id };
}
