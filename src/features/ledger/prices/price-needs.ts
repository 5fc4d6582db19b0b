import { type Day, formatDay } from '../../../base/day.ts';
import { formatMoney, formatQuantity, type Money, priceTimesQuantity, type Quantity } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import { classifyAssets, isContract1256 } from '../../../engine/events/classes.ts';
import { isForeign, withoutForeignReversed } from '../../../engine/events/corrections.ts';
import type { AssetClass, Transaction } from '../../../engine/model.ts';
import { membersOfKind } from '../../../engine/statement-members.ts';
import { rowOf, typesWhere } from '../../../engine/transaction-types.ts';
import { isCurrency } from '../../../formats/cells/currencies.ts';
import { readRestatements, restate, setValues } from '../transactions/resolutions.ts';
import { toTransaction } from '../transactions/rows.ts';
import { getBasisRateDay, getRateDay } from './foreign-settlement.ts';
import { selectIssueRowIds, selectToValue, selectValuations } from './prices.queries.ts';
import type { PricedKind } from './sources.ts';

/** The use of a price: to convert the currency of the amounts or the basis, or to supply a missing amount. */
const figures = ['currency', 'basis', 'received', 'amount', 'fee', 'fmv'] as const;
export type Figure = (typeof figures)[number];

/** A price that is needed to convert a transaction to dollars. */
export interface PriceNeed {
  readonly figure: Figure;
  readonly asset: string;
  /** Null if no provider has prices for the asset. */
  readonly kind: PricedKind | null;
  readonly day: Day;
  /** The maximum age of the price in days. Exchange rates are published only on business days. */
  readonly within: number;
}

/** Covers the longest run of holidays. */
const currencyDays = 7;

/** Returns the prices that are needed to convert a row to dollars. Empty if all its amounts are in dollars. */
export function listPriceNeeds(tx: Transaction): readonly PriceNeed[] {
  if (isStatedInFull(tx)) return none;
  const needs: PriceNeed[] = [];
  if (isForeign(tx)) {
    const rate = { asset: tx.currency, kind: 'currency' as const, within: currencyDays };
    if (hasStatedMoney(tx)) needs.push({ figure: 'currency', ...rate, day: getRateDay(tx) });
    // The basis is converted at the exchange rate on the day of payment.
    if (tx.basis !== null) needs.push({ figure: 'basis', ...rate, day: getBasisRateDay(tx) });
  }
  if (
    tx.amount === null &&
    rowOf(tx.type).marketValue === 'amount' &&
    tx.assetClass !== 'option' &&
    !isContract1256(tx.assetClass)
  ) {
    // The amount realized is the value received or, if that is unknown, the value given up (26 CFR 1.1001-7(b)(4)).
    if (tx.type === 'trade') addNeed('received', tx.receivedAsset, tx.receivedQuantity, classes().received);
    addNeed('amount', tx.asset, tx.quantity, classes().asset);
  }
  if (tx.fee === null) addNeed('fee', tx.feeAsset, tx.feeQuantity, classes().fee);
  if (tx.fmv === null && rowOf(tx.type).marketValue === 'fmv')
    addNeed('fmv', tx.asset, tx.quantity, classes().asset, tx.acquired ?? tx.on);
  return needs;

  function classes() {
    return classifyAssets(tx);
  }

  function addNeed(figure: Figure, asset: string, quantity: Quantity | null, of: AssetClass, day: Day = tx.on): void {
    if (asset === '' || asset === 'USD' || quantity === null || quantity <= 0n) return;
    if (isCurrency(asset)) needs.push({ figure, asset, kind: 'currency', day, within: currencyDays });
    else needs.push({ figure, asset, kind: toPricedKind(of), day, within: 0 });
  }
}

function toPricedKind(assetClass: AssetClass): PricedKind | null {
  if (assetClass === 'crypto') return 'coin';
  return assetClass === 'stock' || assetClass === 'fund' ? 'security' : null;
}

