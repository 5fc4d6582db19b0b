import { type Day, formatDay, formatInstant } from '../../base/day.ts';
import { formatQuantity, type Money, type Quantity } from '../../base/decimal.ts';
import { magnitude } from '../cells/amounts.ts';
import type { Cells } from '../cells/cells.ts';
import { isCurrency } from '../cells/currencies.ts';
import { type NumberStyle, readQuantityRounded, saysNone } from '../cells/fields.ts';
import { normalizeHeader } from '../cells/header-columns.ts';
import { formatOption, readOption } from '../cells/option-symbol.ts';
import { plainDate, readSerialDay, type Time } from '../cells/times.ts';
import { moneyOf, type Side } from '../tables/legs.ts';
import { pricedAt } from '../tables/pairs.ts';
import { type StatedMoney, toleranceOf } from '../tables/stated-money.ts';
import { type Instrument, instrumentOf, unitsPerContract } from './instruments.ts';
import type { MappedField, Mapping } from './mapping.ts';
import { agrees, coinOfHeader, meaningOf, readMeasure, unitOfHeader } from './measures.ts';

/** A number with its sign and the unit that its cell or its header states. */
export interface Counted {
  readonly value: Quantity;
  readonly unit: string;
}

const textFields: ReadonlySet<MappedField> = new Set(['type', 'note', 'asset']);
/** By the columns of a mapping: all rows of a file have the same. */
const textColumns = new WeakMap<ReadonlyMap<MappedField, readonly string[]>, readonly string[]>();

