import { type Day, longTermUntil, yearOf } from '../../base/day.ts';
import type { Cents, Money, Quantity } from '../../base/decimal.ts';
import { assetOfKey, cashKey } from '../../engine/events/keys.ts';
import type { Disposal, Income, Issue, Line, Lot, Totals } from '../../engine/model.ts';
import type { BooksPart, BookView, HeldPosition, IncomeTotal } from '../../features/answers/messages/view.ts';
import { totalsOfLines } from '../../features/answers/messages/words.ts';
import { carryThrough, getCarryover, sumSummaries } from '../../features/ledger/books/netting.ts';
import type { ReportBooks } from '../../forms/report.ts';
import { type BooksAndYears, type BooksOptions, booksAndYears, byAge, compareIds } from './books.ts';
import type { RequestedFiles } from './files-request.ts';
import { planSalesFromFiles } from './files-what-if.ts';
import type { FileHistory } from './history.ts';
import { splitIntoBooks } from './partition.ts';

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
