import { type Day, formatDay, formatInstant } from '../../base/day.ts';
import { formatQuantity, type Money, type Quantity } from '../../base/decimal.ts';
import { magnitude } from '../cells/amounts.ts';
import type { Cells } from '../cells/cells.ts';
import { isCurrency } from '../cells/currencies.ts';
import { type NumberStyle, readQuantityRounded, saysNone } from '../cells/fields.ts';
import { normalizeHeader } from '../cells/header-columns.ts';
import { formatOption, readOption } from '../cells/option-symbol.ts';
import { rejections } from '../cells/reasons.ts';
import { plainDate, readSerialDay, type Time } from '../cells/times.ts';
import { roundToMoney, type Side } from '../tables/legs.ts';
import { pricedAt } from '../tables/pairs.ts';
import { computeTolerance, type StatedMoney } from '../tables/stated-money.ts';
import { type Instrument, identifyInstrument, unitsPerContract } from './instruments.ts';
import { fieldSet, type MappedField, type Mapping } from './mapping.ts';
import { agrees, coinOfHeader, readMeasure, resolveUnit, unitOfHeader } from './measures.ts';

/** A number with its sign, and the unit in its cell or header. */
export interface Counted {
  readonly value: Quantity;
  readonly unit: string;
}

const textFields: ReadonlySet<MappedField> = new Set(['type', 'note', 'asset']);
/** Cached per mapping, because all rows of a file share its columns. */
const textColumns = new WeakMap<ReadonlyMap<MappedField, readonly string[]>, readonly string[]>();

/** Reads the values of one row by mapped field. An unreadable value rejects the row. */
export class MappedValues {
  private named: Instrument | undefined;

  constructor(
    readonly cells: Cells,
    private readonly mapping: Mapping,
    private readonly columnsOf: ReadonlyMap<MappedField, readonly string[]>,
    private readonly zones: { readonly zone: string; readonly taxZone: string },
  ) {}

  has(field: MappedField): boolean {
    return this.columnsOf.has(field);
  }

  /** Returns the field's column name for use in errors. */
  column(field: MappedField): string {
    return this.columnsOf.get(field)?.[0] ?? field;
  }

  /**
   * Returns the text of a field. If several columns hold it, the first nonempty one counts, and the others must agree.
   */
  text(field: MappedField): string {
    const columns = (this.columnsOf.get(field) ?? []).filter((column) => this.cells.text(column) !== '');
    const [first = '', ...others] = columns;
    const text = first === '' ? '' : this.cells.text(first);
    const other = others.find((column) => this.cells.text(column) !== text);
    if (other !== undefined && field === 'account' && this.has('sentQuantity'))
      this.cells.reject(other, rejections.twoAccounts);
    return saysNone(text) ? '' : text;
  }

  time(field: 'date' | 'openedAt' = 'date'): Time | null {
    const { cells, mapping } = this;
    const column = this.column(field);
    if (mapping.epoch === true) return cells.epoch(column);
    if (mapping.serialDays === true) {
      const time = readSerialDay(cells.text(column), this.zones.zone, this.zones.taxZone);
      if (time === undefined) cells.reject(column, rejections.notDays);
      return time ?? null;
    }
    const clock = this.has('time') && field === 'date' ? cells.text(this.column('time')) : '';
    const time = cells.parseTime(column, plainDate(`${cells.text(column)} ${clock}`.trim()));
    return cells.effective(time, this.textColumns());
  }

  /** Columns that may contain an effective day, which brokers write in text that is otherwise ignored. */
  private textColumns(): readonly string[] {
    const known = textColumns.get(this.columnsOf);
    if (known !== undefined) return known;
    const others = [...this.columnsOf].flatMap(([field, columns]) => (textFields.has(field) ? [] : columns));
    const usedNames = new Set(others.map(normalizeHeader));
    const texts = this.cells.columnNames.filter((name) => !usedNames.has(normalizeHeader(name)));
    textColumns.set(this.columnsOf, texts);
    return texts;
  }

  date(field: 'date' | 'openedAt' = 'date'): string {
    const time = this.time(field);
    return time === null ? '' : time.at === null ? formatDay(time.on) : formatInstant(time.at);
  }

