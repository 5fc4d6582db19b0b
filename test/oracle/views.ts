import { type Day, formatDay } from '../../src/base/day.ts';
import { formatCents, formatMoney, formatQuantity } from '../../src/base/decimal.ts';
import { assetKeysOf, linksOf } from '../../src/engine/keys.ts';
import type { Disposal, Fact, Lot, Rules, Transaction, WashSale } from '../../src/engine/model.ts';
import { bookFromJson, bookToJson, emptyBook, openLots, replay } from '../../src/engine/replay.ts';
import { Exact, lastOfDecember, nothing, sum, yearOfDay } from './numbers.ts';
import { gainOf, type OracleBooks } from './oracle.ts';
import { basisLeft, type OracleLine, remaining } from './state.ts';

/**
 * The same thing said by both engines, as lines of text: what came of each sale, what is open, what each year holds.
 * How a lot is cut into fragments of equal dates is nobody's business, so equal fragments are summed.
 */
export interface View {
  readonly lines: readonly string[];
  readonly lots: readonly string[];
  readonly years: readonly string[];
  readonly issues: readonly string[];
}

interface Row {
  readonly key: string;
  readonly amounts: readonly Exact[];
}

export function viewOfOracle(books: OracleBooks): View {
  const lines = books.lines.map((line) => ({
    key: lineKey({ ...line, inherited: line.inherited }),
    amounts: [line.quantity, line.proceeds, line.basis, line.adjustment, line.permanent, gainOf(line)],
  }));
  const lots = books.lots.map((lot) => ({ key: lotKey(lot), amounts: [remaining(lot), basisLeft(lot)] }));
  const years = [...books.years].flatMap(([year, told]) => [
    { key: `${year}`, amounts: [told.short, told.long, told.disallowed, told.permanent, told.contracts] },
    ...[...told.income].map(([type, amount]) => ({ key: `${year} ${type}`, amounts: [amount] })),
  ]);
  const issues = books.issues.map((issue) => `${issue.transactionId} ${issue.kind}`);
  return { lines: summed(lines), lots: summed(lots), years: summed(years), issues: [...new Set(issues)].sort() };
}

/** Replays book by book, as the service does: all transactions that move one, and only its events. */
export function viewOfEngine(transactions: readonly Transaction[], rules: Rules): View {
  const { facts, lots } = replayAll(transactions, rules, []);
  return viewOfFacts(facts, lots);
}

/** The day a row counts from: what is worthless from the end of its year (IRC 165(g)). */
export function dayOf(row: Transaction): Day {
  return row.type === 'worthless' ? lastOfDecember(row.on) : row.on;
}

/** All books replayed, with a stop after each of some days: the book is stored, read again, and goes on from there. */
export function replayAll(
  transactions: readonly Transaction[],
  rules: Rules,
  stops: readonly Day[],
): { facts: Fact[]; lots: Lot[] } {
  const all: Fact[] = [];
  const lots: Lot[] = [];
  for (const keys of bookKeys(transactions)) {
    const own = transactions.filter((transaction) => assetKeysOf(transaction).some((key) => keys.has(key)));
    let book = emptyBook();
    let facts: Fact[] = [];
    let done = Number.NEGATIVE_INFINITY;
    for (const stop of [...stops, Number.POSITIVE_INFINITY]) {
      const replayed = replay(
        book,
        own.filter((row) => dayOf(row) > done && dayOf(row) <= stop),
        rules,
        keys,
      );
      // What an earlier stretch foresaw for days after its book is told again.
      facts = [...facts.filter((fact) => fact.causedOn <= (book.asOf ?? done)), ...replayed.facts];
      book = bookFromJson(JSON.parse(JSON.stringify(bookToJson(replayed.book))));
      done = stop;
    }
    all.push(...facts);
    lots.push(...openLots(book));
  }
  return { facts: all, lots };
}

