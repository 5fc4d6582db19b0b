import { rejections } from '../cells/reasons.ts';
import { brokerFormat } from '../reader.ts';
import { brokerRows } from '../tables/broker-rows.ts';
import { cash, cashFee, internal } from '../tables/kinds.ts';

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
      read: brokerRows({
        time: 'Date',
        kind: 'Type',
        kinds: [
          [/^buy\b/, 'buy'],
          [/^sell\b|^position closure/, 'sell'],
          [/^dividend tax/, 'withholding'],
          [/^dividend/, 'dividend'],
          [/^interest/, 'interest'],
          [/fee\b/, cashFee],
          [/^cash (?:top-up|withdrawal)/, cash],
          [/^stock split/, 'split'],
          [/^transfer from .* to /, internal],
          [/^(?:spinoff|merger)/, { refuse: rejections.valuesMissing }],
        ],
        columns: { asset: 'Ticker', quantity: 'Quantity', amount: 'Total Amount' },
        numbers: (cells) => ({ total: cells.roundedMoney('Total Amount'), quantity: cells.quantity('Quantity') }),
        common: (cells) => ({
          currency: cells.text('Currency').toUpperCase() || cells.currencyBeside('Total Amount') || 'USD',
        }),
      }),
    },
  ],
);
