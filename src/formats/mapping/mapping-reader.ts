import { formatMoney, formatQuantity, type Money } from '../../base/decimal.ts';
import { rowOf, type TransactionType } from '../../engine/transaction-types.ts';
import { magnitude } from '../cells/amounts.ts';
import { Cells, type Conventions, HeaderColumns } from '../cells/cells.ts';
import type { OptionSymbol } from '../cells/option-symbol.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { dateOrders } from '../cells/times.ts';
import type { Format, Layout, Outcome, Reader, ReadingContext, Row } from '../format.ts';
import { lotbookColumns, memberOf } from '../lotbook-columns.ts';
import { lotbook } from '../sources/lotbook.ts';
import type { StatedResultColumns, TotalRows } from '../stated-result-columns.ts';
import { optionEvent } from '../tables/brokers.ts';
import { withDeliveries } from '../tables/deliveries.ts';
import { isBareAsset } from '../tables/pairs.ts';
import { readClosedPosition, readCurrencyResult } from './closed-positions.ts';
import { HeldContracts, joinOutcomes } from './held-contracts.ts';
import { effectOfWord, isCurrencyPair, typeOfTrade } from './instruments.ts';
import { buildLotbookLine, type LotbookTexts, readWithheldTax } from './mapped-line.ts';
import { readPair, readSides } from './mapped-sides.ts';
import { type Counted, isMoney, MappedValues } from './mapped-values.ts';
import { findMappedColumn, type MappedField, type Mapping } from './mapping.ts';
import { resolveUnit } from './measures.ts';
import { NonTransactionRows } from './non-transaction-rows.ts';
import { RowTypes } from './row-types.ts';
import { SplitHalves, splitLine } from './splits.ts';
import { isTotalWord, isUndone, stateOfWord, typeOfWord } from './type-words.ts';
import { WithheldSigns } from './withheld-signs.ts';

/**
 * Reads a file with its mapping. Rewrites most rows as Lotbook CSV lines and lets that format read them, so the same
 * rules apply. Rejections name the file's own columns.
 */
export function mappingFormat(mapping: Mapping): Format {
  return {
    id: mappingFormatId,
    name: 'Mapped columns',
    source: mapping.constants?.account ?? 'Imported',
    assetClass: mapping.constants?.assetClass ?? null,
    layouts: [{ id: 'mapping', required: Object.keys(mapping.columns), ...buildResultColumns(mapping) }],
    open: (_layout, header, context) => withDeliveries(new MappedReader(mapping, header, context)),
  };
}

/**
 * Returns the columns with gains in a mapped file. The gains are for lots with a basis, closed positions, or sales
 * within a position.
 */
function buildResultColumns(mapping: Mapping): Pick<Layout, 'results'> {
  const totals = buildTotalRows(mapping);
  return {
    results: {
      ...buildGainColumns(mapping),
      numbers: mapping.decimal === ',' ? 'decimal comma' : 'decimal point',
      totals,
    },
  };
}

/** Finds total rows, which have no date and begin with a word for a total. */
function buildTotalRows(mapping: Mapping): readonly TotalRows[] {
  const sums = Object.entries(mapping.columns).flatMap(([column, field]) => (summedFields.has(field) ? [column] : []));
  const date = findMappedColumn(mapping, 'date');
  const unless = date === undefined ? {} : { unless: { column: date, says: /\d/ } };
  return sums.length === 0 ? [] : [{ column: null, says: { test: isTotalWord }, sums, ...unless }];
}

const summedFields: ReadonlySet<Field> = new Set(['amount', 'total', 'fee', 'basis', 'gain', 'grossGain']);

function buildGainColumns(mapping: Mapping): Pick<StatedResultColumns, 'rows' | 'positions' | 'comparedByReader'> {
  const gain = findMappedColumn(mapping, 'gain') ?? findMappedColumn(mapping, 'grossGain');
  if (gain === undefined) return {};
  if (findMappedColumn(mapping, 'openedAt') !== undefined) return { comparedByReader: gain };
  const [basis, amount, fee] = [
    findMappedColumn(mapping, 'basis'),
    findMappedColumn(mapping, 'amount'),
    findMappedColumn(mapping, 'fee'),
  ];
  if (basis === undefined || amount === undefined) return { positions: { column: gain } };
  const either = fee === undefined ? [] : [fee];
  return { rows: [{ column: gain, plus: [amount], minus: [basis], either }] };
}

