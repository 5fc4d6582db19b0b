import { type Day, parseDay } from '../../../src/base/day.ts';
import { assetKeysOf } from '../../../src/engine/events/keys.ts';
import type { Term, Transaction } from '../../../src/engine/model.ts';
import {
  cents,
  dollars,
  Exact,
  isLongTerm,
  lastOfDecember,
  least,
  nothing,
  sum,
  units,
  yearOfDay,
} from '../numbers.ts';
import { dayOfExpiry, optionOf } from '../rules/options/option.ts';
import { familyOf } from '../state.ts';

/** How a row of a form meets the history, where that is not by sales of its own day. */
export interface FormSale {
  /** Of its units, how many sales of each day are. Its own day comes first. */
  readonly days: readonly { readonly on: Day; readonly quantity: Exact }[];
  /**
   * It is no sale beside those of the history: stated twice, sold in another account, a short that is still open, or the
   * end of a written option that lapses for want of another row.
   */
  readonly nowhere: 'twice' | 'other account' | 'still open' | 'lapses' | null;
}

/** A sale of the history, or what ends a short. */
interface Sale {
  readonly row: Transaction;
  readonly on: Day;
  readonly known: Exact | null;
  free: Exact;
}

interface Shown {
  readonly row: Transaction;
  readonly quantity: Exact;
  readonly met: Map<Day, Exact>;
  nowhere: FormSale['nowhere'];
}

/**
 * One sale is one row of Form 8949, whatever day a form dates it by: that of settlement or, of a short, that of the
 * opening. Rows that find all their units on their own day are left out.
 */
export function formSales(history: readonly Transaction[]): {
  readonly forms: Map<string, FormSale>;
  /** Rows that no sale of the history explains. */
  readonly unmet: Set<string>;
} {
  const sales = history.flatMap(saleOf);
  const rows = shownIn(history);
  const openings = history
    .filter((row) => (row.type === 'short_sell' || row.type === 'sell_to_open') && (row.amount ?? 0n) >= 0n)
    .map((row) => ({ row, free: units(row.quantity) }));
  const of = (shown: Shown): Sale[] =>
    sales.filter((sale) => isOf(sale, shown.row) && [shown.row.account, ''].includes(sale.row.account));
  for (const shown of rows) for (const sale of of(shown)) if (sale.on === shown.row.on) meet(shown, sale);
  const waiting = rows.filter((shown) => missing(shown).gt(0));
  for (const shown of waiting) {
    const near = of(shown).filter((sale) => gap(sale, shown.row) <= 5 || isWorthlessIn(sale, shown.row));
    if (meetAll(shown, nearestFirst(near, shown.row)) || shown.met.size > 0) continue;
    const [opening] = openings
      .filter(
        ({ row, free }) => row.account === shown.row.account && sameAsset(row, shown.row) && free.gte(missing(shown)),
      )
      .filter(({ row }) => Math.abs(row.on - shown.row.on) <= 5)
      .sort((a, b) => Math.abs(a.row.on - shown.row.on) - Math.abs(b.row.on - shown.row.on) || inOrder(a.row, b.row));
    if (opening === undefined) continue;
    opening.free = opening.free.minus(missing(shown));
    const closings = of(shown).filter((sale) => endsShort(sale.row) && sale.on >= opening.row.on);
    if (
      !meetAll(
        shown,
        closings.sort((a, b) => a.on - b.on || inOrder(a.row, b.row)),
      )
    )
      shown.nowhere = 'still open';
  }
  for (const shown of waiting) {
    if (shown.met.size > 0 || shown.nowhere !== null) continue;
    const own = history.filter((row) => row.account === shown.row.account && sameAsset(row, shown.row));
    const written = own.filter((row) => row.type === 'sell_to_open');
    const ended = own.filter((row) => ['buy_to_close', 'expire', 'assign'].includes(row.type));
    if (ended.some((row) => row.quantity === null)) continue;
    const others = waiting.filter((one) => one.nowhere === 'lapses' && sameAsset(one.row, shown.row));
    const claimed = others.filter(({ row }) => row.account === shown.row.account).map(({ quantity }) => quantity);
    const left = sum(written.map((row) => units(row.quantity)))
      .minus(sum(ended.map((row) => units(row.quantity))))
      .minus(sum(claimed));
    const isWrittenBefore = written.some(
      (row) => row.on <= shown.row.on && (row.quantity ?? 0n) > 0n && (row.amount ?? 0n) >= 0n,
    );
    if (isWrittenBefore && left.gte(shown.quantity)) shown.nowhere = 'lapses';
  }
  const lost = (): Shown[] => waiting.filter((shown) => shown.met.size === 0 && shown.nowhere === null);
  for (const shown of lost())
    if (rows.some((other) => other.met.size > 0 && isEqual(other, shown))) shown.nowhere = 'twice';
  for (const shown of lost()) {
    const [sale] = nearestFirst(
      sales.filter(
        (one) =>
          isOf(one, shown.row) &&
          one.row.account !== shown.row.account &&
          one.known?.equals(shown.quantity) === true &&
          one.free.equals(shown.quantity) &&
          (gap(one, shown.row) <= 5 || isWorthlessIn(one, shown.row)) &&
          brought(one.row).some((amount) =>
            amount
              .minus(cents(dollars(shown.row.amount)))
              .abs()
              .lte(1),
          ),
      ),
      shown.row,
    );
    if (sale === undefined || shown.row.amount === null) continue;
    sale.free = nothing;
    shown.nowhere = 'other account';
  }
  const forms = waiting
    .filter((shown) => shown.nowhere !== null || [...shown.met.keys()].some((on) => on !== shown.row.on))
    .map((shown) => [shown.row.id, { days: daysOf(shown), nowhere: shown.nowhere }] as const);
  return { forms: new Map(forms), unmet: new Set(lost().map(({ row }) => row.id)) };
}

