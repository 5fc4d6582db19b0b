import type { Instant } from '../../base/day.ts';
import type { Sql } from '../../db/connection.ts';
import type { AssetClass, Transaction, TransactionType } from '../../engine/model.ts';
import { dayOf, moneyOf, quantityOf, type TransactionRow, transactionOf } from '../transactions/columns.ts';
import { type PackedRow, selectHistory } from './queries.ts';

/**
 * What moves a book after a day, all of it where the day is null. Rows come as one text each with the few figures that
 * most of them state, and the others beside it where there are any: three times as fast as forty columns. Without their
 * notes, which no number comes of.
 */
export async function readHistory(
  sql: Sql,
  taxpayerId: string,
  keys: readonly string[],
  after: string | null,
): Promise<Transaction[]> {
  const rows = await selectHistory(sql, taxpayerId, keys, after);
  const transactions: Transaction[] = [];
  for (let at = 0; at < rows.length; at += rowsPerTurn) {
    // A history may have a million rows: others have their turn in between.
    if (at > 0) await new Promise((resolve) => setImmediate(resolve));
    for (const row of rows.slice(at, at + rowsPerTurn)) transactions.push(unpack(row));
  }
  return transactions;
}

const rowsPerTurn = 5_000;
const microsecondsPerDay = 86_400_000_000;

function unpack(row: PackedRow): Transaction {
  const figures = row.figures.split('\u001f');
  const [id = '', type, moment = '', day = '', assetClass, quantity, amount, fee, line, currency = ''] = figures;
  const on = dayOf(day);
  const rest = row.others === null ? noOthers : othersOf(row.others);
  return {
    id,
    line: Number(line),
    type: type as TransactionType,
    at: moment === '' ? null : ((on * microsecondsPerDay + Number(moment)) as Instant),
    on,
    account: row.account,
    asset: row.asset,
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
    externalId: row.external_id,
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
