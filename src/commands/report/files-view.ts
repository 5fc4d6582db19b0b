import { type Day, formatDay, longTermUntil, yearOf } from '../../base/day.ts';
import {
  type Cents,
  centsToMoney,
  formatMoney,
  formatQuantity,
  type Money,
  type Quantity,
  zeroMoney,
} from '../../base/decimal.ts';
import { Refusal } from '../../base/refusal.ts';
import { universalAccount } from '../../engine/book/own-accounts.ts';
import { resolveAssetClass } from '../../engine/events/classes.ts';
import { withoutReversed } from '../../engine/events/corrections.ts';
import { assetOfKey, cashKey, isCurrencyKey, toAssetKey } from '../../engine/events/keys.ts';
import { toBookName } from '../../engine/events/same-assets.ts';
import {
  type AssetClass,
  assetClasses,
  type Disposal,
  type Income,
  type Issue,
  type Line,
  type Lot,
  type Rules,
  type Totals,
} from '../../engine/model.ts';
import { emptyBook, openLots } from '../../engine/replay.ts';
import { buildLines } from '../../engine/rules/year/year.ts';
import { unstatedMembers } from '../../engine/unstated-members.ts';
import type {
  BooksPart,
  BookView,
  HeldPosition,
  IncomeTotal,
  PlannedResult,
  SaleRequest,
} from '../../features/answers/messages/view.ts';
import { totalsOfLines } from '../../features/answers/messages/words.ts';
import { type ParsedSale, parseSales, transactionOfSale } from '../../features/gains/planning/sales.ts';
import { bookOn, type SimulatedBook, simulate } from '../../features/gains/planning/simulation.ts';
import { carryThrough, getCarryover, sumSummaries } from '../../features/ledger/books/netting.ts';
import type { ReportBooks } from '../../forms/report.ts';
import { buildLedger } from './book-ledger.ts';
import { type BooksAndYears, type BooksOptions, booksAndYears, byAge, compareIds } from './books.ts';
import type { RequestedFiles } from './files-request.ts';
import type { FileHistory } from './history.ts';
import { type BookRows, splitIntoBooks } from './partition.ts';
import type { PriceTable } from './prices.ts';
import { findProposedRows } from './proposed-rows.ts';
import { computeRanks, rowsInOrder } from './row-order.ts';

/**
 * Returns the books computed from files, in the form that an AI assistant reads. Each year is computed once, on
 * request.
 */
export function filesView(history: FileHistory, stated: RequestedFiles['stated'], today: Day): BookView {
  const computed = new ComputedYears(history, stated);
  const listHeld = (part: BooksPart): Lot[] => computed.openLots.filter((lot) => isIn(part, lot));
  const some = <T>(all: readonly T[], limit: number) => ({ first: all.slice(0, limit), count: all.length });
  return {
    today,
    years: async () => computed.years.map(({ year }) => year),
    assets: async () => listAssetNames(history),
    accounts: async () => [...history.accounts].filter((account) => account !== '').sort(),
    summary: async (year) => computed.years.find((one) => one.year === year) ?? sumSummaries(year, []),
    carryover: async (year) => getCarryover(carryThrough(computed.years, computed.elections, year), year),
    loadGains: async (year, part) => gainsOf(computed.of(year)?.lines ?? [], part),
    loadIncome: async (year, asset) => incomeOf(computed.of(year)?.incomes ?? [], asset),
    washSales: async (year, limit) => some(listWashSales(computed.of(year)), limit),
    positions: async (part) => buildPositions(listHeld(part)),
    lots: async (part, limit) => some(listHeld(part).toSorted(byAge), limit),
    shortTermLots: async (part, limit) => {
      const until = longTermUntil(today);
      const short = listHeld(part).filter((lot) => (lot.heldSince > until || lot.purchaseUnknown) && !lot.inherited);
      return some(
        short.toSorted((a, b) => a.heldSince - b.heldSince || compareIds(a, b)),
        limit,
      );
    },
    issues: async (limit) => some(computed.issues(), limit),
    whatIf: async (sales) => {
      const { elections, through } = computed;
      return planSalesFromFiles(history, { prices: stated.prices, rules: elections.rules, through }, today, sales);
    },
    report: async () => null,
    link: (path) => path,
  };
}

const listsOfYear = ['lines', 'washSales', 'incomes'] as const;

class ComputedYears {
  /** The latest day in any row. */
  readonly through: Day;
  readonly #last: BooksAndYears;
  readonly #known = new Map<number, ReportBooks>();

  constructor(
    private readonly history: FileHistory,
    private readonly stated: RequestedFiles['stated'],
  ) {
    this.through = history.lastDay;
    const year = yearOf(this.through);
    this.#last = this.#compute(year, [...listsOfYear, 'openLots']);
    this.#known.set(year, this.#last.books);
  }

