import { type Day, parseDay } from '../../../src/base/day.ts';
import type { Money } from '../../../src/base/decimal.ts';
import { listAssetKeys } from '../../../src/engine/events/keys.ts';
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

/** How a form row matches the history when the sales on its own day do not explain it. */
export interface FormSale {
  /** The units that match the sales of each day, starting with the form's own day. */
  readonly days: readonly { readonly on: Day; readonly quantity: Exact }[];
  /**
   * Set if the remaining units are not an extra sale in addition to the history: they are stated twice, sold in another
   * account, an open short, or a written option that lapses because no other row ends it. With `alike`, they are an
   * extra sale, although another account sold the same quantity.
   */
  readonly nowhere: 'twice' | 'other account' | 'still open' | 'lapses' | 'alike' | null;
}

/** A sale in the history, or an event that ends a short. */
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
 * Matches form rows with sales on other days. One sale is one row of Form 8949, even if a form dates it by settlement
 * or, for a short, by its opening. Form rows whose units were all sold on their own day are left out.
 */
export function formSales(history: readonly Transaction[]): {
  readonly forms: Map<string, FormSale>;
  /** Form rows that no sale in the history explains. */
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
  const lost = (): Shown[] => waiting.filter((shown) => shown.met.size === 0 && shown.nowhere === null);
  for (const shown of lost()) {
    const [run] = runsFor([shown], of(shown), false);
    if (run !== undefined) meetAll(shown, run);
  }
  for (const shown of waiting) if (shown.nowhere === null) lapse(shown, of(shown), waiting, history);
  for (const shown of lost())
    if (rows.some((other) => other.met.size > 0 && isEqual(other, shown))) shown.nowhere = 'twice';
  const elsewhere = ({ row }: Shown): Sale[] =>
    sales.filter((sale) => isOf(sale, row) && ![row.account, ''].includes(sale.row.account));
  for (const lacksFee of [false, true]) {
    for (const shown of lost()) takeElsewhere([shown], runsFor([shown], elsewhere(shown), lacksFee));
    const days = Map.groupBy(lost(), ({ row }) => JSON.stringify([row.account, row.on, listAssetKeys(row)[0]]));
    for (const own of days.values())
      if (own.length > 1) takeElsewhere(own, runsFor(own, elsewhere(own[0] as Shown), lacksFee));
    for (const shown of lost()) {
      const parts = elsewhere(shown).filter(
        (sale) =>
          sale.known !== null &&
          sale.free.gte(shown.quantity) &&
          isInReach(sale, shown.row, lacksFee ? 5 : 10) &&
          isForAsMuch([sale], [shown], lacksFee),
      );
      const [sale] = nearestFirst(parts, shown.row);
      if (sale === undefined) continue;
      sale.free = sale.free.minus(shown.quantity);
      shown.nowhere = 'other account';
    }
  }
  for (const shown of lost())
    if (rows.some((other) => other.met.size > 0 && isCopy(other, shown))) shown.nowhere = 'other account';
  const alone = new Set(lost().map(({ row }) => row.id));
  for (const shown of lost()) if (runsFor([shown], elsewhere(shown), null).length > 0) shown.nowhere = 'alike';
  const forms = waiting
    .filter((shown) => shown.nowhere !== null || [...shown.met.keys()].some((on) => on !== shown.row.on))
    .map((shown) => [shown.row.id, { days: daysOf(shown), nowhere: shown.nowhere }] as const);
  return { forms: new Map(forms), unmet: alone };
}

/** Lets the part of a written option that no row ends lapse. The other part counts as sold when rows end it. */
function lapse(shown: Shown, sales: readonly Sale[], all: readonly Shown[], history: readonly Transaction[]): void {
  const rows = history.filter((row) => row.account === shown.row.account && sameAsset(row, shown.row));
  const written = rows.filter((row) => row.type === 'sell_to_open');
  const ended = rows.filter((row) => ['buy_to_close', 'expire', 'assign'].includes(row.type));
  if (ended.some((row) => row.quantity === null) || missing(shown).isZero()) return;
  const others = all.filter((one) => one.nowhere === 'lapses' && sameAsset(one.row, shown.row));
  const claimed = others.filter(({ row }) => row.account === shown.row.account).map(missing);
  const left = sum(written.map((row) => units(row.quantity)))
    .minus(sum(ended.map((row) => units(row.quantity))))
    .minus(sum(claimed));
  const [first] = written
    .filter((row) => row.on <= shown.row.on && (row.quantity ?? 0n) > 0n && (row.amount ?? 0n) >= 0n)
    .sort(inOrder);
  if (first === undefined || left.lte(0)) return;
  const closings = sales.filter(
    (sale) => endsShort(sale.row) && sale.free.gt(0) && sale.on >= first.on && sale.on < shown.row.on,
  );
  const closed = missing(shown).minus(left);
  if (closed.gt(sum(closings.map(({ free }) => free)))) return;
  let wanted = closed;
  for (const sale of closings.sort((a, b) => a.on - b.on || inOrder(a.row, b.row))) {
    const quantity = least(sale.free, wanted);
    if (quantity.lte(0)) break;
    meet(shown, sale, quantity);
    wanted = wanted.minus(quantity);
  }
  shown.nowhere = 'lapses';
}

