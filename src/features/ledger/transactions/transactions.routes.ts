import { Elysia, t } from 'elysia';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { download } from '../../../http/download.ts';
import { parseUuid } from '../../../http/errors.ts';
import { invalidCursor, limitDefault, page, readCursor } from '../../../http/list.ts';
import { group, read, recordedRead, write } from '../../../http/operations.ts';
import { listQuery, oneOf, problems, wholeParameter } from '../../../http/schemas.ts';
import { dryRun, type TryChange } from '../../../http/years-preview.ts';
import type { Access, Taxpayer } from '../../people/auth/access.ts';
import { addByHand, deleteOne, patchOne, type Recompute, requireUnchanged, transactionTag } from './change.ts';
import { bulkRoutes, editHeader, editNote } from './edits.routes.ts';
import { exportCsv } from './export.ts';
import {
  countListed,
  type Filter,
  type ListCursor,
  type ListedRow,
  type ListPageRequest,
  selectDays,
  selectListed,
} from './list.queries.ts';
import { addRepeatedParameters, type FilterQuery, filterParameters, toListFilter } from './list-filter.ts';
import { inTurn, onceInTurn } from './store.ts';
import {
  NewTransaction,
  Transaction,
  TransactionDays,
  TransactionList,
  TransactionUpdate,
  TransactionUpdateResult,
} from './transactions.schemas.ts';
import { getToday, viewRows } from './view.ts';

const { onBooks } = group('Transactions');

interface TransactionsOptions {
  readonly recompute: Recompute;
  readonly tryChange: TryChange;
}

/** Lists, exports and edits the taxpayer's transactions, both imported and manual. */
export const transactions = (deps: Deps, access: Access, { recompute, tryChange }: TransactionsOptions) =>
  new Elysia({ prefix: '/transactions' })
    .use(access)
    .get(
      '',
      ({ request, caller, taxpayer, query: parameters }) => {
        const limit = parameters.limit ?? limitDefault;
        const sorted = parseSorting(parameters.sort);
        const after = readListCursor(sorted, parameters.cursor);
        return runListQuery(deps, { request, caller, taxpayer }, parameters, async (sql, listFilter, today) => {
          const pageRequest = { ...sorted, after, limit, offset: parameters.offset ?? 0 };
          const rows = await selectListed(sql, taxpayer.id, listFilter, pageRequest);
          const rowPage = page(rows, limit, (row) => [keyOfRow(sorted, row), row.on_day, row.moment, row.id]);
          const count = parameters.count === true ? { count: await countListed(sql, taxpayer.id, listFilter) } : {};
          return { ...rowPage, data: await viewRows(sql, taxpayer.id, rowPage.data, today), ...count };
        });
      },
      onBooks('listTransactions', read, {
        summary: 'List transactions',
        query: {
          ...listQuery,
          ...filterParameters,
          sort: t.Optional(
            oneOf(
              ['date', '-date', 'amount', '-amount', 'asset', '-asset'],
              'By date, oldest first (default) or newest first; by amount, with rows without an amount last; or by asset.',
            ),
          ),
          count: t.Optional(t.Boolean({ description: 'Also count all matching transactions.' })),
          offset: t.Optional(
            wholeParameter('offset', {
              maximum: 10_000_000,
              description:
                'Number of transactions to skip. To read the whole list, use `cursor`, which never misses one.',
            }),
          ),
        },
        response: { 200: TransactionList },
      }),
    )
    .get(
      '/days',
      ({ request, caller, taxpayer, query: parameters }) =>
        runListQuery(deps, { request, caller, taxpayer }, parameters, async (sql, listFilter) => {
          const days = await selectDays(sql, taxpayer.id, listFilter);
          return { count: days.reduce((sum, { count }) => sum + count, 0), days };
        }),
      onBooks('listTransactionDays', read, {
        summary: 'Count the transactions of each day',
        description:
          'Counts the transactions that match the filter. Use it for group headings and the total length of the list.',
        query: filterParameters,
        response: { 200: TransactionDays },
      }),
    )
    .get(
      '/export',
      ({ taxpayer }) =>
        download(deps, {
          fileName: 'lotbook-transactions.csv',
          mediaType: 'text/csv; charset=utf-8; header=present',
          body: exportCsv(deps.database, taxpayer.id, taxpayer.timeZone),
        }),
      onBooks('exportTransactions', recordedRead(['read'], 'transactions_exported'), {
        summary: 'Export all transactions as Lotbook CSV',
        description: 'Importing the file into an empty account gives the same books.',
        detail: {
          responses: { 200: { description: 'Lotbook CSV.', content: { 'text/csv': { schema: { type: 'string' } } } } },
        },
      }),
    )
    .post(
      '',
      (context) => {
        const { taxpayer, body } = context;
        return onceInTurn(deps, context, 201, (sql) => addByHand({ deps, recompute }, sql, taxpayer, body));
      },
      onBooks('createTransaction', write('transaction_created'), {
        summary: 'Create a transaction',
        description: 'The fields are the columns of the Lotbook CSV, with the same rules for each type.',
        body: NewTransaction,
        response: { 201: Transaction, ...problems('plan_limit', 'conflict', 'year_locked') },
      }),
    )
    .patch(
      '/:id',
      async ({ caller, taxpayer, params, body, query, request, set }) => {
        const patch = async (sql: Sql) => {
          await requireUnchanged(deps, sql, taxpayer.id, parseUuid(params.id), request);
          return patchOne({ deps, recompute }, sql, taxpayer, parseUuid(params.id), body);
        };
        if (query.dryRun === true) {
          deps.rateLimits.take('work', caller.userId);
          return tryChange(taxpayer.id, async (sql) => (await patch(sql)).view);
        }
        const { editId, view } = await inTurn(deps, taxpayer.id, patch);
        if (editId !== null) set.headers[editHeader] = editId;
        set.headers.etag = await transactionTag(view);
        return view;
      },
      onBooks('updateTransaction', write('transaction_changed'), {
        summary: 'Update a transaction',
        description: `The body is a JSON merge patch. Importing the file again does not overwrite the correction. The gains are recalculated. ${editNote}`,
        query: { dryRun },
        body: TransactionUpdate,
        response: { 200: TransactionUpdateResult, ...problems('conflict', 'year_locked', 'precondition_failed') },
      }),
    )
    .delete(
      '/:id',
      async ({ taxpayer, params, request, set }) => {
        const { editId } = await inTurn(deps, taxpayer.id, async (sql) => {
          await requireUnchanged(deps, sql, taxpayer.id, parseUuid(params.id), request);
          return deleteOne({ deps, recompute }, sql, taxpayer.id, parseUuid(params.id));
        });
        set.headers[editHeader] = editId;
      },
      onBooks('deleteTransaction', write('transaction_deleted'), {
        summary: 'Delete a transaction',
        description: `Importing the file again restores the transaction. The gains are recalculated. ${editNote}`,
        response: { 204: t.Void(), ...problems('conflict', 'year_locked', 'precondition_failed') },
      }),
    )
    .use(bulkRoutes(deps, access, recompute));

