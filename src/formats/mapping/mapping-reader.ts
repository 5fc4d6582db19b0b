import { formatDay, formatInstant } from '../../base/day.ts';
import { formatMoney, formatQuantity, type Money, parseQuantity, type Quantity } from '../../base/decimal.ts';
import type { TransactionType } from '../../engine/model.ts';
import { membersOfKind } from '../../engine/statement-members.ts';
import { rowOf, typesWhere } from '../../engine/transaction-types.ts';
import { magnitude } from '../cells/amounts.ts';
import { Cells, type Conventions, HeaderColumns } from '../cells/cells.ts';
import { outgoingIncome } from '../cells/drafts.ts';
import { numberIn } from '../cells/fields.ts';
import type { Time } from '../cells/times.ts';
import type { Format, Outcome, Reader, ReadingContext, Row } from '../format.ts';
import { lotbookColumns, memberOf } from '../lotbook-columns.ts';
import { lotbook } from '../sources/lotbook.ts';
import { chargedInterest, worthOf } from '../tables/activity.ts';
import { readExchange } from '../tables/legs.ts';
import { splitPair } from '../tables/pairs.ts';
import type { MappedField, Mapping } from './mapping.ts';
import { typeOfWord } from './mapping-words.ts';
import { currencyOfMappedRow, noteCurrencyOfHeader } from './row-currency.ts';
import { checkedMoney, toleranceOf } from './stated-money.ts';
import { WithheldSigns } from './withheld-signs.ts';

/**
 * Reads a file by its mapping. Each row is rewritten as a line of the Lotbook CSV and read by that format, so that one
 * set of rules applies. Its rejections name the columns of the file.
 */
export function mappingFormat(mapping: Mapping): Format {
  return {
    id: mappingFormatId,
    name: 'Mapped columns',
    source: mapping.constants?.account ?? 'Imported',
    assetClass: mapping.constants?.assetClass ?? null,
    layouts: [{ id: 'mapping', required: Object.keys(mapping.columns) }],
    open: (_layout, header, context) => new MappedReader(mapping, header, context),
  };
}

export const mappingFormatId = 'mapping';

type Field = MappedField;
/** Members with a quantity, beside the quantity itself. Quantity and amount may follow from a price or a total. */
const quantities = membersOfKind('quantity').filter((name) => name !== 'quantity');
const moneys = membersOfKind('money').filter((name) => name !== 'amount');

/** A row by member, as texts of the Lotbook CSV. */
interface MappedRow {
  readonly members: Partial<Record<Field, string>>;
}

/** The fields whose header may say the currency: `Amount (£)`. */
const pricedFields: readonly Field[] = ['amount', 'price', 'total', ...moneys];

/** Types whose amount has a sign: income that is taken back is negative. */
const signedTypes = typesWhere(
  ({ income, side, lots }) => side === undefined && (income !== undefined || lots === 'none'),
);
const unclearTax = 'whether this tax was withheld or given back the signs of the file do not say: enter it by hand';

class MappedReader implements Reader {
  private readonly columns: HeaderColumns;
  private readonly conventions: Conventions;
  private readonly lotbook: Reader;
  private readonly words: ReadonlyMap<string, string>;
  private readonly columnOf: ReadonlyMap<Field, string>;
  private readonly withheld = new WithheldSigns();

  constructor(
    private readonly mapping: Mapping,
    header: Row,
    private readonly context: ReadingContext,
  ) {
    this.columns = new HeaderColumns(header);
    this.columnOf = new Map(Object.entries(mapping.columns).map(([column, field]) => [field, column]));
    this.conventions = {
      zone: mapping.timeZone ?? context.timeZone,
      ...(mapping.dateOrder === 'dmy' ? { dates: 'day first' } : {}),
      numbers: mapping.decimal === ',' ? 'decimal comma' : 'decimal point',
    };
    this.words = new Map(Object.entries(mapping.types ?? {}).map(([word, type]) => [word.trim().toLowerCase(), type]));
    const [layout] = lotbook.layouts;
    if (layout === undefined) throw new Error('The Lotbook CSV has a layout.');
    this.lotbook = lotbook.open(layout, { line: header.line, cells: [...lotbookColumns] }, context);
  }

  read(row: Row): readonly Outcome[] {
    const cells = new Cells(row, this.columns, this.context, this.conventions);
    const mapped = this.mappedRow(cells);
    if ('kind' in mapped) return [mapped];
    const { members } = mapped;
    if (members.type !== 'withholding' || !members.amount) return this.readMembers(cells, members);
    const isNegative = members.amount.startsWith('-');
    const size = members.amount.replace('-', '');
    return this.withheld.add({
      isNegative,
      as: (meaning) =>
        meaning === 'unclear'
          ? [cells.rejected(this.amountColumn, 'ambiguous_sign', unclearTax)]
          : this.readMembers(cells, { ...members, amount: meaning === 'refund' ? `-${size}` : size }),
    });
  }

