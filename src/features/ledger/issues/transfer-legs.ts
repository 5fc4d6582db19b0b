import { invalidMember } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Transaction } from '../../../engine/model.ts';
import { isUuid } from '../../../http/errors.ts';
import { selectTransactions } from '../transactions/list.queries.ts';
import { selectFault } from '../transactions/resolutions/resolutions.queries.ts';
import { toTransaction } from '../transactions/rows/columns.ts';

export async function findTransaction(sql: Sql, taxpayerId: string, name: string): Promise<Transaction | undefined> {
  const [row] = isUuid(name) ? await selectTransactions(sql, taxpayerId, [name]) : [];
  return row === undefined ? undefined : toTransaction(row);
}

/** Returns the two rows as the withdrawal and the deposit of a transfer. Throws if they cannot be one transfer. */
export async function loadTransferEnds(
  sql: Sql,
  taxpayerId: string,
  leg: Transaction,
  name: string,
): Promise<{ readonly left: Transaction; readonly arrived: Transaction }> {
  const other = await findTransaction(sql, taxpayerId, name);
  if (other === undefined) throw invalidMember('/with', 'Enter the id of the transaction at the other end.');
  const [left, arrived] = leg.type === 'withdrawal' ? [leg, other] : [other, leg];
  const fault = await selectFault(sql, taxpayerId, left.id, arrived.id);
  if (fault !== null) throw invalidMember('/with', fault);
  return { left, arrived };
}
