import { listAssetKeys } from '../../../src/engine/events/keys.ts';
import type { Rules, Transaction } from '../../../src/engine/model.ts';
import { cents, dollars, Exact, sum, units, yearOfDay } from '../numbers.ts';
import { optionOf } from '../rules/options/option.ts';
import { familyOf } from '../state.ts';
import { deliveredBy, deliversStock, isLessFee } from './form-sales.ts';

/**
 * Returns the history with form rows under the names of its own transactions. One sale is one row of Form 8949, even if
 * a form names the asset differently: by company, by CUSIP, or in lowercase. A form row with a name that its account
 * does not trade gets the name of the asset that the account sold in the same quantity for the same amount.
 */
export function underBookNames(history: readonly Transaction[], assets: Rules['assets'] = {}): Transaction[] {
  const trades = history.filter((row) => row.type !== 'reported_sale' && movesUnits(row));
  return history.map((row) => {
    const stated = row.type === 'reported_sale' ? assets[row.asset]?.formNameOf : undefined;
    const word = stated === undefined ? undefined : (assets[stated]?.sameAs ?? stated);
    if (word !== undefined) return word === row.asset ? row : { ...row, ...wordOf(row, word, trades) };
    if (row.type !== 'reported_sale' || isTraded(row, trades, row.account)) return row;
    const sameName = history.filter(
      (other) =>
        other.type === 'reported_sale' &&
        other.account === row.account &&
        other.asset === row.asset &&
        familyOf(other.assetClass) === familyOf(row.assetClass),
    );
    const name =
      spelledAs(row, trades) ??
      soldAs(sameName, trades, { isAsked: (one) => isOwn(one, row), lacksFee: false }) ??
      (isTraded(row, trades, null) ? null : soldElsewhere(sameName, trades));
    return name === null ? row : { ...row, ...name };
  });
}

/** Matches a sale in another account and, last, sales whose fee no row states. */
function soldElsewhere(forms: readonly Transaction[], trades: readonly Transaction[]): Name | null {
  const [row] = forms as [Transaction];
  const isOther = (one: Transaction): boolean => !isOwn(one, row);
  return (
    soldAs(forms, trades, { isAsked: isOther, lacksFee: false }) ??
    soldAs(forms, trades, { isAsked: (one) => isOwn(one, row), lacksFee: true }) ??
    soldAs(forms, trades, { isAsked: isOther, lacksFee: true }) ??
    filledAs(forms, trades, (one) => isOwn(one, row)) ??
    filledAs(forms, trades, isOther)
  );
}

/** Matches sales on several days that together have the same quantity and amount. */
function filledAs(
  forms: readonly Transaction[],
  trades: readonly Transaction[],
  isAsked: (row: Transaction) => boolean,
): Name | null {
  const sold = trades
    .filter((row) => isAsked(row) && datedBy(row) === 'near')
    .flatMap(soldBy)
    .filter(({ quantity, amounts }) => quantity !== null && amounts.length > 0);
  const shown = [...forms, ...[...Map.groupBy(forms, ({ on }) => on).values()].filter(isSeveral).map(asOne)];
  const votes = new Map<string, number>();
  for (const form of shown)
    for (const [name, sales] of Map.groupBy(sold, nameIn))
      if (isFilledBy(sales, form)) votes.set(name, (votes.get(name) ?? 0) + 1);
  return nameOfVotes(votes, trades);
}

/**
 * Returns true if sales within ten days before or after have the quantity and amount of the form. Sales are ordered by
 * day, then units, then money.
 */
function isFilledBy(sales: readonly Sold[], form: Transaction): boolean {
  if (form.amount === null || form.quantity === null || form.quantity <= 0n) return false;
  const [shown, wanted] = [cents(dollars(form.amount)), units(form.quantity)];
  const order = (a: Sold, b: Sold): number =>
    a.row.on - b.row.on ||
    (a.quantity as Exact).cmp(b.quantity as Exact) ||
    (a.amounts[0] as Exact).cmp(b.amounts[0] as Exact) ||
    (a.amounts[1] as Exact).cmp(b.amounts[1] as Exact);
  const near = sales.filter(({ row }) => Math.abs(row.on - form.on) <= 10).sort(order);
  return near.some((_, first) =>
    near.some((_last, last) => {
      const run = near.slice(first, last + 1);
      if (run.length < 2 || !sum(run.map(({ quantity }) => quantity as Exact)).equals(wanted)) return false;
      return [0, 1].some((at) => isAsMuch(sum(run.map(({ amounts }) => amounts[at] as Exact)), shown));
    }),
  );
}