/**
 * The rows of forms that alone state a purchase, because their account has no other rows of the asset: they count as
 * bought on their day of acquisition, if something else was sold near it (IRC 1091(a)). `unmet`: rows that no sale of the
 * history explains.
 */
export function formPurchases(history: readonly Transaction[], unmet: (row: Transaction) => boolean): Set<string> {
  const sold = history.flatMap((row) =>
    row.type === 'reported_sale' && (row.quantity ?? 0n) > 0n
      ? [{ row, on: row.on, purchase: row.acquired === null ? row.id : listedPurchase(row.account, row.acquired) }]
      : row.type === 'reported_sale'
        ? []
        : saleOf(row).map(({ on }) => ({ row, on, purchase: row.id })),
  );
  const alone = history.filter((row) => {
    const { acquired } = row;
    if (row.type !== 'reported_sale' || (row.quantity ?? 0n) <= 0n || acquired === null || !unmet(row)) return false;
    if (!statesPurchase(row) || history.some((other) => other.on <= row.on && movesLots(other, row))) return false;
    return sold.some(
      (sale) =>
        Math.abs(sale.on - acquired) <= 30 &&
        sale.purchase !== listedPurchase(row.account, acquired) &&
        isOf({ row: sale.row } as Sale, row),
    );
  });
  return new Set(alone.map(({ id }) => id));
}

/** A list names no orders: what an account acquired of an asset on one day is one purchase. */
export function listedPurchase(account: string, acquired: Day): string {
  return `listed: ${account} ${acquired}`;
}

/** A list of open lots dates each by its purchase. */
export function isListedLot({ type, on, acquired }: Transaction): boolean {
  return type === 'opening_lot' && acquired === on;
}

function statesPurchase(row: Transaction): boolean {
  const { acquired, on, wash, basis, amount, assetClass } = row;
  const inDollars = row.currency === '' || row.currency === 'USD';
  if (!['stock', 'fund', 'bond'].includes(assetClass) || !inDollars || basis === null || amount === null) return false;
  if (acquired === null || acquired > on || (wash ?? 0n) > 0n) return false;
  const term = termOnForm(row);
  return term === null || (term === 'long') === isLongTerm(acquired, on);
}