/**
 * Returns consecutive sales in one account with as many units as these form rows report. Their amount is the same, less
 * an unstated fee if `lacksFee` is true. If `lacksFee` is null, any amount matches.
 */
function runsFor(forms: readonly Shown[], sales: readonly Sale[], lacksFee: boolean | null): (readonly Sale[])[] {
  const [{ row }] = forms as [Shown];
  const wanted = sum(forms.map(({ quantity }) => quantity));
  const whole = sales.filter(
    (sale) =>
      isInReach(sale, row, lacksFee === false ? 10 : 5) && (sale.known === null || sale.free.equals(sale.known)),
  );
  const runs: Sale[][] = [];
  for (const own of Map.groupBy(whole, (sale) => sale.row.account).values()) {
    const ordered = own.sort((a, b) => a.on - b.on || inOrder(a.row, b.row));
    for (const sale of ordered) if (sale.known === null && sale.free.gt('1e41')) runs.push([sale]);
    const counted = ordered.filter(({ known }) => known !== null);
    for (let from = 0; from < counted.length; from++)
      for (let to = from + 1; to <= counted.length; to++) {
        const run = counted.slice(from, to);
        if (sum(run.map(({ free }) => free)).equals(wanted)) runs.push(run);
      }
  }
  const far = (run: readonly Sale[]): number => Math.max(...run.map((sale) => gap(sale, row)));
  return runs
    .filter((run) => lacksFee === null || isForAsMuch(run, forms, lacksFee))
    .sort((a, b) => {
      const [one, other] = [a[0] as Sale, b[0] as Sale];
      return a.length - b.length || far(a) - far(b) || one.on - other.on || inOrder(one.row, other.row);
    });
}

function isInReach(sale: Sale, form: Transaction, days: number): boolean {
  return gap(sale, form) <= days || isWorthlessIn(sale, form);
}

function takeElsewhere(forms: readonly Shown[], [run]: readonly (readonly Sale[])[]): void {
  if (run === undefined) return;
  for (const sale of run) sale.free = nothing;
  for (const shown of forms) shown.nowhere = 'other account';
}

/**
 * Returns true if the sale had the form's proceeds, or if the purchase to cover had the form's cost. A part is compared
 * by its price.
 */
function isForAsMuch(run: readonly Sale[], forms: readonly Shown[], lacksFee: boolean): boolean {
  const quantity = sum(forms.map((form) => form.quantity));
  const known = sum(run.map((sale) => sale.known ?? nothing));
  const total = (read: (row: Transaction) => bigint | null): Exact | null =>
    forms.some(({ row }) => read(row) === null)
      ? null
      : cents(sum(forms.map(({ row }) => dollars(read(row) as Money))));
  const isSame = (shown: Exact | null, read: (row: Transaction) => Exact[]): boolean =>
    shown !== null &&
    run.every(({ row }) => read(row).length > 0) &&
    [0, 1].some((at) => {
      const all = sum(run.map(({ row }) => read(row)[at] as Exact));
      const own = known.gt(quantity) ? cents(all.times(quantity).div(known)) : all;
      return lacksFee ? isLessFee(own, shown) : own.minus(shown).abs().lte(1);
    });
  return (
    isSame(
      total(({ amount }) => amount),
      brought,
    ) ||
    isSame(
      total(({ basis }) => basis),
      paid,
    )
  );
}

/** Returns true if the amounts differ by a fee: up to 25 dollars, or 1% of larger proceeds, and never more than 5%. */
export function isLessFee(a: Exact, b: Exact): boolean {
  const fee = a.minus(b).abs();
  const whole = Exact.max(a, b);
  return fee.times(20).lte(whole) && (fee.lte(25) || fee.times(100).lte(whole));
}

/**
 * Returns form rows that are the only evidence of a purchase, because their account has no other rows for the asset.
 * They count as bought on their acquisition day if something else was sold near that day (IRC 1091(a)). `unmet` returns
 * true for rows that no sale in the history explains.
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

/**
 * Returns the id of a purchase in a list. A list does not identify orders, so everything that an account acquired of an
 * asset on one day is one purchase.
 */
export function listedPurchase(account: string, acquired: Day): string {
  return `listed: ${account} ${acquired}`;
}

/** Returns true for a row of a list of open lots, whose date is the purchase date. */
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
  return listAssetKeys(other).includes(listAssetKeys(row)[0] ?? '');
}

/**
 * Returns true if a book cannot be closed permanently on a day, because a form row and the sales that it matches may be
 * before and after it.
 */
