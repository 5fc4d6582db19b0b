import type { Day } from '../../../base/day.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Fact, Issue, LotMethod, Rules, Transaction } from '../../../engine/model.ts';
import { emptyBook, replay } from '../../../engine/replay.ts';
import {
  differingSales,
  listPurchaseIds,
  type OpeningRow,
  pickSaleFacts,
  rememberReplays,
  replayedRowsMax,
  rulesUnder,
  type SaleFacts,
  type StatedSale,
  statedGainIssues,
} from '../../../engine/rules/questions/stated-gains.ts';
import { readRestatements } from '../transactions/resolutions.ts';
import { parseDayColumn, parseMoneyColumn, parseQuantityColumn } from '../transactions/rows/columns.ts';
import { toFact } from './facts/tables.ts';
import { readHistory } from './state/history.ts';
import { countMoving } from './state/state.queries.ts';
import {
  type StatedSaleRow,
  selectKeysOfBook,
  selectLinesOfSales,
  selectOpenings,
  selectStatedSales,
  selectStatingBooks,
  selectWashesOfBooks,
} from './stated-gains.queries.ts';

interface StatedGainScope {
  readonly rules: Rules;
  /** The day of the last row. */
  readonly through: Day | null;
  readonly assets?: ReadonlySet<string> | null;
  /** The facts of all books. Defaults to the stored facts. */
  readonly facts?: readonly Fact[];
}

/** Compares the stated gains of sales of these assets with the lines. Null means all assets. */
export async function readStatedGainIssues(
  sql: Sql,
  taxpayerId: string,
  { rules, through, assets = null, facts }: StatedGainScope,
): Promise<Issue[]> {
  const names = assets === null ? null : [...assets];
  const books = await selectStatingBooks(sql, taxpayerId, names);
  if (books.length === 0) return [];
  const rows = await selectStatedSales(sql, taxpayerId, names, facts === undefined ? books : null);
  if (rows.length === 0) return [];
  const sales = rows.map(toStatedSale);
  const saleFacts = facts === undefined ? await readSaleFacts(sql, taxpayerId, books, sales) : pickSaleFacts(facts);
  const openings = await readOpenings(sql, taxpayerId, listPurchaseIds(sales, saleFacts));
  const differing = differingSales(sales, saleFacts, openings);
  if (differing.length === 0) return [];
  const bookOf = new Map(rows.map(({ id, book }) => [id, book]));
  const booksWithQuestions = new Set(differing.map(({ sale }) => bookOf.get(sale.id) ?? ''));
  const histories = await readShortHistories(sql, taxpayerId, [...booksWithQuestions]);
  const bookOfSale = ({ id }: StatedSale): string => bookOf.get(id) ?? '';
  const replayUnder = rememberReplays((method, sale) => {
    const history = histories.get(bookOfSale(sale));
    return history === undefined ? null : replayAs(method, history, rules, through);
  }, bookOfSale);
  return statedGainIssues(differing, openings, rules, replayUnder);
}

interface BookRowsOfAll {
  readonly keys: ReadonlySet<string>;
  readonly transactions: readonly Transaction[];
}

function replayAs(method: LotMethod, { keys, transactions }: BookRowsOfAll, rules: Rules, through: Day | null) {
  return pickSaleFacts(replay(emptyBook(), transactions, rulesUnder(method, rules), keys, { through }).facts);
}

/** Returns the histories of these books, except those that would take too long to replay again. */
async function readShortHistories(
  sql: Sql,
  taxpayerId: string,
  books: readonly string[],
): Promise<Map<string, BookRowsOfAll>> {
  const histories = new Map<string, BookRowsOfAll>();
  const restatements = await readRestatements(sql, taxpayerId);
  for (const book of books) {
    const span = { keys: await selectKeysOfBook(sql, taxpayerId, book), after: null };
    const counts = await countMoving(sql, taxpayerId, [{ ...span, book }], replayedRowsMax);
    if ((counts.get(book) ?? 0) >= replayedRowsMax) continue;
    const ledger = await readHistory(sql, taxpayerId, span, restatements);
    histories.set(book, { keys: new Set(span.keys), transactions: [...ledger.transactions()] });
  }
  return histories;
}

async function readSaleFacts(
  sql: Sql,
  taxpayerId: string,
  books: readonly string[],
  sales: readonly StatedSale[],
): Promise<SaleFacts> {
  const ids = sales.map(({ id }) => id);
  const lines = await selectLinesOfSales(sql, taxpayerId, books, ids);
  const washes = await selectWashesOfBooks(sql, taxpayerId, books);
  return {
    disposals: lines.map((row) => toFact('disposal', row)),
    washes: washes.map((row) => toFact('wash', row)),
  };
}

async function readOpenings(
  sql: Sql,
  taxpayerId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, OpeningRow>> {
  const rows = await selectOpenings(sql, taxpayerId, ids);
  return new Map(
    rows.map(({ id, quantity, fee }) => [
      id,
      { id, quantity: parseQuantityColumn(quantity), fee: parseMoneyColumn(fee) },
    ]),
  );
}

function toStatedSale(row: StatedSaleRow): StatedSale {
  const { id, type, account, asset } = row;
  return {
    ...{ id, type, account, asset },
    on: parseDayColumn(row.on_day),
    quantity: parseQuantityColumn(row.quantity),
    amount: parseMoneyColumn(row.amount),
    fee: parseMoneyColumn(row.fee),
    statedGain: parseMoneyColumn(row.stated_gain),
  };
}
