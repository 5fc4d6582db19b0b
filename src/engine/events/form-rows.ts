import { type Day, longTermOn, parseDay, yearOf } from '../../base/day.ts';
import { type Cents, type Money, proportion, type Quantity, roundToCents } from '../../base/decimal.ts';
import type { Transaction } from '../model.ts';
import { rowOf } from '../transaction-types.ts';
import { classifyAssets, isCoin, isContract1256 } from './classes.ts';
import { replacedRows } from './corrected-forms.ts';
import {
  acquire,
  dollars,
  type Event,
  head,
  listedOrigin,
  listsLot,
  orders,
  type TransactionEvent,
  tradeFee,
} from './event.ts';
import { countsOn } from './events.ts';
import { listAssetKeys, parseOption, toAssetKey, underlyingOf } from './keys.ts';
import type { Ledger } from './ledger.ts';
import { buysStock, sharesOfEnd } from './strike-price.ts';
import { basisWithWages, matchSupplements, readSupplement, type Supplement } from './supplements.ts';
import { washDays } from './wash-window.ts';

/**
 * The match of a Form 1099 row to sales in the history. A form may use the settlement date of a sale, name another
 * account, use the opening date of a short sale, or report one sale twice. One sale is one row of Form 8949, so a form
 * row that matches a sale does not count as a second sale. The search needs rows later than the form row, so it runs
 * before the replay. A sale on the day of the form row needs no plan: the replay matches it on that day.
 */
export interface FormPlan {
  /** Units explained by sales on the form row's own day. */
  readonly ownDay: bigint;
  /** Units explained by sales on other days, by the day the replay writes their lines. */
  readonly otherDays: readonly { readonly on: Day; readonly units: bigint }[];
  /** Whether the row opens the purchased lot that it states, because no other row does. The lot may replace a loss. */
  readonly opens: boolean;
  /** What a supplement adds to the basis of that purchase. Null if there is none. */
  readonly supplement: Supplement | null;
  /**
   * Why the units not covered by `ownDay` and `otherDays` are not a separate sale, although they match no line.
   * `twice`: an equal row has already matched the sale. `account`: another account sold the units. `open`: the row
   * reports a short sale that is still open. `ended`: the row reports the end of a written option that no other row
   * ends, so the option counts as expired. `like`: it is a separate sale, but another account sold the same number of
   * units on a nearby day.
   */
  readonly without: (OtherSale & { readonly by: 'twice' | 'account' | 'open' | 'ended' | 'like' }) | null;
}

/** The sale in the transactions that the form row reports. */
interface OtherSale {
  readonly rows: readonly string[];
  readonly account: string;
  readonly on: Day;
  /** The proceeds of these rows. Null if they do not state proceeds in dollars. */
  readonly proceeds: Cents | null;
}

/** The maximum number of days between a trade and its settlement, or its date in another time zone. */
export const nearDays = 5;
/**
 * The maximum number of additional days between a form row and a sale with equal units and proceeds, such as a late
 * delivery or an entry "as of" a day.
 */
export const farDays = 10;
/** How many days late an expiry may be booked. */
const lateDays = 7;
const reachDays = lateDays + farDays;

/** Returns plans by row id, for rows that do more than match sales of their own day. */
export function planForms(rows: readonly Transaction[]): ReadonlyMap<string, FormPlan> {
  return new FormPlans(rows).plans;
}

/**
 * Returns a test for days when no book may be stored, because a form row on one side of the day depends on rows on the
 * other side.
 */
export function daysOfOpenForms(rows: readonly Transaction[]): (on: Day) => boolean {
  const { spans } = new FormPlans(rows);
  return (on) => spans.some(([from, before]) => from <= on && on < before);
}

/** Returns the rows that the plans of a ledger depend on: the form rows, and trades in their assets. */
export function rowsOfPlans(ledger: Ledger): readonly Transaction[] {
  const forms = ledger.others.filter(isFormRow);
  if (forms.length === 0) return [];
  const keys = new Set(forms.map(keyOf));
  const rows = [...ledger.others];
  for (let trade = 0; trade < ledger.trades; trade++) {
    const accountAsset = ledger.places[ledger.placeOf[trade] as number];
    if (accountAsset !== undefined && keys.has(accountAsset.key)) rows.push(ledger.trade(trade));
  }
  return rows;
}

