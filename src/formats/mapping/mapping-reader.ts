import { rowOf } from '../../engine/transaction-types.ts';
import { Cells, type Conventions, HeaderColumns } from '../cells/cells.ts';
import { dateOrders } from '../cells/times.ts';
import type { Format, Outcome, Reader, ReadingContext, Row } from '../format.ts';
import { lotbookColumns, memberOf } from '../lotbook-columns.ts';
import { lotbook } from '../sources/lotbook.ts';
import { withDeliveries } from '../tables/deliveries.ts';
import { AsideRows } from './aside-rows.ts';
import { type LotbookTexts, lineOf } from './mapped-line.ts';
import { readPair, readSides } from './mapped-sides.ts';
import { type Counted, isMoney, MappedValues } from './mapped-values.ts';
import type { MappedField, Mapping } from './mapping.ts';
import { meaningOf } from './measures.ts';
import { RowTypes } from './row-types.ts';
import { stateOfWord } from './type-words.ts';
import { WithheldSigns } from './withheld-signs.ts';

/**
 * Reads a file by its mapping. Most rows are rewritten as a line of the Lotbook CSV and read by that format, so that one
 * set of rules applies. Its rejections name the columns of the file.
 */
export function mappingFormat(mapping: Mapping): Format {
  return {
    id: mappingFormatId,
    name: 'Mapped columns',
    source: mapping.constants?.account ?? 'Imported',
    assetClass: mapping.constants?.assetClass ?? null,
    layouts: [{ id: 'mapping', required: Object.keys(mapping.columns) }],
    open: (_layout, header, context) => withDeliveries(new MappedReader(mapping, header, context)),
  };
}

export const mappingFormatId = 'mapping';

type Field = MappedField;
class MappedReader implements Reader {
  private readonly columns: HeaderColumns;
  private readonly conventions: Conventions;
  private readonly lotbook: Reader;
  private readonly types: RowTypes;
  private readonly aside: AsideRows;
  private readonly withheld = new WithheldSigns();
  private readonly columnsOf = new Map<Field, string[]>();
  /** The sign of the first fee of each column. */
  private readonly feeIsNegative = new Map<string, boolean>();

  constructor(
    private readonly mapping: Mapping,
    header: Row,
    private readonly context: ReadingContext,
  ) {
    this.columns = new HeaderColumns(header);
    for (const [column, field] of Object.entries(mapping.columns))
      this.columnsOf.set(field, [...(this.columnsOf.get(field) ?? []), column]);
    this.conventions = {
      zone: mapping.timeZone ?? context.timeZone,
      ...(mapping.dateOrder === undefined ? {} : { dates: dateOrders[mapping.dateOrder] }),
      numbers: mapping.decimal === ',' ? 'decimal comma' : 'decimal point',
    };
    this.types = new RowTypes(mapping);
    this.aside = new AsideRows(mapping, header, this.columns);
    const [layout] = lotbook.layouts;
    if (layout === undefined) throw new Error('The Lotbook CSV has a layout.');
    this.lotbook = lotbook.open(layout, { line: header.line, cells: [...lotbookColumns] }, context);
  }

  read(given: Row): readonly Outcome[] {
    const row = this.aside.continued(given);
    const cells = new Cells(row, this.columns, this.context, this.conventions);
    const reason = this.aside.reasonToSkip(row);
    if (reason !== undefined) return [cells.skip(reason)];
    const zone = this.conventions.zone ?? this.context.timeZone;
    return this.outcomes(
      new MappedValues(cells, this.mapping, this.columnsOf, { zone, taxZone: this.context.timeZone }),
    );
  }

  end(): readonly Outcome[] {
    return this.withheld.end();
  }

