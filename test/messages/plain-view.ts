import { type Day, longTermOn, parseDay, yearOf } from '../../src/base/day.ts';
import { type Cents, parseMoney, parseQuantity, type Quantity } from '../../src/base/decimal.ts';
import type { AssetClass, Lot, TaxYearSummary, Totals } from '../../src/engine/model.ts';
import type {
  BooksPart,
  BookView,
  FirstAndCount,
  IncomeTotal,
  IssueLine,
  WashLine,
} from '../../src/features/answers/messages/view.ts';
import type { Carryover } from '../../src/features/ledger/books/netting.ts';

/** Handwritten books for the assistant. Their sales are given, and only the sums are computed. */
export interface PlainBooks {
  readonly today: string;
  readonly lots?: readonly Lot[];
  readonly sales?: readonly PlainSale[];
  readonly income?: readonly (IncomeTotal & { readonly year: number; readonly asset: string })[];
  readonly issues?: readonly IssueLine[];
  readonly washSales?: readonly WashLine[];
  readonly carryover?: Carryover;
  readonly report?: { readonly id: string; readonly stale: boolean };
}

function accountOf({ account = 'Schwab' }: PlainSale): string {
  return account;
}

export interface PlainSale {
  readonly account?: string;
  readonly year: number;
  readonly asset: string;
  readonly term: 'short' | 'long';
  readonly quantity: string;
  readonly proceeds: number;
  readonly basis: number;
  readonly adjustment?: number;
}

export function plainView(books: PlainBooks): BookView {
  const lots = books.lots ?? [];
  const sales = books.sales ?? [];
  const income = books.income ?? [];
  const today = day(books.today);
  const within = ({ asset, account }: BooksPart): Lot[] =>
    lots.filter((lot) => (asset ?? lot.asset) === lot.asset && (account ?? lot.account) === lot.account);
  return {
    today,
    years: async () => [...new Set([...sales, ...income].map(({ year }) => year))].sort((a, b) => a - b),
    assets: async () => [...new Set([...sales, ...income, ...lots].map(({ asset }) => asset))].sort(),
    accounts: async () => [...new Set([...sales.map(accountOf), ...lots.map(({ account }) => account)])].sort(),
    summary: async (year) => summaryOf(year, books),
    carryover: async () => books.carryover ?? { in: none, out: none, deductible: cents(0) },
    loadGains: async (year, { asset, account }) => {
      const of = sales.filter(
        (sale) =>
          sale.year === year &&
          (asset ?? sale.asset) === sale.asset &&
          (account ?? accountOf(sale)) === accountOf(sale),
      );
      return {
        quantity: of.reduce((sum, sale) => sum + quantity(sale.quantity), 0n) as Quantity,
        shortTerm: totals(of.filter(({ term }) => term === 'short')),
        longTerm: totals(of.filter(({ term }) => term === 'long')),
      };
    },
    loadIncome: async (year, asset) =>
      income.filter((each) => each.year === year && (asset === null || each.asset === asset)),
    washSales: async (year, limit) =>
      some(
        (books.washSales ?? []).filter(({ on }) => yearOf(on) === year),
        limit,
      ),
    positions: async (part) =>
      [...Map.groupBy(within(part), (lot) => lot.asset)].map(([name, held]) => ({
        asset: name,
        assetClass: held[0]?.assetClass ?? 'stock',
        quantity: held.reduce((sum, lot) => sum + lot.quantity, 0n) as Quantity,
        basis: held.reduce((sum, lot) => sum + lot.basis, 0n) as Cents,
        lots: held.length,
        lastAcquired: Math.max(...held.map((lot) => lot.acquired)) as Day,
      })),
    lots: async (part, limit) => some(within(part), limit),
    shortTermLots: async (part, limit) =>
      some(
        within(part)
          .filter((lot) => !lot.inherited && longTermOn(lot.heldSince) > today)
          .sort((a, b) => a.heldSince - b.heldSince),
        limit,
      ),
    issues: async (limit) => some(books.issues ?? [], limit),
    whatIf: async () => {
      throw new Error('Planned sales are calculated by the books in the database.');
    },
    report: async () => books.report ?? null,
    link: (path, query = {}) => {
      const search = new URLSearchParams(
        Object.entries(query).map(([name, value]) => [name, String(value)]),
      ).toString();
      return search === '' ? path : `${path}?${search}`;
    },
  };
}

