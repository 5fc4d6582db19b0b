import { nextTurn } from '../../../base/turn.ts';
import type { Sql } from '../../../db/connection.ts';
import { Ledger } from '../../../engine/events/ledger.ts';
import type { Transaction } from '../../../engine/model.ts';
import { valuedTransactions } from '../../prices/valuations.ts';
import type { Restatements } from '../../transactions/resolutions/restate.ts';
import { transactionOf } from '../../transactions/rows/columns.ts';
import { RowReader } from '../facts/packed-rows.ts';
import { selectHistory, selectPackedHistory } from './queries.ts';

/**
 * What moves a book after a day and until another, without end where a day is null, as the engine reads it: with the
 * taxpayer's answers, and in dollars as far as prices are known. Rows come by the thousand in one text: a tenth of the time
 * that forty columns a row take. Without their notes, which no number comes of.
 */
export async function readHistory(
  sql: Sql,
  taxpayerId: string,
  keys: readonly string[],
  after: string | null,
  restatements: Restatements,
  until: string | null = null,
): Promise<Ledger> {
  const ledger = new Ledger();
  const others = await readRows(sql, taxpayerId, keys, [after, until], { ledger, restatements });
  if (others === null) {
    const rows = await selectHistory(sql, taxpayerId, keys, after, until);
    return Ledger.of(await valuedTransactions(sql, taxpayerId, rows.map(transactionOf), restatements));
  }
  for (const one of await valuedTransactions(sql, taxpayerId, others, restatements)) ledger.add(one);
  return ledger;
}

/** The rows that are not in the ledger then; null where texts of theirs are to be read one by one. */
async function readRows(
  sql: Sql,
  taxpayerId: string,
  keys: readonly string[],
  [after, until]: readonly [string | null, string | null],
  { ledger, restatements: { byRow, arrived } }: { readonly ledger: Ledger; readonly restatements: Restatements },
): Promise<Transaction[] | null> {
  const reader = new RowReader(ledger, (id) => byRow.has(id) || arrived.has(id));
  const parts = await selectPackedHistory(sql, taxpayerId, keys, after, until);
  // In the order of their days there is nothing left to sort, mostly.
  parts.sort((a, b) => b.part - a.part);
  let rows = 0;
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    if (!reader.read(part)) return null;
    rows += part.rows;
    // A history may have a million rows: others have their turn in between.
    if (rows < rowsPerTurn) continue;
    rows = 0;
    await nextTurn();
  }
  return reader.transactions();
}

/** So many take some milliseconds. */
const rowsPerTurn = 2_500;