  end(): readonly Outcome[] {
    return this.withheld.end();
  }

  private readMembers(cells: Cells, members: MappedRow['members']): readonly Outcome[] {
    const line = { line: cells.line, cells: lotbookColumns.map((column) => members[memberOf(column)] ?? '') };
    return this.lotbook.read(line).map((outcome) => this.blamed(outcome, cells));
  }

  /** The row as texts of the Lotbook CSV, or the outcome why there is none. */
  private mappedRow(cells: Cells): MappedRow | Outcome {
    const { constants = {} } = this.mapping;
    const members: Partial<Record<Field, string>> = {};
    for (const field of Object.values(this.mapping.columns)) members[field] = cells.text(this.column(field));
    members.date = this.date(cells);
    if (members.acquired !== undefined && !/^(?:various|inherited)$/i.test(members.acquired)) {
      const day = cells.day(this.column('acquired'));
      members.acquired = day === null ? '' : formatDay(day);
    }
    const signed = this.mapping.columns[this.signColumn ?? ''];
    const quantity = this.quantity(cells);
    const money = this.money(cells, quantity);
    for (const field of quantities) if (field in members) members[field] = this.unsigned(cells, field, 'quantity');
    for (const field of moneys) if (field in members) members[field] = this.unsigned(cells, field, 'money');
    const type = this.type(cells, signed === 'quantity' ? quantity : money === null ? null : ((0n - money) as Money));
    if (type !== null && typeof type !== 'string') return type;
    for (const field of pricedFields) noteCurrencyOfHeader(cells, this.columnOf.get(field));
    if (cells.flawed || type === null) return cells.refused();
    this.settleMoney(cells, type, { quantity, money }, members);
    if (this.columnOf.has('pair') && (type === 'buy' || type === 'sell'))
      return this.pairTrade(cells, type, quantity, members.amount ?? '', members);
    if (rowOf(type).side === 'buy') this.withheld.notePurchase(money);
    if (type === 'interest' && money !== null && money < 0n) return cells.skip(chargedInterest);
    if (rowOf(type).income !== undefined && quantity !== null && quantity < 0n)
      return cells.rejected(this.column('quantity'), 'negative', outgoingIncome);
    members.type = type;
    members.asset ??= constants.asset ?? '';
    members.currency = currencyOfMappedRow(
      cells,
      this.column('currency'),
      members.currency ?? constants.currency ?? '',
    );
    // A dividend in money states the shares that were held: only one without money was paid in shares.
    const isHeld = type === 'dividend' && (money ?? 0n) !== 0n;
    members.quantity = quantity === null || isHeld ? '' : formatQuantity(magnitude(quantity) ?? quantity);
    return cells.flawed ? cells.refused() : { members };
  }

  /** An exchange of two assets. A currency on one side makes it a purchase or a sale. */
  private pairTrade(
    cells: Cells,
    type: 'buy' | 'sell',
    quantity: Quantity | null,
    amount: string,
    members: MappedRow['members'],
  ): Outcome {
    const [base = '', quote = ''] = splitPair(cells, this.column('pair')) ?? [];
    const units = cells.need(this.column('quantity'), magnitude(quantity));
    const price = this.columnOf.get('price') ?? this.columnOf.get('total') ?? this.column('amount');
    const worth = cells.need(price, parseQuantity(amount) ?? null);
    if (cells.flawed || units === null || worth === null) return cells.refused();
    const [coin, other] = [
      { asset: base, quantity: units },
      { asset: quote, quantity: worth },
    ];
    const paid = parseQuantity(members.feeQuantity || members.fee || '0') ?? (0n as Quantity);
    const fee = paid === 0n ? null : { asset: members.feeAsset?.toUpperCase() || quote, quantity: paid };
    const sides = type === 'buy' ? { given: other, received: coin } : { given: coin, received: other };
    const { account = '', externalId = '', note = '' } = members;
    return readExchange(
      cells,
      this.time(cells),
      { ...sides, fee, value: null, feeValue: null },
      { account, externalId, note },
    );
  }

  private date(cells: Cells): string {
    const time = this.time(cells);
    return time === null ? '' : time.at === null ? formatDay(time.on) : formatInstant(time.at);
  }

  private time(cells: Cells): Time | null {
    const column = this.column('date');
    const clock = this.columnOf.get('time');
    const text = `${cells.text(column)} ${clock === undefined ? '' : cells.text(clock)}`.trim();
    return this.mapping.epoch === true ? cells.epoch(column) : cells.timeOf(column, text);
  }

  private quantity(cells: Cells): Quantity | null {
    const column = this.columnOf.get('quantity');
    return column === undefined ? null : cells.roundedQuantity(column);
  }

  /** The money of the row with its sign: the amount, else the total, else price times units. */
  private money(cells: Cells, quantity: Quantity | null): Money | null {
    return this.moneyIn(cells, 'amount') ?? this.moneyIn(cells, 'total') ?? this.computed(cells, quantity);
  }

