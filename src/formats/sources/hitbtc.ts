import { byWord, formatOfTables, trades, transfers } from '../tables/tables.ts';

/** HitBTC: trades, the volume in the quote and the fee on top of it, deposits and withdrawals. Times are UTC. */
export const hitBtc = formatOfTables({ id: 'hitbtc', name: 'HitBTC trades and transfers', source: 'HitBTC' }, [
  {
    id: 'trades',
    required: [
      'Date (UTC)',
      'Instrument',
      'Trade ID',
      'Order ID',
      'Side',
      'Quantity',
      'Price',
      'Volume',
      'Fee',
      'Rebate',
    ],
    read: trades({
      date: 'Date (UTC)',
      side: 'Side',
      pair: 'Instrument',
      quantity: 'Quantity',
      total: 'Volume',
      fee: 'Fee',
      id: 'Trade ID',
    }),
  },
  {
    id: 'transfers',
    required: ['Date (UTC)', 'Operation id', 'Type', 'Amount', 'Transaction hash', 'Main account balance', 'Currency'],
    read: transfers({
      date: 'Date (UTC)',
      moved: ['Currency', 'Amount'],
      way: byWord('Type'),
      wayColumn: 'Type',
      id: 'Transaction hash',
    }),
  },
]);