  /** Returns null if the cell is empty or unreadable. */
  counted(field: MappedField, column = this.column(field)): Counted | null {
    const text = this.has(field) ? this.cells.text(column) : '';
    if (saysNone(text)) return null;
    const measure = readMeasure(text, this.style);
    const value = measure === undefined ? undefined : readQuantityRounded(measure.number);
    if (measure === undefined || value === undefined) {
      this.cells.reject(column, rejections.unreadableNumber(moneyFields.has(field) ? 'money' : 'quantity'));
      return null;
    }
    if (!moneyFields.has(field)) return { value, unit: measure.unit };
    if (minorHeader.test(column)) this.cells.reject(column, rejections.minorUnits);
    const ofHeader = unitOfHeader(column);
    if (measure.unit !== '' && ofHeader !== '' && !agrees(measure.unit, ofHeader))
      this.cells.reject(column, rejections.unitNotOfHeader(measure.unit, ofHeader));
    return { value, unit: ofHeader || measure.unit };
  }

  /** Returns the row's money with its sign: the amount, total, debit or credit, or else price times units. */
  money(units: Quantity | null): Counted | null {
    // A future's amount may be its margin or gain, so only its price is used.
    if (this.instrument().kind === 'future') return this.computed(units);
    return this.counted('amount') ?? this.counted('total') ?? this.booked() ?? this.computed(units);
  }

  /** Returns price times units, without a sign. A contract's price is per share or point. */
  computed(units: Quantity | null, perContract = this.perContract, field: MappedField = 'price'): Counted | null {
    const price = this.counted(field);
    if (price === null || units === null) return null;
    const side = pricedAt(magnitude(price.value), sized(((units * perContract) / oneUnit) as Quantity), unitless);
    return { value: side?.quantity ?? (0n as Quantity), unit: price.unit };
  }

  /** Adds up the row's fees, without a sign. The unit is '' if the row does not name one. */
  fee(): Side | null {
    let sum: Side | null = null;
    for (const column of this.columnsOf.get('fee') ?? []) {
      const fee = this.counted('fee', column);
      if (fee === null || fee.value === 0n) continue;
      const named = this.text('feeAsset').toUpperCase();
      if (named !== '' && fee.unit !== '' && !agrees(fee.unit, named))
        this.cells.reject(column, rejections.feeNotInUnitOfColumn);
      const unit = named || fee.unit || coinOfHeader(column);
      if (sum !== null && sum.asset !== unit) this.cells.reject(column, rejections.feesInTwoUnits);
      const value: bigint = (sum?.quantity ?? 0n) + (magnitude(fee.value) ?? 0n);
      sum = { asset: unit, quantity: value as Quantity };
    }
    return sum;
  }

  /**
   * Returns the units of the row's asset, or null if there are none. Rejects the row if its cell shows a different
   * unit.
   */
  side(quantityField: MappedField, asset: string): Side | null {
    const counted = this.counted(quantityField);
    if (counted === null || counted.value === 0n) return null;
    const column = this.column(quantityField);
    if (asset !== '' && counted.unit !== '' && !agrees(counted.unit, asset.toUpperCase()))
      this.cells.reject(column, rejections.notInUnitOfRow);
    const name = asset || resolveUnit(counted.unit);
    if (name === '') this.cells.reject(column, rejections.quantityWithoutAsset);
    return { asset: name.toUpperCase(), quantity: magnitude(counted.value) ?? counted.value };
  }

  /** Returns the row's amounts without signs. `booked` is the amount debited or credited. */
  statedMoney(units: Quantity | null, booked: Money): Omit<StatedMoney, 'side' | 'fee'> {
    const sizeOf = (counted: Counted | null): Money | null =>
      counted === null ? null : roundToMoney(magnitude(counted.value) ?? counted.value);
    const isBooked = this.has('debit') || this.has('credit');
    const price = this.has('price') ? (readMeasure(this.text('price'), this.style)?.number ?? '') : '';
    const amount = this.has('amount') ? sizeOf(this.counted('amount')) : isBooked ? booked : null;
    const total = sizeOf(this.counted('total'));
    const [byShare, byContract] = [sizeOf(this.computed(units)), sizeOf(this.computed(units, oneUnit as Quantity))];
    if (this.instrument().kind === 'future')
      return { amount: null, total: null, computed: byShare, tolerance: computeTolerance(price, '0') };
    const isByContract = isNearer(amount ?? total, byContract, byShare);
    const priced = ((magnitude(units) ?? 0n) * (isByContract ? 1n : this.perContract / oneUnit)) as Quantity;
    return {
      amount,
      total,
      computed: isByContract ? byContract : byShare,
      tolerance: computeTolerance(price, formatQuantity(priced)),
    };
  }

  /** Units or dollars per contract, as a quantity. One if the asset is not a contract. */
  get perContract(): Quantity {
    const stated = magnitude(this.has('multiplier') ? (this.counted('multiplier')?.value ?? null) : null);
    const known = unitsPerContract(this.instrument(), stated, this.mapping.multipliers);
    const column = this.column(this.has('multiplier') ? 'multiplier' : 'asset');
    if (known === null) this.cells.reject(column, rejections.unknownMultiplier);
    else if (stated !== null && stated !== 0n && stated !== known)
      this.cells.reject(column, rejections.otherMultiplier);
    return known ?? (oneUnit as Quantity);
  }

