import { type Day, formatDay, longTermUntil } from '../../../base/day.ts';
import { formatMoney, formatQuantity, type Money } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Term, WashSale } from '../../../engine/model.ts';
import { whatIf } from '../../gains/planning/what-if.ts';
import { selectNewestReport } from '../../gains/reports/reports.queries.ts';
import { selectYears } from '../../ledger/books/books.queries.ts';
import { readLines, readSummary, readWashSales, readYear } from '../../ledger/books/books.ts';
import { selectFactsOn } from '../../ledger/books/facts.queries.ts';
import { toLot } from '../../ledger/books/lots.ts';
import {
  parseCentsColumn,
  parseDayColumn,
  parseMoneyColumn,
  parseQuantityColumn,
} from '../../ledger/transactions/rows.ts';
import {
  countLots,
  type LotFilter,
  selectAccountNames,
  selectAssetNames,
  selectIncome,
  selectIssueLines,
  selectLots,
  selectPositions,
} from './messages.queries.ts';
import type { BooksPart, BookView, PartGains, PlannedResult, SaleRequest } from './view.ts';
import { totalsOfLines } from './words.ts';

/** The owner of the books, and how to format links to them. */
export interface ViewScope {
  readonly taxpayerId: string;
  readonly today: Day;
  /** The id of the client, if the books belong to a client of the user. */
  readonly client: string | null;
}

/** Runs a query, in either an open transaction or a new one. */
type RunQuery = <T>(look: (sql: Sql) => Promise<T>) => Promise<T>;

/** Returns the view of the stored books that assistants use. */
export function booksView(look: RunQuery, { taxpayerId, today, client }: ViewScope): BookView {
  const getLots = async (filter: LotFilter, limit: number) =>
    look(async (sql) => ({
      first: (await selectLots(sql, taxpayerId, filter, limit)).map(toLot),
      count: await countLots(sql, taxpayerId, filter),
    }));
  return {
    today,
    years: () => look(async (sql) => (await selectYears(sql, taxpayerId)).map((row) => row.year)),
    assets: () => look((sql) => selectAssetNames(sql, taxpayerId)),
    accounts: () => look((sql) => selectAccountNames(sql, taxpayerId)),
    summary: (year) => look((sql) => readSummary(sql, taxpayerId, year)),
    carryover: (year) => look(async (sql) => (await readYear(sql, taxpayerId, year)).carryover),
    loadGains: (year, part) => look((sql) => readGains(sql, taxpayerId, year, part)),
    loadIncome: (year, asset) =>
      look(async (sql) => {
        const rows = await selectIncome(sql, taxpayerId, year, asset);
        return rows.map((row) => ({ ...row, amount: parseMoneyColumn(row.amount) }));
      }),
    washSales: (year, limit) =>
      look(async (sql) => {
        const washSales = await readWashSales(sql, taxpayerId, year);
        const largest = washSales.toSorted((a, b) => Number(b.disallowed - a.disallowed)).slice(0, limit);
        return { first: await addAssetNames(sql, taxpayerId, largest), count: washSales.length };
      }),
    positions: (part) =>
      look(async (sql) => {
        const rows = await selectPositions(sql, taxpayerId, part);
        return rows.map((row) => ({
          ...row,
          quantity: parseQuantityColumn(row.quantity),
          basis: parseCentsColumn(row.basis),
          lastAcquired: parseDayColumn(row.lastAcquired),
        }));
      }),
    lots: (part, limit) => getLots({ ...part, heldAfter: null }, limit),
    shortTermLots: (part, limit) => getLots({ ...part, heldAfter: formatDay(longTermUntil(today)) }, limit),
    issues: (limit) =>
      look(async (sql) => {
        const rows = await selectIssueLines(sql, taxpayerId, limit);
        const first = rows.map(({ asset, detail, ...row }) => ({
          asset,
          detail,
          on: parseDayColumn(row.on),
          dollars: row.dollars === null ? null : parseCentsColumn(row.dollars),
        }));
        return { first, count: rows[0]?.count ?? 0 };
      }),
    whatIf: (sales) => look((sql) => plannedResult(sql, taxpayerId, today, sales)),
    report: (year) => look(async (sql) => (await selectNewestReport(sql, taxpayerId, year)) ?? null),
    link: (path, query = {}) => {
      const parameters = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
      const search = new URLSearchParams(client === null ? parameters : [...parameters, ['client', client]]).toString();
      return search === '' ? path : `${path}?${search}`;
    },
  };
}

async function plannedResult(
  sql: Sql,
  taxpayerId: string,
  today: Day,
  planned: readonly SaleRequest[],
): Promise<PlannedResult> {
  const saleInputs = planned.map(({ asset, account, quantity, price }) => ({
    ...{ asset, account, quantity: formatQuantity(quantity), date: formatDay(today) },
    ...(price === null ? {} : { price: formatMoney(price) }),
  }));
  const { sales, disposals } = await whatIf(sql, taxpayerId, saleInputs);
  const sum = (read: (line: (typeof disposals)[number]) => string, lines = disposals) =>
    lines.reduce((all, line) => all + parseMoneyColumn(read(line)), 0n) as Money;
  const sumGain = (term: Term) =>
    sum(
      ({ gain }) => gain,
      // A line with an unknown purchase has no term and is in Part I.
      disposals.filter((line) => (line.term ?? 'short') === term),
    );
  return {
    proceeds: sum(({ proceeds }) => proceeds),
    basis: sum(({ basis }) => basis),
    shortTerm: sumGain('short'),
    longTerm: sumGain('long'),
    disallowed: sum(({ adjustment }) => adjustment),
    oversold: sales.reduce((all, { oversold }) => all + parseQuantityColumn(oversold), 0n) as PlannedResult['oversold'],
    valuedOn: sales.flatMap(({ valuedBy }) => (valuedBy === null ? [] : [valuedBy.date])),
  };
}

async function readGains(
  sql: Sql,
  taxpayerId: string,
  year: number,
  { asset, account }: BooksPart,
): Promise<PartGains> {
  const part = { ...(asset === null ? {} : { asset }), ...(account === null ? {} : { account }) };
  const lines = await readLines(sql, taxpayerId, year, part);
  const quantity = lines.reduce((sum, { disposal }) => sum + disposal.quantity, 0n);
  const totals = (term: Term) => totalsOfLines(lines.filter(({ disposal }) => disposal.term === term));
  return { quantity: quantity as PartGains['quantity'], shortTerm: totals('short'), longTerm: totals('long') };
}

/** Adds the asset whose loss is disallowed. */
async function addAssetNames(sql: Sql, taxpayerId: string, washSales: readonly WashSale[]) {
  const days = [...new Set(washSales.map((wash) => formatDay(wash.on)))];
  const sold = new Map(
    (await selectFactsOn(sql, 'disposal', { taxpayerId }, days)).map(({ id, asset }) => [id, asset]),
  );
  return washSales.map(({ disposalId, on, quantity, disallowed, permanent }) => {
    return { asset: sold.get(disposalId) ?? '', on, quantity, disallowed, permanent };
  });
}
