import { formatDay, parseDay } from '../../base/day.ts';
import { parseMoney, parseQuantity } from '../../base/decimal.ts';
import { classesOf } from '../../engine/events/classes.ts';
import type { AssetClass, Transaction } from '../../engine/model.ts';
import { selectTaxpayer } from '../books/queries.ts';
import { takeTransactionRoom } from '../plans/limits.ts';
import { draftOfMembers, type MemberTexts } from '../transactions/edit.ts';
import { accountsOf } from '../transactions/elections.ts';
import type { Touched } from '../transactions/rows/touched.ts';
import { prepare } from '../transactions/staged/prepare.ts';
import { storeByHand } from '../transactions/store.ts';
import { about, basisGiven, type Case, firstOf, refused, type Settled } from './case.ts';
import { missingUnitsOf } from './proposals.ts';

/** What was there before the files begin, and no file tells: a row is added that opens it. */

/** The lot that the file does not tell, as it stood on the day it was missed. */
export async function openMissingLot(asked: Case): Promise<Settled> {
  const { issue, answer } = asked;
  const tx = firstOf(asked);
  const quantity = await unitsOf(asked, tx);
  const given = basisGiven(asked, tx);
  const opening = {
    date: formatDay(tx.on),
    type: 'opening_lot',
    account: issue.account,
    asset: issue.asset,
    assetClass: classIn(tx, issue.asset),
    quantity,
    basis: given.basis,
    acquired: given.acquired,
    note: answer.note,
  };
  return { ...about(tx, { ...given, quantity }), ...(await add(asked, opening)) };
}

/** Contracts that were written before: on that day, for that premium, fees off. */
export async function openMissingContracts(asked: Case): Promise<Settled> {
  const { issue, answer } = asked;
  const tx = firstOf(asked);
  const quantity = await unitsOf(asked, tx);
  const amount = answer.amount === undefined ? undefined : parseMoney(answer.amount);
  if (answer.amount === undefined || amount === undefined || amount < 0n)
    throw refused('/amount', 'Say what writing them brought, fees off: a decimal, not negative.');
  const written = answer.acquired === undefined ? undefined : parseDay(answer.acquired);
  if (answer.acquired === undefined || written === undefined || written > tx.on)
    throw refused('/acquired', `Say when they were written: by ${formatDay(tx.on)}.`);
  const given = { amount: answer.amount, acquired: answer.acquired, quantity };
  const { account, asset } = issue;
  const opening = { date: answer.acquired, type: 'sell_to_open', account, asset, quantity, amount: answer.amount };
  return { ...about(tx, given), ...(await add(asked, { ...opening, note: answer.note })) };
}

/** Not more than are missing: the rest would be there for whatever is sold next. */
async function unitsOf({ sql, taxpayer, issue, answer }: Case, tx: Transaction): Promise<string> {
  const missing = await missingUnitsOf(sql, taxpayer.id, issue, tx);
  const said = answer.quantity ?? missing;
  if (said === undefined) throw refused('/quantity', 'Say how many units.');
  const units = parseQuantity(said);
  if (units === undefined || units <= 0n)
    throw refused('/quantity', 'A quantity is a decimal above zero, with at most 18 decimals.');
  if (missing !== undefined && units > (parseQuantity(missing) ?? units))
    throw refused('/quantity', `No more than ${missing} are missing.`);
  return said;
}

async function add(
  asked: Case,
  members: MemberTexts,
): Promise<{ readonly addedId: string; readonly touched: Touched }> {
  const { deps, sql, taxpayer } = asked;
  const { settings, time_zone } = await selectTaxpayer(sql, taxpayer.id);
  const draft = draftOfMembers(members, time_zone);
  await takeTransactionRoom(sql, taxpayer, 1);
  const row = prepare(draft, draft.line, { accounts: accountsOf(settings), sourceClass: null, timeZone: null });
  const addedId = crypto.randomUUID();
  return { addedId, touched: await storeByHand(sql, taxpayer.id, row, addedId, deps.clock.now()) };
}

function classIn(tx: Transaction, asset: string): AssetClass {
  const classes = classesOf(tx);
  return asset === tx.asset ? classes.asset : asset === tx.receivedAsset ? classes.received : classes.fee;
}