function movesLots(other: Transaction, row: Transaction): boolean {
  const still = ['reported_sale', 'reported_total', 'withholding', 'capital_gain_distribution', 'currency_gain'];
  if (still.includes(other.type) || isListedLot(other)) return false;
  if (![row.account, ''].includes(other.account) && other.toAccount !== row.account) return false;
  return assetKeysOf(other).includes(assetKeysOf(row)[0] ?? '');
}

/** Whether a book cannot be closed for good on a day: a form's row and what it meets may lie on both sides of it. */
export function isBetweenForms(history: readonly Transaction[], on: Day): boolean {
  return shownIn(history).some(({ row, quantity }) => {
    if (quantity.lte(soldOn(history, row, row.on))) return false;
    if (statesPurchase(row) && on <= Math.max(row.on, (row.acquired ?? row.on) + 30)) return true;
    if (Math.abs(on - row.on) <= 12) return true;
    if (history.some((other) => sameAsset(other, row) && other.type === 'sell_to_open' && other.on <= on)) return true;
    const ends = history.filter((other) => sameAsset(other, row) && (endsShort(other) || other.type === 'worthless'));
    const last = Math.max(row.on, ...ends.map((other) => lastOfDecember(other.on)));
    const opened = history.some(
      (other) => sameAsset(other, row) && isOpening(other) && Math.abs(other.on - row.on) <= 5,
    );
    return on >= row.on - 12 && (opened || on < last);
  });
}

function soldOn(history: readonly Transaction[], row: Transaction, on: Day): Exact {
  const own = history
    .flatMap(saleOf)
    .filter((sale) => sale.on === on && isOf(sale, row) && sale.row.account === row.account);
  return sum(own.map((sale) => sale.free)).minus(
    sum(
      history
        .filter((other) => other.type === 'reported_sale' && other.on === on && other.id !== row.id)
        .filter((other) => sameAsset(other, row) && other.account === row.account)
        .map((other) => units(other.quantity)),
    ),
  );
}

function shownIn(history: readonly Transaction[]): Shown[] {
  return history
    .filter(({ type, quantity }) => type === 'reported_sale' && (quantity ?? 0n) > 0n)
    .sort(inOrder)
    .map((row) => ({ row, quantity: units(row.quantity), met: new Map(), nowhere: null }));
}

function missing({ quantity, met }: Shown): Exact {
  return quantity.minus(sum([...met.values()]));
}

function meet(shown: Shown, sale: Sale): void {
  const quantity = least(sale.free, missing(shown));
  if (quantity.lte(0)) return;
  sale.free = sale.free.minus(quantity);
  shown.met.set(sale.on, (shown.met.get(sale.on) ?? nothing).plus(quantity));
}

/** All of what is missing or nothing. */
function meetAll(shown: Shown, sales: readonly Sale[]): boolean {
  if (sum(sales.map(({ free }) => free)).lt(missing(shown))) return false;
  for (const sale of sales) meet(shown, sale);
  return true;
}

function daysOf({ row, met }: Shown): FormSale['days'] {
  const all = [...met].map(([on, quantity]) => ({ on, quantity }));
  return [...all.filter(({ on }) => on === row.on), ...all.filter(({ on }) => on !== row.on)];
}

/** What leaves a line on Form 8949, by how many units it does so. A merger does so for whatever there is. */
function saleOf(row: Transaction): Sale[] {
  if ((row.amount ?? 0n) < 0n) return [];
  const sold = (known: Exact | null, on: Day = row.on): Sale[] =>
    known?.lte(0) === true ? [] : [{ row, on, known, free: known ?? new Exact('1e42') }];
  const quantity = row.quantity === null ? null : units(row.quantity);
  switch (row.type) {
    case 'sell':
    case 'sell_to_close':
    case 'trade':
    case 'spend':
    case 'cover':
    case 'buy_to_close':
      return sold(quantity ?? nothing);
    case 'expire':
      return sold(quantity, dayOfExpiry(row));
    case 'exercise':
    case 'assign':
      if (familyOf(row.assetClass) === 'contract') return sold(quantity, dayOfExpiry(row));
      return deliversStock(row) ? sold(deliveredBy(row), dayOfExpiry(row)) : [];
    case 'worthless':
      return familyOf(row.assetClass) === 'coin' || quantity === null ? [] : sold(quantity, lastOfDecember(row.on));
    case 'merger':
      return row.amount === null ? [] : sold(null);
    default:
      return [];
  }
}

