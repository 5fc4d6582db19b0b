import { type Day, formatDay } from '../../base/day.ts';
import { centsToMoney, formatMoney, formatQuantity, type Quantity, zeroMoney } from '../../base/decimal.ts';
import { Refusal } from '../../base/refusal.ts';
import { universalAccount } from '../../engine/book/own-accounts.ts';
import { resolveAssetClass } from '../../engine/events/classes.ts';
import { withoutReversed } from '../../engine/events/corrections.ts';
import { isCurrencyKey, toAssetKey } from '../../engine/events/keys.ts';
import { toBookName } from '../../engine/events/same-assets.ts';
import { type AssetClass, assetClasses, type Line, type Rules } from '../../engine/model.ts';
import { emptyBook, openLots } from '../../engine/replay.ts';
import { buildLines } from '../../engine/rules/year/year.ts';
import { unstatedMembers } from '../../engine/unstated-members.ts';
import type { PlannedResult, SaleRequest } from '../../features/answers/messages/view.ts';
import { totalsOfLines } from '../../features/answers/messages/words.ts';
import { type ParsedSale, parseSales, transactionOfSale } from '../../features/gains/planning/sales.ts';
import { bookOn, type SimulatedBook, simulate } from '../../features/gains/planning/simulation.ts';
import { buildLedger } from './book-ledger.ts';
import type { FileHistory } from './history.ts';
import { type BookRows, splitIntoBooks } from './partition.ts';
import type { PriceTable } from './prices.ts';
import { findProposedRows } from './proposed-rows.ts';
import { computeRanks, rowsInOrder } from './row-order.ts';

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
export function planSalesFromFiles(
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