export function isFormRow({ type }: Pick<Transaction, 'type'>): boolean {
  return type === 'reported_sale';
}

/** Returns the events of a form row, one for each day with matching sales. */
export function eventsOfPlan(event: TransactionEvent, plan: FormPlan): Event[] {
  const { ownDay, otherDays, without, opens, supplement } = plan;
  if (opens) {
    const sale = without === null ? event : { ...event, form: { ...without, isWhole: false } };
    return [...buildPurchase(event, supplement), sale];
  }
  const isWhole = ownDay === 0n && otherDays.length === 1 && without === null;
  const events: TransactionEvent[] = [];
  if (ownDay > 0n) events.push({ ...sliceFormRow(event, 0n, ownDay), form: { by: 'day', isWhole } });
  let units = ownDay;
  for (const [at, { on, units: some }] of otherDays.entries()) {
    const part = { ...sliceFormRow(event, units, units + some), on, ordinal: isWhole ? 0 : at + 1 };
    events.push({ ...part, form: { by: 'day', isWhole } });
    units += some;
  }
  if (without !== null) {
    const rest = {
      ...sliceFormRow(event, units, event.tx.quantity ?? 0n),
      ordinal: units === 0n ? 0 : otherDays.length + 1,
    };
    events.push({ ...rest, form: { ...without, isWhole: false } });
  }
  return events;
}

/** Returns the purchase that a form row states by its acquisition date and its basis. */
function buildPurchase({ tx }: TransactionEvent, supplement: Supplement | null): Event[] {
  const { acquired, quantity } = tx;
  if (acquired === null || quantity === null) return [];
  const day = { ...head(tx, orders.acquire, 2), on: acquired, at: null };
  const cost = dollars(tx, basisWithWages(tx.basis, supplement));
  const terms = { cost, acquired, purchasedOn: acquired };
  return [{ ...acquire(day, quantity, terms), origin: listedOrigin(tx.account, acquired) }];
}

/**
 * Returns the part of a form row between two cumulative unit counts. Amounts are rounded cumulatively (DECISIONS.md,
 * "Parts of an amount are rounded cumulatively").
 */
export function sliceFormRow(event: TransactionEvent, from: bigint, upTo: bigint): TransactionEvent {
  const { tx } = event;
  const shown = tx.quantity ?? (0n as Quantity);
  if (upTo - from === shown) return event;
  const share = (amount: Money | null): Money | null =>
    amount === null ? null : ((proportion(amount, upTo, shown) - proportion(amount, from, shown)) as Money);
  const [amount, basis, wash] = [share(tx.amount), share(tx.basis), share(tx.wash)];
  const [marketDiscount, wages] = [share(tx.marketDiscount), share(tx.wages)];
  const quantity = (upTo - from) as Quantity;
  return { ...event, tx: { ...tx, quantity, amount, basis, wash, marketDiscount, wages } };
}

/** A row that ends a holding or a short and so produces a Form 8949 row. */
interface Ending {
  readonly row: Transaction;
  readonly account: string;
  readonly key: string;
  /** The day the replay writes its lines. */
  readonly on: Day;
  /** The days that a form may use for it. */
  readonly days: readonly Day[];
  /** The year in which a security became worthless. A form may use any day of that year. */
  readonly anyDayOf: number | null;
  /** Null if the row does not state them. */
  readonly units: bigint | null;
  left: bigint;
  /** The proceeds before and after the fee, in cents. Empty if the row does not state them. */
  readonly proceeds: readonly bigint[];
  /** The cost of ending a short, before and after the fee. */
  readonly costs: readonly bigint[];
  readonly closesShort: boolean;
}

/** Units reported by one or more form rows, with their combined amounts. */
type ShownSale = Pick<Transaction, 'amount' | 'basis'> & { readonly units: bigint };

/**
 * With `fee`, amounts are equal to within a dollar, before or after the fee in the row. With `unstated fee`, they are
 * lower by a fee that neither the form nor the row states.
 */
