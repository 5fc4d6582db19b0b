import { Elysia } from 'elysia';
import { formatDay } from '../../../base/day.ts';
import { formatCents, roundToCents } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { buildLines } from '../../../engine/rules/year/year.ts';
import { toLotbookCells } from '../../../formats/lotbook/lotbook-write.ts';
import { memberOf } from '../../../formats/lotbook-columns.ts';
import { parseUuid } from '../../../http/errors.ts';
import { group, read } from '../../../http/operations.ts';
import { problems } from '../../../http/schemas.ts';
import { blobRefusals, withBytes } from '../../ledger/blobs/read.ts';
import { selectFactsOn } from '../../ledger/books/facts.queries.ts';
import { lineView } from '../../ledger/books/line-members.ts';
import { toLot } from '../../ledger/books/lots.ts';
import { lotView } from '../../ledger/books/view.ts';
import { readPairing } from '../../ledger/issues/pairing.ts';
import { readOne, transactionTag } from '../../ledger/transactions/change.ts';
import { selectHistory } from '../../ledger/transactions/edits.queries.ts';
import { selectTransactions } from '../../ledger/transactions/list.queries.ts';
import { parseMoneyColumn, toStatedTransaction } from '../../ledger/transactions/rows.ts';
import { readRaw } from '../../ledger/transactions/texts.ts';
import type { Access } from '../../people/auth/access.ts';
import {
  type DisposalRole,
  selectAllSources,
  selectDisposalsNaming,
  selectIncomes,
  selectLotsOpenedBy,
} from './explanations.queries.ts';
import { TransactionDetail } from './explanations.schemas.ts';
import { type BooksReader, loadSources } from './sources.ts';

const { onBooks } = group('Transactions');

/**
 * Returns the details of a transaction. The route is in this feature because it shows the effects of the transaction.
 */
export const transactionRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/transactions' }).use(access).get(
    '/:id',
    async ({ taxpayer, params, set }) => {
      const detail = await withBytes(
        deps,
        taxpayer.id,
        (sql, bytes) => readDetail(deps, { sql, bytes }, taxpayer.id, parseUuid(params.id)),
        { snapshot: true },
      );
      set.headers.etag = await transactionTag(detail);
      return detail;
    },
    onBooks('getTransaction', read, {
      summary: 'Get a transaction',
      description:
        'Includes its source text, its prices and answers, its income, the open part of the lots that it opened, the lines of Form 8949 that it caused (`disposals`), and the lines that sell lots it opened (`laterDisposals`).',
      response: { 200: TransactionDetail, ...problems(...blobRefusals) },
    }),
  );

/** Returns a transaction with its sources and all its effects. */
async function readDetail(deps: Deps, from: BooksReader, taxpayerId: string, id: string) {
  const { sql, bytes } = from;
  const view = await readOne(deps, sql, taxpayerId, id);
  const { importId, line } = view.source;
  const text = importId === null || line === null ? noText : await readRaw(sql, bytes, taxpayerId, { importId, line });
  const [traced] = await loadSources(from, taxpayerId, [[id, 'disposal']]);
  const isLeg = view.type === 'withdrawal' || view.type === 'deposit';
  const incomes = await selectIncomes(sql, taxpayerId, id);
  return {
    ...view,
    source: { ...view.source, lines: [...text.lines], raw: text.raw },
    sources: await selectAllSources(sql, taxpayerId, id),
    corrected: traced?.corrected ?? false,
    history: await readRowHistory(sql, taxpayerId, id),
    prices: traced?.prices ?? [],
    answers: traced?.answers ?? [],
    pairing: isLeg ? await readPairing(sql, taxpayerId, id) : null,
    income: incomes.map(({ type, amount }) => ({ type, amount: formatCents(roundToCents(parseMoneyColumn(amount))) })),
    openLots: (await selectLotsOpenedBy(sql, taxpayerId, id)).map((row) => lotView(toLot(row))),
    disposals: await readDisposals(sql, taxpayerId, id, 'sale'),
    laterDisposals: await readDisposals(sql, taxpayerId, id, 'lot'),
  };
}

/** A row entered manually has no file text. */
const noText = { lines: [], raw: null };

/** Limits how many lines are shown, because a lot may be sold in any number of slices. */
const disposalsMax = 100;

/** Returns the edits of a row, each with the differences from the current row. */
async function readRowHistory(sql: Sql, taxpayerId: string, id: string) {
  const edits = await selectHistory(sql, taxpayerId, id);
  if (edits.length === 0) return [];
  const [row] = await selectTransactions(sql, taxpayerId, [id]);
  if (row === undefined) return [];
  const now = toLotbookCells(toStatedTransaction(row));
  const columns = Object.keys(now) as (keyof typeof now)[];
  return edits.map((edit) => {
    const before = toLotbookCells(toStatedTransaction(edit));
    const members = columns.filter((column) => before[column] !== now[column]);
    return {
      editId: edit.edit_id,
      action: edit.action,
      at: edit.created_at.toISOString(),
      undoneAt: edit.undone_at?.toISOString() ?? null,
      members: members.map((column) => ({ member: memberOf(column), before: before[column], now: now[column] })),
    };
  });
}

async function readDisposals(sql: Sql, taxpayerId: string, id: string, role: DisposalRole) {
  const { count, disposals } = await selectDisposalsNaming(sql, taxpayerId, id, role, disposalsMax);
  const days = [...new Set(disposals.map((one) => formatDay(one.on)))];
  const washSales = disposals.length === 0 ? [] : await selectFactsOn(sql, 'wash', { taxpayerId }, days);
  return { count, data: buildLines(disposals, washSales).map(lineView) };
}
