import { type Day, formatDay } from '../../src/base/day.ts';
import { type Cents, formatQuantity } from '../../src/base/decimal.ts';
import { disposalWith } from '../../src/engine/book/plain-disposal.ts';
import { linksOfFormNames, withBookNames } from '../../src/engine/events/form-names.ts';
import { listAssetKeys, listAssetLinks } from '../../src/engine/events/keys.ts';
import type { Box, Disposal, Fact, FormAssetNames, Issue, Lot, Rules, Transaction } from '../../src/engine/model.ts';
import { bookFromJson, bookToJson, emptyBook, openLots, replay } from '../../src/engine/replay.ts';
import { listNearNewYear, zoneIssues } from '../../src/engine/rules/questions/new-year.ts';
import { buildLines } from '../../src/engine/rules/year/year.ts';
import { dayOfEvent } from './events/events.ts';
import { isUnsettled } from './events/reversal.ts';
import { Exact, nothing, sum, yearOfDay } from './numbers.ts';
import { gainOf, type OracleBooks } from './oracle.ts';
import { lineOnForm } from './rules/form-1099/reconcile.ts';
import { boxOf } from './rules/lines/box.ts';
import { basisLeft, type OracleGift, type OracleLine, remaining } from './state.ts';
import { cash, summed, yearsOfEngine, yearsOfOracle } from './years.ts';

/**
 * The results of both engines as lines of text in one notation: the outcome of each sale, open positions, and the
 * amounts of each year. The engines may split a lot differently into fragments with equal dates, so equal fragments are
 * summed.
 */
export interface View {
  readonly lines: readonly string[];
  readonly lots: readonly string[];
  readonly years: readonly string[];
  readonly gifts: readonly string[];
  readonly issues: readonly string[];
}

export function viewOfOracle(books: OracleBooks, rules: Rules): View {
  const lines = books.lines
    .map((line) => lineOnForm(line, rules))
    .map((line) => ({
      key: lineKey({ ...line, box: boxOf(line, rules), code: line.letters }),
      amounts: [
        ...[line.quantity, line.proceeds, line.basis, line.adjustment, line.permanent, gainOf(line)],
        ...(line.fundValue === undefined ? [] : [line.fundValue]),
      ],
    }));
  const gifts = books.gifts.map((gift) => ({
    key: giftKey({ ...gift, isValued: gift.value !== null }),
    amounts: [gift.quantity, gift.basis, gift.value ?? nothing],
  }));
  const lots = books.lots.map((lot) => ({ key: lotKey(lot), amounts: [remaining(lot), basisLeft(lot)] }));
  const issues = books.issues.map((issue) => `${issue.transactionId} ${issue.kind}`);
  return {
    lines: summed(lines),
    lots: summed(lots),
    years: summed(yearsOfOracle(books, rules)),
    gifts: summed(gifts),
    issues: [...new Set(issues)].sort(),
  };
}

/**
 * Replays each book separately, like the service, with all transactions that affect the book but only the book's own
 * events.
 */
export function viewOfEngine(transactions: readonly Transaction[], rules: Rules): View {
  const { facts, lots } = replayAll(transactions, rules, []);
  return viewOfFacts(facts, lots);
}

/** Replays all books with a stop after each of some days: the book is stored, read again, and resumed. */
export function replayAll(
  transactions: readonly Transaction[],
  rules: Rules,
  stops: readonly Day[],
): { facts: Fact[]; lots: Lot[] } {
  const all: Fact[] = [];
  const lots: Lot[] = [];
  const known = Math.max(...transactions.flatMap((row) => [row.on, dayOfEvent(row)])) as Day;
  for (const keys of bookKeys(transactions, rules.formNames)) {
    const rows = transactions.filter((transaction) => listAssetKeys(transaction).some((key) => keys.has(key)));
    let book = emptyBook();
    let facts: Fact[] = [];
    let done = Number.NEGATIVE_INFINITY;
    for (const stop of [
      ...stops.filter((day) => !isUnsettled(withBookNames(rows, rules), day)),
      Number.POSITIVE_INFINITY,
    ]) {
      const replayed = replay(
        book,
        rows.filter((row) => dayOfEvent(row) > done && dayOfEvent(row) <= stop),
        rules,
        keys,
        { through: stop === Number.POSITIVE_INFINITY ? known : (stop as Day) },
      );
      // Facts that an earlier part dated after its own book are produced again.
      facts = [...facts.filter((fact) => fact.causedOn <= (book.asOf ?? done)), ...replayed.facts];
      book = bookFromJson(JSON.parse(JSON.stringify(bookToJson(replayed.book))));
      done = stop;
    }
    all.push(...facts);
    lots.push(...openLots(book));
  }
  const rows = new Map(transactions.map((row) => [row.id, row]));
  all.push(...zoneIssues(listNearNewYear(all, rules, (id) => rows.get(id))));
  return { facts: all, lots };
}

