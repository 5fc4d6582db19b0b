import { type Day, yearOf } from '../../base/day.ts';
import { type Money, proportion, type Quantity, roundToCents } from '../../base/decimal.ts';
import type { AssetClass, FormAssetName, FormAssetNames, Rules, Transaction } from '../model.ts';
import { typesWhere } from '../transaction-types.ts';
import { canonicalName } from './canonical-names.ts';
import { classifyAssets } from './classes.ts';
import { dollars, tradeFee } from './event.ts';
import { type Agreement, agreesTo, farDays, isFormRow, nearDays, sellsStock } from './form-rows.ts';
import { assetOfKey, listAssetKeys, toAssetKey, underlyingOf } from './keys.ts';
import { Ledger } from './ledger.ts';
import { toBookName } from './same-assets.ts';
import { sharesOfEnd } from './strike-price.ts';

/**
 * The names of assets on Forms 1099. A form names a sold asset by its company, its CUSIP or another spelling, while
 * transactions use its ticker. If the account of a form row has no transactions in that asset, the row gets the
 * transaction name, so that one sale is one row of Form 8949. The name is inferred from the spelling, or from a sale of
 * the same units for the same proceeds on a nearby day, which raises an issue. If no sale has equal proceeds, a sale
 * whose proceeds are lower by an unstated fee counts too.
 */

/** Types whose rows sell something, or may later appear as a sale on a form. */
export const typesOfNamedSales: ReadonlySet<Transaction['type']> = new Set([
  'sell',
  'sell_to_close',
  'trade',
  'spend',
  'short_sell',
  'sell_to_open',
  'expire',
  'exercise',
  'assign',
  'worthless',
  'merger',
] as const);

/** Types that show that an account has its own history of an asset: all types that change lots, except form rows. */
export const typesOfHistory: ReadonlySet<Transaction['type']> = new Set(
  [...typesWhere(({ lots }) => lots !== 'none')].filter((type) => !isFormRow({ type })),
);

/** How many days later a form may report a short sale. It is reported when it is closed. */
export const openShortDaysMax = 370;

/** Renames the assets of form rows to the names used by the transactions, if these differ. */
export function withBookNames(rows: readonly Transaction[], { formNames }: Pick<Rules, 'formNames'>): Transaction[] {
  return rows.map((row) => bookNamed(row, formNames));
}

/** Does the same as `withBookNames` for a ledger. Returns the same ledger if no row has another name. */
export function ledgerWithBookNames(ledger: Ledger, { formNames }: Pick<Rules, 'formNames'>): Ledger {
  if (formNames === undefined || !ledger.others.some((row) => bookNamed(row, formNames) !== row)) return ledger;
  return Ledger.of(withBookNames(ledger.transactions(), { formNames }));
}

/** Returns pairs of asset keys that belong in one book because a form names one asset differently. */
export function linksOfFormNames(formNames: FormAssetNames | undefined): [string, string][] {
  return Object.values(formNames ?? {}).flatMap((names) =>
    Object.entries(names).map(([key, { asset, assetClass }]): [string, string] => [key, toAssetKey(asset, assetClass)]),
  );
}

function bookNamed(row: Transaction, formNames: FormAssetNames | undefined): Transaction {
  if (formNames === undefined || !isFormRow(row)) return row;
  const name = formNames[row.account]?.[keyOf(row)];
  return name === undefined ? row : { ...row, asset: name.asset, assetClass: name.assetClass };
}

/** An asset under the name that an account uses for it. */
interface Named {
  readonly account: string;
  readonly key: string;
  /** If there are several classes, the first in alphabetical order, so that the order of rows does not matter. */
  assetClass: AssetClass;
}

/** Units sold under a name, in one row or in all rows of a day. */
interface NamedSale {
  readonly named: Named;
  readonly on: Day;
  /** Which dates a form may use for the sale: nearby days, any day of the year, or any later day. */
  readonly dates: 'near' | 'year' | 'later';
  /** Null if the row does not state them. */
  readonly units: bigint | null;
  /** Amounts in cents, before and after the fee. Empty if the row does not state them in dollars. */
  readonly proceeds: readonly bigint[];
}

/**
 * Returns the transaction names of form rows, by account and by the key of the form's name, in a stable order. Returns
 * undefined if no row needs one. `rows` contains all rows, or only the form rows and those of `typesOfHistory`.
 */