/** The values of one row, by the fields of its mapping. What cannot be read rejects the row. */
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

  /** The column of a field as errors name it. */
  column(field: MappedField): string {
    return this.columnsOf.get(field)?.[0] ?? field;
  }

  /** The text of a field: of several columns the first that is filled, and the others must agree. */
  text(field: MappedField): string {
    const columns = (this.columnsOf.get(field) ?? []).filter((column) => this.cells.text(column) !== '');
    const [first = '', ...others] = columns;
    const text = first === '' ? '' : this.cells.text(first);
    const other = others.find((column) => this.cells.text(column) !== text);
    if (other !== undefined && field === 'account' && this.has('sentQuantity'))
      this.cells.reject(other, 'ambiguous_column', 'the row names two accounts');
    return saysNone(text) ? '' : text;
  }

  time(field: 'date' | 'openedAt' = 'date'): Time | null {
    const { cells, mapping } = this;
    const column = this.column(field);
    if (mapping.epoch === true) return cells.epoch(column);
    if (mapping.serialDays === true) {
      const time = readSerialDay(cells.text(column), this.zones.zone, this.zones.taxZone);
      if (time === undefined) cells.reject(column, 'bad_date', 'this is no count of days since 1900');
      return time ?? null;
    }
    const clock = this.has('time') && field === 'date' ? cells.text(this.column('time')) : '';
    const time = cells.timeOf(column, plainDate(`${cells.text(column)} ${clock}`.trim()));
    return cells.effective(time, this.textColumns());
  }

  /** Where an effective day may stand: brokers write it in texts that nothing else is read from. */
  private textColumns(): readonly string[] {
    const known = textColumns.get(this.columnsOf);
    if (known !== undefined) return known;
    const others = [...this.columnsOf].flatMap(([field, columns]) => (textFields.has(field) ? [] : columns));
    const taken = new Set(others.map(normalizeHeader));
    const texts = this.cells.columnNames.filter((name) => !taken.has(normalizeHeader(name)));
    textColumns.set(this.columnsOf, texts);
    return texts;
  }

  date(field: 'date' | 'openedAt' = 'date'): string {
    const time = this.time(field);
    return time === null ? '' : time.at === null ? formatDay(time.on) : formatInstant(time.at);
  }

  /** Null where the cell is empty or cannot be read. */
  counted(field: MappedField, column = this.column(field)): Counted | null {
    const text = this.has(field) ? this.cells.text(column) : '';
    if (saysNone(text)) return null;
    const measure = readMeasure(text, this.style);
    const value = measure === undefined ? undefined : readQuantityRounded(measure.number);
    if (measure === undefined || value === undefined) {
      const kind = moneyFields.has(field) ? 'money' : 'quantity';
      this.cells.reject(column, 'bad_number', `this is no ${kind} in a shape we know`);
      return null;
    }
    if (!moneyFields.has(field)) return { value, unit: measure.unit };
    if (minorHeader.test(column)) this.cells.reject(column, 'bad_currency', inMinorUnits);
    const ofHeader = unitOfHeader(column);
    if (measure.unit !== '' && ofHeader !== '' && !agrees(measure.unit, ofHeader))
      this.cells.reject(column, 'bad_currency', `the number says ${measure.unit}, and its header ${ofHeader}`);
    return { value, unit: ofHeader || measure.unit };
  }

  /** The money of the row with its sign: the amount, else the total, debit or credit, else price times units. */
  money(units: Quantity | null): Counted | null {
    // The amount of a future may be its margin or its result: only the price of its points is known to be one.
    if (this.instrument().kind === 'future') return this.computed(units);
    return this.counted('amount') ?? this.counted('total') ?? this.booked() ?? this.computed(units);
  }

  /** Price times units, without a sign. A contract's price is for each of its shares or points. */
  computed(units: Quantity | null, perContract = this.perContract, field: MappedField = 'price'): Counted | null {
    const price = this.counted(field);
    if (price === null || units === null) return null;
    const side = pricedAt(magnitude(price.value), sized(((units * perContract) / oneUnit) as Quantity), unitless);
    return { value: side?.quantity ?? (0n as Quantity), unit: price.unit };
  }

  /** All fees of the row as one, and without its sign. The unit is '' where nothing states it. */
  fee(): Side | null {
    let sum: Side | null = null;
    for (const column of this.columnsOf.get('fee') ?? []) {
      const fee = this.counted('fee', column);
      if (fee === null || fee.value === 0n) continue;
      const named = this.text('feeAsset').toUpperCase();
      if (named !== '' && fee.unit !== '' && !agrees(fee.unit, named))
        this.cells.reject(column, 'bad_unit', 'the fee is counted in another unit than its column says');
      const unit = named || fee.unit || coinOfHeader(column);
      if (sum !== null && sum.asset !== unit) this.cells.reject(column, 'fee_currency', 'the fees have two units');
      const value: bigint = (sum?.quantity ?? 0n) + (magnitude(fee.value) ?? 0n);
      sum = { asset: unit, quantity: value as Quantity };
    }
    return sum;
  }

  /** Units of what the row names: the unit in the cell must agree. Null where there are none. */
  side(quantityField: MappedField, asset: string): Side | null {
    const counted = this.counted(quantityField);
    if (counted === null || counted.value === 0n) return null;
    const column = this.column(quantityField);
    if (asset !== '' && counted.unit !== '' && !agrees(counted.unit, asset.toUpperCase()))
      this.cells.reject(column, 'bad_unit', 'the number is counted in another unit than the row says');
    const name = asset || meaningOf(counted.unit);
    if (name === '') this.cells.reject(column, 'missing', 'the asset of this quantity is missing');
    return { asset: name.toUpperCase(), quantity: magnitude(counted.value) ?? counted.value };
  }

  /** What the row states of its money, without signs. `booked`: what was debited or credited. */
  statedMoney(units: Quantity | null, booked: Money): Omit<StatedMoney, 'side' | 'fee'> {
    const sizeOf = (counted: Counted | null): Money | null =>
      counted === null ? null : moneyOf(magnitude(counted.value) ?? counted.value);
    const isBooked = this.has('debit') || this.has('credit');
    const price = this.has('price') ? (readMeasure(this.text('price'), this.style)?.number ?? '') : '';
    const amount = this.has('amount') ? sizeOf(this.counted('amount')) : isBooked ? booked : null;
    const total = sizeOf(this.counted('total'));
    const [byShare, byContract] = [sizeOf(this.computed(units)), sizeOf(this.computed(units, oneUnit as Quantity))];
    if (this.instrument().kind === 'future')
      return { amount: null, total: null, computed: byShare, tolerance: toleranceOf(price, '0') };
    const isByContract = isNearer(amount ?? total, byContract, byShare);
    const priced = ((magnitude(units) ?? 0n) * (isByContract ? 1n : this.perContract / oneUnit)) as Quantity;
    return {
      amount,
      total,
      computed: isByContract ? byContract : byShare,
      tolerance: toleranceOf(price, formatQuantity(priced)),
    };
  }

  /** The units or dollars of one contract, as many quantities. One for what is no contract. */
  get perContract(): Quantity {
    const stated = magnitude(this.has('multiplier') ? (this.counted('multiplier')?.value ?? null) : null);
    const known = unitsPerContract(this.instrument(), stated, this.mapping.multipliers);
    const column = this.column(this.has('multiplier') ? 'multiplier' : 'asset');
    if (known === null) this.cells.reject(column, 'unknown_multiplier', unknownMultiplier);
    else if (stated !== null && stated !== 0n && stated !== known)
      this.cells.reject(column, 'unknown_multiplier', otherMultiplier);
    return known ?? (oneUnit as Quantity);
  }

  /** What the row trades: its symbol, or an underlying with the expiration, strike and right beside it. */
  instrument(): Instrument {
    this.named ??= this.readInstrument();
    return this.named;
  }

  /** The asset by its column or the mapping. */
  asset(): string {
    return this.instrument().asset;
  }

  private readInstrument(): Instrument {
    const text = this.text('asset') || this.mapping.constants?.asset || '';
    // A ticker is written in capitals, whatever the file does.
    const ticker = /^[a-z][a-z0-9]{1,9}$/.test(text) ? text.toUpperCase() : text;
    const named = instrumentOf(ticker);
    if (named.kind === 'future' && named.future.isUnsure)
      this.cells.reject(this.column('asset'), 'unknown_symbol', 'this is the symbol of a share and of a future');
    const strike = this.has('strike') ? (readMeasure(this.text('strike'), this.style)?.number ?? '') : '';
    if (!/[1-9]/.test(strike) || named.kind === 'option') return named;
    const expires = this.cells.day(this.column('expiration'));
    const right = rightOfWord(this.text('right'));
    if (expires === null)
      this.cells.reject(this.column('expiration'), 'missing', 'the expiration of this option is missing');
    if (right === undefined)
      this.cells.reject(this.column('right'), 'missing', 'the row does not state whether this is a call or a put');
    const parts = `${ticker} ${formatDay(expires ?? (0 as Day))} ${right === 'put' ? 'P' : 'C'} ${strike}`;
    const option = readOption(parts);
    if (option === undefined)
      this.cells.reject(this.column('asset'), 'unknown_symbol', 'this is no ticker of an option');
    return option === undefined ? named : { kind: 'option', asset: formatOption(option), option };
  }

  /** The column of the money of the row. */
  moneyColumn(): string {
    return this.column((['total', 'price', 'debit'] as const).find((field) => this.has(field)) ?? 'amount');
  }

  /** The currency of the row, by its column or the mapping. '' where neither states it. */
  currency(): string {
    const stated = this.text('currency') || this.mapping.constants?.currency || '';
    if (minorUnits.has(stated)) this.cells.reject(this.column('currency'), 'bad_currency', inMinorUnits);
    const quote = this.text('quote').toUpperCase();
    return stated.toUpperCase() || (isMoney(quote) ? quote : '');
  }

  get style(): NumberStyle {
    return this.mapping.decimal === ',' ? 'decimal comma' : 'decimal point';
  }

  private booked(): Counted | null {
    const [out, into] = [this.counted('debit'), this.counted('credit')];
    const [isOut, isIn] = [(out?.value ?? 0n) !== 0n, (into?.value ?? 0n) !== 0n];
    if (isOut && isIn) this.cells.reject(this.column('debit'), 'ambiguous_column', 'money goes out and comes in here');
    if (!isOut) return into;
    return out === null ? null : { ...out, value: (0n - (magnitude(out.value) ?? 0n)) as Quantity };
  }
}