type ListSorting = Pick<ListPageRequest, 'by' | 'descending'>;

function parseSorting(sort = 'date'): ListSorting {
  const by = sort.replace('-', '');
  return { by: by === 'amount' || by === 'asset' ? by : null, descending: sort.startsWith('-') };
}

/** Returns the sort key of a row. A row without an amount gets a key that sorts last. */
function keyOfRow({ by, descending }: ListSorting, row: ListedRow): string {
  if (by === 'asset') return row.asset;
  return by === 'amount' ? (row.amount ?? (descending ? '-Infinity' : 'Infinity')) : '';
}

function readListCursor({ by }: ListSorting, cursor: string | undefined): ListCursor | null {
  const after = readCursor(cursor, ['string', 'day', 'integer', 'uuid']) ?? null;
  if (after !== null && by === 'amount' && !/^-?(Infinity|\d{1,40}(\.\d{1,20})?)$/.test(after[0]))
    throw invalidCursor();
  return after;
}

interface Asking {
  readonly request: Request;
  readonly caller: { readonly userId: string };
  readonly taxpayer: Taxpayer;
}

/** Runs filtered queries in one snapshot. */
function runListQuery<Answer>(
  deps: Deps,
  { request, caller, taxpayer }: Asking,
  parameters: FilterQuery & { readonly sort?: string },
  read: (sql: Sql, listFilter: Filter, today: string) => Promise<Answer>,
): Promise<Answer> {
  const today = getToday(deps, taxpayer.timeZone);
  const listFilter = toListFilter(addRepeatedParameters(request, parameters), today);
  const respond = () =>
    deps.database.asTaxpayer(taxpayer.id, (sql) => read(sql, listFilter, today), { snapshot: true, readOnly: true });
  if (parameters.q === undefined && parseSorting(parameters.sort).by === null) return respond();
  // Searching for text reads all rows, because the text can be anywhere in a row and only dates have an index.
  deps.rateLimits.take('work', caller.userId);
  return deps.longReads(taxpayer.id, respond);
}