export type Agreement = 'fee' | 'unstated fee';

interface Opening {
  readonly row: Transaction;
  readonly key: string;
  left: bigint;
}

interface Form1099Row {
  readonly row: Transaction;
  readonly key: string;
  readonly units: bigint;
  ownDay: bigint;
  readonly otherDays: Map<Day, bigint>;
  opens: boolean;
  without: FormPlan['without'];
}

class FormPlans {
  readonly plans = new Map<string, FormPlan>();
  /** Spans of days, including the first day and excluding the last. */
  readonly spans: (readonly [Day, number])[] = [];
  readonly #endings: ReadonlyMap<string, readonly Ending[]>;
  readonly #openings: ReadonlyMap<string, readonly Opening[]>;

  constructor(rows: readonly Transaction[]) {
    const forms = listFormRows(rows);
    const keys = new Set(forms.map(({ key }) => key));
    this.#endings = Map.groupBy(
      keys.size === 0 ? [] : rows.flatMap((row) => toEndings(row).filter(({ key }) => keys.has(key))),
      ({ key }) => key,
    );
    this.#openings = Map.groupBy(keys.size === 0 ? [] : rows.flatMap(toOpenings), ({ key }) => key);
    // Exact dates are matched first, so that a row with a nearby date does not use up a sale that matches another row
    // exactly.
    for (const form of forms) this.#meetOwnDay(form);
    const waiting = forms.filter((form) => form.ownDay < form.units);
    for (const form of waiting) this.spans.push([(form.row.on - reachDays) as Day, form.row.on + reachDays + 1]);
    for (const form of waiting) if (!this.#meetNear(form)) this.#meetOpening(form);
    for (const form of waiting) if (isOpen(form)) this.#meetFar(form);
    const unended = unendedOptions(rows);
    for (const form of waiting) if (form.without === null) this.#meetUnended(form, unended);
    const met = forms.filter(({ ownDay, otherDays }) => ownDay > 0n || otherDays.size > 0);
    for (const form of waiting) if (isOpen(form)) findTwin(form, met);
    for (const by of ['fee', 'unstated fee'] as const) {
      for (const form of waiting) if (isOpen(form)) this.#meetOtherAccount([form], by);
      const days = Map.groupBy(waiting.filter(isOpen), ({ row, key }) => `${key} ${row.on} ${row.account}`);
      for (const own of days.values()) if (own.length > 1) this.#meetOtherAccount(own, by);
      for (const form of waiting) if (isOpen(form)) this.#meetPart(form, by);
    }
    for (const form of waiting) if (isOpen(form)) findTwinElsewhere(form, met);
    for (const form of waiting) if (isOpen(form)) this.#findLike(form);
    this.#openPurchases(
      waiting.filter((form) => isOpen(form) || form.without?.by === 'like'),
      rows,
    );
    const { byForm } = matchSupplements(rows.filter(isFormRow));
    for (const { row, ownDay, otherDays, opens, without } of forms) {
      if (otherDays.size === 0 && without === null && !opens) continue;
      const days = [...otherDays].map(([on, units]) => ({ on, units }));
      const supplement = readSupplement(row) ?? byForm.get(row.id) ?? null;
      this.plans.set(row.id, { ownDay, otherDays: days, opens, supplement, without });
    }
  }

  /**
   * Opens lots for form rows that state a purchase that no other row states, because the account has no other rows in
   * the asset. A lot is opened only if another purchase was sold close enough in time to be a loss that the lot
   * replaces (IRC 1091(a)).
   */
  #openPurchases(forms: readonly Form1099Row[], rows: readonly Transaction[]): void {
    const stated = forms.filter(({ row }) => statesPurchase(row));
    if (stated.length === 0) return;
    const sold = purchasesSoldBy(rows);
    const movesLots = lotMoversAmong(rows);
    for (const form of stated) {
      const { row, key } = form;
      const acquired = row.acquired ?? row.on;
      // Any earlier row of the account can change the result, so no replay resumes before the window is over.
      this.spans.push([firstDay, Math.max(row.on, acquired + washDays) + 1]);
      const isAlone = !movesLots(row.account, key, row.on);
      const origin = listedOrigin(row.account, acquired);
      const isNearSale = (day: number): boolean =>
        sold
          .get(`${key} ${day}`)
          ?.values()
          .some((purchase) => purchase !== origin) ?? false;
      const days = Array.from({ length: 2 * washDays + 1 }, (_, at) => acquired - washDays + at);
      form.opens = isAlone && days.some(isNearSale);
    }
  }

  #endingsOf({ row, key }: Form1099Row): Ending[] {
    return (this.#endings.get(key) ?? []).filter(({ account }) => account === row.account || account === '');
  }

  #meetOwnDay(form: Form1099Row): void {
    for (const ending of this.#endingsOf(form)) {
      if (ending.on !== form.row.on) continue;
      const units = least(ending.left, form.units - form.ownDay);
      ending.left -= units;
      form.ownDay += units;
    }
  }

  /** Matches sales on nearby days, nearest first, if they explain all remaining units of the row. */
  #meetNear(form: Form1099Row): boolean {
    const near = this.#endingsOf(form)
      .filter((ending) => ending.left > 0n && isNear(ending, form.row))
      .sort((a, b) => distance(a, form.row) - distance(b, form.row) || compareEndings(a, b));
    return this.#meet(form, near);
  }

  #meet(form: Form1099Row, endings: readonly Ending[], unitsWanted = form.units - form.ownDay): boolean {
    const left = endings.reduce((sum, ending) => sum + ending.left, 0n);
    if (left < unitsWanted || unitsWanted === 0n) return false;
    let rest = unitsWanted;
    for (const ending of endings) {
      const units = least(ending.left, rest);
      if (units === 0n) break;
      ending.left -= units;
      rest -= units;
      form.otherDays.set(ending.on, (form.otherDays.get(ending.on) ?? 0n) + units);
      this.#holdOpen(form, [ending]);
    }
    return true;
  }

  /** Matches a form row dated on the day a short sale or written option was opened. Its closings are then the sale. */
  #meetOpening(form: Form1099Row): void {
    const { row, key, units } = form;
    const opening = (this.#openings.get(key) ?? [])
      .filter(
        ({ row: opened, left }) => opened.account === row.account && left >= units && isNearDay(opened.on, row.on),
      )
      .sort((a, b) => Math.abs(a.row.on - row.on) - Math.abs(b.row.on - row.on) || compareRows(a.row, b.row))[0];
    if (opening === undefined || form.ownDay > 0n) return;
    opening.left -= units;
    const closings = this.#endingsOf(form)
      .filter(({ closesShort, left, on }) => closesShort && left > 0n && on >= opening.row.on)
      .sort(compareEndings);
    if (this.#meet(form, closings)) return;
    form.without = { by: 'open', ...toOtherSale(opening, units) };
    this.spans.push([earlierDay(opening.row.on, row.on), Number.POSITIVE_INFINITY]);
  }

  /** Matches a sale with equal units and proceeds that is more days away. */
  #meetFar(form: Form1099Row): void {
    const run = this.#runsLike([form], (account) => isOwnAccount(account, form), 'fee')[0];
    if (run !== undefined) this.#meet(form, run);
  }

  /**
   * Matches a form row that reports the end of a written option that no other row ends. The option counts as expired,
   * and the form row is not a second sale. It also matches earlier partial closings of that option.
   */
  #meetUnended(form: Form1099Row, unended: Map<string, bigint>): void {
    const { row, key } = form;
    const name = `${key} ${row.account}`;
    const left = unended.get(name) ?? 0n;
    const rest = unmetUnits(form);
    const opening = (this.#openings.get(key) ?? [])
      .filter(({ row: opened }) => opened.account === row.account && opened.on <= row.on)
      .sort((a, b) => compareRows(a.row, b.row))[0];
    if (opening === undefined || left <= 0n || rest === 0n) return;
    const closings = this.#endingsOf(form)
      .filter((ending) => ending.closesShort && ending.left > 0n && ending.on >= opening.row.on && ending.on < row.on)
      .sort(compareEndings);
    if (left < rest && !this.#meet(form, closings, rest - left)) return;
    const units = unmetUnits(form);
    unended.set(name, left - units);
    form.without = { by: 'ended', ...toOtherSale(opening, units) };
    this.spans.push([opening.row.on, Number.POSITIVE_INFINITY]);
  }

  /** Matches consecutive sales in one other account whose units and proceeds equal the sum of these rows. */
  #meetOtherAccount(forms: readonly Form1099Row[], by: Agreement): void {
    const [form] = forms as readonly [Form1099Row];
    const run = this.#runsLike(forms, (account) => !isOwnAccount(account, form), by)[0];
    if (run === undefined) return;
    const { units } = sumFormRows(forms);
    for (const one of forms) one.without = { by: 'account', ...saleOfRun(run, one.units, units) };
    for (const ending of run) ending.left = 0n;
    this.#holdOpen(form, run);
  }

  /** Matches a part of a sale in another account, at the same price. */
  #meetPart(form: Form1099Row, by: Agreement): void {
    const { row, units } = form;
    const shown = sumFormRows([form]);
    const [sale] = this.#endingsNear(form, by)
      .filter((ending) => !isOwnAccount(ending.account, form) && ending.units !== null && ending.left >= units)
      .filter((ending) => agrees([ending], shown, by))
      .sort((a, b) => distance(a, row) - distance(b, row) || compareEndings(a, b));
    if (sale === undefined) return;
    sale.left -= units;
    form.without = { by: 'account', ...saleOfRun([sale], units, sale.units ?? units) };
    this.#holdOpen(form, [sale]);
  }

  #holdOpen({ row }: Form1099Row, endings: readonly Ending[]): void {
    for (const { on } of endings) this.spans.push([earlierDay(on, row.on), Math.max(on, row.on)]);
  }

  /**
   * Finds a sale of the same number of units in another account for different proceeds. It may be this sale or another
   * one.
   */
  #findLike(form: Form1099Row): void {
    const run = this.#runsLike([form], (account) => !isOwnAccount(account, form), null)[0];
    if (run === undefined) return;
    form.without = { by: 'like', ...saleOfRun(run, form.units, form.units) };
    this.#holdOpen(form, run);
  }

  /**
   * Returns runs of consecutive sales in one account with these units, and with equal proceeds unless `by` is null. The
   * shortest and nearest runs come first.
   */
  #runsLike(
    forms: readonly Form1099Row[],
    isAccount: (account: string) => boolean,
    by: Agreement | null,
  ): (readonly Ending[])[] {
    const [form] = forms as readonly [Form1099Row];
    const shown = sumFormRows(forms);
    const free = this.#endingsNear(form, by)
      .filter(({ account, left, units }) => isAccount(account) && left === (units ?? unlimited))
      .sort(compareEndings);
    const runs = [...Map.groupBy(free, ({ account }) => account).values()].flatMap((accountEndings) =>
      findRuns(accountEndings, shown.units),
    );
    const near = (run: readonly Ending[]): number => Math.max(...run.map((ending) => distance(ending, form.row)));
    return runs
      .filter((run) => by === null || agrees(run, shown, by))
      .sort((a, b) => a.length - b.length || near(a) - near(b) || compareEndings(a[0] as Ending, b[0] as Ending));
  }

  #endingsNear({ row, key }: Form1099Row, by: Agreement | null): Ending[] {
    const days = by === 'fee' ? farDays : nearDays;
    return (this.#endings.get(key) ?? []).filter(
      (ending) => ending.anyDayOf === yearOf(row.on) || distance(ending, row) <= days,
    );
  }
}

