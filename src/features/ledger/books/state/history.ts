import { nextTurn } from '../../../../base/deadline.ts';
import type { Sql } from '../../../../db/connection.ts';
import { Ledger } from '../../../../engine/events/ledger.ts';
import type { Transaction } from '../../../../engine/model.ts';
import { valuedTransactions } from '../../prices/valuations.ts';
import type { Restatements } from '../../transactions/resolutions.ts';
import { toTransaction } from '../../transactions/rows/rows.ts';
import { type PackedRows, RowReader } from '../facts/packed-rows.ts';
import { type BookSpan, type HistorySpan, selectHistory, selectPackedHistories } from './state.queries.ts';

/** Reads the rows of some asset keys in the same form as `readHistories`. */
export async function readHistory(
  sql: Sql,
  taxpayerId: string,
  span: HistorySpan,
  restatements: Restatements,
): Promise<Ledger> {
  const histories = await readHistories(sql, taxpayerId, [{ ...span, book: '' }], restatements);
  return histories.get('') as Ledger;
}

/**
 * Reads the rows of some books in the form that the engine needs: with the taxpayer's answers to issues, and in dollars if
 * prices are known. The rows arrive packed into one text per thousand or so, which takes a tenth of the time of forty
 * columns per row. Omits notes, because no calculation uses them.
 */
export async function readHistories(
  sql: Sql,
  taxpayerId: string,
  spans: readonly BookSpan[],
  restatements: Restatements,
): Promise<Map<string, Ledger>> {
  const parts = Map.groupBy(await selectPackedHistories(sql, taxpayerId, spans), ({ book }) => book);
  const read: { ledger: Ledger; others: Transaction[] }[] = [];
  for (const span of spans) {
    const bookRows = parts.get(span.book) ?? [];
    parts.delete(span.book);
    const packed = await readRows(bookRows, restatements);
    if (packed !== null) read.push(packed);
    else {
      const rows = await selectHistory(sql, taxpayerId, span);
      read.push({ ledger: new Ledger(), others: rows.map(toTransaction) });
    }
  }
  const others = read.map((one) => one.others);
  const valued = await valuedTransactions(sql, taxpayerId, others, restatements);
  return new Map(
    spans.map(({ book }, at) => {
      const { ledger } = read[at] as (typeof read)[number];
      for (const one of valued[at] ?? []) ledger.add(one);
      return [book, ledger];
    }),
  );
}

/**
 * Returns a ledger with the plain trades, and all other rows separately. Returns null if a text contains a separator,
 * so that the rows must be read one by one.
 */
async function readRows(
  parts: PackedRows[],
  { byRow, arrived }: Restatements,
): Promise<{ ledger: Ledger; others: Transaction[] } | null> {
  const ledger = new Ledger();
  const reader = new RowReader(ledger, (id) => byRow.has(id) || arrived.has(id));
  // Sorts the parts first, because rows that arrive in the order of their days usually need no further sorting.
  parts.sort((a, b) => b.part - a.part);
  let rows = 0;
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    if (!reader.read(part)) return null;
    rows += part.rows;
    // A history may contain a million rows. This lets the server handle other requests in between.
    if (rows < rowsPerTurn) continue;
    rows = 0;
    await nextTurn();
  }
  return { ledger, others: reader.transactions() };
}

/** Reading this number of rows takes a few milliseconds. */
const rowsPerTurn = 2_500;
