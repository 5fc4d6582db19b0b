import { formatOfTables, trades } from '../tables/tables.ts';

/**
 * Reads files from Cryptsy, closed in 2016: trades of pairs, with the fee on top in the quote. Times are New York time.
 */
export const cryptsy = formatOfTables(
  { id: 'cryptsy', name: 'Cryptsy trades', source: 'Cryptsy' },
  [
    {
      id: 'trades',
      required: ['TradeID', 'OrderType', 'Market', 'Price', 'Quantity', 'Total', 'Fee', 'Net', 'Timestamp'],
      read: trades({
        date: 'Timestamp',
        side: 'OrderType',
        pair: 'Market',
        quantity: 'Quantity',
        total: 'Total',
        fee: 'Fee',
        id: 'TradeID',
      }),
    },
  ],
  { zone: 'America/New_York' },
);