const mappingFormatId = 'mapping';

type Field = MappedField;
class MappedReader implements Reader {
  private readonly columns: HeaderColumns;
  private readonly conventions: Conventions;
  private readonly lotbook: Reader;
  private readonly types: RowTypes;
  private readonly aside: NonTransactionRows;
  private readonly withheld = new WithheldSigns();
  private readonly contracts = new HeldContracts();
  private readonly halves = new SplitHalves();
  private readonly columnsOf = new Map<Field, string[]>();
  /** The columns of a row whose pair is a single asset, such as `BTC`. */
  private readonly columnsOfBareRow: ReadonlyMap<Field, string[]>;
  /** The sign of the first fee in each column. */
  private readonly feeIsNegative = new Map<string, boolean>();

  constructor(
    private readonly mapping: Mapping,
    header: Row,
    private readonly context: ReadingContext,
  ) {
    this.columns = new HeaderColumns(header);
    for (const [column, field] of Object.entries(mapping.columns))
      this.columnsOf.set(field, [...(this.columnsOf.get(field) ?? []), column]);
    this.columnsOfBareRow = new Map(
      Array.from(this.columnsOf, ([field, of]) => [field === 'pair' ? 'asset' : field, of]),
    );
    const dateColumn = findMappedColumn(mapping, 'date');
    this.conventions = {
      zone: mapping.timeZone ?? context.timeZone,
      ...(mapping.dateOrder === undefined ? {} : { dates: dateOrders[mapping.dateOrder] }),
      numbers: mapping.decimal === ',' ? 'decimal comma' : 'decimal point',
      ...(dateColumn === undefined ? {} : { dateColumn }),
    };
    this.types = new RowTypes(mapping);
    this.aside = new NonTransactionRows(mapping, header, this.columns);
    const [layout] = lotbook.layouts;
    if (layout === undefined) throw new Error('The Lotbook CSV has a layout.');
    this.lotbook = lotbook.open(layout, { line: header.line, cells: [...lotbookColumns] }, context);
  }

  read(fileRow: Row): readonly Outcome[] {
    const row = this.aside.fillDown(fileRow);
    const cells = new Cells(row, this.columns, this.context, this.conventions);
    const reason = this.aside.reasonToSkip(row);
    if (reason !== undefined) return [cells.skip(reason)];
    const zone = this.conventions.zone ?? this.context.timeZone;
    const [pair] = this.columnsOf.get('pair') ?? [];
    const columnsOf = pair !== undefined && isBareAsset(cells.text(pair)) ? this.columnsOfBareRow : this.columnsOf;
    return this.outcomes(new MappedValues(cells, this.mapping, columnsOf, { zone, taxZone: this.context.timeZone }));
  }

  end(): readonly Outcome[] {
    return [...this.halves.end(), ...this.contracts.end(), ...this.withheld.end()];
  }