  get years() {
    return this.#last.years;
  }

  get elections() {
    return this.#last.elections;
  }

  get openLots(): readonly Lot[] {
    return this.#last.books.openLots;
  }

  /** Undefined for a year without results from the rows. */
  of(year: number): ReportBooks | undefined {
    if (!this.years.some((one) => one.year === year)) return undefined;
    const books = this.#known.get(year) ?? this.#compute(year, listsOfYear).books;
    this.#known.set(year, books);
    return books;
  }

  /** Issues with unknown amounts at stake come first, then those with the largest amounts, as in the service. */
  issues() {
    const open = this.years.flatMap(({ year, issues }) => (issues === 0 ? [] : (this.of(year)?.issues ?? [])));
    // An issue about several years is in the books for each of them.
    return [...new Map(open.map((issue) => [issue.id, issue])).values()]
      .toSorted((a, b) => compareStakes(a, b) || a.on - b.on || compareIds(a, b))
      .map(({ on, asset, dollars, detail }) => ({ asset, detail, on, dollars }));
  }

  #compute(year: number, lists: BooksOptions['lists']): BooksAndYears {
    return booksAndYears(this.history, { ...this.stated, year, lists, name: '', tin: '', onRows: () => {} });
  }
}

function compareStakes({ dollars: a }: Issue, { dollars: b }: Issue): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return Number(b - a);
}

function listAssetNames(history: FileHistory): string[] {
  const keys = splitIntoBooks(history).flatMap((book) => [...book.keys]);
  const names = keys.filter((key) => !key.startsWith(cashKey)).map(assetOfKey);
  return [...new Set(names)].filter((name) => name !== '').sort();
}

function isIn({ asset, account }: BooksPart, row: { readonly asset: string; readonly account: string }): boolean {
  return (asset === null || row.asset === asset) && (account === null || row.account === account);
}

function gainsOf(lines: readonly Line[], part: BooksPart) {
  const assetLines = lines.filter(({ disposal }) => isIn(part, disposal));
  const of = (term: Disposal['term']): Totals =>
    totalsOfLines(assetLines.filter(({ disposal }) => disposal.term === term));
  const quantity = assetLines.reduce((sum, { disposal }) => sum + disposal.quantity, 0n) as Quantity;
  return { quantity, shortTerm: of('short'), longTerm: of('long') };
}

function incomeOf(incomes: readonly Income[], asset: string | null): IncomeTotal[] {
  const assetIncomes = incomes.filter((income) => asset === null || income.asset === asset);
  return [...Map.groupBy(assetIncomes, ({ type }) => type)]
    .map(([type, all]) => {
      const amount = all.reduce((sum, income) => sum + income.amount, 0n) as Money;
      return { type, amount, count: all.length };
    })
    .sort((a, b) => (a.type < b.type ? -1 : 1));
}

/** Returns the wash sales, largest first. */
function listWashSales(books: ReportBooks | undefined) {
  const assets = new Map(books?.lines.map(({ disposal }) => [disposal.id, disposal.asset]));
  return (books?.washSales ?? [])
    .toSorted((a, b) => Number(b.disallowed - a.disallowed))
    .map(({ disposalId, on, quantity, disallowed, permanent }) => {
      return { asset: assets.get(disposalId) ?? '', on, quantity, disallowed, permanent };
    });
}

/** Returns the positions, largest basis first. */
function buildPositions(lots: readonly Lot[]): HeldPosition[] {
  const positions = Map.groupBy(lots, ({ asset, assetClass }) => JSON.stringify([asset, assetClass]));
  return [...positions.values()]
    .flatMap((lots) => {
      const [first] = lots;
      if (first === undefined) return [];
      const { asset, assetClass } = first;
      const quantity = lots.reduce((sum, lot) => sum + lot.quantity, 0n) as Quantity;
      const basis = lots.reduce((sum, lot) => sum + lot.basis, 0n) as Cents;
      const lastAcquired = lots.reduce((last, lot) => Math.max(last, lot.acquired), first.acquired as number) as Day;
      return [{ asset, assetClass, quantity, basis, lots: lots.length, lastAcquired }];
    })
    .sort((a, b) => Number(b.basis - a.basis) || (a.asset < b.asset ? -1 : 1));
}

interface FileBooks {
  readonly prices: PriceTable;
  readonly rules: Rules;
  /** The last day of any row. */
  readonly through: Day;
}

/**
 * Calculates hypothetical sales as `features/gains/planning` does in the database. Files contain no market values of
 * holdings.
 */