function sumFormRows(forms: readonly Form1099Row[]): ShownSale {
  const units = forms.reduce((sum, form) => sum + form.units, 0n);
  const sumAmounts = (read: (row: Transaction) => Money | null): Money | null =>
    forms.some((form) => read(form.row) === null)
      ? null
      : (forms.reduce((sum, form) => sum + (read(form.row) ?? 0n), 0n) as Money);
  return {
    units,
    amount: sumAmounts((row) => dollars(row, row.amount)),
    basis: sumAmounts((row) => dollars(row, row.basis)),
  };
}

/** Returns the runs of sales that sum to these units. A merger sells all units held. */
function findRuns(endings: readonly Ending[], unitsWanted: bigint): (readonly Ending[])[] {
  const runs: (readonly Ending[])[] = endings.filter(({ units }) => units === null).map((ending) => [ending]);
  const counted = endings.filter(({ units }) => units !== null);
  let [from, sum] = [0, 0n];
  for (const [at, { left }] of counted.entries()) {
    sum += left;
    while (sum > unitsWanted) sum -= (counted[from++] as Ending).left;
    if (sum === unitsWanted) runs.push(counted.slice(from, at + 1));
  }
  return runs;
}

/**
 * Returns whether the proceeds of sales, or the costs of closing shorts, equal the amounts on form rows. For a part of
 * a sale, the price must be equal.
 */
