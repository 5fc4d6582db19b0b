import { formatDay } from '../../../base/day.ts';
import { invalidMember } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import { listAssetKeys } from '../../../engine/events/keys.ts';
import type { Transaction } from '../../../engine/model.ts';
import { isUuid, notFound } from '../../../http/errors.ts';
import { recompute } from '../recompute/recompute.ts';
import { selectTransactions } from '../transactions/list.queries.ts';
import { selectFault } from '../transactions/row-issues.queries.ts';
import { type TouchedKeys, toTransaction, touch } from '../transactions/rows.ts';
import { deletePairings, insertResolution, selectPairing } from './issues.queries.ts';

/**
 * The other end of a transfer leg (`with`), and who set it: the user (`hand`) or the engine. Null if the leg has no
 * other end.
 */
interface Pairing {
  readonly with: string | null;
  readonly by: 'hand' | 'engine';
}

export async function readPairing(sql: Sql, taxpayerId: string, id: string): Promise<Pairing> {
  await loadLeg(sql, taxpayerId, id);
  const stored = await selectPairing(sql, taxpayerId, id);
  if (stored === undefined) return { with: null, by: 'engine' };
  return { with: stored.transaction_id === id ? stored.other_id : stored.transaction_id, by: 'hand' };
}

/** Pairs two legs, or marks a leg as having no other end. Overrides the engine. */
export async function setPairing(
  sql: Sql,
  taxpayerId: string,
  id: string,
  other: string | null,
  note: string,
  at: Date,
): Promise<void> {
  const firstLeg = await loadLeg(sql, taxpayerId, id);
  const touched = await removePairings(sql, taxpayerId, [id, ...(other === null ? [] : [other])]);
  const { left, arrived } =
    other === null ? { left: firstLeg, arrived: null } : await loadTransferEnds(sql, taxpayerId, firstLeg, other);
  for (const leg of [left, ...(arrived === null ? [] : [arrived])]) touchLeg(touched, leg);
  const name = arrived === null ? `${left.id}/alone` : `${left.id}/0/transfer_unpaired/${left.account}`;
  await insertResolution(sql, taxpayerId, {
    id: crypto.randomUUID(),
    issueId: name,
    action: 'pair',
    transactionId: left.id,
    otherId: arrived?.id ?? null,
    addedId: null,
    given: {},
    note,
    issue: {
      id: name,
      issue: 'transfer_unpaired',
      causedOn: formatDay(left.on),
      otherYears: [],
      units: null,
      closesOn: null,
      on: formatDay(left.on),
      asset: left.asset,
      account: left.account,
      transactions: [left.id],
      dollars: null,
      detail: arrived === null ? 'Marked as not part of a transfer.' : 'Marked as two ends of one transfer.',
    },
    assetKey: listAssetKeys(left)[0] ?? '',
    fromDay: formatDay(left.on),
    at,
  });
  await recompute(sql, taxpayerId, touched, { sources: 'same' });
}

/** Removes a manual pairing. The engine then looks for the other end again. */
export async function clearPairing(sql: Sql, taxpayerId: string, id: string): Promise<void> {
  const leg = await loadLeg(sql, taxpayerId, id);
  const touched = await removePairings(sql, taxpayerId, [id]);
  touchLeg(touched, leg);
  await recompute(sql, taxpayerId, touched, { sources: 'same' });
}

async function loadLeg(sql: Sql, taxpayerId: string, id: string): Promise<Transaction> {
  const transaction = await findTransaction(sql, taxpayerId, id);
  if (transaction === undefined || (transaction.type !== 'withdrawal' && transaction.type !== 'deposit'))
    throw notFound();
  return transaction;
}

async function removePairings(sql: Sql, taxpayerId: string, ids: readonly string[]) {
  const touched = new Map<string, Transaction['on']>();
  for (const id of ids) {
    const removed = isUuid(id) ? await deletePairings(sql, taxpayerId, id) : [];
    const legs = removed.flatMap((row) => [row.transaction_id, row.other_id ?? []].flat());
    for (const row of await selectTransactions(sql, taxpayerId, legs)) touchLeg(touched, toTransaction(row));
  }
  return touched;
}

function touchLeg(touched: Map<string, Transaction['on']> & TouchedKeys, leg: Transaction): void {
  for (const key of listAssetKeys(leg)) touch(touched, key, leg.on);
}

async function findTransaction(sql: Sql, taxpayerId: string, name: string): Promise<Transaction | undefined> {
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
