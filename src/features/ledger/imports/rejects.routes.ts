import { Elysia, t } from 'elysia';
import { csvRecord, startsFormula } from '../../../base/csv.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { splitLoose } from '../../../formats/rows/records.ts';
import { recordsAt } from '../../../formats/rows/source-text.ts';
import { resultDiffers } from '../../../formats/stated-results.ts';
import { parseUuid, requireFound } from '../../../http/errors.ts';
import { idempotent } from '../../../http/idempotency.ts';
import { limitDefault, mapPage, page, readCursor } from '../../../http/list.ts';
import { followImport, group, write } from '../../../http/operations.ts';
import {
  closed,
  id,
  listOf,
  listQuery,
  money,
  nullable,
  oneOf,
  problems,
  whole,
  year,
  yearParameter,
} from '../../../http/schemas.ts';
import type { Access } from '../../people/auth/access.ts';
import { blobRefusals, type FetchedBytes, withBytes } from '../blobs/read.ts';
import { dryRun, YearsPreview } from '../books/books.schemas.ts';
import { readYearsSeen, yearChanges } from '../books/summaries.ts';
import { recompute } from '../recompute/recompute.ts';
import { addByHand } from '../transactions/change.ts';
import { moreLines } from '../transactions/kept-lines.ts';
import { settleRejects } from '../transactions/row-issues.queries.ts';
import type { StageScope } from '../transactions/rows.queries.ts';
import { inTurn, inTurnTakenBack } from '../transactions/store.ts';
import { piecesAt } from '../transactions/texts.ts';
import { NewTransaction } from '../transactions/transactions.schemas.ts';
import {
  type RejectedRow,
  type RejectRow,
  selectRejectedRow,
  selectRejectedRows,
  selectRejects,
} from './imports.queries.ts';

const rejectStates = ['open', 'mended', 'dismissed', 'superseded'] as const;

const RejectedLine = closed(
  {
    id,
    importId: id,
    line: whole({ description: 'The line number in the file.' }),
    column: nullable(t.String({ description: 'The header of the column; null for the whole row.' })),
    code: t.String(),
    reason: t.String(),
    manual: t.Boolean({
      description: 'Whether editing the row does not help, so that you have to enter the transaction manually.',
    }),
    text: t.String({ description: 'The line as CSV.' }),
    header: t.Array(t.String(), { description: 'The column names of its file, for the cells of `text`.' }),
    amount: t.Optional(money),
    stated: t.Optional(
      t.String({
        description: 'The result reported in the row, if it was read and its result differs (`result_differs`).',
      }),
    ),
    computed: t.Optional(t.String({ description: 'The result calculated from the file. `amount` is the difference.' })),
    year: t.Optional(year),
    state: oneOf(rejectStates),
    note: nullable(t.String({ description: 'The reason why it was dismissed.' })),
    transactionId: nullable(t.String({ description: 'The transaction that fixes it.' })),
  },
  {
    title: 'RejectedRow',
    examples: [
      {
        id: '2c0d4e57-7a51-4a53-9c7e-54b5a7a5f0d1',
        importId: '53c3ec83-a853-47ac-8706-22be23f30a70',
        line: 7,
        column: 'Action',
        code: 'unknown_type',
        reason: 'Unknown transaction type',
        manual: false,
        text: '2024-06-03,Cash Merger,ACME,,30246.04',
        header: ['Date', 'Action', 'Symbol', 'Quantity', 'Amount'],
        amount: '30246.04',
        year: 2024,
        state: 'open',
        note: null,
        transactionId: null,
      },
    ],
  },
);

const SettledRejectedLine = closed(
  { ...RejectedLine.properties, preview: t.Optional(YearsPreview) },
  { title: 'SettledRejectedRow' },
);

const RejectSettlement = t.Union(
  [
    closed({ row: NewTransaction }),
    closed({
      dismiss: t.String({ minLength: 1, maxLength: 2_000, description: 'The reason why the row can be ignored.' }),
    }),
  ],
  { title: 'RejectSettlement', examples: [{ dismiss: 'The broker corrected it on line 9.' }] },
);

const { onBooks } = group('Imports');