export function viewOfFacts(facts: readonly Fact[], open: readonly Lot[]): View {
  const washes = new Map<string, WashSale[]>();
  for (const fact of facts) {
    if (fact.kind === 'wash') washes.set(fact.disposalId, [...(washes.get(fact.disposalId) ?? []), fact]);
  }
  const lines: Row[] = [];
  const years: Row[] = [];
  const issues: string[] = [];
  const add = (key: string, ...amounts: Exact[]): void => void years.push({ key, amounts });
  for (const fact of facts) {
    const year = yearOfDay(fact.on);
    if (fact.kind === 'disposal') {
      const amounts = amountsOf(fact, washes.get(fact.id) ?? []);
      const [, , , adjustment = nothing, permanent = nothing, gain = nothing] = amounts;
      const isShort = fact.term === 'short';
      lines.push({ key: lineKey(fact), amounts });
      add(`${year}`, isShort ? gain : nothing, isShort ? nothing : gain, adjustment, permanent, nothing);
    }
    if (fact.kind === 'income') add(`${year} ${fact.type}`, new Exact(formatMoney(fact.amount)));
    if (fact.kind === 'contract_1256') add(`${year}`, nothing, nothing, nothing, nothing, cash(fact.gain));
    if (fact.kind === 'issue') issues.push(`${fact.transactions[0]} ${fact.issue}`);
  }
  const lots = open.map((lot) => ({ key: lotKey(lot), amounts: [count(lot.quantity), cash(lot.basis)] }));
  return { lines: summed(lines), lots: summed(lots), years: summed(years), issues: [...new Set(issues)].sort() };
}

function amountsOf(disposal: Disposal, washes: readonly WashSale[]): Exact[] {
  const denied = sum(washes.map((wash) => cash(wash.disallowed)));
  const permanent = sum(washes.filter((wash) => wash.permanent).map((wash) => cash(wash.disallowed)));
  const adjustment = cash(disposal.adjustment).plus(denied);
  const gain = cash(disposal.proceeds).minus(cash(disposal.basis)).plus(adjustment);
  return [count(disposal.quantity), cash(disposal.proceeds), cash(disposal.basis), adjustment, permanent, gain];
}

function cash(cents: Disposal['proceeds']): Exact {
  return new Exact(formatCents(cents));
}

function count(quantity: Disposal['quantity']): Exact {
  return new Exact(formatQuantity(quantity));
}

type Keyed = Pick<
  OracleLine,
  | 'saleId'
  | 'asset'
  | 'account'
  | 'acquired'
  | 'heldSince'
  | 'inherited'
  | 'sold'
  | 'on'
  | 'term'
  | 'shortSale'
  | 'expired'
>;

function lineKey(line: Keyed): string {
  const dates = line.inherited ? 'inherited' : `${formatDay(line.acquired)} (${formatDay(line.heldSince)})`;
  const marks = `${line.shortSale ? ' short sale' : ''}${line.expired === null ? '' : ` expired ${line.expired}`}`;
  const days = `${dates} → ${formatDay(line.sold)} in ${yearOfDay(line.on)}`;
  return `${line.saleId} ${line.account} ${line.asset} ${days} ${line.term}${marks}`;
}

function lotKey(lot: Pick<Lot, 'account' | 'asset' | 'acquired' | 'heldSince' | 'inherited'>): string {
  const dates = lot.inherited ? 'inherited' : `${formatDay(lot.acquired)} (${formatDay(lot.heldSince)})`;
  return `${lot.account} ${lot.asset} ${dates}`;
}

function summed(rows: readonly Row[]): string[] {
  const totals = new Map<string, readonly Exact[]>();
  for (const { key, amounts } of rows) {
    const before = totals.get(key);
    totals.set(key, before === undefined ? amounts : amounts.map((amount, at) => amount.plus(before[at] ?? nothing)));
  }
  const shown = [...totals].filter(([, amounts]) => amounts.some((amount) => !amount.isZero()));
  return shown.map(([key, amounts]) => `${key}: ${amounts.map((amount) => amount.toString()).join(' ')}`).sort();
}

/** The keys of each book: those that any transaction links. */
export function bookKeys(transactions: readonly Transaction[]): Set<string>[] {
  const books = new Map<string, Set<string>>();
  const bookOf = (key: string): Set<string> => {
    const known = books.get(key) ?? new Set([key]);
    books.set(key, known);
    return known;
  };
  for (const transaction of transactions) {
    for (const key of assetKeysOf(transaction)) bookOf(key);
    for (const [a, b] of linksOf(transaction)) {
      const joined = new Set([...bookOf(a), ...bookOf(b)]);
      for (const key of joined) books.set(key, joined);
    }
  }
  return [...new Set(books.values())];
}