export function viewOfFacts(facts: readonly Fact[], open: readonly Lot[]): View {
  const washes = facts.filter((fact) => fact.kind === 'wash');
  const permanent = Map.groupBy(
    washes.filter((wash) => wash.permanent),
    (wash) => wash.disposalId,
  );
  const disposals = facts.filter((fact) => fact.kind === 'disposal');
  const lines = buildLines(disposals, washes).map(({ disposal, code, adjustment, gain }) => ({
    key: lineKey(disposalWith(disposal, { code })),
    amounts: [
      count(disposal.quantity),
      ...[disposal.proceeds, disposal.basis, adjustment].map(cash),
      sum((permanent.get(disposal.id) ?? []).map((wash) => cash(wash.disallowed))),
      cash(gain),
      ...(disposal.fundValue === undefined ? [] : [cash(disposal.fundValue)]),
    ],
  }));
  const gifts = facts
    .filter((fact) => fact.kind === 'gift')
    .map((gift) => ({
      key: giftKey({ ...gift, isValued: gift.value !== null }),
      amounts: [count(gift.quantity), cash(gift.basis), cash(gift.value ?? (0n as Cents))],
    }));
  const issues = facts.flatMap((fact) =>
    fact.kind === 'issue' ? namedIn(fact).map((transaction) => `${transaction} ${fact.issue}`) : [],
  );
  const lots = open.map((lot) => ({ key: lotKey(lot), amounts: [count(lot.quantity), cash(lot.basis)] }));
  return {
    lines: summed(lines),
    lots: summed(lots),
    years: summed(yearsOfEngine(facts)),
    gifts: summed(gifts),
    issues: [...new Set(issues)].sort(),
  };
}

/**
 * Returns the transactions of an issue. Most issues are about their first transaction, and these are about all
 * transactions that they name.
 */
function namedIn({ issue, transactions, on, asset }: Issue): readonly string[] {
  if (issue === 'class_unknown') return [`${yearOfDay(on)} ${asset}`];
  return issue === 'straddle_suspected' || issue === 'tax_year_by_zone' ? transactions : transactions.slice(0, 1);
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
> & { readonly box: Box; readonly code: string };

function lineKey(line: Keyed): string {
  const dates = line.inherited ? 'inherited' : `${formatDay(line.acquired)} (${formatDay(line.heldSince)})`;
  const marks = `${line.shortSale ? ' short sale' : ''}${line.expired === null ? '' : ` expired ${line.expired}`}`;
  const days = `${dates} → ${formatDay(line.sold)} in ${yearOfDay(line.on)}`;
  const cells = `${line.term} ${line.box}${line.code === '' ? '' : ` ${line.code}`}`;
  return `${line.saleId} ${line.account} ${line.asset} ${days} ${cells}${marks}`;
}

type KeyedGift = Pick<
  OracleGift,
  'transactionId' | 'type' | 'on' | 'asset' | 'account' | 'acquired' | 'heldSince' | 'inherited' | 'basisUnknown'
> & { readonly isValued: boolean };

function giftKey(gift: KeyedGift): string {
  const dates = gift.inherited ? 'inherited' : `${formatDay(gift.acquired)} (${formatDay(gift.heldSince)})`;
  const marks = `${gift.basisUnknown ? ' unknown' : ''}${gift.isValued ? '' : ' without a value'}`;
  return `${gift.transactionId} ${gift.type} ${gift.account} ${gift.asset} ${dates} → ${formatDay(gift.on)}${marks}`;
}

function lotKey(lot: Pick<Lot, 'account' | 'asset' | 'acquired' | 'heldSince' | 'inherited'>): string {
  const dates = lot.inherited ? 'inherited' : `${formatDay(lot.acquired)} (${formatDay(lot.heldSince)})`;
  return `${lot.account} ${lot.asset} ${dates}`;
}

/** Returns the keys of each book: those that a transaction or a form's asset name links. */
export function bookKeys(transactions: readonly Transaction[], formNames?: FormAssetNames): Set<string>[] {
  const books = new Map<string, Set<string>>();
  const bookOf = (key: string): Set<string> => {
    const known = books.get(key) ?? new Set([key]);
    books.set(key, known);
    return known;
  };
  const join = (a: string, b: string): void => {
    const joined = new Set([...bookOf(a), ...bookOf(b)]);
    for (const key of joined) books.set(key, joined);
  };
  for (const transaction of transactions) {
    for (const key of listAssetKeys(transaction)) bookOf(key);
    for (const [a, b] of listAssetLinks(transaction)) join(a, b);
  }
  for (const [a, b] of linksOfFormNames(formNames)) join(a, b);
  return [...new Set(books.values())];
}