  private outcomes(values: MappedValues): readonly Outcome[] {
    const { cells } = values;
    const state = values.text('status');
    const stands = state === '' ? 'done' : stateOfWord(state);
    if (stands === 'not done') return [cells.skip(`its state is "${state.slice(0, 80)}"`)];
    if (stands === undefined) cells.reject(values.column('status'), 'unknown_state', unknownState);
    const said = this.types.said(values);
    if (said !== null && typeof said !== 'string') return [said];
    if (said === null) return [cells.refused()];
    const [account, externalId, note] = [values.text('account'), values.text('externalId'), values.text('note')];
    const common = { account, externalId, note };
    this.checkFeeSigns(values);
    if (values.has('sentQuantity')) return [readSides(values, said, common)];
    const counted = values.counted('quantity');
    const units = counted?.value ?? null;
    const money = values.money(units);
    const isOut = this.mapping.signs === 'amount';
    const more = isOut ? (money === null ? null : 0n - money.value) : units;
    const type = this.types.bySign(values, said, more, units);
    if (cells.flawed || type === null) return [cells.refused()];
    if ((type === 'buy' || type === 'sell') && this.isPair(values, money)) {
      const named = values.has('pair') ? '' : values.text('asset') || (counted?.unit ?? '');
      if (named !== '' || values.has('pair')) return [readPair(values, type, units, money, common)];
    }
    if (rowOf(type).side === 'buy') this.withheld.notePurchase(money?.value ?? null);
    const line = lineOf(values, type, counted, money, common);
    if ('kind' in line) return [line];
    if (type !== 'withholding' || !line.amount) return this.readLine(cells, line);
    const size = line.amount.replace('-', '');
    return this.withheld.add({
      isNegative: line.amount.startsWith('-'),
      as: (meaning) =>
        meaning === 'unclear'
          ? [cells.rejected(values.column(values.has('total') ? 'total' : 'amount'), 'ambiguous_sign', unclearTax)]
          : this.readLine(cells, { ...line, amount: meaning === 'refund' ? `-${size}` : size }),
    });
  }

  /** A fee with the other sign than the first of its column was paid out, or the first was: which, nothing says. */
  private checkFeeSigns(values: MappedValues): void {
    for (const column of this.columnsOf.get('fee') ?? []) {
      const fee = values.counted('fee', column)?.value ?? 0n;
      if (fee === 0n) continue;
      const first = this.feeIsNegative.get(column) ?? fee < 0n;
      this.feeIsNegative.set(column, first);
      if (first !== fee < 0n) values.cells.reject(column, 'ambiguous_sign', unclearFee);
    }
  }

  /** Whether the other side of a purchase or sale is more than dollars of a column: a pair, or a coin. */
  private isPair(values: MappedValues, money: Counted | null): boolean {
    if (values.has('pair') || values.has('quote')) return true;
    const unit = values.currency() || meaningOf(money?.unit ?? '');
    return unit !== '' && !isMoney(unit);
  }

  private readLine(cells: Cells, line: LotbookTexts): readonly Outcome[] {
    const texts = lotbookColumns.map((column) => line[memberOf(column)] ?? '');
    return this.lotbook.read({ line: cells.line, cells: texts }).map((outcome) => this.blamed(outcome, cells));
  }

  /** A rejection with the column and the cells of the file. */
  private blamed(outcome: Outcome, cells: Cells): Outcome {
    if (outcome.kind === 'read') return { ...outcome, drafts: outcome.drafts.map((draft) => cells.warned(draft)) };
    if (outcome.kind !== 'rejected') return outcome;
    const { column, code, reason } = outcome.issue;
    const field = column === null ? null : (memberOf(column) as Field);
    const amount = this.columnsOf.get('price') ?? this.columnsOf.get('total');
    const own = field === null ? null : (this.columnsOf.get(field) ?? (field === 'amount' ? amount : undefined))?.[0];
    return cells.rejected(own ?? column, code, reason);
  }
}

const unclearTax = 'whether this tax was withheld or given back the signs of the file do not say: enter it by hand';
const unclearFee = 'fees before have the other sign: whether this one was paid or received is not clear';
const unknownState = 'this word does not say whether the row took place';
