import { addDays, type Day, formatDay, lastDayOf, longTermOn } from '../../../base/day.ts';
import { type Cents, formatCents, formatQuantity, proportion, type Quantity } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import { least } from '../../../engine/book/amounts.ts';
import { transitAccount } from '../../../engine/book/own-accounts.ts';
import { isOnOtherReturn } from '../../../engine/book/separate-returns.ts';
import { isRetirementType } from '../../../engine/elections.ts';
import { isContract1256, isWashable } from '../../../engine/events/classes.ts';
import { toAssetKey } from '../../../engine/events/keys.ts';
import { washDays } from '../../../engine/events/wash-window.ts';
import type { Lot, Rules } from '../../../engine/model.ts';
import { type Book, openLots } from '../../../engine/replay.ts';
import { isReplacedBy } from '../../../engine/rules/wash-sales/owners.ts';
import { urlSafe } from '../../../forms/lines.ts';
import { selectTaxpayer } from '../../ledger/books/books.queries.ts';
import { readYear } from '../../ledger/books/books.ts';
import { booksOn } from '../../ledger/books/lots.ts';
import { lotDate } from '../../ledger/books/view.ts';
import { loadAssetNames } from '../../ledger/transactions/asset-names/asset-names.ts';
import { toElections } from '../../ledger/transactions/elections.ts';
import { computeTaxChange, withGains } from './gain-tax.ts';
import { computeWorthCents, type UnitValue, unitValues, unitValueView } from './valuation.ts';

/** Returns the lots that would realize a loss if sold today, and the purchases that would make the sales wash sales. */
export async function harvest(sql: Sql, taxpayerId: string, year: number, today: Day) {
  const taxpayer = await selectTaxpayer(sql, taxpayerId);
  const elections = toElections(taxpayer.settings, taxpayer.time_zone);
  const { rules } = elections;
  const books = await booksOn(sql, taxpayerId, today);
  const origins = mapLotOrigins(books);
  const lots = books.flatMap(openLots).filter((lot) => isTaxable(lot, rules, today));
  const assets = new Map(lots.map((lot) => [keyOf(lot), { key: keyOf(lot), asset: lot.asset }]));
  const values = await unitValues(sql, taxpayerId, [...assets.values()], today);
  const candidates = lots.map((lot) => toCandidate(lot, values.get(keyOf(lot)), today));
  const losing = candidates.filter(({ gain }) => gain === null || gain < 0n).sort(byLoss);
  const nameOf = await loadAssetNames(
    sql,
    taxpayerId,
    losing.map(({ lot }) => lot.asset),
  );
  const recent = purchasesBefore(books, today);
  const findReplacing = ({ lot }: HarvestCandidate): readonly Purchase[] =>
    replacementsFor(recent.get(keyOf(lot)) ?? [], lot, origins.get(lot.id), rules);
  const stored = await readYear(sql, taxpayerId, year);
  const { summary } = stored;
  const sumLoss = (term: 'short' | 'long'): Cents =>
    losing.reduce((sum, one) => (one.term === term ? sum + (one.gain ?? 0n) : sum), 0n) as Cents;
  return {
    candidates: losing,
    view: (one: HarvestCandidate) => {
      const assetName = nameOf(one.lot.asset, one.lot.assetClass);
      return {
        ...candidateView(one, findReplacing(one), today, rules),
        ...(assetName === undefined ? {} : { assetName }),
      };
    },
    totals: {
      year,
      asOf: formatDay(today),
      lastDay: formatDay(lastDayOf(year)),
      realized: {
        shortTermGain: formatCents(summary.shortTerm.gain),
        longTermGain: formatCents(summary.longTerm.gain),
        gain: formatCents(summary.total.gain),
        washSaleDisallowed: formatCents(summary.washSaleDisallowed),
      },
      losses: {
        short: formatCents(sumLoss('short')),
        long: formatCents(sumLoss('long')),
        lots: losing.filter(({ gain }) => gain !== null).length,
        unvalued: losing.filter(({ gain }) => gain === null).length,
      },
      tax: computeTaxChange(year, elections, stored, withGains(stored, sumLoss('short'), sumLoss('long'), elections)),
    },
  };
}

