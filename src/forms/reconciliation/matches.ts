import { assetKeyOf } from '../../engine/events/keys.ts';
import type { Line, Transaction } from '../../engine/model.ts';
import { replacedRows } from '../../engine/rules/form-1099/corrections.ts';
import { type DeskPart, partOf } from './parts.ts';

/** How a form's row and our lines were found to be one sale. */
export type MatchBy =
  /** The history sold it on that day in that account. */
  | 'day'
  /** The same units on another day near it, or in another account. */
  | 'near'
  | 'account'
  /** The same row stands in a form twice: its sale is taken. */
  | 'twice'
  /** Only the form states the sale, and the account has sales of its own. */
  | 'form'
  /** Only the form states any sale of the account. */
  | 'form alone'
  /** A total of many sales. */
  | 'total'
  /** A later row of the same sale corrects it. */
  | 'replaced'
  /** Units of a sale of which the form shows others. */
  | 'rest'
  /** No form shows the sale. */
  | 'none';

export interface FormMatch {
  readonly by: MatchBy;
  readonly parts: readonly DeskPart[];
}

export interface RowMatch extends FormMatch {
  readonly row: Transaction;
}

/** A settlement date, or that of another time zone, is at most so many days from the trade. */
const nearDaysMax = 5;

/** Finds the counterpart of every row of the forms, and the sales that have none. Units are given out once. */
export class FormMatches {
  readonly #taken = new Map<Line, bigint>();
  readonly #byDay: Map<string, Line[]>;
  readonly #made: Map<string, Line[]>;
  readonly #rows: readonly Transaction[];
  readonly #accountsWithSales: ReadonlySet<string>;
  readonly #matches: RowMatch[] = [];

