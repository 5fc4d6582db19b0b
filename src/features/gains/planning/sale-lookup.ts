import type { Day } from '../../../base/day.ts';
import { formatQuantity, type Money, type Quantity } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import { transitAccount, universalAccount } from '../../../engine/book/own-accounts.ts';
import { resolveAssetClass } from '../../../engine/events/classes.ts';
import { isCurrencyKey, toAssetKey } from '../../../engine/events/keys.ts';
import { toBookName } from '../../../engine/events/same-assets.ts';
import { type AssetClass, assetClasses, type Lot, type Rules } from '../../../engine/model.ts';
import { openLots } from '../../../engine/replay.ts';
import { unstatedMembers } from '../../../engine/unstated-members.ts';
import { selectBooks } from '../../ledger/books/books.queries.ts';
import { selectLatestUse, selectStoredKeys } from './planning.queries.ts';
import { type ParsedSale, refuseIfInvalid, transactionOfSale } from './sales.ts';
import { bookOn, type HypotheticalSale, openSimulatedBook, type SimulatedBook } from './simulation.ts';
import { computeWorth, type UnitValue, unitValues } from './valuation.ts';

/** Planned sales with the values that the books supply, grouped by book. */
export interface ResolvedSales {
  readonly opened: readonly { readonly book: SimulatedBook; readonly sales: readonly HypotheticalSale[] }[];
  readonly sales: readonly ResolvedSale[];
}

export interface ResolvedSale {
  readonly sale: ParsedSale;
  readonly hypothetical: HypotheticalSale;
  readonly held: Quantity;
  readonly valuedBy: UnitValue | null;
}

/**
 * Looks up the book, asset class, account and value of each sale. Refuses a sale if one of them is missing or
 * ambiguous.
 */
export async function findSales(
  sql: Sql,
  taxpayerId: string,
  sales: readonly ParsedSale[],
  rules: Rules,
): Promise<ResolvedSales> {
  const members = Map.groupBy(await selectBooks(sql, taxpayerId), (row) => row.book);
  const bookOfKey = new Map([...members].flatMap(([book, rows]) => rows.map((row) => [row.asset_key, book] as const)));
  const named = sales.map((sale) => {
    return { ...sale, asked: { ...sale.asked, asset: toBookName(sale.asked.asset, rules.assets) } };
  });
  const keyed = await Promise.all(named.map((sale) => findSaleKey(sql, taxpayerId, sale, rules)));
  const books = Map.groupBy(keyed, ({ key }) => bookOfKey.get(key) ?? key);
  const opened: { book: SimulatedBook; sales: HypotheticalSale[] }[] = [];
  const resolvedSales: ResolvedSale[] = [];
  for (const [book, own] of books) {
    const from = Math.min(...own.map(({ sale }) => sale.on)) as Day;
    const keys = members.get(book)?.map((row) => row.asset_key) ?? [book];
    const openedBook = await openSimulatedBook(sql, { taxpayerId, book }, keys, from, rules);
    const completed: ResolvedSale[] = [];
    for (const one of own) completed.push(await completeSale(sql, taxpayerId, openedBook, one, rules));
    opened.push({ book: openedBook, sales: completed.map(({ hypothetical }) => hypothetical) });
    resolvedSales.push(...completed);
  }
  resolvedSales.sort((a, b) => a.sale.at - b.sale.at);
  refuseIfInvalid(conflictingMethods(resolvedSales));
  return { opened, sales: resolvedSales };
}

interface KeyedSale {
  readonly sale: ParsedSale;
  readonly key: string;
}

/**
 * Returns the asset key of a sale. A coin and a stock may share a name. If the books contain both, the request must
 * name the class.
 */
async function findSaleKey(sql: Sql, taxpayerId: string, sale: ParsedSale, rules: Rules): Promise<KeyedSale> {
  const { asset, account, assetClass } = sale.asked;
  if (assetClass !== undefined) return { sale, key: toAssetKey(asset, assetClass) };
  const all = [...new Set(assetClasses.map((one) => toAssetKey(asset, one)))];
  const known = await selectStoredKeys(sql, taxpayerId, all);
  const [first] = known;
  if (known.length > 1) {
    const detail = `Your books contain more than one asset named ${asset}. Set assetClass.`;
    refuseIfInvalid([{ pointer: `/sales/${sale.at}/assetClass`, code: 'ambiguous', detail }]);
  }
  const unclassified = { ...unstatedMembers, type: 'sell', asset, account: account ?? '' } as const;
  return { sale, key: first ?? toAssetKey(asset, resolveAssetClass(unclassified, rules, null)) };
}

