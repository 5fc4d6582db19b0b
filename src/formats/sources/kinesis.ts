import { coinFormat } from '../reader.ts';
import { trades } from '../tables/tables.ts';

/**
 * Reads Kinesis trades: gold, silver and coins traded in pairs, with the fee in its own coin. `Trade_Value_in_USD` is
 * the trade's value if no side is dollars, and otherwise repeats the total. Times are UTC.
 */
export const kinesis = coinFormat({ id: 'kinesis', name: 'Kinesis trades', source: 'Kinesis' }, [
  {
    id: 'trades',
    header: `DateTime | HIN | Transactions_ID | Transaction_Type | Amount | Amount_Currency | Trade_Price_Currency |
      Total | Fee | Fee_Currency`,
    read: trades({
      date: 'DateTime',
      side: 'Transaction_Type',
      pair: ['Amount_Currency', 'Trade_Price_Currency'],
      quantity: 'Amount',
      total: 'Total',
      fee: 'Fee',
      feeAsset: 'Fee_Currency',
      price: 'Trade_Price',
      worth: 'Trade_Value_in_USD',
      id: 'Transactions_ID',
    }),
  },
]);