function agrees(endings: readonly Ending[], shown: ShownSale, by: Agreement): boolean {
  const all = endings.reduce((sum, { units }) => sum + (units ?? 0n), 0n);
  const isAsMuch = (stated: Money | null, read: (ending: Ending) => readonly bigint[]): boolean => {
    if (stated === null || endings.some((ending) => read(ending).length === 0)) return false;
    const cents = roundToCents(stated);
    return [0, 1].some((at) => {
      const total = endings.reduce((sum, ending) => sum + (read(ending)[at] ?? 0n), 0n);
      return agreesTo(all > shown.units ? proportion(total, shown.units, all) : total, cents, by);
    });
  };
  return isAsMuch(shown.amount, ({ proceeds }) => proceeds) || isAsMuch(shown.basis, ({ costs }) => costs);
}

/**
 * Returns whether two amounts are equal, with or without an unstated fee. Such a fee is up to 25 dollars or 1% of the
 * proceeds, whichever is more, but never more than 5% of the proceeds.
 */
export function agreesTo(amount: bigint, shown: bigint, by: Agreement): boolean {
  const [low, high] = amount < shown ? [amount, shown] : [shown, amount];
  const difference = high - low;
  if (by === 'fee') return difference <= 100n;
  return difference * 20n <= high && (difference <= 2_500n || difference * 100n <= high);
}