async function completeSale(
  sql: Sql,
  taxpayerId: string,
  book: SimulatedBook,
  { sale, key }: KeyedSale,
  rules: Rules,
): Promise<ResolvedSale> {
  const { asset } = sale.asked;
  if (isCurrencyKey(key)) {
    const detail = `${asset} is a currency. Its gain is ordinary income and not reported on Form 8949 (IRC 988(a)(1)).`;
    refuseIfInvalid([{ pointer: `/sales/${sale.at}/asset`, code: 'invalid', detail }]);
  }
  const lots = openLots(bookOn(book, sale.on, rules)).filter((lot) => toAssetKey(lot.asset, lot.assetClass) === key);
  const latest = await selectLatestUse(sql, taxpayerId, key);
  const account = sale.asked.account ?? findOnlyAccount(sale, lots) ?? latest?.account ?? '';
  const assetClass = sale.asked.assetClass ?? lots[0]?.assetClass ?? findAssetClass(key, asset, latest?.asset_class);
  const value =
    sale.amount === null ? (await unitValues(sql, taxpayerId, [{ key, asset }], sale.on)).get(key) : undefined;
  if (sale.amount === null && value === undefined) {
    const detail = `No price is known for ${asset}. Enter the amount or the price.`;
    refuseIfInvalid([{ pointer: `/sales/${sale.at}/amount`, code: 'required', detail }]);
  }
  const amount = sale.amount ?? (value === undefined ? (0n as Money) : computeWorth(value, sale.quantity));
  const transaction = transactionOfSale(sale, { account, assetClass, amount });
  const reachable = lots.filter((lot) => lot.account === account || lot.account === universalAccount);
  return {
    sale,
    hypothetical: { transaction, method: sale.asked.method ?? null },
    held: reachable.reduce((sum, lot) => sum + lot.quantity, 0n) as Quantity,
    valuedBy: value ?? null,
  };
}

/**
 * Returns the only account that holds the asset. If several accounts hold it, the request must name one, because lots
 * belong to accounts (26 CFR 1.1012-1(c)(1), (j)).
 */
function findOnlyAccount(sale: ParsedSale, lots: readonly Lot[]): string | undefined {
  const accounts = [...new Set(lots.map((lot) => lot.account))].filter(
    (name) => name !== universalAccount && name !== transitAccount,
  );
  if (accounts.length > 1) {
    const held = accounts.map((name) => `${name} (${formatQuantity(sumUnits(lots, name))})`).join(', ');
    const detail = `Several accounts hold ${sale.asked.asset}: ${held}. Set the account to sell from.`;
    refuseIfInvalid([{ pointer: `/sales/${sale.at}/account`, code: 'ambiguous', detail }]);
  }
  return accounts[0];
}

function sumUnits(lots: readonly Lot[], account: string): Quantity {
  return lots.reduce((sum, lot) => (lot.account === account ? sum + lot.quantity : sum), 0n) as Quantity;
}

function findAssetClass(key: string, asset: string, latest: AssetClass | undefined): AssetClass {
  if (latest !== undefined && toAssetKey(asset, latest) === key) return latest;
  return assetClasses.find((one) => toAssetKey(asset, one) === key) ?? 'stock';
}

/**
 * Returns an error for each sale whose lot method conflicts with the lot method of another sale. A lot method applies
 * to a day, account and asset.
 */
function conflictingMethods(resolvedSales: readonly ResolvedSale[]) {
  const stated = new Map<string, ResolvedSale>();
  return resolvedSales.flatMap((one) => {
    const { transaction, method } = one.hypothetical;
    const saleKey = JSON.stringify([transaction.on, transaction.account, transaction.asset]);
    const other = stated.get(saleKey) ?? one;
    stated.set(saleKey, other);
    if (other.hypothetical.method === method) return [];
    const detail = `Sale ${other.sale.at + 1} sells the same asset on the same day from the same account with another method. Use one method for both.`;
    return [{ pointer: `/sales/${one.sale.at}/method`, code: 'invalid', detail }];
  });
}