  private outcomes(values: MappedValues): readonly Outcome[] {
    const { cells } = values;
    const state = values.text('status');
    const stands = state === '' ? 'done' : stateOfWord(state);
    if (stands === 'not done') return [cells.skip(skips.statusOf(state.slice(0, 80)))];
    if (stands === undefined) cells.reject(values.column('status'), rejections.completionUnclear);
    if (isUndone(values.text('note'))) cells.reject(values.column('note'), rejections.undoneInNote);
    const [account, externalId, note] = [values.text('account'), values.text('externalId'), values.text('note')];
    const common = { account, externalId, note };
    const readLine = (line: LotbookTexts): readonly Outcome[] => this.readLine(cells, line);
    if (values.has('openedAt')) {
      this.checkSigns(values, 'fee');
      return readClosedPosition(values, common, readLine);
    }
    const statedType = this.types.statedType(values);
    if (statedType !== null && typeof statedType !== 'string') return [statedType];
    if (statedType === null) return [cells.refused()];
    this.checkSigns(values, 'fee');
    this.checkSigns(values, 'tax');
    if (values.has('sentQuantity')) return [readSides(values, statedType, common)];
    const counted = values.counted('quantity');
    const units = counted?.value ?? null;
    if (statedType === 'split') return this.split(values, common);
    const instrument = values.instrument();
    const isOfCurrencies = instrument.kind === 'currencies' || isCurrencyPair(values.text('pair'));
    if (isOfCurrencies && (statedType === 'sign' || statedType === 'trade' || rowOf(statedType).side !== undefined))
      return readCurrencyResult(values, common, readLine);
    const money = values.money(units);
    const isOut = this.mapping.signs === 'amount';
    const more = isOut ? (money === null ? null : 0n - money.value) : units;
    const signed = this.types.bySign(values, statedType, more, units);
    if (cells.flawed || signed === null) return [cells.refused()];
    const effect = effectOfWord(values.text('effect'));
    const type = typeOfTrade(signed, effect, instrument);
    if ((type === 'buy' || type === 'sell') && instrument.kind === 'asset' && this.isPair(values, money)) {
      const named = values.has('pair') ? '' : values.text('asset') || (counted?.unit ?? '');
      if (named !== '' || values.has('pair')) return [readPair(values, type, units, money, common)];
    }
    if (rowOf(type).side === 'buy') this.withheld.notePurchase(money?.value ?? null);
    const line = buildLotbookLine(values, type, counted, money, common);
    if ('kind' in line) return [line];
    if (instrument.kind === 'option' && (type === 'expire' || type === 'exercise' || type === 'assign'))
      return this.readEnd(values, type, instrument.option, line);
    const withheld = this.readWithholding(values, type, line);
    if (withheld !== null && 'kind' in withheld) return [withheld];
    const readAll = (one: LotbookTexts): readonly Outcome[] =>
      withheld === null ? readLine(one) : joinOutcomes([readLine(one), readLine(withheld)]);
    if (instrument.kind !== 'asset' && instrument.kind !== 'currencies' && (type === 'buy' || type === 'sell'))
      return this.hold(values, type, line, readAll);
    if (type !== 'withholding' || !line.amount) return readAll(line);
    const size = line.amount.replace('-', '');
    return this.withheld.add({
      isNegative: line.amount.startsWith('-'),
      as: (meaning) =>
        meaning === 'unclear'
          ? [cells.rejected(values.column(values.has('total') ? 'total' : 'amount'), rejections.taxSignUnclear)]
          : this.readLine(cells, { ...line, amount: meaning === 'refund' ? `-${size}` : size }),
    });
  }

  /** Holds contract rows that do not show whether they open or close until the end of the file. */
  private hold(
    values: MappedValues,
    type: 'buy' | 'sell' | 'end',
    line: LotbookTexts,
    read: (line: LotbookTexts) => readonly Outcome[],
  ): readonly Outcome[] {
    const time = values.time();
    const quantity = magnitude(values.counted('quantity')?.value ?? null);
    if (time === null || quantity === null) return [values.cells.refused()];
    const instrument = values.instrument();
    const key = `${line.account ?? ''}|${instrument.asset}`;
    return this.contracts.add({
      on: time.on,
      key,
      does: type,
      isOption: instrument.kind === 'option',
      quantity,
      read,
      line,
    });
  }

  /** Reads an expiration, exercise or assignment. The price is the strike, and the units are the contracts' shares. */
  private readEnd(
    values: MappedValues,
    type: 'expire' | 'exercise' | 'assign',
    option: OptionSymbol,
    line: LotbookTexts,
  ): readonly Outcome[] {
    const { cells } = values;
    const contracts = magnitude(values.counted('quantity')?.value ?? null);
    const stated = optionEvent(cells, type, option, contracts, { cash: null });
    if (cells.flawed) return [cells.refused()];
    const text = (money: Money | null | undefined): string => (money ? formatMoney(money) : '');
    const shares = stated.shares ? formatQuantity(stated.shares) : '';
    const amount = text(stated.amount) || (type === 'expire' ? '' : (line.amount ?? ''));
    const event = { ...line, amount, shares, underlying: stated.underlying ?? '', right: option.right };
    return this.hold(values, 'end', event, (one) => this.readLine(cells, one));
  }

