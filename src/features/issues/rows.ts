import type { Sql } from '../../db/connection.ts';
import type { Transaction } from '../../engine/model.ts';
import { isUuid } from '../../http/errors.ts';
import { selectTransactions } from '../transactions/list/queries.ts';
import { selectFault } from '../transactions/resolutions/queries.ts';
import { transactionOf } from '../transactions/rows/columns.ts';
import { refused } from './case.ts';

/** Rows that somebody named, and two of them as the ends of one transfer. */

export async function rowNamed(sql: Sql, taxpayerId: string, name: string): Promise<Transaction | undefined> {
  const [row] = isUuid(name) ? await selectTransactions(sql, taxpayerId, [name]) : [];
  return row === undefined ? undefined : transactionOf(row);
}

/** The two as the ends of one transfer, or why they are not. */
export async function endsOf(
  sql: Sql,
  taxpayerId: string,
  own: Transaction,
  name: string,
): Promise<{ readonly left: Transaction; readonly arrived: Transaction }> {
  const other = await rowNamed(sql, taxpayerId, name);
  if (other === undefined) throw refused('/with', 'Name the transaction that is the other end.');
  const [left, arrived] = own.type === 'withdrawal' ? [own, other] : [other, own];
  const fault = await selectFault(sql, taxpayerId, left.id, arrived.id);
  if (fault !== null) throw refused('/with', fault);
  return { left, arrived };
}