  /**
   * Returns the row's instrument. The symbol identifies it, or else an underlying with columns for the expiration,
   * strike and right.
   */
  instrument(): Instrument {
    this.named ??= this.readInstrument();
    return this.named;
  }

  /** Returns the asset from its column or the mapping. */
  asset(): string {
    return this.instrument().asset;
  }

  private readInstrument(): Instrument {
    const text = this.text('asset') || this.mapping.constants?.asset || '';
    // Tickers are stored in uppercase, even if the file has them in lowercase.
    const ticker = /^[a-z][a-z0-9]{1,9}$/.test(text) ? text.toUpperCase() : text;
    const named = identifyInstrument(ticker);
    if (named.kind === 'future' && named.future.isUnsure)
      this.cells.reject(this.column('asset'), rejections.shareOrFuture);
    const strike = this.has('strike') ? (readMeasure(this.text('strike'), this.style)?.number ?? '') : '';
    if (!/[1-9]/.test(strike) || named.kind === 'option') return named;
    const expires = this.cells.day(this.column('expiration'));
    const right = rightOfWord(this.text('right'));
    if (expires === null) this.cells.reject(this.column('expiration'), rejections.expirationMissing);
    if (right === undefined) this.cells.reject(this.column('right'), rejections.rightMissing);
    const parts = `${ticker} ${formatDay(expires ?? (0 as Day))} ${right === 'put' ? 'P' : 'C'} ${strike}`;
    const option = readOption(parts);
    if (option === undefined) this.cells.reject(this.column('asset'), rejections.notOption);
    return option === undefined ? named : { kind: 'option', asset: formatOption(option), option };
  }

  /** Returns the name of the row's money column. */
  moneyColumn(): string {
    return this.column((['total', 'price', 'debit'] as const).find((field) => this.has(field)) ?? 'amount');
  }

  /** Returns the row's currency, from its column or the mapping. '' if neither has one. */
  currency(): string {
    const stated = this.text('currency') || this.mapping.constants?.currency || '';
    if (minorUnits.has(stated)) this.cells.reject(this.column('currency'), rejections.minorUnits);
    const quote = this.text('quote').toUpperCase();
    return stated.toUpperCase() || (isMoney(quote) ? quote : '');
  }

  get style(): NumberStyle {
    return this.mapping.decimal === ',' ? 'decimal comma' : 'decimal point';
  }

  private booked(): Counted | null {
    const [out, into] = [this.counted('debit'), this.counted('credit')];
    const [isOut, isIn] = [(out?.value ?? 0n) !== 0n, (into?.value ?? 0n) !== 0n];
    if (isOut && isIn) this.cells.reject(this.column('debit'), rejections.inAndOut);
    if (!isOut) return into;
    return out === null ? null : { ...out, value: (0n - (magnitude(out.value) ?? 0n)) as Quantity };
  }
}

/** Parses `Call`, `C`, `PUT`. */
export function rightOfWord(word: string): 'call' | 'put' | undefined {
  if (/^(?:c|calls?)$/i.test(word.trim())) return 'call';
  return /^(?:p|puts?)$/i.test(word.trim()) ? 'put' : undefined;
}

/** Returns whether an asset is a government currency, which Lotbook treats as money. */
export function isMoney(asset: string): boolean {
  return isCurrency(asset);
}

/**
 * Returns whether the row's value is closer to `one` than to `other`. Some files use the price of an entire contract.
 */
function isNearer(stated: Money | null, one: Money | null, other: Money | null): boolean {
  if (stated === null || one === null || other === null || one === other) return false;
  // The two values differ by a factor, so closeness is measured as a ratio.
  return stated * stated < one * other;
}

const minorUnits: ReadonlySet<string> = new Set(['GBp', 'GBX', 'GBx', 'ZAc', 'ZAC', 'ILA']);
const minorHeader = /\((?:p|pence|gbx|cents?|¢)\)|\b(?:pence|GBX)\b/i;

const unitless = '-';
const oneUnit = 10n ** 18n;

function sized(units: Quantity | null): Side | null {
  return units === null ? null : { asset: unitless, quantity: magnitude(units) ?? units };
}

const moneyFields = fieldSet(
  ['amount', 'total', 'price', 'fee', 'debit', 'credit', 'openPrice', 'openAmount', 'gain'],
  ['grossGain', 'financing', 'tax'],
);