  /** Writes tax withheld from a sale as a separate row. Rejects tax on a purchase or on income. */
  private readWithholding(
    values: MappedValues,
    type: TransactionType,
    line: LotbookTexts,
  ): LotbookTexts | Outcome | null {
    const tax = readWithheldTax(values);
    if (tax === 0n || type === 'withholding') return null;
    const { side } = rowOf(type);
    const column = values.column('tax');
    if (side === 'buy') return values.cells.rejected(column, rejections.taxOnPurchase);
    if (side === undefined) return values.cells.rejected(column, rejections.taxOnIncome);
    const { date = '', account = '', asset = '', currency = '', note = '' } = line;
    return { date, account, asset, currency, note, type: 'withholding', amount: formatMoney(tax) };
  }

  /** Reads a split that consists of one or two rows. */
  private split(
    values: MappedValues,
    common: Pick<LotbookTexts, 'account' | 'externalId' | 'note'>,
  ): readonly Outcome[] {
    const { cells } = values;
    const [asset, date] = [values.asset(), values.date()];
    const line = { ...common, asset, date };
    const counted = values.counted('quantity')?.value ?? null;
    if (cells.flawed) return [cells.refused()];
    const readAlone = (): readonly Outcome[] => {
      const split = splitLine(values, this.mapping, line);
      return 'kind' in split ? [split] : this.readLine(cells, split);
    };
    const side = typeOfWord(values.text('type'));
    const isSided = side === 'buy' || side === 'sell';
    const units = magnitude(counted);
    if (units === null || units === 0n) return readAlone();
    const words = `${values.text('effect')} ${common.note}`.toLowerCase();
    const effect =
      effectOfWord(values.text('effect')) ??
      (/\bclose\b/.test(words) ? 'close' : /\bopen\b/.test(words) ? 'open' : undefined);
    return this.halves.add({
      key: `${common.account}|${asset}|${date.slice(0, 10)}`,
      cells,
      isOut: isSided ? side === 'sell' : (counted ?? 0n) < 0n,
      effect,
      units,
      read: (one) => this.readLine(cells, one),
      line,
      readAlone: isSided ? null : readAlone,
    });
  }

  /**
   * Rejects a fee whose sign differs from the first fee in its column, because one of the two was paid to the taxpayer.
   */
  private checkSigns(values: MappedValues, field: 'fee' | 'tax'): void {
    for (const column of this.columnsOf.get(field) ?? []) {
      const fee = values.counted(field, column)?.value ?? 0n;
      if (fee === 0n) continue;
      const first = this.feeIsNegative.get(column) ?? fee < 0n;
      this.feeIsNegative.set(column, first);
      if (first !== fee < 0n) values.cells.reject(column, rejections.feeSignUnclear);
    }
  }

  /** Returns whether the other side of a purchase or sale is a pair or a coin instead of a column of dollars. */
  private isPair(values: MappedValues, money: Counted | null): boolean {
    if (values.has('pair') || values.has('quote')) return true;
    const unit = values.currency() || resolveUnit(money?.unit ?? '');
    return unit !== '' && !isMoney(unit);
  }

  private readLine(cells: Cells, line: LotbookTexts): readonly Outcome[] {
    const texts = lotbookColumns.map((column) => line[memberOf(column)] ?? '');
    return this.lotbook.read({ line: cells.line, cells: texts }).map((outcome) => this.withFileColumns(outcome, cells));
  }

  /** Replaces the column and cells of a rejection with the file's own. */
  private withFileColumns(outcome: Outcome, cells: Cells): Outcome {
    if (outcome.kind === 'read') return { ...outcome, drafts: outcome.drafts.map((draft) => cells.warned(draft)) };
    if (outcome.kind !== 'rejected') return outcome;
    const { column } = outcome.issue;
    const field = column === null ? null : (memberOf(column) as Field);
    const amount = this.columnsOf.get('price') ?? this.columnsOf.get('total');
    const fieldColumn =
      field === null ? null : (this.columnsOf.get(field) ?? (field === 'amount' ? amount : undefined))?.[0];
    return cells.rejected(fieldColumn ?? column, outcome.issue);
  }
}