/** Returns true if two amounts are equal to the cent, or differ by at most a dollar and 1%. */
function isAsMuch(amount: Exact, shown: Exact): boolean {
  const difference = amount.minus(shown).abs();
  return difference.lte('0.01') || (difference.lte(1) && difference.times(100).lte(shown));
}

/** Returns the name that the taxpayer confirmed, for the kind of asset that the transactions have. */
function wordOf({ account, assetClass }: Transaction, word: string, trades: readonly Transaction[]): Name {
  const named = trades.filter(({ asset }) => asset === word);
  const [first] = named.filter((row) => row.account === account).concat(named);
  return { asset: word, assetClass: first?.assetClass ?? assetClass };
}

type Name = Pick<Transaction, 'asset' | 'assetClass'>;

function isOwn({ account }: Transaction, form: Transaction): boolean {
  return account === form.account || account === '';
}

function movesUnits({ type }: Transaction): boolean {
  return (
    !['withholding', 'capital_gain_distribution', 'currency_gain', 'reported_total'].includes(type) && isMoved(type)
  );
}

function isMoved(type: Transaction['type']): boolean {
  return !['dividend', 'interest', 'wages', 'other_income'].includes(type);
}

/** Returns true if the account, or any account if it is null, trades the asset of a form row. */
function isTraded(form: Transaction, trades: readonly Transaction[], account: string | null): boolean {
  const [key = ''] = listAssetKeys(form);
  return trades.some(
    (row) =>
      (account === null ||
        [account, ''].includes(row.account) ||
        (row.toAccount !== '' && row.toAccount === account)) &&
      listAssetKeys(row).includes(key),
  );
}

/**
 * Returns the transactions' name that equals the form's name except for upper and lower case. The random histories
 * contain no other spelling variants.
 */
function spelledAs(form: Transaction, trades: readonly Transaction[]): Name | null {
  const rows = trades.filter((row) => isOwn(row, form) || row.toAccount === form.account);
  const named = rows.flatMap((row) => listAssetKeys(row));
  const same = new Set(named.filter((key) => key.toUpperCase() === (listAssetKeys(form)[0] ?? '').toUpperCase()));
  const [key] = same;
  return same.size === 1 && key !== undefined ? nameOf(key, rows) : null;
}

function nameOf(key: string, trades: readonly Transaction[]): Name {
  const asset = key.slice(key.indexOf(':') + 1);
  const classes = trades.flatMap((row) => (listAssetKeys(row)[0] === key ? [row.assetClass] : []));
  return { asset, assetClass: classes.sort()[0] ?? (key.startsWith('coin:') ? 'crypto' : 'stock') };
}

/** Sales by name, either per row or per day. */
interface Sold {
  readonly row: Transaction;
  readonly key: string;
  readonly quantity: Exact | null;
  readonly amounts: readonly Exact[];
}

function soldAs(
  forms: readonly Transaction[],
  trades: readonly Transaction[],
  { isAsked, lacksFee }: { readonly isAsked: (row: Transaction) => boolean; readonly lacksFee: boolean },
): Name | null {
  const single = trades.filter(isAsked).flatMap(soldBy);
  const days = Map.groupBy(
    single.filter(({ row, quantity }) => quantity !== null && datedBy(row) === 'near'),
    ({ row, key }) => `${row.on} ${row.account} ${key}`,
  );
  const sold = [...single, ...[...days.values()].flatMap(dayOfSales)];
  const shown = [...forms, ...[...Map.groupBy(forms, ({ on }) => on).values()].filter(isSeveral).map(asOne)];
  const isPartly = forms.length > 0 && trades.some((row) => isAsked(row) && isOwn(row, forms[0] as Transaction));
  const votes = new Map<string, number>();
  for (const form of shown)
    for (const name of new Set(sold.filter((one) => isShown(one, form, { isPartly, lacksFee })).map(nameIn)))
      votes.set(name, (votes.get(name) ?? 0) + 1);
  return nameOfVotes(votes, trades);
}

function nameOfVotes(votes: ReadonlyMap<string, number>, trades: readonly Transaction[]): Name | null {
  const [best] = [...votes].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  if (best === undefined) return null;
  const [key = '', account = ''] = JSON.parse(best[0]) as string[];
  return nameOf(
    key,
    trades.filter((row) => row.account === account || row.toAccount === account),
  );
}

