import { type Money, proportion } from '../../base/decimal.ts';
import { magnitude } from '../cells/amounts.ts';
import { Cells, HeaderColumns } from '../cells/cells.ts';
import { readQuantity, toPlainNumber } from '../cells/fields.ts';
import { Joiner, withLines } from '../cells/joiner.ts';
import { rejections, skips } from '../cells/reasons.ts';
import {
  brokerFormat,
  type Draft,
  type Layout,
  nameRepeatedColumns,
  type Outcome,
  type Reader,
  type ReadingContext,
  type Row,
  readOnlyCell,
} from '../reader.ts';
import { readActivity } from '../tables/activity.ts';
import { cash, cashFee, type Kinds, readRowKind } from '../tables/kinds.ts';

/**
 * Reads DEGIRO account statements, in many languages. The amount is in an unnamed column after its currency. An order
 * has rows for its fills, its fee and its currency exchange, joined by the order id. A fee in another currency is
 * converted to the trade's currency at the rate of that exchange. The ISIN identifies the asset. Dates are day first.
 */
export const degiro = brokerFormat(
  { id: 'degiro', name: 'DEGIRO account statement', source: 'DEGIRO' },
  [
    { id: 'nl', header: 'Datum | Tijd | Product | ISIN | Omschrijving | FX | Mutatie | Saldo | Order Id' },
    { id: 'en', header: 'Date | Time | Product | ISIN | Description | FX | Change | Balance | Order Id' },
  ],
  (layout, header, context) => new DegiroReader(layout, header, context),
);

interface DegiroNames {
  readonly date: string;
  readonly clock: string;
  readonly text: string;
  readonly currency: string;
  readonly amount: string;
}

const trade =
  /^(koop|buy|achat|compra|kauf|verkoop|sell|vente|venta|venda|verkauf) ([\d.,\s\u00a0]*\d)\b.*@\s*[\d.,\s\u00a0]+ [A-Z]{3}/i;
const selling = /^(?:verkoop|sell|vente|venta|venda|verkauf)/i;
const fee = /transactiekosten|transaction (?:fee|and\/or)|courtage|comiss(?:ões|ao)|comisiones|transaktionsgeb/i;
const exchange = /^(?:valuta |fx )|de divisa|cambio de divisa|change de devise|währungswechsel/i;

const kinds: Kinds = [
  [/stock dividend|productwijziging|product change|corporate action:/, { refuse: rejections.actionManual }],
  [/dividendbelasting|dividend tax|impôts? sur dividende|imposto|retenci|dividendensteuer/, 'withholding'],
  [/^divid/, 'dividend'],
  [/fonds monétaires|money market fund|geldmarktfonds/, { skip: skips.cashFund }],
  [/rente|interest(?!.*charge)/, 'interest'],
  [/kosten|fee\b|frais|comisi/, cashFee],
  [/overboeking|flatex|sweep|deposit|withdrawal|ingreso|retirada|courtesy|terugstorting|reservation|transfer/, cash],
];

interface DegiroLeg {
  readonly cells: Cells;
  readonly role: 'trade' | 'fee' | 'exchange';
  readonly amount: Money;
  readonly currency: string;
}

/** The maximum number of fills, fees and exchanges for one order. */
const legsMax = 500;

class DegiroReader implements Reader {
  private readonly names: DegiroNames;
  private readonly columns: HeaderColumns;
  private readonly orders = new Joiner<DegiroLeg>((legs) => this.finish(legs), legsMax);

  constructor(
    layout: Layout,
    header: Row,
    private readonly context: ReadingContext,
  ) {
    const dutch = layout.id === 'nl';
    const [currency, balance] = dutch ? ['Mutatie', 'Saldo'] : ['Change', 'Balance'];
    this.columns = new HeaderColumns(nameRepeatedColumns(header, '', [currency, balance]));
    this.names = {
      date: dutch ? 'Datum' : 'Date',
      clock: dutch ? 'Tijd' : 'Time',
      text: dutch ? 'Omschrijving' : 'Description',
      currency,
      amount: `${currency} (unnamed)`,
    };
  }