/** Lists the rejected lines of all imports. Each can be fixed with a transaction or dismissed with a note. */
export const rejectRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/imports/rejects' })
    .use(access)
    .get(
      '',
      ({ taxpayer, query: parameters }) => {
        const limit = parameters.limit ?? limitDefault;
        const after = readCursor(parameters.cursor, ['integer', 'number', 'number']);
        const filter = {
          importId: parameters.importId === undefined ? null : parseUuid(parameters.importId),
          state: parameters.state ?? null,
          year: parameters.year ?? null,
        };
        return withBytes(
          deps,
          taxpayer.id,
          async (sql, bytes) => {
            const cursor = after === undefined ? null : ([String(after[0]), after[1], after[2]] as const);
            const rows = await selectRejectedRows(sql, taxpayer.id, filter, cursor, limit);
            const rejectPage = page(rows, limit, (row) => [row.sequence, row.line, row.number]);
            const cells = await readCells(sql, bytes, taxpayer.id, rejectPage.data);
            return mapPage(rejectPage, (row) => rejectView(row, cells.get(row.id) ?? []));
          },
          { snapshot: true },
        );
      },
      onBooks('listRejectedRows', followImport, {
        summary: 'List rejected rows',
        description:
          'Lists the rejected rows of all imports, oldest first. An `open` row is an issue of kind `rejected_line` of its year. It becomes `mended` when you add its transaction, `dismissed` with a note, or `superseded` if another source has a transaction with its date, amount and asset.',
        query: {
          ...listQuery,
          importId: t.Optional(id),
          state: t.Optional(oneOf(rejectStates)),
          year: t.Optional(yearParameter),
        },
        response: { 200: listOf(RejectedLine), ...problems(...blobRefusals) },
      }),
    )
    .get(
      '/:id',
      ({ taxpayer, params }) =>
        withBytes(deps, taxpayer.id, async (sql, bytes) => {
          const row = requireFound(await selectRejectedRow(sql, taxpayer.id, parseUuid(params.id)));
          return rejectView(row, (await readCells(sql, bytes, taxpayer.id, [row])).get(row.id) ?? []);
        }),
      onBooks('getRejectedRow', followImport, {
        summary: 'Get a rejected row',
        response: { 200: RejectedLine, ...problems(...blobRefusals) },
      }),
    )
    .post(
      '/:id',
      (context) => {
        const { taxpayer, params, body, query } = context;
        const rejectId = parseUuid(params.id);
        // Runs outside of the taxpayer's lock, so that object storage cannot delay other changes. The line itself never
        // changes.
        const readOwnCells = () =>
          withBytes(deps, taxpayer.id, async (sql, bytes) => {
            const row = await selectRejectedRow(sql, taxpayer.id, rejectId);
            return readCells(sql, bytes, taxpayer.id, row === undefined ? [] : [row]);
          });
        const settleAndView = async (sql: Sql, cells: ReadonlyMap<string, string[]>) => {
          await settle(deps, sql, taxpayer, rejectId, body);
          const row = requireFound(await selectRejectedRow(sql, taxpayer.id, rejectId));
          return rejectView(row, cells.get(row.id) ?? []);
        };
        if (query.dryRun === true) {
          return inTurnTakenBack(deps, taxpayer.id, async (sql) => {
            const before = await readYearsSeen(sql, taxpayer.id);
            const view = await settleAndView(sql, new Map());
            return { ...view, preview: { years: yearChanges(before, await readYearsSeen(sql, taxpayer.id)) } };
          });
        }
        return idempotent(deps, context, async (saveResponse) => {
          const cells = await readOwnCells();
          return inTurn(deps, taxpayer.id, async (sql) =>
            saveResponse(sql, { status: 200 as const, body: await settleAndView(sql, cells) }),
          );
        });
      },
      onBooks('resolveRejectedRow', write('rejected_line_settled'), {
        summary: 'Fix or dismiss a rejected row',
        description:
          '`row` adds the corrected row as a transaction; the rejected row stays fixed as long as that transaction exists. `dismiss` ignores the row, with a note that explains why. With `dryRun=true` nothing is saved, and `preview` shows the tax years that would change.',
        query: { dryRun },
        body: RejectSettlement,
        response: {
          200: SettledRejectedLine,
          ...problems('plan_limit', 'conflict', 'year_locked', 'malformed_csv', ...blobRefusals),
        },
      }),
    );

type SettlementRequest = { readonly row: typeof NewTransaction.static } | { readonly dismiss: string };