export interface HarvestCandidate {
  readonly lot: Lot;
  readonly value: UnitValue | undefined;
  readonly worth: Cents | null;
  readonly gain: Cents | null;
  readonly term: 'short' | 'long';
  readonly longTermOn: Day;
}

/**
 * Returns whether a loss on the lot would count today. A loss in a retirement account or on the spouse's separate
 * return does not. Section 1256 contracts are marked to market at the end of the year. A loss on a currency is ordinary
 * (IRC 988(a)(1)). A lot in transit cannot be sold.
 */
function isTaxable(lot: Lot, rules: Rules, today: Day): boolean {
  if (lot.account === transitAccount || isOnOtherReturn(rules, lot.account, today)) return false;
  return !isRetirement(lot.account, rules) && !isContract1256(lot.assetClass) && lot.assetClass !== 'currency';
}

function isRetirement(account: string, rules: Rules): boolean {
  return isRetirementType(rules.accounts[account]?.type);
}

function keyOf(lot: Lot): string {
  return toAssetKey(lot.asset, lot.assetClass);
}

function toCandidate(lot: Lot, value: UnitValue | undefined, today: Day): HarvestCandidate {
  const worth = value === undefined ? null : computeWorthCents(value, lot.quantity);
  const from = lot.inherited ? lot.acquired : longTermOn(lot.heldSince);
  return {
    lot,
    value,
    worth,
    gain: worth === null ? null : ((worth - lot.basis) as Cents),
    term: lot.inherited || today >= from ? 'long' : 'short',
    longTermOn: from,
  };
}

function byLoss(a: HarvestCandidate, b: HarvestCandidate): number {
  const [left, right] = [rankOf(a), rankOf(b)];
  return left < right ? -1 : left > right ? 1 : a.lot.id < b.lot.id ? -1 : 1;
}

/** Returns the sort key of a candidate. The largest loss comes first, and lots without a value come last. */
export function rankOf({ gain }: HarvestCandidate): bigint {
  return gain ?? 0n;
}

function candidateView(one: HarvestCandidate, purchases: readonly Purchase[], today: Day, rules: Rules) {
  const { lot, value, worth, gain, term } = one;
  return {
    lotId: urlSafe(lot.id),
    asset: lot.asset,
    assetClass: lot.assetClass,
    account: lot.account,
    quantity: formatQuantity(lot.quantity),
    basis: formatCents(lot.basis),
    acquired: lotDate(lot, lot.acquired),
    heldSince: lotDate(lot, lot.heldSince),
    value: worth === null ? null : formatCents(worth),
    gain: gain === null ? null : formatCents(gain),
    valuedBy: value === undefined ? null : unitValueView(value),
    ...(lot.purchaseUnknown
      ? { term: null, longTermOn: null, daysToLongTerm: null }
      : { term, longTermOn: formatDay(one.longTermOn), daysToLongTerm: term === 'long' ? 0 : one.longTermOn - today }),
    wash: washView(one, purchases, today, rules),
  };
}

function washView({ lot, gain }: HarvestCandidate, purchases: readonly Purchase[], today: Day, rules: Rules) {
  if (!isWashable(lot.assetClass, rules, today)) {
    return { applies: false, washed: '0', denied: '0.00', purchases: [], safeToSellOn: null, safeToRebuyOn: null };
  }
  const units = purchases.reduce((sum, purchase) => sum + purchase.units, 0n);
  const washed = least(units, lot.quantity);
  const loss = gain !== null && gain < 0n ? -gain : 0n;
  const latest = Math.max(...purchases.map(({ acquired }) => acquired));
  return {
    applies: true,
    washed: formatQuantity(washed as Quantity),
    denied: formatCents(proportion(loss, washed, lot.quantity) as Cents),
    purchases: purchases.map(({ transactionId, acquired, account, asset, quantity }) => ({
      transactionId,
      date: formatDay(acquired),
      account,
      asset,
      quantity: formatQuantity(quantity),
    })),
    safeToSellOn: purchases.length === 0 ? formatDay(today) : formatDay(addDays(latest as Day, washDays + 1)),
    safeToRebuyOn: formatDay(addDays(today, washDays + 1)),
  };
}