function nameIn({ key, row }: Sold): string {
  return JSON.stringify([key, row.account]);
}

function isSeveral(rows: readonly unknown[]): boolean {
  return rows.length > 1;
}

function asOne(rows: readonly Transaction[]): Transaction {
  const [first] = rows as [Transaction];
  const total = (read: (row: Transaction) => bigint | null): never =>
    rows.reduce((all, row) => all + (read(row) ?? 0n), 0n) as never;
  return { ...first, quantity: total((row) => row.quantity), amount: total((row) => row.amount) };
}

function soldBy(row: Transaction): Sold[] {
  const { type } = row;
  const [own = ''] = listAssetKeys(row);
  if ((row.amount ?? 0n) < 0n) return [];
  if (type === 'expire' || type === 'worthless')
    return row.quantity === null || row.quantity <= 0n
      ? []
      : [{ row, key: own, quantity: units(row.quantity), amounts: [new Exact(0), new Exact(0)] }];
  if (type === 'exercise' || type === 'assign') {
    const delivered = deliveredBy(row);
    if (!deliversStock(row) || delivered.lte(0)) return [];
    return [{ row, key: `security:${optionOf(row).underlying}`, quantity: delivered, amounts: brought(row) }];
  }
  if (type === 'merger') return row.amount === null ? [] : [{ row, key: own, quantity: null, amounts: brought(row) }];
  if (!['sell', 'sell_to_close', 'trade', 'spend', 'short_sell', 'sell_to_open'].includes(type)) return [];
  if (row.quantity === null || row.quantity <= 0n) return [];
  return [{ row, key: own, quantity: units(row.quantity), amounts: brought(row) }];
}

function brought(row: Transaction): Exact[] {
  if (row.amount === null || !['', 'USD'].includes(row.currency)) return [];
  const amount = dollars(row.amount);
  return [amount, amount.minus(dollars(row.fee).minus(dollars(row.feeOwn)))].map(cents);
}

function dayOfSales(sales: readonly Sold[]): Sold[] {
  const [first] = sales;
  if (first === undefined || sales.length < 2 || sales.some(({ amounts }) => amounts.length === 0)) return [];
  const amounts = [0, 1].map((at) => sum(sales.map((sale) => sale.amounts[at] as Exact)));
  return [{ ...first, quantity: sum(sales.map(({ quantity }) => quantity as Exact)), amounts }];
}

function datedBy({ type }: Transaction): 'near' | 'year' | 'later' {
  if (type === 'worthless') return 'year';
  return type === 'short_sell' || type === 'sell_to_open' ? 'later' : 'near';
}

/** Returns true if the amounts match: either all of both, or the same part of both. */
function isShown(
  { row, quantity, amounts }: Sold,
  form: Transaction,
  { isPartly, lacksFee }: { readonly isPartly: boolean; readonly lacksFee: boolean },
): boolean {
  if (form.amount === null || form.quantity === null || form.quantity <= 0n) return false;
  const [shown, wanted] = [cents(dollars(form.amount)), units(form.quantity)];
  const isAsMuch = (amount: Exact): boolean => {
    if (lacksFee) return isLessFee(amount, shown);
    const difference = amount.minus(shown).abs();
    return difference.lte('0.01') || (difference.lte(1) && difference.times(100).lte(shown));
  };
  const dated = datedBy(row);
  if (quantity?.equals(wanted) && isDated(row, form, lacksFee ? 5 : 10)) return amounts.some(isAsMuch);
  if (!isPartly || dated !== 'near' || Math.abs(row.on - form.on) > 5) return false;
  if (quantity === null) return amounts.some(isAsMuch);
  return quantity.gt(wanted) && amounts.some((amount) => amount.gt(0) && isAsMuch(part(amount, wanted, quantity)));
}

function isDated(row: Transaction, form: Transaction, days: number): boolean {
  const dated = datedBy(row);
  if (dated === 'year') return yearOfDay(row.on) === yearOfDay(form.on);
  if (dated === 'later') return form.on >= row.on - 5 && form.on <= row.on + 370;
  return Math.abs(form.on - row.on) <= days;
}

function part(amount: Exact, wanted: Exact, all: Exact): Exact {
  return cents(amount.times(wanted).div(all));
}