function saleOfRun(run: readonly Ending[], units: bigint, all: bigint): OtherSale {
  const [{ account, row }] = run as readonly [Ending];
  const isStated = run.every(({ proceeds }) => proceeds.length > 0);
  const brought = run.reduce((sum, { proceeds }) => sum + (proceeds[0] ?? 0n), 0n);
  const proceeds = isStated ? (proportion(brought, units, all) as Cents) : null;
  return { rows: run.map((ending) => ending.row.id), account, on: row.on, proceeds };
}

function toOtherSale({ row }: Opening, units: bigint): OtherSale {
  const amount = dollars(row, row.amount);
  const proceeds = amount === null ? null : roundToCents(proportion(amount, units, row.quantity ?? units) as Money);
  return { rows: [row.id], account: row.account, on: row.on, proceeds };
}

/** Returns whether a sale may be in the form row's account. A sale without an account may be in any account. */
function isOwnAccount(account: string, { row }: Form1099Row): boolean {
  return account === row.account || account === '';
}

function unmetUnits({ units, ownDay, otherDays }: Form1099Row): bigint {
  return [...otherDays.values()].reduce((left, some) => left - some, units - ownDay);
}

function listFormRows(rows: readonly Transaction[]): Form1099Row[] {
  const all = rows.filter(isFormRow);
  const replaced = replacedRows(all);
  return all
    .filter(({ id, quantity }) => !replaced.has(id) && quantity !== null && quantity > 0n)
    .sort(compareRows)
    .map((row) => ({
      row,
      key: keyOf(row),
      units: row.quantity ?? 0n,
      ownDay: 0n,
      otherDays: new Map(),
      opens: false,
      without: null,
    }));
}

/** Returns whether no units of the form row are explained yet. */
function isOpen({ ownDay, otherDays, without }: Form1099Row): boolean {
  return ownDay === 0n && otherDays.size === 0 && without === null;
}

