import type { Day } from '../../base/day.ts';
import { formatQuantity, type Money, type Quantity } from '../../base/decimal.ts';
import type { Sql } from '../../db/connection.ts';
import { resolveAssetClass } from '../../engine/events/classes.ts';
import { assetKeyOf } from '../../engine/events/keys.ts';
import { type AssetClass, assetClasses, type Lot, type Rules } from '../../engine/model.ts';
import { openLots } from '../../engine/replay.ts';
import { selectBooks } from '../books/queries.ts';
import { selectKnownKeys, selectMentions } from './queries.ts';
import { refuseIfWrong, type SaleRead, transactionOfSale } from './sales.ts';
import { bookOn, openStage, type Stage, type SupposedSale } from './simulate.ts';
import { type UnitValue, unitValues, worthOf } from './valuation.ts';

/** Sales with all that the books say about them, by the book that each moves. */
export interface Found {
  readonly stages: readonly { readonly stage: Stage; readonly sales: readonly SupposedSale[] }[];
  readonly sales: readonly FoundSale[];
}

export interface FoundSale {
  readonly sale: SaleRead;
  readonly supposed: SupposedSale;
  readonly held: Quantity;
  readonly valuedBy: UnitValue | null;
}

/** Looks up book, class, account and value of each sale; what the books do not say unmistakably is asked for. */
export async function findSales(
  sql: Sql,
  taxpayerId: string,
  sales: readonly SaleRead[],
  rules: Rules,
): Promise<Found> {
  const members = Map.groupBy(await selectBooks(sql, taxpayerId), (row) => row.book);
  const bookOfKey = new Map([...members].flatMap(([book, rows]) => rows.map((row) => [row.asset_key, book] as const)));
  const keyed = await Promise.all(sales.map((sale) => keyOf(sql, taxpayerId, sale, rules)));
  const books = Map.groupBy(keyed, ({ key }) => bookOfKey.get(key) ?? key);
  const stages: { stage: Stage; sales: SupposedSale[] }[] = [];
  const found: FoundSale[] = [];
  for (const [book, own] of books) {
    const from = Math.min(...own.map(({ sale }) => sale.on)) as Day;
    const keys = members.get(book)?.map((row) => row.asset_key) ?? [book];
    const stage = await openStage(sql, { taxpayerId, book }, keys, from, rules);
    const settled: FoundSale[] = [];
    for (const one of own) settled.push(await settle(sql, taxpayerId, stage, one, rules));
    stages.push({ stage, sales: settled.map(({ supposed }) => supposed) });
    found.push(...settled);
  }
  found.sort((a, b) => a.sale.at - b.sale.at);
  refuseIfWrong(methodsAtOdds(found));
  return { stages, sales: found };
}

interface Keyed {
  readonly sale: SaleRead;
  readonly key: string;
}

/** A coin and a stock may share a name: the one that the books know is meant, both is a question. */
async function keyOf(sql: Sql, taxpayerId: string, sale: SaleRead, rules: Rules): Promise<Keyed> {
  const { asset, account, assetClass } = sale.asked;
  if (assetClass !== undefined) return { sale, key: assetKeyOf(asset, assetClass) };
  const all = [...new Set(assetClasses.map((one) => assetKeyOf(asset, one)))];
  const known = await selectKnownKeys(sql, taxpayerId, all);
  const [first] = known;
  if (known.length > 1) {
    const detail = `The books hold more than one ${asset}: state assetClass.`;
    refuseIfWrong([{ pointer: `/sales/${sale.at}/assetClass`, code: 'ambiguous', detail }]);
  }
  const elected = account === undefined ? null : (rules.accounts[account]?.assetClass ?? null);
  return {
    sale,
    key: first ?? assetKeyOf(asset, resolveAssetClass({ type: 'sell', asset, assetClass: null }, elected, null)),
  };
}

async function settle(
  sql: Sql,
  taxpayerId: string,
  stage: Stage,
  { sale, key }: Keyed,
  rules: Rules,
): Promise<FoundSale> {
  const { asset } = sale.asked;
  const lots = openLots(bookOn(stage, sale.on, rules)).filter((lot) => assetKeyOf(lot.asset, lot.assetClass) === key);
  const mention = await selectMentions(sql, taxpayerId, key);
  const account = sale.asked.account ?? accountOf(sale, lots) ?? mention?.account ?? '';
  const assetClass = sale.asked.assetClass ?? lots[0]?.assetClass ?? classOf(key, asset, mention?.asset_class);
  const value =
    sale.amount === null ? (await unitValues(sql, taxpayerId, [{ key, asset }], sale.on)).get(key) : undefined;
  if (sale.amount === null && value === undefined) {
    const detail = `Nothing in the books says what ${asset} is worth: state the amount or the price.`;
    refuseIfWrong([{ pointer: `/sales/${sale.at}/amount`, code: 'required', detail }]);
  }
  const amount = sale.amount ?? (value === undefined ? (0n as Money) : worthOf(value, sale.quantity));
  const transaction = transactionOfSale(sale, { account, assetClass, amount });
  const reachable = lots.filter((lot) => lot.account === account || lot.account === universal);
  return {
    sale,
    supposed: { transaction, method: sale.asked.method ?? null },
    held: reachable.reduce((sum, lot) => sum + lot.quantity, 0n) as Quantity,
    valuedBy: value ?? null,
  };
}

const universal = 'UNIVERSAL';

/** The one account that holds it; several are a question, for lots lie in accounts (26 CFR 1.1012-1(c)(1), (j)). */
function accountOf(sale: SaleRead, lots: readonly Lot[]): string | undefined {
  const accounts = [...new Set(lots.map((lot) => lot.account))].filter(
    (name) => name !== universal && name !== onTheWay,
  );
  if (accounts.length > 1) {
    const held = accounts.map((name) => `${name} (${formatQuantity(unitsIn(lots, name))})`).join(', ');
    const detail = `${sale.asked.asset} is held in ${held}: state which one sells.`;
    refuseIfWrong([{ pointer: `/sales/${sale.at}/account`, code: 'ambiguous', detail }]);
  }
  return accounts[0];
}

const onTheWay = 'IN TRANSIT';

function unitsIn(lots: readonly Lot[], account: string): Quantity {
  return lots.reduce((sum, lot) => (lot.account === account ? sum + lot.quantity : sum), 0n) as Quantity;
}

function classOf(key: string, asset: string, mentioned: AssetClass | undefined): AssetClass {
  if (mentioned !== undefined && assetKeyOf(asset, mentioned) === key) return mentioned;
  return assetClasses.find((one) => assetKeyOf(asset, one) === key) ?? 'stock';
}

/** A method holds for a day of an account and asset: two of them there are no answer. */
function methodsAtOdds(found: readonly FoundSale[]) {
  const stated = new Map<string, FoundSale>();
  return found.flatMap((one) => {
    const { transaction, method } = one.supposed;
    const place = JSON.stringify([transaction.on, transaction.account, transaction.asset]);
    const other = stated.get(place) ?? one;
    stated.set(place, other);
    if (other.supposed.method === method) return [];
    const detail = `Sale ${other.sale.at + 1} sells the same that day from the same account by another method.`;
    return [{ pointer: `/sales/${one.sale.at}/method`, code: 'invalid', detail }];
  });
}
