import type { Cells } from '../cells/cells.ts';
import { readQuantity, toPlainNumber } from '../cells/fields.ts';
import type { Outcome } from '../format.ts';
import { brokerFormat } from '../reader.ts';
import { readActivity } from '../tables/activity.ts';
import { cash, cashFee, type Kinds, readRowKind } from '../tables/kinds.ts';

/** Reads Saxo transactions. Units and price are in the event text. Amounts have decimal commas and include the fee. */
export const saxo = brokerFormat(
  { id: 'saxo', name: 'Saxo transactions', source: 'Saxo', dates: 'day first', numbers: 'decimal comma' },
  [
    {
      id: 'transactions',
      header: 'Trade Date | Value Date | Type | Instrument | Instrument ISIN | Instrument currency | Event | Amount',
      read: readRow,
    },
  ],
);

const trade = /^(buy|sell|koop|verkoop) ([\d.,]+) @ [\d.,]+ [a-z]{3}$/;
const kinds: Kinds = [
  [/^(?:buy|koop) /, 'buy'],
  [/^(?:sell|verkoop) /, 'sell'],
  [/^(?:cash )?dividend/, 'dividend'],
  [/interest|rente/, 'interest'],
  [/fee\b|kosten/, cashFee],
  [/^(?:deposit|withdrawal|storting|opname)/, cash],
];

function readRow(cells: Cells): Outcome {
  const net = cells.money('Amount');
  const time = cells.time('Trade Date');
  const event = cells.text('Event').toLowerCase();
  const kind = readRowKind(cells, 'Event', kinds);
  if (typeof kind !== 'string') return kind;
  const units = toPlainNumber(trade.exec(event)?.[2] ?? '', 'either');
  const quantity = units === undefined ? null : (readQuantity(units) ?? null);
  const common = {
    currency: cells.text('Instrument currency').toUpperCase(),
    externalId: cells.text('Order ID'),
    note: cells.text('Instrument'),
  };
  const symbol = cells.text('Instrument Symbol').split(':')[0] ?? '';
  const asset = symbol.toUpperCase() || cells.text('Instrument ISIN').toUpperCase();
  const columns = { asset: 'Instrument Symbol', quantity: 'Event', amount: 'Amount' };
  return readActivity(cells, time, kind, columns, { asset, quantity, net }, common);
}
