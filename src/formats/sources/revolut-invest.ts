import type { Cells } from '../cells/cells.ts';
import type { Outcome } from '../format.ts';
import { brokerFormat } from '../reader.ts';
import { readActivity, readMoneyWithCurrency } from '../tables/activity.ts';
import { cash, cashFee, internal, type Kinds, readRowKind } from '../tables/kinds.ts';

/**
 * Reads Revolut trading statements. Amounts contain their currency's sign or code. A split's quantity is the number of
 * shares added. Times are UTC.
 */
export const revolutInvest = brokerFormat(
  { id: 'revolut-invest', name: 'Revolut trading statement', source: 'Revolut', zone: 'UTC', numbers: 'either' },
  [
    {
      id: 'statement',
      price: 'Price per share',
      header: 'Date | Ticker | Type | Quantity | Price per share | Total Amount | Currency | FX Rate',
      read: readRow,
    },
  ],
);

const byHand = { refuse: { manual: 'The file does not include everything this needs. Enter it manually' } };
const kinds: Kinds = [
  [/^buy\b/, 'buy'],
  [/^sell\b|^position closure/, 'sell'],
  [/^dividend tax/, 'withholding'],
  [/^dividend/, 'dividend'],
  [/^interest/, 'interest'],
  [/fee\b/, cashFee],
  [/^cash (?:top-up|withdrawal)/, cash],
  [/^stock split/, 'split'],
  [/^transfer from .* to /, internal],
  [/^(?:spinoff|merger)/, byHand],
];

function readRow(cells: Cells): Outcome {
  const total = readMoneyWithCurrency(cells, 'Total Amount');
  const quantity = cells.quantity('Quantity');
  const time = cells.time('Date');
  const kind = readRowKind(cells, 'Type', kinds);
  if (typeof kind !== 'string') return kind;
  const columns = { asset: 'Ticker', quantity: 'Quantity', amount: 'Total Amount' };
  const asset = cells.text('Ticker').toUpperCase();
  const traded = kind === 'buy' || kind === 'sell';
  const value = traded ? { gross: total.amount } : { net: total.amount };
  const currency = cells.text('Currency').toUpperCase() || total.currency || 'USD';
  return readActivity(cells, time, kind, columns, { asset, quantity, ...value }, { currency });
}
