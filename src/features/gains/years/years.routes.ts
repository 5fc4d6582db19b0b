import { Elysia, status, t } from 'elysia';
import { type Day, formatDay, yearMin } from '../../../base/day.ts';
import { type Cents, formatCents } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { toAssetKey } from '../../../engine/events/keys.ts';
import { boxes, type Line, type Lot } from '../../../engine/model.ts';
import { engineVersion } from '../../../engine/replay.ts';
import { buildLines } from '../../../engine/rules/year/year.ts';
import { totalsText } from '../../../forms/figures.ts';
import { parseDayParameter, requireFound } from '../../../http/errors.ts';
import { cacheHeaders, computeEtag, isNotModified } from '../../../http/etag.ts';
import { limitDefault, mapPage, type Page, page, readCursor } from '../../../http/list.ts';
import { group, read } from '../../../http/operations.ts';
import { day, listOf, listQuery, oneOf, problems, type QueryOf, yearParameter } from '../../../http/schemas.ts';
import { spanParameters, toDayRange } from '../../../http/span.ts';
import { blobRefusals, withBytes } from '../../ledger/blobs/read.ts';
import { selectLastDay, selectTaxpayer } from '../../ledger/books/books.queries.ts';
import { YearLine } from '../../ledger/books/books.schemas.ts';
import { readYear, readYears } from '../../ledger/books/books.ts';
import { selectFactsOn } from '../../ledger/books/facts.queries.ts';
import { lineView } from '../../ledger/books/line-members.ts';
import { openLotsOn, toLot } from '../../ledger/books/lots.ts';
import { lotView, summaryView, yearView } from '../../ledger/books/view.ts';
import { selectLocks } from '../../ledger/locks/locks.queries.ts';
import { loadAssetNames } from '../../ledger/transactions/asset-names/asset-names.ts';
import { toElections } from '../../ledger/transactions/elections.ts';
import { toImportId } from '../../ledger/transactions/list-filter.ts';
import { parseCentsColumn, parseDayColumn } from '../../ledger/transactions/rows.ts';
import { getToday } from '../../ledger/transactions/view.ts';
import type { Access } from '../../people/auth/access.ts';
import { Explanation } from '../explanations/explanations.schemas.ts';
import { explainLine } from '../explanations/steps.ts';
import { estimateGainTax } from '../planning/gain-tax.ts';
import { computeWorthCents, unitValues, unitValueView } from '../planning/valuation.ts';
import { gainRoutes } from './gains/gains.routes.ts';
import { fundRoutes } from './opportunity-funds.ts';
import {
  type LineFilter,
  type LineOrder,
  type LineSort,
  lineSorts,
  selectDisposalsAfter,
  selectLineTotals,
  selectLots,
  selectStakes,
} from './years.queries.ts';
import { DisposalList, ValuedLot, YearSummary } from './years.schemas.ts';

const { onBooks } = group('Tax');

/**
 * Returns tax years, lines of Form 8949 and open lots. These requests only read, because every change stores its
 * results.
 */
export const yearRoutes = (deps: Deps, access: Access) =>
  new Elysia()
    .use(access)
    .get(
      '/summary',
      async ({ books, request, set, taxpayer, query: parameters }) => {
        const summary = await books.snapshot((sql) => loadSummary(sql, taxpayer.id, parameters.year, request));
        Object.assign(set.headers, cacheHeaders(summary.etag));
        return summary.body ?? status(304, undefined);
      },
      onBooks('getSummary', read, {
        summary: 'Get the totals of a tax year',
        description:
          'Returns zeros for a year without activity, the tax estimate, and the amount that depends on open issues. The strong ETag covers the revision and the settings; `If-None-Match` returns 304.',
        query: { year: yearParameter },
        response: { 200: YearSummary, 304: t.Void({ description: 'Not changed.' }) },
      }),
    )
    .get(
      '/years',
      async ({ books, taxpayer, query: parameters }) => {
        const limit = parameters.limit ?? limitDefault;
        const [after] = readCursor(parameters.cursor, ['number']) ?? [yearMin - 1];
        const [rows, locks] = await books.snapshot(async (sql) => [
          await readYears(sql, taxpayer.id),
          await selectLocks(sql, taxpayer.id),
        ]);
        const locked = new Set(locks.map((lock) => lock.year));
        const following = rows.filter(({ year }) => year > Number(after)).slice(0, limit + 1);
        const lines = page(following, limit, ({ year }) => [year]);
        return mapPage(lines, (summary) => ({ ...yearView(summary), locked: locked.has(summary.year) }));
      },
      onBooks('listYears', read, {
        summary: 'List years with activity, including years with purchases only',
        query: listQuery,
        response: { 200: listOf(YearLine) },
      }),
    )
    .use(gainRoutes(access))
    .use(disposalRoutes(deps, access))
    .use(lotRoutes(deps, access))
    .use(fundRoutes(access));