  read(row: Row): readonly Outcome[] {
    const { names } = this;
    const cells = new Cells(row, this.columns, this.context, { dates: 'day first', numbers: 'decimal comma' });
    if (readOnlyCell(row) !== '') return [cells.skip(skips.continuedOrderId)];
    const text = cells.text(names.text);
    const amount = cells.roundedMoney(names.amount);
    this.readRowTime(cells);
    if (cells.flawed) return [cells.refused()];
    const role = trade.test(text) ? 'trade' : fee.test(text) ? 'fee' : exchange.test(text) ? 'exchange' : null;
    const currency = cells.text(names.currency).toUpperCase();
    if (role !== null && amount !== null)
      return this.orders.add(cells.text('Order Id') || `line ${row.line}`, { cells, role, amount, currency });
    const kind = readRowKind(cells, names.text, kinds);
    if (typeof kind !== 'string') return [kind];
    const asset = cells.text('ISIN').toUpperCase();
    const columns = { asset: 'ISIN', quantity: names.text, amount: names.amount };
    const common = { currency, note: cells.text('Product') };
    return [
      readActivity(cells, this.readRowTime(cells), kind, columns, { asset, quantity: null, net: amount }, common),
    ];
  }

  end(): readonly Outcome[] {
    return this.orders.end();
  }

  private readRowTime(cells: Cells): ReturnType<Cells['time']> {
    const { date, clock } = this.names;
    return cells.parseTime(date, `${cells.text(date)} ${cells.text(clock)}`.trim());
  }

  private finish(legs: readonly DegiroLeg[]): Outcome[] {
    const [first] = legs.filter(({ role }) => role === 'trade');
    if (first === undefined)
      return legs.map(({ cells, role }) => cells.skip(role === 'fee' ? skips.cashFeePaid : skips.currencyExchanged));
    const paid = sumFees(legs, first);
    if (paid === undefined) {
      return legs.map(({ cells }) => cells.rejected(this.names.currency, rejections.feeInOtherCurrency));
    }
    const drafts: Draft[] = [];
    for (const leg of legs.filter(({ role }) => role === 'trade')) {
      const outcome = this.fill(leg, leg === first ? paid : null);
      if (outcome.kind === 'read') drafts.push(...outcome.drafts);
      else if (outcome.kind === 'rejected') {
        return legs.map(({ cells }) => cells.rejected(outcome.issue.column, outcome.issue));
      }
    }
    const lines = legs.map(({ cells }) => cells.line);
    return [withLines({ kind: 'read', lines, drafts }, lines)];
  }

  private fill({ cells, amount, currency }: DegiroLeg, paid: Money | null): Outcome {
    const text = cells.text(this.names.text);
    const quantity = readQuantity(toPlainNumber(trade.exec(text)?.[2] ?? '', 'decimal comma') ?? '');
    if (quantity === undefined) return cells.rejected(this.names.text, rejections.unreadableNumber('quantity'));
    return cells.read(this.readRowTime(cells), {
      type: selling.test(text) ? 'sell' : 'buy',
      asset: cells.text('ISIN').toUpperCase(),
      quantity,
      amount: magnitude(amount),
      fee: paid,
      currency,
      externalId: cells.text('Order Id'),
      note: cells.text('Product'),
    });
  }
}

/** Adds up an order's fees in the currency of its trade. Returns undefined if no exchange provides the rate. */
function sumFees(legs: readonly DegiroLeg[], traded: DegiroLeg): Money | null | undefined {
  let total: bigint | null = null;
  for (const leg of legs.filter(({ role }) => role === 'fee')) {
    const amount = magnitude(leg.amount) ?? 0n;
    const rate = legs.find(({ role, currency }) => role === 'exchange' && currency === leg.currency);
    if (leg.currency === traded.currency) total = (total ?? 0n) + amount;
    else if (rate === undefined || rate.amount === 0n) return undefined;
    else total = (total ?? 0n) + proportion(magnitude(traded.amount) ?? 0n, amount, magnitude(rate.amount) ?? 1n);
  }
  return total === null || total === 0n ? null : (total as Money);
}
