import type { Instant } from '../../base/day.ts';
import type { Sql } from '../../db/connection.ts';
import type { AssetClass, Transaction, TransactionType } from '../../engine/model.ts';
import { dayOf, moneyOf, quantityOf, type TransactionRow, transactionOf } from '../transactions/columns.ts';
import { selectHistory, selectPackedHistory } from './queries.ts';

/**
 * What moves a book after a day, all of it where the day is null. Rows come by the thousand in one text, of each the few
 * figures that most rows state, and the others where there are any: a third of the time that forty columns a row take.
 * Without their notes, which no number comes of.
 */
export async function readHistory(
  sql: Sql,
  taxpayerId: string,
  keys: readonly string[],
  after: string | null,
): Promise<Transaction[]> {
  const parts = await selectPackedHistory(sql, taxpayerId, keys, after);
  if (parts.some((part) => part.odd)) return (await selectHistory(sql, taxpayerId, keys, after)).map(transactionOf);
  const transactions: Transaction[] = [];
  for (const [at, { packed }] of parts.entries()) {
    // A history may have a million rows: others have their turn in between.
    if (at > 0) await new Promise((resolve) => setImmediate(resolve));
    for (const row of packed.split('\u001e')) transactions.push(unpack(row));
  }
  return transactions;
}

const microsecondsPerDay = 86_400_000_000;

function unpack(row: string): Transaction {
  const figures = row.split('\u001f');
  const [id = '', type, moment = '', day = '', assetClass, quantity, amount, fee, line, currency = ''] = figures;
  const [account = '', asset = '', externalId = '', others = ''] = figures.slice(10);
  const on = dayOf(day);
  const rest = others === '' ? noOthers : othersOf(others);
  return {
    id,
    line: Number(line),
    type: type as TransactionType,
    at: moment === '' ? null : ((on * microsecondsPerDay + Number(moment)) as Instant),
    on,
    account,
    asset,
    assetClass: assetClass as AssetClass,
    quantity: quantityOf(quantity || null),
    amount: moneyOf(amount || null),
    fee: moneyOf(fee || null),
    currency,
    receivedAsset: rest.receivedAsset,
    receivedQuantity: rest.receivedQuantity,
    feeAsset: rest.feeAsset,
    feeQuantity: rest.feeQuantity,
    feeOwn: rest.feeOwn,
    toAccount: rest.toAccount,
    acquired: rest.acquired,
    basis: rest.basis,
    fmv: rest.fmv,
    ratio: rest.ratio,
    lots: rest.lots,
    identifiedAt: rest.identifiedAt,
    shares: rest.shares,
    underlying: rest.underlying,
    right: rest.right,
    box: rest.box,
    wash: rest.wash,
    term: rest.term,
    externalId,
    note: '',
  };
}

/** Of a row that states only the figures of its text. */
const plain: TransactionRow = {
  ...{ id: '', type: 'buy', at: null, on_day: '2000-01-01', account: '', asset: '', asset_class: 'stock' },
  ...{ quantity: null, amount: null, fee: null, currency: '', received_asset: '', received_quantity: null },
  ...{ fee_asset: '', fee_quantity: null, fee_own: null, to_account: '', acquired: null, basis: null, fmv: null },
  ...{ ratio_numerator: null, ratio_denominator: null, lots: '', identified_at: null, shares: null, underlying: '' },
  ...{ option_right: null, box: null, wash: null, term: null, external_id: '', note: '', line: 0 },
};
const noOthers = transactionOf(plain);

function othersOf(text: string): Transaction {
  return transactionOf({ ...plain, ...(JSON.parse(text) as Partial<TransactionRow>) });
}