/** Lists lines of Form 8949 and explains how each is calculated. */
const disposalRoutes = (deps: Deps, access: Access) =>
  new Elysia()
    .use(access)
    .get(
      '/disposals',
      ({ books, taxpayer, query: parameters }) => books.snapshot((sql) => listLines(sql, taxpayer.id, parameters)),
      onBooks('listDisposals', read, {
        summary: 'List lines of Form 8949',
        description:
          'Returns the lines that match all parameters. `year`, `from` and `to` apply to the day of recognition.',
        query: { ...listQuery, ...lineParameters },
        response: { 200: DisposalList },
      }),
    )
    .get(
      '/disposals/:id/explain',
      async ({ taxpayer, params }) => {
        const explanation = requireFound(
          await withBytes(deps, taxpayer.id, (sql, bytes) => explainLine({ sql, bytes }, taxpayer.id, params.id), {
            snapshot: true,
          }),
        );
        return explanation;
      },
      onBooks('getDisposalExplanation', read, {
        summary: 'Explain each number of a line',
        response: { 200: Explanation, ...problems(...blobRefusals) },
      }),
    );

/** Lists open lots with their values. */
const lotRoutes = (deps: Deps, access: Access) =>
  new Elysia().use(access).get(
    '/lots',
    async ({ books, caller, taxpayer, query: parameters }) => {
      if (parameters.asOf !== undefined) deps.rateLimits.take('work', caller.userId);
      const limit = parameters.limit ?? limitDefault;
      const [acquired, id] = readCursor(parameters.cursor, ['day', 'string']) ?? [];
      const after = acquired === undefined || id === undefined ? null : { acquired, id };
      const asOf = parseDayParameter('asOf', parameters.asOf);
      const on = asOf === null ? undefined : parseDayColumn(asOf);
      const today = parseDayColumn(asOf ?? getToday(deps, taxpayer.timeZone));
      const pageRequest = { asset: parameters.asset ?? null, account: parameters.account ?? null, after, limit, on };
      const work = async (sql: Sql) => {
        const lotPage = page(await readLots(sql, taxpayer.id, pageRequest), limit, (lot) => [
          formatDay(lot.acquired),
          lot.id,
        ]);
        return mapPage(lotPage, await lotViewsOn(sql, taxpayer.id, lotPage.data, today));
      };
      const read = () => books.snapshot(work);
      return on === undefined ? read() : deps.longReads(taxpayer.id, read);
    },
    onBooks('listLots', read, {
      summary: 'List open lots',
      description:
        'Returns the lots open after the last transaction, even a future one, or at the end of the day `asOf`. They are valued on that day, or today, at a usable price or at the taxpayer’s last trade.',
      query: { ...listQuery, asset: t.Optional(t.String()), account: t.Optional(t.String()), asOf: t.Optional(day) },
      response: { 200: listOf(ValuedLot) },
    }),
  );

/** Loads the stored totals of a year, its tax estimate and the amount at stake. The body is null if nothing changed. */
async function loadSummary(sql: Sql, taxpayerId: string, year: number, request: Request) {
  const taxpayer = await selectTaxpayer(sql, taxpayerId);
  // The revision changes with the settings. The engine version changes with the rules of a release. A browser may have
  // stored the response of a release without the estimate.
  const etag = await computeEtag(taxpayer.revision, engineVersion, 'estimate', year);
  if (isNotModified(request, etag)) return { etag, body: null };
  const books = await readYear(sql, taxpayerId, year);
  const asOf = await selectLastDay(sql, taxpayerId);
  const { settings } = taxpayer;
  const elections = toElections(settings, taxpayer.time_zone);
  const summary = summaryView(books, elections.rules, { revision: taxpayer.revision, asOf });
  const nameOf = await loadAssetNames(
    sql,
    taxpayerId,
    summary.assets.map(({ asset }) => asset),
  );
  const isStatusStated = settings.filingStatus !== undefined || elections.filingStatusByYear.has(year);
  const { needs, estimate } = estimateGainTax(year, elections, isStatusStated, books);
  const stakes = await selectStakes(sql, taxpayerId, year);
  const body = {
    ...summary,
    assets: summary.assets.map((totals) => {
      const assetName = nameOf(totals.asset, totals.assetClass);
      return assetName === undefined ? totals : { ...totals, assetName };
    }),
    atStake: { dollars: formatCents(parseCentsColumn(stakes.dollars)), unknown: stakes.unknown },
    taxEstimate: estimate,
    taxEstimateNeeds: needs,
  };
  return { etag, body };
}

