import { isContract1256 } from '../../engine/events/classes.ts';
import { replacedRows } from '../../engine/events/corrected-forms.ts';
import { toAssetKey } from '../../engine/events/keys.ts';
import type { FormAssetName, Line, Rules, Transaction } from '../../engine/model.ts';
import { isRetirementType } from '../../engine/model.ts';
import { parseFormUnits } from '../../engine/rules/form-1099/form-units.ts';
import { computeLinePart, type DeskPart } from './parts.ts';

/** How a form row and Lotbook's lines were matched as one sale. */
export type MatchBy =
  /** The history contains the sale on that day in that account. */
  | 'day'
  /** The history contains the sale on a different day. */
  | 'near'
  /**
   * The history contains the sale in another account or year, under another name, or as a short sale that is still
   * open.
   */
  | 'elsewhere'
  /** A form contains the same row twice, and the sale is already matched. */
  | 'twice'
  /** Only the form contains the sale. The history contains other sales in this account. */
  | 'form'
  /** Only the form contains the sale, and the history contains no sales in this account. */
  | 'form alone'
  /** The sale has no line on Form 8949, because it is in an IRA or on Form 6781. */
  | 'no line'
  /** A total for many sales. */
  | 'total'
  /** A later form row corrects this one. */
  | 'replaced'
  /** The remaining units if the form shows only part of a sale. */
  | 'rest'
  /** No form shows the sale. */
  | 'none';

interface FormMatch {
  readonly by: MatchBy;
  readonly parts: readonly DeskPart[];
}

interface RowMatch extends FormMatch {
  readonly row: Transaction;
  /** Whether the asset's name was matched to the history by a guess. */
  readonly named: boolean;
}

/** Collects the lines for every form row, as matched by the engine, and the sales that are not on any form row. */
export class FormMatches {
  readonly #taken = new Map<Line, bigint>();
  /** The units that each row reports, by row id. */
  readonly #reported = new Map<string, DeskPart[]>();
  readonly #own: readonly Line[];
  readonly #rows: readonly Transaction[];
  readonly #accountsWithSales: ReadonlySet<string>;
  readonly #matches: RowMatch[] = [];

  constructor(
    lines: readonly Line[],
    reported: readonly Transaction[],
    private readonly rules: Pick<Rules, 'accounts' | 'formNames'>,
  ) {
    const ids = new Set(reported.map(({ id }) => id));
    for (const line of lines) {
      this.#taken.set(line, 0n);
      for (const { row, units } of parseFormUnits(line.disposal)) {
        const parts = this.#reported.get(row) ?? [];
        parts.push(this.#take(line, units));
        this.#reported.set(row, parts);
      }
    }
    this.#own = lines.filter(({ disposal }) => disposal.quantity > 0n && !ids.has(disposal.saleId));
    this.#accountsWithSales = new Set(this.#own.map(({ disposal }) => disposal.account));
    this.#rows = reported.toSorted((a, b) => a.on - b.on || a.line - b.line || (a.id < b.id ? -1 : 1));
    this.#match();
  }

  ofRows(): readonly RowMatch[] {
    return this.#matches;
  }

  /**
   * Returns sales that are not on any form row, in accounts that have a form. A sale with several lots is one match.
   */
  ofSales(): readonly FormMatch[] {
    const forms = new Set(this.#rows.map((row) => row.account));
    const rest = this.#own.filter((line) => forms.has(line.disposal.account) && this.#units(line) > 0n);
    return [...Map.groupBy(rest, ({ disposal }) => disposal.saleId).values()].map((sale) => ({
      by: sale.some((line) => this.#taken.get(line) !== 0n) ? ('rest' as const) : ('none' as const),
      parts: sale.map((line) => this.#take(line, this.#units(line))),
    }));
  }

  #match(): void {
    const replaced = replacedRows(this.#rows);
    const totals: Transaction[] = [];
    for (const row of this.#rows) {
      if (replaced.has(row.id)) this.#push({ row, by: 'replaced', parts: [] });
      else if (row.type === 'reported_sale') this.#matchSale(row);
      else totals.push(row);
    }
    const byAsset = Map.groupBy(this.#own, ({ disposal }) => toAssetKey(disposal.asset, disposal.assetClass));
    for (const row of totals) this.#matchTotal(row, byAsset.get(keyOf(row)) ?? []);
  }

  /** Matches a total with every sale of its asset in the account that is not on an individual row. */
  #matchTotal(row: Transaction, lines: readonly Line[]): void {
    const open = lines.filter((line) => line.disposal.account === row.account && this.#units(line) > 0n);
    this.#push({ row, by: 'total', parts: open.map((line) => this.#take(line, this.#units(line))) });
  }

  #matchSale(row: Transaction): void {
    const parts = this.#reported.get(row.id) ?? [];
    this.#push({ row, by: this.#howMet(row, parts), parts });
  }

  #push(match: Omit<RowMatch, 'named'>): void {
    this.#matches.push({ ...match, named: findBookName(match.row, this.rules)?.by === 'sale' });
  }

  #howMet(row: Transaction, parts: readonly DeskPart[]): MatchBy {
    const sales = parts.filter(({ line }) => line.disposal.saleId !== row.id);
    if (sales.length > 0) return sales.every(({ line }) => isDatedBy(line, row)) ? 'day' : 'near';
    if (parts.length > 0) return this.#accountsWithSales.has(row.account) ? 'form' : 'form alone';
    if (isContract1256(row.assetClass) || isRetirementType(this.rules.accounts[row.account]?.type)) return 'no line';
    return this.#rows.some((other) => other.id !== row.id && this.#reported.has(other.id) && isSameRow(other, row))
      ? 'twice'
      : 'elsewhere';
  }

  #units(line: Line): bigint {
    return line.disposal.quantity - (this.#taken.get(line) ?? 0n);
  }

  #take(line: Line, units: bigint): DeskPart {
    const before = this.#taken.get(line) ?? 0n;
    this.#taken.set(line, before + units);
    return computeLinePart(line, before, units);
  }
}

/** Returns the name that the history uses for a form row's asset, if it differs (`engine/events/form-names.ts`). */
export function findBookName(row: Transaction, { formNames }: Pick<Rules, 'formNames'>): FormAssetName | undefined {
  return row.type === 'reported_sale' ? formNames?.[row.account]?.[keyOf(row)] : undefined;
}

/**
 * Returns whether the form row's date matches the line. Forms date a short sale by its delivery, and a written option
 * by its end.
 */
function isDatedBy({ disposal }: Line, { on }: Transaction): boolean {
  return disposal.sold === on || disposal.on === on || disposal.causedOn === on;
}

function isSameRow(a: Transaction, b: Transaction): boolean {
  const isOfOneForm = a.type === b.type && a.account === b.account && keyOf(a) === keyOf(b);
  return isOfOneForm && a.on === b.on && a.quantity === b.quantity && a.amount === b.amount;
}

function keyOf({ asset, assetClass }: Transaction): string {
  return toAssetKey(asset, assetClass);
}