/** `lot('10 AAPL 2024-01-02 @1000')` means ten units bought that day for 1,000 dollars in total. */
export function lot(text: string, more: Partial<Lot> = {}): Lot {
  const [units = '', asset = '', date = '', basis = ''] = text.split(' ');
  return {
    id: text,
    asset,
    assetClass: 'stock' satisfies AssetClass,
    account: 'Schwab',
    quantity: quantity(units),
    basis: cents(Number(basis.slice(1))),
    acquired: day(date),
    heldSince: day(date),
    inherited: false,
    ...more,
  };
}

export function day(text: string): Day {
  const parsed = parseDay(text);
  if (parsed === undefined) throw new Error(`${text} is no day`);
  return parsed;
}

export function money(text: string): NonNullable<ReturnType<typeof parseMoney>> {
  const parsed = parseMoney(text);
  if (parsed === undefined) throw new Error(`${text} is no amount`);
  return parsed;
}

export function quantity(text: string): Quantity {
  const parsed = parseQuantity(text);
  if (parsed === undefined) throw new Error(`${text} is no quantity`);
  return parsed;
}

export function cents(dollars: number): Cents {
  return BigInt(Math.round(dollars * 100)) as Cents;
}

const none = { short: 0n as Cents, long: 0n as Cents };

function summaryOf(year: number, books: PlainBooks): TaxYearSummary {
  const sales = (books.sales ?? []).filter((sale) => sale.year === year);
  const washed = (books.washSales ?? []).filter(({ on }) => yearOf(on) === year);
  const sumOf = (lines: readonly WashLine[]): Cents => lines.reduce((sum, line) => sum + line.disallowed, 0n) as Cents;
  const [short, long] = [sales.filter(({ term }) => term === 'short'), sales.filter(({ term }) => term === 'long')];
  return {
    year,
    shortTerm: totals(short),
    longTerm: totals(long),
    total: totals(sales),
    missingBasis: totals([]),
    washSaleDisallowed: sumOf(washed),
    washSalePermanent: sumOf(washed.filter(({ permanent }) => permanent)),
    boxes: [
      ...(short.length > 0 ? [{ box: 'C' as const, ...totals(short) }] : []),
      ...(long.length > 0 ? [{ box: 'F' as const, ...totals(long) }] : []),
    ],
    assets: [...Map.groupBy(sales, (sale) => sale.asset)].map(([asset, of]) => ({
      asset,
      assetClass: 'stock' as const,
      ...totals(of),
    })),
    accountBoxes: [],
    income: (books.income ?? []).filter((each) => each.year === year),
    contracts1256: { gain: cents(0), short: cents(0), long: cents(0), count: 0 },
    issues: (books.issues ?? []).length,
  };
}

function totals(sales: readonly PlainSale[]): Totals {
  const sum = (amount: (sale: PlainSale) => number): Cents =>
    sales.reduce((total, sale) => total + cents(amount(sale)), 0n) as Cents;
  const adjustment = sum((sale) => sale.adjustment ?? 0);
  const [proceeds, basis] = [sum((sale) => sale.proceeds), sum((sale) => sale.basis)];
  return { proceeds, basis, adjustment, gain: (proceeds - basis + adjustment) as Cents, count: sales.length };
}

function some<T>(all: readonly T[], limit: number): FirstAndCount<T> {
  return { first: all.slice(0, limit), count: all.length };
}