export function deliversStock(row: Transaction): boolean {
  const { underlying, right } = optionOf(row);
  return underlying !== '' && right === (row.type === 'assign' ? 'call' : 'put');
}

/** A contract is on a hundred shares, if its row says nothing else. */
export function deliveredBy({ shares, quantity }: Transaction): Exact {
  return shares === null ? units(quantity).times(100) : units(shares);
}

function isOf({ row }: Sale, form: Transaction): boolean {
  const delivers = ['exercise', 'assign'].includes(row.type) && familyOf(row.assetClass) !== 'contract';
  return delivers
    ? optionOf(row).underlying === form.asset && familyOf(form.assetClass) === 'security'
    : sameAsset(row, form);
}

function sameAsset(a: Transaction, b: Transaction): boolean {
  return a.asset === b.asset && familyOf(a.assetClass) === familyOf(b.assetClass);
}

function isOpening({ type }: Transaction): boolean {
  return type === 'short_sell' || type === 'sell_to_open';
}

function endsShort({ type, assetClass }: Transaction): boolean {
  if (type === 'exercise' || type === 'assign') return familyOf(assetClass) === 'contract';
  return type === 'cover' || type === 'buy_to_close' || type === 'expire';
}

/** The days by which a form may date it are its own and, of an expiry recorded later, that of the expiry. */
function gap({ row }: Sale, form: Transaction): number {
  const [, expires = ''] = /^.+ (\d{4}-\d{2}-\d{2}) [CP] [\d.]+$/.exec(row.asset) ?? [];
  const expiry = parseDay(expires);
  const ends = ['expire', 'exercise', 'assign'].includes(row.type);
  const late = ends && expiry !== undefined && expiry < row.on && row.on - expiry <= 7;
  return Math.min(Math.abs(row.on - form.on), late ? Math.abs(expiry - form.on) : Number.POSITIVE_INFINITY);
}

/** "On the last day of the taxable year" (IRC 165(g)): a broker dates the removal. */
function isWorthlessIn({ row }: Sale, form: Transaction): boolean {
  return row.type === 'worthless' && yearOfDay(row.on) === yearOfDay(form.on);
}

function brought(row: Transaction): Exact[] {
  if (!['sell', 'sell_to_close', 'trade', 'spend', 'exercise', 'assign'].includes(row.type)) return [];
  if (row.amount === null || (row.currency !== '' && row.currency !== 'USD')) return [];
  if (familyOf(row.assetClass) === 'contract' && ['exercise', 'assign'].includes(row.type)) return [];
  const fee = dollars(row.fee).minus(dollars(row.feeOwn));
  return [dollars(row.amount), dollars(row.amount).minus(fee)].map(cents);
}

function isEqual(a: Shown, b: Shown): boolean {
  return (
    a.row.account === b.row.account &&
    sameAsset(a.row, b.row) &&
    a.row.on === b.row.on &&
    a.quantity.equals(b.quantity) &&
    a.row.amount === b.row.amount
  );
}

function nearestFirst(sales: readonly Sale[], form: Transaction): Sale[] {
  return [...sales].sort((a, b) => gap(a, form) - gap(b, form) || a.on - b.on || inOrder(a.row, b.row));
}

function inOrder(a: Transaction, b: Transaction): number {
  return a.on - b.on || a.line - b.line || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** A form's boxes are of a term each, if nothing else on it says one. */
export function termOnForm({ term, box }: Pick<Transaction, 'term' | 'box'>): Term | null {
  if (term !== null || box === null) return term;
  if ('ABGH'.includes(box)) return 'short';
  return 'DEJK'.includes(box) ? 'long' : null;
}