const none: readonly PriceNeed[] = [];

/**
 * Returns whether a row needs no price. Checked first, because it is true for nearly every row and a history may have a
 * million rows.
 */
function isStatedInFull(tx: Transaction): boolean {
  return (
    tx.currency === 'USD' &&
    tx.amount !== null &&
    (tx.fee !== null || tx.feeAsset === '') &&
    rowOf(tx.type).marketValue !== 'fmv'
  );
}

const moneys = membersOfKind('money');

function hasStatedMoney(tx: Transaction): boolean {
  return moneys.some((name) => name !== 'basis' && tx[name] !== null);
}

/** Returns what a price is needed for: `100.00 EUR paid for BTC`. */
export function describeUse(tx: Transaction, { figure, asset }: PriceNeed): string {
  const [received, fee] = [figure === 'received', figure === 'fee'];
  if (figure === 'currency' || figure === 'basis') {
    const sum = figure === 'basis' ? tx.basis : (tx.amount ?? tx.fee ?? tx.fmv);
    const verb = figure === 'basis' ? 'of cost' : (verbs[tx.type] ?? (tx.amount === null ? 'of fees' : ''));
    return [sum === null ? '' : formatMoney(sum), asset, verb, tx.asset === '' ? '' : `for ${tx.asset}`]
      .filter(Boolean)
      .join(' ');
  }
  const units = received ? tx.receivedQuantity : fee ? tx.feeQuantity : tx.quantity;
  return `${units === null ? '' : `${formatQuantity(units)} `}${asset}${fee ? ' of fees' : received ? ' received' : ''}`;
}

const verbs: Partial<Readonly<Record<Transaction['type'], string>>> = { buy: 'paid', sell: 'received' };

/** Returns the needs that are not met. The price of one side of a trade meets the need for the other side. */
export function withoutMet(needs: readonly PriceNeed[], met: ReadonlySet<Figure>): PriceNeed[] {
  const isTradeMet = met.has('received') || met.has('amount');
  return needs.filter(({ figure }) => !met.has(figure) && !(isTradeMet && isSideOfTrade(figure)));
}

/** Returns whether a price values a side of a trade: the asset given up or the asset received. */
function isSideOfTrade(figure: Figure): boolean {
  return figure === 'received' || figure === 'amount';
}

/** US dollars per unit, as a plain decimal. */
type UnitPrices = ReadonlyMap<Figure, string>;

/**
 * Converts a transaction to dollars, as far as prices are available. A figure without a price stays unknown. The engine
 * raises an issue for it and never treats it as zero.
 */
export function inDollars(tx: Transaction, prices: UnitPrices): Transaction {
  if (isForeign(tx) && mayPayNothing.has(tx.type) && !prices.has('currency')) return tx;
  const converted = isForeign(tx) ? convertToDollars(tx, prices) : tx;
  // If the fee cannot be converted, the amount after the fee is also unknown.
  const feeUnknown = tx.fee !== null && converted.fee === null;
  const amount = converted.amount ?? (feeUnknown ? null : (computeMarketValue(tx, prices) ?? null));
  const fee = converted.fee ?? times(prices.get('fee'), tx.feeQuantity);
  const fmv = converted.fmv ?? (tx.fmv === null ? times(prices.get('fmv'), tx.quantity) : null);
  return { ...converted, amount: tx.amount === null ? amount : converted.amount, fee, fmv };
}

/** Types whose missing amount means that nothing was paid. Without an exchange rate, such a row keeps its currency. */
const mayPayNothing = typesWhere(
  ({ lots, needs }) => (lots === 'changes' || lots === 'ends_option') && !needs.includes('amount'),
);

function convertToDollars(tx: Transaction, prices: UnitPrices): Transaction {
  const rate = prices.get('currency');
  const multiply = (price: string | undefined, money: Money | null): Money | null =>
    money === null || price === undefined ? null : (priceTimesQuantity(price, formatMoney(money)) ?? null);
  const converted = moneys.map((name) => [name, multiply(name === 'basis' ? prices.get('basis') : rate, tx[name])]);
  return { ...tx, currency: 'USD', ...(Object.fromEntries(converted) as Pick<Transaction, (typeof moneys)[number]>) };
}