export function isBetweenForms(history: readonly Transaction[], on: Day): boolean {
  return shownIn(history).some(({ row, quantity }) => {
    if (quantity.lte(soldOn(history, row, row.on))) return false;
    if (statesPurchase(row) && on <= Math.max(row.on, (row.acquired ?? row.on) + 30)) return true;
    if (Math.abs(on - row.on) <= 17) return true;
    if (history.some((other) => sameAsset(other, row) && other.type === 'sell_to_open' && other.on <= on)) return true;
    const ends = history.filter((other) => sameAsset(other, row) && (endsShort(other) || other.type === 'worthless'));
    const last = Math.max(row.on, ...ends.map((other) => lastOfDecember(other.on)));
    const opened = history.some(
      (other) => sameAsset(other, row) && isOpening(other) && Math.abs(other.on - row.on) <= 5,
    );
    return on >= row.on - 17 && (opened || on < last);
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

function meet(shown: Shown, sale: Sale, quantity = least(sale.free, missing(shown))): void {
  if (quantity.lte(0)) return;
  sale.free = sale.free.minus(quantity);
  shown.met.set(sale.on, (shown.met.get(sale.on) ?? nothing).plus(quantity));
}

/** Matches all of the missing units, or none. */
function meetAll(shown: Shown, sales: readonly Sale[]): boolean {
  if (sum(sales.map(({ free }) => free)).lt(missing(shown))) return false;
  for (const sale of sales) meet(shown, sale);
  return true;
}

function daysOf({ row, met }: Shown): FormSale['days'] {
  const all = [...met].map(([on, quantity]) => ({ on, quantity }));
  return [...all.filter(({ on }) => on === row.on), ...all.filter(({ on }) => on !== row.on)];
}

/** Returns the units of a row that creates a Form 8949 line. A merger covers all units held. */
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

/** Returns the shares that a row delivers. A contract covers a hundred shares unless its row states another number. */
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

/**
 * Returns the days between a sale and its date on a form. If an expiration was recorded later, the form may use the
 * expiration day.
 */
function gap({ row }: Sale, form: Transaction): number {
  const [, expires = ''] = /^.+ (\d{4}-\d{2}-\d{2}) [CP] [\d.]+$/.exec(row.asset) ?? [];
  const expiry = parseDay(expires);
  const ends = ['expire', 'exercise', 'assign'].includes(row.type);
  const late = ends && expiry !== undefined && expiry < row.on && row.on - expiry <= 7;
  return Math.min(Math.abs(row.on - form.on), late ? Math.abs(expiry - form.on) : Number.POSITIVE_INFINITY);
}

/**
 * Returns true if a worthless stock and a form row are in the same year. The loss is "on the last day of the taxable
 * year" (IRC 165(g)), but a broker reports the day of the removal.
 */
function isWorthlessIn({ row }: Sale, form: Transaction): boolean {
  return row.type === 'worthless' && yearOfDay(row.on) === yearOfDay(form.on);
}

function brought(row: Transaction): Exact[] {
  if (row.type === 'expire' || row.type === 'worthless') return [nothing, nothing];
  if (!['sell', 'sell_to_close', 'trade', 'spend', 'exercise', 'assign', 'merger'].includes(row.type)) return [];
  if (row.amount === null || (row.currency !== '' && row.currency !== 'USD')) return [];
  if (familyOf(row.assetClass) === 'contract' && ['exercise', 'assign'].includes(row.type)) return [];
  return [dollars(row.amount), dollars(row.amount).minus(feeOf(row))].map(cents);
}

/** Returns the cost of closing a short. */
function paid(row: Transaction): Exact[] {
  if (row.type === 'expire') return [nothing, nothing];
  if (!['cover', 'buy_to_close'].includes(row.type) || row.amount === null) return [];
  if (row.currency !== '' && row.currency !== 'USD') return [];
  return [dollars(row.amount), dollars(row.amount).plus(feeOf(row))].map(cents);
}

function feeOf({ fee, feeOwn }: Transaction): Exact {
  return dollars(fee).minus(dollars(feeOwn));
}

/** Returns true if two accounts report the same form line. */
function isCopy(a: Shown, b: Shown): boolean {
  const [one, other] = [a.row, b.row];
  if (one.account === other.account || other.acquired === null || other.basis === null) return false;
  return (
    isEqual({ ...a, row: { ...one, account: other.account } }, b) &&
    one.acquired === other.acquired &&
    one.basis === other.basis
  );
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

/** Returns the term on a form. Each box implies one term, unless the form states another. */
export function termOnForm({ term, box }: Pick<Transaction, 'term' | 'box'>): Term | null {
  if (term !== null || box === null) return term;
  if ('ABGH'.includes(box)) return 'short';
  return 'DEJK'.includes(box) ? 'long' : null;
}