/** A purchase in the wash sale window that would disallow a loss on a sale today. */
interface Purchase {
  readonly account: string;
  readonly asset: string;
  readonly acquired: Day;
  /** Units that are not yet matched with an earlier loss (26 CFR 1.1091-1(e)). */
  readonly quantity: Quantity;
  readonly origin: string;
  readonly transactionId: string;
  /** The asset whose loss the purchase would disallow, and for how many units. */
  readonly denies: string;
  readonly units: bigint;
}

const unit = 10n ** 18n;

/**
 * Groups the purchases in the window by the asset whose loss they would disallow. Includes purchases in retirement
 * accounts and by the spouse (Rev. Rul. 2008-5; Pub. 550). Includes units that have been sold since only if the
 * taxpayer elected it (P3), because only then do the books keep them.
 */
function purchasesBefore(books: readonly Book[], today: Day): ReadonlyMap<string, readonly Purchase[]> {
  const since = addDays(today, -washDays);
  const purchases = books.flatMap((book) => [
    ...listHeldPurchases(book, since),
    ...listSoldPurchases(book, since, today),
  ]);
  return Map.groupBy(purchases, (purchase) => purchase.denies);
}

/**
 * Returns the purchases that replace the shares of a lot. Excludes the lot's own purchase (Rev. Rul. 56-602) and
 * purchases in accounts that are left out (P2).
 */
function replacementsFor(
  purchases: readonly Purchase[],
  lot: Lot,
  origin: string | undefined,
  rules: Rules,
): readonly Purchase[] {
  return purchases.filter(
    (purchase) => purchase.origin !== origin && isReplacedBy(rules, lot.account, purchase.account),
  );
}

/** Maps lot ids to the purchases that the lots originate from. */
function mapLotOrigins(books: readonly Book[]): ReadonlyMap<string, string> {
  return new Map(
    books.flatMap((book) => book.pools.flatMap((pool) => pool.lots.map((lot) => [lot.id, lot.origin] as const))),
  );
}

function listHeldPurchases(book: Book, since: Day): Purchase[] {
  const accounts = new Map(openLots(book).map((lot) => [lot.id, lot.account]));
  return book.pools.flatMap((pool) =>
    pool.lots.flatMap((lot): Purchase[] => {
      const free = lot.quantity - lot.used;
      if (lot.purchasedOn === null || lot.purchasedOn < since || free <= 0n) return [];
      const purchase: Purchase = {
        account: accounts.get(lot.id) ?? lot.account,
        asset: lot.asset,
        acquired: lot.purchasedOn,
        quantity: free as Quantity,
        origin: lot.origin,
        transactionId: lot.openedBy,
        denies: lot.key,
        units: free,
      };
      if (lot.right !== 'call' || lot.underlyingKey === null) return [purchase];
      // A call option also counts as a purchase of its underlying stock (IRC 1091(a)).
      return [purchase, { ...purchase, denies: lot.underlyingKey, units: (free * (lot.shares ?? unit)) / unit }];
    }),
  );
}

/**
 * Returns purchases whose units have been sold since. Excludes units sold today, because shares sold on the day of the
 * loss do not replace (Rev. Rul. 56-602).
 */
function listSoldPurchases(book: Book, since: Day, today: Day): Purchase[] {
  return book.soldPurchases.flatMap((sale): Purchase[] => {
    const free = sale.quantity - sale.matched;
    if (sale.purchasedOn < since || sale.on >= today || free <= 0n) return [];
    return [
      {
        account: sale.line.account,
        asset: sale.line.asset,
        acquired: sale.purchasedOn,
        quantity: free as Quantity,
        origin: sale.origin,
        transactionId: sale.line.lotId.split('/')[0] ?? '',
        denies: sale.key,
        units: free,
      },
    ];
  });
}
