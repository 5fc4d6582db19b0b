import { readQuantity, toPlainNumber } from '../cells/fields.ts';
import { brokerFormat } from '../reader.ts';
import { brokerRows } from '../tables/broker-rows.ts';
import { cash, cashFee } from '../tables/kinds.ts';

const trade = /^(buy|sell|koop|verkoop) ([\d.,]+) @ [\d.,]+ [a-z]{3}$/;

/** Reads Saxo transactions. Units and price are in the event text. Amounts have decimal commas and include the fee. */
export const saxo = brokerFormat(
  { id: 'saxo', name: 'Saxo transactions', source: 'Saxo', dates: 'day first', numbers: 'decimal comma' },
  [
    {
      id: 'transactions',
      header: 'Trade Date | Value Date | Type | Instrument | Instrument ISIN | Instrument currency | Event | Amount',
      read: brokerRows({
        time: 'Trade Date',
        kind: 'Event',
        kinds: [
          [/^(?:buy|koop) /, 'buy'],
          [/^(?:sell|verkoop) /, 'sell'],
          [/^(?:cash )?dividend/, 'dividend'],
          [/interest|rente/, 'interest'],
          [/fee\b|kosten/, cashFee],
          [/^(?:deposit|withdrawal|storting|opname)/, cash],
        ],
        columns: { asset: 'Instrument Symbol', quantity: 'Event', amount: 'Amount' },
        numbers: (cells) => {
          const units = toPlainNumber(trade.exec(cells.text('Event').toLowerCase())?.[2] ?? '', 'either');
          return { net: cells.money('Amount'), quantity: units === undefined ? null : (readQuantity(units) ?? null) };
        },
        asset: (cells) => {
          const [symbol = ''] = cells.text('Instrument Symbol').split(':');
          return symbol.toUpperCase() || cells.text('Instrument ISIN').toUpperCase();
        },
        common: (cells) => ({
          currency: cells.text('Instrument currency').toUpperCase(),
          externalId: cells.text('Order ID'),
          note: cells.text('Instrument'),
        }),
      }),
    },
  ],
);
