import { t } from 'elysia';
import { formatDay } from '../../../base/day.ts';
import { type Cents, formatCents } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import { boxes, type Line } from '../../../engine/model.ts';
import { buildLines } from '../../../engine/rules/year/year.ts';
import { totalsText } from '../../../forms/figures.ts';
import { type Page, page, readCursor } from '../../../http/list.ts';
import { oneOf, type QueryOf } from '../../../http/schemas.ts';
import { spanParameters, toDayRange } from '../../../http/span.ts';
import { selectFactsOn } from '../../ledger/books/facts/facts.queries.ts';
import { toImportId } from '../../ledger/transactions/list-filter.ts';
import { parseCentsColumn } from '../../ledger/transactions/rows/rows.ts';
import {
  type LineFilter,
  type LineOrder,
  type LineSort,
  lineSorts,
  selectDisposalsAfter,
  selectLineTotals,
} from './years.queries.ts';

interface LinePageRequest {
  readonly sort?: LineSort;
  readonly cursor?: string;
  readonly limit: number;
}

/**
 * Returns a page of lines in the requested order. The first page includes the totals of all lines that match the
 * filter.
 */
export async function readLines(
  sql: Sql,
  taxpayerId: string,
  filter: LineFilter,
  pageRequest: LinePageRequest,
): Promise<Page<Line> & { readonly totals: ReturnType<typeof totalsText> | null }> {
  const { sort = 'date', cursor, limit } = pageRequest;
  const order = sort.replace('-', '') as LineOrder;
  const after = readLineCursor(order, cursor);
  const disposals = await selectDisposalsAfter(sql, taxpayerId, filter, {
    ...{ order, after, isDescending: sort.startsWith('-') },
    limit: limit + 1,
  });
  const days = [...new Set(disposals.map((one) => formatDay(one.on)))];
  const washSales = await selectFactsOn(sql, 'wash', { taxpayerId }, days);
  const lines = new Map(buildLines(disposals, washSales).map((line) => [line.disposal.id, line]));
  const listed = page(
    disposals.flatMap(({ id }) => lines.get(id) ?? []),
    limit,
    (line) => buildLineKey(order, line),
  );
  return { ...listed, totals: after === null ? await loadTotals(sql, taxpayerId, filter) : null };
}

function readLineCursor(order: LineOrder, cursor: string | undefined): readonly string[] | null {
  if (order === 'date') return readCursor(cursor, ['day', 'string', 'string', 'day', 'string']) ?? null;
  if (order === 'asset') return readCursor(cursor, ['string', 'day', 'string', 'day', 'string']) ?? null;
  if (order === 'acquired') return readCursor(cursor, ['day', 'day', 'string']) ?? null;
  const [cents, on, id] = readCursor(cursor, ['integer', 'day', 'string']) ?? [];
  return cents === undefined || on === undefined || id === undefined
    ? null
    : [formatCents(BigInt(cents) as Cents), on, id];
}

function buildLineKey(order: LineOrder, { disposal, adjustment, gain }: Line): readonly string[] {
  const [on, acquired] = [formatDay(disposal.on), formatDay(disposal.acquired)];
  const { asset, account, id } = disposal;
  if (order === 'date') return [on, asset, account, acquired, id];
  if (order === 'asset') return [asset, on, account, acquired, id];
  if (order === 'acquired') return [acquired, on, id];
  const { proceeds, basis } = disposal;
  return [String({ proceeds, basis, adjustment, gain }[order]), on, id];
}

async function loadTotals(sql: Sql, taxpayerId: string, filter: LineFilter) {
  const [row] = await selectLineTotals(sql, taxpayerId, filter);
  const [proceeds, basis, adjustment] = [row?.proceeds, row?.basis, row?.adjustment].map((sum) =>
    parseCentsColumn(sum ?? '0'),
  ) as [Cents, Cents, Cents];
  return totalsText({
    ...{ proceeds, basis, adjustment, count: row?.count ?? 0 },
    gain: (proceeds - basis + adjustment) as Cents,
  });
}

const filter = (description: string) => t.Optional(t.String({ maxLength: 200, description }));

/** Query parameters that filter and sort lines of Form 8949. */
export const lineParameters = {
  ...spanParameters,
  asset: filter('The asset sold.'),
  account: filter('The account of the line.'),
  term: t.Optional(oneOf(['short', 'long'])),
  box: t.Optional(oneOf(boxes)),
  code: t.Optional(
    t.String({
      pattern: '^[A-Z]$',
      'x-message': 'Enter one capital letter',
      description: 'A code letter in column (f), such as `W` for wash sales.',
    }),
  ),
  importId: filter('Lines whose sale or purchase is part of this import.'),
  q: filter('Part of an asset, its name, or an account.'),
  sort: t.Optional(oneOf(lineSorts, 'Sorted by day of recognition by default.')),
};

export function toLineFilter(parameters: QueryOf<typeof lineParameters>): LineFilter {
  return {
    ...toDayRange(parameters),
    asset: parameters.asset ?? null,
    account: parameters.account ?? null,
    term: parameters.term ?? null,
    box: parameters.box ?? null,
    code: parameters.code ?? null,
    importId: parameters.importId === undefined ? null : toImportId(parameters.importId),
    text: parameters.q === undefined || parameters.q === '' ? null : parameters.q,
  };
}