/** `Call`, `C`, `PUT`. */
export function rightOfWord(word: string): 'call' | 'put' | undefined {
  if (/^(?:c|calls?)$/i.test(word.trim())) return 'call';
  return /^(?:p|puts?)$/i.test(word.trim()) ? 'put' : undefined;
}

/** Whether an asset is a currency of a state, which is money and no asset of these books. */
export function isMoney(asset: string): boolean {
  return isCurrency(asset);
}

/** Whether what is stated is rather the one value than the other. Some files price a whole contract. */
function isNearer(stated: Money | null, one: Money | null, other: Money | null): boolean {
  if (stated === null || one === null || other === null || one === other) return false;
  // They are a factor apart: what is nearer is so by a factor too.
  return stated * stated < one * other;
}

const minorUnits: ReadonlySet<string> = new Set(['GBp', 'GBX', 'GBx', 'ZAc', 'ZAC', 'ILA']);
const minorHeader = /\((?:p|pence|gbx|cents?|¢)\)|\b(?:pence|GBX)\b/i;
const inMinorUnits = 'these amounts are in pence or cents: state them in whole units of the currency';

const unitless = '-';
const oneUnit = 10n ** 18n;
const unknownMultiplier = 'the dollars of one point of this future are not known: state them in "multipliers"';
const otherMultiplier = 'the multiplier is not that of this symbol';

function sized(units: Quantity | null): Side | null {
  return units === null ? null : { asset: unitless, quantity: magnitude(units) ?? units };
}

const moneyFields: ReadonlySet<MappedField> = new Set([
  'amount',
  'total',
  'price',
  'fee',
  'debit',
  'credit',
  'openPrice',
  'openAmount',
  'gain',
  'grossGain',
  'financing',
  'tax',
]);