/** Finds an equal row that already matched the sale, because the forms report one sale twice. */
function findTwin(form: Form1099Row, met: readonly Form1099Row[]): void {
  const { row } = form;
  const twin = met.find(
    (other) =>
      other.row.account === row.account &&
      other.key === form.key &&
      other.row.on === row.on &&
      other.units === form.units &&
      other.row.amount === row.amount,
  );
  if (twin !== undefined) form.without = { by: 'twice', ...saleOfRow(twin.row) };
}

/**
 * Finds a row of another account that is equal in every reported value, because the same form was imported for both
 * accounts.
 */
function findTwinElsewhere(form: Form1099Row, met: readonly Form1099Row[]): void {
  const { row } = form;
  if (row.acquired === null || row.basis === null) return;
  const twin = met.find(
    (other) =>
      other.row.account !== row.account &&
      other.key === form.key &&
      other.row.on === row.on &&
      other.units === form.units &&
      other.row.amount === row.amount &&
      other.row.basis === row.basis &&
      other.row.acquired === row.acquired,
  );
  if (twin !== undefined) form.without = { by: 'account', ...saleOfRow(twin.row) };
}

function saleOfRow(row: Transaction): OtherSale {
  const amount = dollars(row, row.amount);
  const proceeds = amount === null ? null : roundToCents(amount);
  return { rows: [row.id], account: row.account, on: row.on, proceeds };
}

/** A day before all rows. */
const firstDay = -1_000_000 as Day;

/** Returns whether a form row states a purchase and its cost, and its lot would be sold as the form reports. */
function statesPurchase(row: Transaction): boolean {
  const { acquired, on, wash, assetClass } = row;
  const isSecurity = assetClass === 'stock' || assetClass === 'fund' || assetClass === 'bond';
  if (!isSecurity || acquired === null || acquired > on || dollars(row, row.basis) === null) return false;
  if ((wash ?? 0n) > 0n || dollars(row, row.amount) === null) return false;
  const boxTerm = row.box === null || 'CFIL'.includes(row.box) ? null : 'ABGH'.includes(row.box) ? 'short' : 'long';
  const term = row.term ?? boxTerm;
  return term === null || term === (on >= longTermOn(acquired) ? 'long' : 'short');
}

/** Returns the purchases whose lots were sold, by asset and day. */
function purchasesSoldBy(rows: readonly Transaction[]): Map<string, Set<string>> {
  const sold = new Map<string, Set<string>>();
  const add = (key: string, on: Day, purchase: string): void => {
    const name = `${key} ${on}`;
    sold.set(name, (sold.get(name) ?? new Set()).add(purchase));
  };
  for (const row of rows) {
    if (!isFormRow(row)) for (const { key, on } of toEndings(row)) add(key, on, row.id);
    else add(keyOf(row), row.on, row.acquired === null ? row.id : listedOrigin(row.account, row.acquired));
  }
  return sold;
}

/**
 * Returns a test for rows up to a day that may change the lots of an asset in an account, other than form rows and
 * lists of lots.
 */
function lotMoversAmong(rows: readonly Transaction[]): (account: string, key: string, until: Day) => boolean {
  const first = new Map<string, Day>();
  for (const row of rows) {
    if (isFormRow(row) || listsLot(row) || rowOf(row.type).lots === 'none') continue;
    for (const key of listAssetKeys(row)) {
      for (const account of [row.account, row.toAccount]) {
        const name = `${key} ${account}`;
        first.set(name, earlierDay(first.get(name) ?? row.on, row.on));
      }
    }
  }
  return (account, key, until) =>
    [account, ''].some((one) => (first.get(`${key} ${one}`) ?? Number.POSITIVE_INFINITY) <= until);
}