export function findFormNames(
  rows: Iterable<Transaction>,
  assets: Rules['assets'] | undefined,
): FormAssetNames | undefined {
  const history = new NamedHistory();
  const forms: Transaction[] = [];
  for (const row of rows) {
    if (isFormRow(row)) forms.push(row);
    else history.add(row);
  }
  if (forms.length === 0) return undefined;
  history.addDays();
  const names = new Map<string, [string, FormAssetName][]>();
  for (const [account, own] of Map.groupBy(forms, (row) => row.account)) {
    const formNames = [...Map.groupBy(own, keyOf)].flatMap(([key, lines]): [string, FormAssetName][] => {
      const name = history.findTransactionName(key, lines, assets ?? {});
      return name === undefined ? [] : [[key, name]];
    });
    if (formNames.length > 0) names.set(account, formNames);
  }
  if (names.size === 0) return undefined;
  return Object.fromEntries(
    [...names].sort(byFirst).map(([account, found]) => [account, Object.fromEntries(found.sort(byFirst))]),
  );
}

/** The asset names used in the transactions, and the sales under these names. */
class NamedHistory {
  readonly #named = new Map<string, Named>();
  readonly #sales: NamedSale[] = [];
  #byUnits: ReadonlyMap<bigint | null, readonly NamedSale[]> = new Map();
  #byDay: ReadonlyMap<Day, readonly NamedSale[]> = new Map();
  /** Keyed by account and canonical name. */
  #spelled: ReadonlyMap<string, readonly Named[]> = new Map();
  #keys: ReadonlySet<string> = new Set();

  add(row: Transaction): void {
    if (!typesOfHistory.has(row.type)) return;
    const { asset } = classifyAssets(row);
    for (const key of listAssetKeys(row)) {
      const assetClass = key === keyOf(row) ? asset : key.startsWith('coin:') ? 'crypto' : 'stock';
      this.#place(row.account, key, assetClass);
      if (row.toAccount !== '') this.#place(row.toAccount, key, assetClass);
    }
    const sale = toNamedSale(row);
    if (sale === undefined) return;
    const stock = sellsShares(row) ? toAssetKey(underlyingOf(row), 'stock') : undefined;
    const named = this.#place(row.account, stock ?? keyOf(row), stock === undefined ? asset : 'stock');
    this.#sales.push({ ...sale, named });
  }