async function settle(
  deps: Deps,
  sql: Sql,
  taxpayer: Parameters<typeof addByHand>[2],
  rejectId: string,
  body: SettlementRequest,
): Promise<void> {
  const row = requireFound(await selectRejectedRow(sql, taxpayer.id, rejectId));
  if (row.state === 'mended')
    throw new Refusal('conflict', 'This row is already fixed. Change or delete its transaction instead.');
  if ('row' in body && row.code === resultDiffers)
    throw new Refusal('conflict', 'This row is already imported. Change its transaction, or dismiss the difference.');
  const at = deps.clock.now();
  if ('dismiss' in body) {
    await settleRejects(sql, taxpayer.id, [row], { state: 'dismissed', note: body.dismiss, transactionId: null, at });
    await recompute(sql, taxpayer.id, new Map());
    return;
  }
  if (row.code === moreLines)
    throw new Refusal(
      'conflict',
      'This entry combines many rows. Import a corrected file that contains them, or dismiss them.',
    );
  // Recomputes the gains once, after the line is resolved and is no longer an issue.
  const mend = async (_sql: Sql, _id: string, touched: Parameters<typeof recompute>[2]): Promise<void> => {
    changed = touched;
  };
  let changed: Parameters<typeof recompute>[2] = new Map();
  const added = await addByHand({ deps, recompute: mend, isAnswer: true }, sql, taxpayer, body.row);
  await settleRejects(sql, taxpayer.id, [row], { state: 'mended', note: '', transactionId: added.id, at });
  await recompute(sql, taxpayer.id, changed);
}

/**
 * Returns the cells of lines, by id. For lines rejected because of their content, reads the cells from the stored text.
 */
async function readCells(
  sql: Sql,
  bytes: FetchedBytes,
  taxpayerId: string,
  rows: readonly RejectedRow[],
): Promise<Map<string, string[]>> {
  const cells = new Map<string, string[]>();
  for (const [importId, own] of Map.groupBy(rows, (row) => row.import_id)) {
    for (const row of await withCells(sql, bytes, { taxpayerId, importId }, own)) cells.set(row.id, row.cells);
  }
  return cells;
}

function rejectView(row: RejectedRow, cells: readonly string[]) {
  return {
    id: row.id,
    importId: row.import_id,
    line: row.line,
    column: row.column_name,
    code: row.code,
    reason: row.reason,
    manual: row.manual,
    text: csvRecord([...cells]).trimEnd(),
    header: row.header ?? [],
    ...(row.amount === null ? {} : { amount: row.amount }),
    ...(row.stated === null ? {} : { stated: row.stated }),
    ...(row.computed === null ? {} : { computed: row.computed }),
    ...(row.day === null ? {} : { year: Number(row.day.slice(0, 4)) }),
    state: row.state,
    note: row.note === '' ? null : row.note,
    transactionId: row.transaction_id,
  };
}

const rowsPerRead = 1_000;

/**
 * Returns the rejected lines as CSV, so that users can correct and import them. Each row contains the line number, the
 * column and the reason, followed by the cells under the header of the file.
 */
export function rejectsCsv(deps: Deps, scope: StageScope, header: readonly string[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const rows = rejectRows(deps, scope);
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(csvRecord(['line', 'column', 'reason', ...header].map(safe))));
    },
    async pull(controller) {
      const { done, value } = await rows.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value.map(rejectLine).join('')));
    },
    async cancel() {
      await rows.return(undefined);
    },
  });
}

async function* rejectRows(deps: Deps, scope: StageScope): AsyncGenerator<RejectRow[]> {
  let after = { line: 0, number: 0 };
  for (;;) {
    const from = after;
    const rows = await withBytes(deps, scope.taxpayerId, async (sql, bytes) =>
      withCells(sql, bytes, scope, await selectRejects(sql, scope, from, rowsPerRead)),
    );
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (rows.length < rowsPerRead || last === undefined) return;
    after = last;
  }
}

/**
 * Fills in the cells of rejected lines. Lines rejected because of their content have no stored cells, so the cells are
 * read from the stored text of the file.
 */
async function withCells<Row extends Pick<RejectRow, 'line' | 'cells'>>(
  sql: Sql,
  bytes: FetchedBytes,
  scope: StageScope,
  rows: readonly Row[],
): Promise<Row[]> {
  const lines = rows.filter(({ cells }) => cells.length === 0).map(({ line }) => line);
  if (lines.length === 0) return [...rows];
  const cellsAt = new Map<number, string[]>();
  for (const piece of await piecesAt(sql, bytes, scope, lines)) {
    for (const [line, text] of recordsAt(piece, lines)) cellsAt.set(line, splitLoose(text, piece.delimiter).cells);
  }
  return rows.map((row) => (row.cells.length > 0 ? row : { ...row, cells: cellsAt.get(row.line) ?? [] }));
}

function rejectLine(row: RejectRow): string {
  return csvRecord([String(row.line), row.column_name ?? '', row.reason, ...row.cells].map(safe));
}

/** Prefixes text that a spreadsheet would execute with an apostrophe. Does not change text that looks like a number. */
function safe(cell: string): string {
  const isFormula = startsFormula(cell) && !/^[+-]?[\d.,]+$/.test(cell);
  return isFormula ? `'${cell}` : cell;
}