type LineListRequest = QueryOf<typeof listQuery & typeof lineParameters>;

/** Returns a page of the lines that match all parameters, with the names of their assets. */
export async function listLines(sql: Sql, taxpayerId: string, parameters: LineListRequest) {
  const limit = parameters.limit ?? limitDefault;
  const lines = await readLines(sql, taxpayerId, toLineFilter(parameters), { ...parameters, limit });
  const nameOf = await loadAssetNames(
    sql,
    taxpayerId,
    lines.data.map(({ disposal }) => disposal.asset),
  );
  const view = (line: Line) => {
    const assetName = nameOf(line.disposal.asset, line.disposal.assetClass);
    return { ...lineView(line), ...(assetName === undefined ? {} : { assetName }) };
  };
  return { ...mapPage(lines, view), totals: lines.totals };
}

interface LinePageRequest {
  readonly sort?: LineSort;
  readonly cursor?: string;
  readonly limit: number;
}

/**
 * Returns a page of lines in the requested order. The first page includes the totals of all lines that match the
 * filter.
 */
async function readLines(
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
const lineParameters = {
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

function toLineFilter(parameters: QueryOf<typeof lineParameters>): LineFilter {
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

interface LotPageRequest {
  readonly asset: string | null;
  readonly account: string | null;
  readonly after: { readonly acquired: string; readonly id: string } | null;
  readonly limit: number;
  /** Lots at the end of this day. Undefined means after the last transaction. */
  readonly on: Day | undefined;
}

/** Returns open lots by day of acquisition, plus one more if another page follows. */
async function readLots(sql: Sql, taxpayerId: string, pageRequest: LotPageRequest): Promise<Lot[]> {
  const { asset, account, after, limit, on } = pageRequest;
  if (on === undefined) return (await selectLots(sql, taxpayerId, { asset, account }, after, limit)).map(toLot);
  return (await openLotsOn(sql, taxpayerId, on))
    .filter((lot) => (asset ?? lot.asset) === lot.asset && (account ?? lot.account) === lot.account)
    .filter((lot) => after === null || isAfter(lot, after))
    .slice(0, limit + 1);
}

function isAfter(lot: Lot, after: { readonly acquired: string; readonly id: string }): boolean {
  const acquired = formatDay(lot.acquired);
  return acquired > after.acquired || (acquired === after.acquired && lot.id > after.id);
}

/** Adds the values on a given day to lots. */
async function lotViewsOn(sql: Sql, taxpayerId: string, lots: readonly Lot[], day: Day) {
  const keyOf = ({ asset, assetClass }: Lot): string => toAssetKey(asset, assetClass);
  const assets = new Map(lots.map((lot) => [keyOf(lot), { key: keyOf(lot), asset: lot.asset }]));
  const values = await unitValues(sql, taxpayerId, [...assets.values()], day);
  const nameOf = await loadAssetNames(
    sql,
    taxpayerId,
    lots.map(({ asset }) => asset),
  );
  return (lot: Lot) => {
    const assetName = nameOf(lot.asset, lot.assetClass);
    const by = values.get(keyOf(lot));
    const worth = by === undefined ? null : computeWorthCents(by, lot.quantity);
    return {
      ...lotView(lot),
      assetClass: lot.assetClass,
      ...(assetName === undefined ? {} : { assetName }),
      valuedBy: by === undefined ? null : unitValueView(by),
      value: worth === null ? null : formatCents(worth),
      unrealized: worth === null ? null : formatCents((worth - lot.basis) as Cents),
    };
  };
}