  constructor(lines: readonly Line[], reported: readonly Transaction[]) {
    const ids = new Set(reported.map(({ id }) => id));
    const withUnits = lines.filter(({ disposal }) => disposal.quantity > 0n);
    const own = withUnits.filter(({ disposal }) => !ids.has(disposal.saleId));
    for (const line of withUnits) this.#taken.set(line, 0n);
    this.#byDay = Map.groupBy(own, ({ disposal }) => dayKey(disposal));
    this.#made = Map.groupBy(
      lines.filter(({ disposal }) => ids.has(disposal.saleId)),
      ({ disposal }) => disposal.saleId,
    );
    this.#accountsWithSales = new Set(own.map(({ disposal }) => disposal.account));
    this.#rows = reported.toSorted((a, b) => a.on - b.on || a.line - b.line || (a.id < b.id ? -1 : 1));
    this.#match(own);
  }

  ofRows(): readonly RowMatch[] {
    return this.#matches;
  }

  /** Sales that no row shows, in accounts that have a form; a sale with several lots is one. */
  ofSales(): readonly FormMatch[] {
    const forms = new Set(this.#rows.map((row) => row.account));
    const rest = [...this.#byDay.values()]
      .flat()
      .filter((line) => forms.has(line.disposal.account) && this.#units(line) > 0n);
    return [...Map.groupBy(rest, ({ disposal }) => disposal.saleId).values()].map((sale) => ({
      by: sale.some((line) => this.#taken.get(line) !== 0n) ? ('rest' as const) : ('none' as const),
      parts: sale.map((line) => this.#take(line, this.#units(line))),
    }));
  }

  /** Exact days first: what is found near must not take a sale that a row names. */
  #match(own: readonly Line[]): void {
    const replaced = replacedRows(this.#rows);
    const waiting: Transaction[] = [];
    for (const row of this.#rows) {
      if (replaced.has(row.id)) this.#add(row, 'replaced', []);
      else if (row.type === 'reported_sale') this.#matchDay(row, waiting);
    }
    const byAsset = Map.groupBy(own, ({ disposal }) => assetKeyOf(disposal.asset, disposal.assetClass));
    for (const row of waiting) this.#matchElsewhere(row, byAsset.get(keyOf(row)) ?? []);
    for (const row of this.#rows) {
      if (row.type === 'reported_total' && !replaced.has(row.id)) this.#matchTotal(row, byAsset.get(keyOf(row)) ?? []);
    }
  }

  /** A total stands for every sale of its asset in the account that no row of its own shows. */
  #matchTotal(row: Transaction, lines: readonly Line[]): void {
    const open = lines.filter((line) => line.disposal.account === row.account && this.#units(line) > 0n);
    this.#add(
      row,
      'total',
      open.map((line) => this.#take(line, this.#units(line))),
    );
  }

  #matchDay(row: Transaction, waiting: Transaction[]): void {
    const candidates = (this.#byDay.get(dayKey({ ...row, sold: row.on })) ?? []).toSorted(
      (a, b) => Number(b.disposal.acquired === row.acquired) - Number(a.disposal.acquired === row.acquired),
    );
    let wanted: bigint = row.quantity ?? 0n;
    const parts: DeskPart[] = [];
    for (const line of candidates) {
      const units = least(this.#units(line), wanted);
      if (units <= 0n) continue;
      parts.push(this.#take(line, units));
      wanted -= units;
    }
    if (parts.length === 0) waiting.push(row);
    else this.#add(row, 'day', [...parts, ...this.#madeBy(row)]);
  }

  #matchElsewhere(row: Transaction, lines: readonly Line[]): void {
    const same = this.#matches.some(
      ({ row: other, by }) => by !== 'replaced' && by !== 'twice' && isSameRow(other, row),
    );
    const sales = [...Map.groupBy(lines, ({ disposal }) => disposal.saleId).values()]
      .filter((sale) => sale.every((line) => this.#taken.get(line) === 0n))
      .filter((sale) => sale.reduce((sum, { disposal }) => sum + disposal.quantity, 0n) === row.quantity);
    const near = sales.filter(
      ([line]) => line !== undefined && isNear(line, row) && line.disposal.account === row.account,
    );
    const elsewhere = sales.filter(([line]) => line?.disposal.sold === row.on && line.disposal.account !== row.account);
    const [found] = [...near, ...elsewhere];
    if (same) this.#add(row, 'twice', this.#madeBy(row));
    else if (found === undefined) {
      this.#add(row, this.#accountsWithSales.has(row.account) ? 'form' : 'form alone', this.#madeBy(row));
    } else {
      const parts = found.map((line) => this.#take(line, line.disposal.quantity));
      this.#add(row, near.length > 0 ? 'near' : 'account', parts);
    }
  }

  /** Lines that the row itself made, because the history has no such sale. */
  #madeBy(row: Transaction): DeskPart[] {
    return (this.#made.get(row.id) ?? []).flatMap((line) =>
      line.disposal.quantity > 0n ? [this.#take(line, line.disposal.quantity)] : [],
    );
  }

  #add(row: Transaction, by: MatchBy, parts: readonly DeskPart[]): void {
    this.#matches.push({ row, by, parts });
  }

  #units(line: Line): bigint {
    return line.disposal.quantity - (this.#taken.get(line) ?? 0n);
  }

  #take(line: Line, units: bigint): DeskPart {
    const before = this.#taken.get(line) ?? 0n;
    this.#taken.set(line, before + units);
    return partOf(line, before, units);
  }
}

function isOfSameForm(a: Transaction, b: Transaction): boolean {
  return a.type === b.type && a.account === b.account && keyOf(a) === keyOf(b);
}

function isSameRow(a: Transaction, b: Transaction): boolean {
  return isOfSameForm(a, b) && a.on === b.on && a.quantity === b.quantity && a.amount === b.amount;
}

function isNear({ disposal }: Line, row: Transaction): boolean {
  return Math.abs(disposal.sold - row.on) <= nearDaysMax;
}

function dayKey({
  account,
  asset,
  assetClass,
  sold,
}: Pick<Line['disposal'], 'account' | 'asset' | 'assetClass' | 'sold'>) {
  return JSON.stringify([account, assetKeyOf(asset, assetClass), sold]);
}

function keyOf({ asset, assetClass }: Transaction): string {
  return assetKeyOf(asset, assetClass);
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