  private moneyIn(cells: Cells, field: 'amount' | 'total' | 'fee'): Money | null {
    const column = this.columnOf.get(field);
    return column === undefined ? null : cells.roundedMoney(column);
  }

  private computed(cells: Cells, quantity: Quantity | null): Money | null {
    const price = this.columnOf.get('price');
    return price === undefined ? null : worthOf(cells, price, magnitude(quantity), this.conventions.numbers);
  }

  /** The amount before the fee, the fee, and a note where what the row states of its money does not agree. */
  private settleMoney(
    cells: Cells,
    type: TransactionType,
    { quantity, money }: { readonly quantity: Quantity | null; readonly money: Money | null },
    members: Partial<Record<Field, string>>,
  ): void {
    if (money === null) {
      members.amount = '';
      return;
    }
    // Of income a minus takes back what was paid.
    const { side } = rowOf(type);
    if (signedTypes.has(type) || side === undefined) {
      // Units earned for nothing: their value is not known, and is asked.
      if (money === 0n && (quantity ?? 0n) !== 0n && rowOf(type).income !== undefined) {
        members.amount = '';
        return;
      }
      members.amount = formatMoney(signedTypes.has(type) ? money : (magnitude(money) ?? money));
      return;
    }
    const price = this.columnOf.get('price');
    const text = price === undefined ? '' : (numberIn(cells.text(price), this.conventions.numbers) ?? '');
    const inCoin = this.columnOf.get('feeAsset') !== undefined && members.feeAsset !== '';
    const { gross, fee, disagreement } = checkedMoney({
      side,
      amount: magnitude(this.moneyIn(cells, 'amount')),
      total: magnitude(this.moneyIn(cells, 'total')),
      fee: inCoin ? null : magnitude(this.moneyIn(cells, 'fee')),
      computed: magnitude(this.computed(cells, quantity)),
      tolerance: toleranceOf(text, formatQuantity(magnitude(quantity) ?? (0n as Quantity))),
    });
    if ((gross ?? 0n) < 0n) cells.reject(this.amountColumn, 'negative', 'the fee is more than the total');
    members.amount = gross === null ? '' : formatMoney(gross);
    if (fee !== null && !inCoin) members.fee = formatMoney(fee);
    if (disagreement !== null)
      members.note = [members.note ?? '', `Check line ${cells.line}: ${disagreement}.`].join(' ').trim();
  }

  private unsigned(cells: Cells, field: Field, kind: 'quantity' | 'money'): string {
    const column = this.column(field);
    const value = kind === 'quantity' ? magnitude(cells.roundedQuantity(column)) : null;
    if (value !== null) return formatQuantity(value);
    const money = kind === 'money' ? magnitude(cells.roundedMoney(column)) : null;
    return money === null ? '' : formatMoney(money);
  }

  /** The type, by constant, word or sign. `more` is positive where the row's sign means a purchase. */
  private type(cells: Cells, more: bigint | null): TransactionType | Outcome | null {
    const { constants, signs } = this.mapping;
    if (constants?.type !== undefined) return constants.type;
    const column = this.columnOf.get('type');
    const word = column === undefined ? '' : cells.text(column);
    const meant = column === undefined ? 'sign' : (this.words.get(word.toLowerCase()) ?? typeOfWord(word));
    if (meant === 'skip') return cells.skip(`the mapping skips "${word.slice(0, 80)}"`);
    if (meant !== 'sign') {
      if (meant !== undefined) return meant as TransactionType;
      cells.reject(column ?? null, 'unknown_type', 'the mapping does not say what type this word stands for');
      return null;
    }
    if (signs !== undefined && more !== null && more !== 0n) return more > 0n ? 'buy' : 'sell';
    cells.reject(this.signColumn ?? null, 'missing', 'nothing here has a sign that would part a purchase from a sale');
    return null;
  }

  private get amountColumn(): string {
    return this.columnOf.get('amount') ?? this.columnOf.get('total') ?? this.column('price');
  }

  private get signColumn(): string | undefined {
    if (this.mapping.signs === 'quantity') return this.columnOf.get('quantity');
    return this.columnOf.get('amount') ?? this.columnOf.get('total');
  }

  private column(field: Field): string {
    return this.columnOf.get(field) ?? field;
  }

  /** A rejection with the column and the cells of the file. */
  private blamed(outcome: Outcome, cells: Cells): Outcome {
    if (outcome.kind !== 'rejected') return outcome;
    const { column, code, reason } = outcome.issue;
    const field = column === null ? null : (memberOf(column) as Field);
    const amount = this.columnOf.get('price') ?? this.columnOf.get('total');
    const own = field === null ? null : (this.columnOf.get(field) ?? (field === 'amount' ? amount : undefined));
    return cells.rejected(own ?? column, code, reason);
  }
}