  /** Adds the daily totals of assets sold in several rows, and sorts the sales. */
  addDays(): void {
    const days = Map.groupBy(
      this.#sales.filter(({ dates, units }) => dates === 'near' && units !== null),
      ({ named, on }) => `${on} ${named.account} ${named.key}`,
    );
    const sums = [...days.values()].flatMap((sales): NamedSale[] => {
      const [first] = sales;
      if (first === undefined || sales.length === 1 || sales.some(({ proceeds }) => proceeds.length === 0)) return [];
      const proceeds = [0, 1].map((at) => sales.reduce((sum, sale) => sum + (sale.proceeds[at] ?? 0n), 0n));
      return [{ ...first, proceeds, units: sales.reduce((sum, { units }) => sum + (units ?? 0n), 0n) }];
    });
    const all = [...this.#sales, ...sums];
    this.#byUnits = Map.groupBy(all, ({ units }) => units);
    this.#byDay = Map.groupBy(all, ({ on }) => on);
    const named = [...this.#named.values()];
    this.#spelled = Map.groupBy(named, ({ account, key }) => toAccountAssetKey(account, canonicalName(key)));
    this.#keys = new Set(named.map(({ key }) => key));
  }

  /**
   * Returns the transaction name for the form rows of one account and name. Returns undefined if it is the same, or if
   * there is none.
   */
  findTransactionName(
    key: string,
    rows: readonly Transaction[],
    words: NonNullable<Rules['assets']>,
  ): FormAssetName | undefined {
    const [first] = rows;
    if (first === undefined) return undefined;
    const { account, asset } = first;
    const stated = words[asset]?.formNameOf;
    const word = stated === undefined ? undefined : toBookName(stated, words);
    if (word !== undefined) return word === asset ? undefined : this.#byWord(word, first);
    if ([account, ''].some((one) => this.#named.has(toAccountAssetKey(one, key)))) return undefined;
    const spelled = [account, ''].flatMap((one) => this.#spelled.get(toAccountAssetKey(one, canonicalName(key))) ?? []);
    if (new Set(spelled.map((one) => one.key)).size === 1) return nameBy(spelled[0], 'spelling');
    const isOwn = (named: Named): boolean => named.account === account || named.account === '';
    const sale = this.#bySale(rows, 'fee', isOwn);
    if (sale !== undefined || this.#keys.has(key)) return nameBy(sale, 'sale');
    const isOther = (named: Named): boolean => !isOwn(named);
    const other =
      this.#bySale(rows, 'fee', isOther) ??
      this.#bySale(rows, 'unstated fee', isOwn) ??
      this.#bySale(rows, 'unstated fee', isOther) ??
      this.#byFills(rows, isOwn) ??
      this.#byFills(rows, isOther);
    return nameBy(other, 'sale');
  }

  #byWord(word: string, { account, assetClass }: Transaction): FormAssetName {
    const named = [...this.#named.values()]
      .filter((one) => assetOfKey(one.key) === word)
      .sort((a, b) => compareTexts(a.key, b.key) || compareTexts(a.account, b.account));
    return (
      nameBy(named.find((one) => one.account === account) ?? named[0], 'word') ?? {
        asset: word,
        assetClass,
        by: 'word',
      }
    );
  }

  /** Returns the name that has a matching sale for most of these rows. */
  #bySale(rows: readonly Transaction[], by: Agreement, isAsked: (named: Named) => boolean): Named | undefined {
    return findMostFrequent(rows, (row) =>
      this.#salesLike(row, by).flatMap(({ named }) => (isAsked(named) ? [named] : [])),
    );
  }

  /** Returns the name that has consecutive sales on several days whose sum matches the row, for most of these rows. */
  #byFills(rows: readonly Transaction[], isAsked: (named: Named) => boolean): Named | undefined {
    return findMostFrequent(rows, (row) => {
      const near = this.#sales.filter(
        ({ named, dates, on }) => dates === 'near' && isAsked(named) && Math.abs(row.on - on) <= farDays,
      );
      return [...Map.groupBy(near, ({ named }) => named)].flatMap(([named, sales]) =>
        hasMatchingFills(sales, row) ? [named] : [],
      );
    });
  }
  /**
   * Returns the sales that a form row may report: sales of the same number of units, or of more units if the row is a
   * part of the sale, for matching proceeds.
   */
  #salesLike(row: Transaction, by: Agreement): NamedSale[] {
    const amount = dollars(row, row.amount);
    const { quantity, on } = row;
    if (amount === null || quantity === null || quantity <= 0n) return [];
    const shown = roundToCents(amount);
    const isAsMuch = (amount: bigint): boolean => (by === 'fee' ? isEqual(amount, shown) : agreesTo(amount, shown, by));
    const whole = (this.#byUnits.get(quantity) ?? []).filter(
      (sale) => isDatedAs(sale, on, by) && sale.proceeds.some(isAsMuch),
    );
    const near = Array.from(
      { length: 2 * nearDays + 1 },
      (_, at) => this.#byDay.get((on - nearDays + at) as Day) ?? [],
    );
    const parts = near.flat().filter(({ dates, named, units, proceeds }) => {
      if (dates !== 'near' || (named.account !== row.account && named.account !== '')) return false;
      if (units === null) return proceeds.some(isAsMuch);
      return (
        units > quantity && proceeds.some((amount) => amount > 0n && isAsMuch(proportion(amount, quantity, units)))
      );
    });
    return [...whole, ...parts];
  }

  #place(account: string, key: string, assetClass: AssetClass): Named {
    const accountAssetKey = toAccountAssetKey(account, key);
    const known = this.#named.get(accountAssetKey);
    if (known !== undefined) {
      if (assetClass < known.assetClass) known.assetClass = assetClass;
      return known;
    }
    const named = { account, key, assetClass };
    this.#named.set(accountAssetKey, named);
    return named;
  }
}

/** Returns the sale in a row and how a form may date it. Returns undefined if no form reports it. */
function toNamedSale(row: Transaction): Omit<NamedSale, 'named'> | undefined {
  const { type, on, quantity } = row;
  if (!typesOfNamedSales.has(type) || (row.amount ?? 0n) < 0n) return undefined;
  const isEnd = type === 'expire' || type === 'worthless';
  const amount = isEnd ? (0n as Money) : dollars(row, row.amount);
  const fee = isEnd ? 0n : tradeFee(row);
  const proceeds = amount === null ? [] : [roundToCents(amount), roundToCents((amount - fee) as Money)];
  if (type === 'merger') return amount === null ? undefined : { on, dates: 'near', units: null, proceeds };
  const isDelivery = type === 'exercise' || type === 'assign';
  if (isDelivery && !sellsShares(row)) return undefined;
  const units = isDelivery ? sharesOfEnd(row) : quantity;
  if (units === null || units <= 0n) return undefined;
  const opensShort = type === 'short_sell' || type === 'sell_to_open';
  return { on, dates: type === 'worthless' ? 'year' : opensShort ? 'later' : 'near', units, proceeds };
}

/** Returns the name found for most of these rows. The sum of each day's rows counts as another row. */
function findMostFrequent(
  rows: readonly Transaction[],
  find: (row: Transaction) => readonly Named[],
): Named | undefined {
  const counts = new Map<Named, number>();
  const days = [...Map.groupBy(rows, ({ on }) => on).values()].filter((dayRows) => dayRows.length > 1).map(combineRows);
  for (const row of [...rows, ...days])
    for (const named of new Set(find(row))) counts.set(named, (counts.get(named) ?? 0) + 1);
  const [best] = [...counts].sort(([a, m], [b, n]) => n - m || compareTexts(a.key, b.key));
  return best?.[0];
}

/**
 * Returns whether consecutive sales sum to the units and proceeds of a form row. Sales are ordered by day, then by
 * size, smallest first.
 */
function hasMatchingFills(sales: readonly NamedSale[], row: Transaction): boolean {
  const amount = dollars(row, row.amount);
  if (amount === null || row.quantity === null || row.quantity <= 0n) return false;
  const [wanted, shown] = [row.quantity, roundToCents(amount)];
  const fills = sales
    .filter(({ units, proceeds }) => units !== null && proceeds.length > 0)
    .sort((a, b) => a.on - b.on || compareNumbers(a.units ?? 0n, b.units ?? 0n) || compareProceeds(a, b));
  let [from, sum] = [0, 0n];
  for (const [at, { units }] of fills.entries()) {
    sum += units ?? 0n;
    while (sum > wanted) sum -= fills[from++]?.units ?? 0n;
    if (sum !== wanted || from === at) continue;
    const run = fills.slice(from, at + 1);
    const brought = [0, 1].map((which) => run.reduce((all, { proceeds }) => all + (proceeds[which] ?? 0n), 0n));
    if (brought.some((amount) => isEqual(amount, shown))) return true;
  }
  return false;
}

function compareProceeds(a: NamedSale, b: NamedSale): number {
  return (
    compareNumbers(a.proceeds[0] ?? 0n, b.proceeds[0] ?? 0n) || compareNumbers(a.proceeds[1] ?? 0n, b.proceeds[1] ?? 0n)
  );
}

function compareNumbers(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function sellsShares(row: Transaction): boolean {
  return (row.type === 'exercise' || row.type === 'assign') && sellsStock(row);
}

function isDatedAs({ on, dates }: NamedSale, shown: Day, by: Agreement): boolean {
  if (dates === 'year') return yearOf(on) === yearOf(shown);
  if (dates === 'later') return shown >= on - nearDays && shown <= on + openShortDaysMax;
  return Math.abs(shown - on) <= (by === 'fee' ? farDays : nearDays);
}

/**
 * Returns whether amounts are equal to within a dollar. The difference may not exceed a hundredth of the amount, unless
 * it is only a cent.
 */
function isEqual(amount: bigint, shown: bigint): boolean {
  const difference = amount < shown ? shown - amount : amount - shown;
  return difference <= 1n || (difference <= 100n && difference * 100n <= shown);
}

/** Combines all rows of a day into one. */
function combineRows(rows: readonly Transaction[]): Transaction {
  const [first] = rows as readonly [Transaction];
  const quantity = rows.reduce((sum, row) => sum + (row.quantity ?? 0n), 0n) as Quantity;
  const amount = rows.reduce((sum, row) => sum + (dollars(row, row.amount) ?? 0n), 0n) as Money;
  return { ...first, quantity, amount, currency: '' };
}

function nameBy(named: Named | undefined, by: FormAssetName['by']): FormAssetName | undefined {
  return named === undefined ? undefined : { asset: assetOfKey(named.key), assetClass: named.assetClass, by };
}

function keyOf(row: Transaction): string {
  return toAssetKey(row.asset, classifyAssets(row).asset);
}

function toAccountAssetKey(account: string, key: string): string {
  return `${key} ${account}`;
}

function byFirst([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return compareTexts(a, b);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