function planSalesFromFiles(
  history: FileHistory,
  files: FileBooks,
  today: Day,
  requestedSales: readonly SaleRequest[],
): PlannedResult {
  const parsed = parseSales(
    requestedSales.map(({ asset, account, quantity, price }) => {
      if (price === null) throw new Refusal('invalid', "Set a price: the files do not contain today's price.");
      const named = { asset: toBookName(asset, files.rules.assets), account };
      return { ...named, quantity: formatQuantity(quantity), price: formatMoney(price), date: formatDay(today) };
    }),
  );
  const books = splitIntoBooks(history, files.rules.formNames);
  const keyed = parsed.map((sale) => ({ sale, key: resolveAssetKey(books, sale, files.rules) }));
  const outcomes = [...Map.groupBy(keyed, ({ key }) => bookOf(books, key))].map(([book, sales]) =>
    simulateSales(openBook(history, files, book), sales, files),
  );
  const lines = outcomes.flatMap((outcome) => outcome.lines);
  const [all, short, long] = [lines, ofTerm(lines, 'short'), ofTerm(lines, 'long')].map(totalsOfLines);
  if (all === undefined || short === undefined || long === undefined) throw new Error('Three lists have three totals.');
  return {
    proceeds: centsToMoney(all.proceeds),
    basis: centsToMoney(all.basis),
    shortTerm: centsToMoney(short.gain),
    longTerm: centsToMoney(long.gain),
    disallowed: centsToMoney(all.adjustment),
    oversold: outcomes.reduce((sum, { oversold }) => sum + oversold, 0n) as Quantity,
    valuedOn: [],
  };
}

function ofTerm(lines: readonly Line[], term: 'short' | 'long'): Line[] {
  return lines.filter(({ disposal }) => disposal.term === term);
}

interface SaleOfBook {
  readonly sale: ParsedSale;
  readonly key: string;
}

/** Finds the asset with a name. If a coin and a stock share the name, uses the one that is in the books. */
function resolveAssetKey(
  books: readonly BookRows[],
  { asked: { asset, account = '' } }: ParsedSale,
  rules: Rules,
): string {
  const all = [...new Set(assetClasses.map((one) => toAssetKey(asset, one)))];
  const known = all.filter((key) => books.some(({ keys }) => keys.has(key)));
  if (known.length > 1)
    throw new Refusal(
      'invalid',
      `The books contain more than one asset named ${asset}. Use a different name in the files.`,
    );
  const unclassified = { ...unstatedMembers, type: 'sell', asset, account } as const;
  const key = known[0] ?? toAssetKey(asset, resolveAssetClass(unclassified, rules, null));
  if (isCurrencyKey(key))
    throw new Refusal('invalid', `${asset} is a currency. Its gain is not reported on Form 8949.`);
  return key;
}

/** Returns an asset without rows for a name that the files do not contain. */
function bookOf(books: readonly BookRows[], key: string): BookRows {
  return books.find(({ keys }) => keys.has(key)) ?? { keys: new Set([key]), trades: [], others: [] };
}

function openBook(history: FileHistory, { prices }: FileBooks, book: BookRows): SimulatedBook {
  const ranks = computeRanks(rowsInOrder(history, findProposedRows(history).rows), history);
  const transactions = buildLedger(book, { history, ranks, prices }).transactions();
  return {
    book: '',
    keys: book.keys,
    state: emptyBook(),
    facts: [],
    history: withoutReversed(transactions),
    accepted: new Map(),
  };
}

function simulateSales(book: SimulatedBook, sales: readonly SaleOfBook[], { rules, through }: FileBooks) {
  const completed = sales.map((one) => completeSale(book, one, rules));
  const hypothetical = completed.map(({ transaction }) => ({ transaction, method: null }));
  const facts = simulate(book, hypothetical, rules, through);
  const ids = new Set(completed.map(({ transaction }) => transaction.id));
  const disposals = facts.filter((fact) => fact.kind === 'disposal').filter(({ saleId }) => ids.has(saleId));
  const washes = facts.filter((fact) => fact.kind === 'wash');
  return {
    lines: buildLines(disposals, washes),
    oversold: completed.reduce((sum, { oversold }) => sum + oversold, 0n) as Quantity,
  };
}

function completeSale(book: SimulatedBook, { sale, key }: SaleOfBook, rules: Rules) {
  const { asset, account = '' } = sale.asked;
  const lots = openLots(bookOn(book, sale.on, rules)).filter((lot) => toAssetKey(lot.asset, lot.assetClass) === key);
  const assetClass = lots[0]?.assetClass ?? classOf(key, asset);
  const held = lots.filter((lot) => lot.account === account || lot.account === universalAccount);
  const missing = sale.quantity - held.reduce((sum, { quantity }) => sum + quantity, 0n);
  const amount = sale.amount ?? zeroMoney;
  return {
    transaction: transactionOfSale(sale, { account, assetClass, amount }),
    oversold: missing > 0n ? missing : 0n,
  };
}

function classOf(key: string, asset: string): AssetClass {
  return assetClasses.find((one) => toAssetKey(asset, one) === key) ?? 'stock';
}
