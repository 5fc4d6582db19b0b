import { formatOfTables, trades } from '../tables/tables.ts';

/** Kinesis: gold, silver and coins traded in pairs, the fee in a coin of its own. Times are UTC. */
export const kinesis = formatOfTables({ id: 'kinesis', name: 'Kinesis trades', source: 'Kinesis' }, [
  {
    id: 'trades',
    required: [
      'DateTime',
      'HIN',
      'Transactions_ID',
      'Transaction_Type',
      'Amount',
      'Amount_Currency',
      'Trade_Price_Currency',
      'Total',
      'Fee',
      'Fee_Currency',
    ],
    read: trades({
      date: 'DateTime',
      side: 'Transaction_Type',
      pair: ['Amount_Currency', 'Trade_Price_Currency'],
      quantity: 'Amount',
      total: 'Total',
      fee: 'Fee',
      feeAsset: 'Fee_Currency',
      id: 'Transactions_ID',
    }),
  },
]);
