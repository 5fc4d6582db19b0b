import { coinFormat } from '../reader.ts';
import { trades } from '../tables/tables.ts';

/**
 * Reads files from Cryptsy, closed in 2016: trades of pairs, with the fee on top in the quote. Times are New York time.
 */
export const cryptsy = coinFormat(
  { id: 'cryptsy', name: 'Cryptsy trades', source: 'Cryptsy', zone: 'America/New_York' },
  [
    {
      id: 'trades',
      header: 'TradeID | OrderType | Market | Price | Quantity | Total | Fee | Net | Timestamp',
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
);