function toEndings(row: Transaction): Ending[] {
  if (row.amount !== null && row.amount < 0n) return [];
  const { type, account, on } = row;
  const amount = dollars(row, row.amount);
  const proceeds = amount === null ? [] : [roundToCents(amount), roundToCents((amount - tradeFee(row)) as Money)];
  const ending = {
    row,
    account,
    key: keyOf(row),
    on: countsOn(row),
    days: [on],
    anyDayOf: null,
    closesShort: false,
    proceeds,
    costs: [],
  };
  const costs = amount === null ? [] : [roundToCents(amount), roundToCents((amount + tradeFee(row)) as Money)];
  const of = (units: bigint | null, changes: Partial<Ending> = {}): Ending[] =>
    units !== null && units <= 0n ? [] : [{ ...ending, units, left: units ?? unlimited, ...changes }];
  const expiry = findExpiry(row);
  const nothing = [0n, 0n] as const;
  const endsOption = { days: expiry === null ? [on] : [on, expiry], closesShort: true, proceeds: [] };
  switch (type) {
    case 'sell':
    case 'sell_to_close':
    case 'trade':
    case 'spend':
      return row.quantity === null ? [] : of(row.quantity);
    case 'cover':
    case 'buy_to_close':
      return row.quantity === null ? [] : of(row.quantity, { closesShort: true, proceeds: [], costs });
    case 'expire':
      return of(row.quantity, { ...endsOption, proceeds: nothing, costs: nothing });
    case 'exercise':
    case 'assign':
      if (isContract1256(classifyAssets(row).asset)) return of(row.quantity, endsOption);
      return sellsStock(row)
        ? of(sharesOfEnd(row), { key: toAssetKey(underlyingOf(row), 'stock'), days: endsOption.days })
        : [];
    case 'worthless':
      return isCoin(row.assetClass) || row.quantity === null
        ? []
        : of(row.quantity, { anyDayOf: yearOf(on), proceeds: nothing });
    case 'merger':
      return row.amount === null ? [] : of(null);
    default:
      return [];
  }
}

/** More units than any row can have. */
const unlimited = 10n ** 60n;

function toOpenings(row: Transaction): Opening[] {
  const opens = row.type === 'short_sell' || row.type === 'sell_to_open';
  if (!opens || row.quantity === null || row.quantity <= 0n || (row.amount ?? 0n) < 0n) return [];
  return [{ row, key: keyOf(row), left: row.quantity }];
}

/** Returns the number of contracts written and never closed, by asset and account. Closings booked late count. */
function unendedOptions(rows: readonly Transaction[]): Map<string, bigint> {
  const unended = new Map<string, bigint>();
  for (const row of rows) {
    const isWritten = row.type === 'sell_to_open';
    if (!isWritten && !endsWritten.has(row.type)) continue;
    const name = `${keyOf(row)} ${row.account}`;
    const units = row.quantity ?? (isWritten ? 0n : unlimited);
    unended.set(name, (unended.get(name) ?? 0n) + (isWritten ? units : -units));
  }
  return unended;
}

const endsWritten: ReadonlySet<Transaction['type']> = new Set(['buy_to_close', 'expire', 'assign'] as const);

/** Returns whether a row sells stock: an assigned call or an exercised put. */
export function sellsStock(row: Transaction): boolean {
  return underlyingOf(row) !== '' && !buysStock(row);
}

function findExpiry({ asset, on }: Transaction): Day | null {
  const day = parseDay(parseOption(asset)?.expires ?? '');
  return day !== undefined && day < on && on <= day + lateDays ? day : null;
}

function isNear(ending: Ending, row: Transaction): boolean {
  return ending.anyDayOf === yearOf(row.on) || distance(ending, row) <= nearDays;
}

function isNearDay(a: Day, b: Day): boolean {
  return Math.abs(a - b) <= nearDays;
}

function distance({ days }: Ending, { on }: Transaction): number {
  return Math.min(...days.map((day) => Math.abs(day - on)));
}

function compareEndings(a: Ending, b: Ending): number {
  return a.on - b.on || compareRows(a.row, b.row);
}

function compareRows(a: Transaction, b: Transaction): number {
  return a.on - b.on || a.line - b.line || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function keyOf(row: Transaction): string {
  return toAssetKey(row.asset, classifyAssets(row).asset);
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function earlierDay(a: Day, b: Day): Day {
  return a < b ? a : b;
}