function computeMarketValue(tx: Transaction, prices: UnitPrices): Money | null {
  const received = times(prices.get('received'), tx.receivedQuantity);
  if (received !== null) return received;
  // Units withheld as a fee did not buy anything.
  const withheld = tx.type === 'trade' && tx.feeAsset === tx.asset ? (tx.feeQuantity ?? 0n) : 0n;
  return times(prices.get('amount'), tx.quantity === null ? null : ((tx.quantity - withheld) as Quantity));
}

function times(price: string | undefined, quantity: Quantity | null): Money | null {
  if (price === undefined || quantity === null) return null;
  return priceTimesQuantity(price, formatQuantity(quantity)) ?? null;
}

/** A price that would value rows with open issues. */
interface NeededPrice {
  readonly asset: string;
  readonly day: string;
  /** The number of rows that the price would value. */
  readonly rows: number;
  /** Assets whose price for that day would also work: the other sides of the trades. */
  readonly alternatives: readonly string[];
  /** What the price values in one of its rows: `100.00 EUR paid for BTC`. */
  readonly use: string;
}

/** A row and its missing prices. */
interface UnvaluedRow {
  readonly transaction: Transaction;
  readonly needs: readonly PriceNeed[];
}

/** Returns the prices that open issues need, sorted by day and asset. */
export async function neededPrices(sql: Sql, taxpayerId: string): Promise<NeededPrice[]> {
  const issueRowIds = new Set(await selectIssueRowIds(sql, taxpayerId));
  const needed = new Map<string, Omit<NeededPrice, 'alternatives'> & { alternatives: Set<string> }>();
  for (const { transaction, needs } of await unvaluedRows(sql, taxpayerId)) {
    if (!issueRowIds.has(transaction.id)) continue;
    const sides = needs.filter(({ figure }) => isSideOfTrade(figure));
    for (const need of needs) {
      const day = formatDay(need.day);
      const use = describeUse(transaction, need);
      const name = `${day} ${need.asset}`;
      const known = needed.get(name) ?? { asset: need.asset, day, rows: 0, alternatives: new Set(), use };
      const others = isSideOfTrade(need.figure) ? sides.filter(({ asset }) => asset !== need.asset) : [];
      for (const { asset } of others) known.alternatives.add(asset);
      needed.set(name, { ...known, rows: known.rows + 1, use: use.localeCompare(known.use) < 0 ? use : known.use });
    }
  }
  return [...needed]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { alternatives, ...price }]) => ({ ...price, alternatives: [...alternatives].sort() }));
}

/** Returns the rows that still have no dollar amount after the taxpayer's answers, with their missing prices. */
export async function unvaluedRows(sql: Sql, taxpayerId: string): Promise<UnvaluedRow[]> {
  const rows = (await selectToValue(sql, taxpayerId, null)).map(toTransaction);
  if (rows.length === 0) return [];
  const restatements = await readRestatements(sql, taxpayerId);
  const stated = setValues(withoutForeignReversed(restate(rows, restatements)), restatements);
  const inNeed = stated.flatMap((transaction) => {
    const needs = listPriceNeeds(transaction);
    return needs.length === 0 ? [] : [{ transaction, needs }];
  });
  const ids = inNeed.map(({ transaction }) => transaction.id);
  const used = Map.groupBy(await selectValuations(sql, taxpayerId, ids), (row) => row.transaction_id);
  return inNeed.flatMap(({ transaction, needs }) => {
    const figures = new Set((used.get(transaction.id) ?? []).map((row) => row.figure as Figure));
    const unmet = withoutMet(needs, figures);
    return unmet.length === 0 ? [] : [{ transaction, needs: unmet }];
  });
}
