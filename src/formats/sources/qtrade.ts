import { coinFormat } from '../reader.ts';
import { trades } from '../tables/tables.ts';

/**
 * Reads files from qTrade, closed in 2021: trades of a market currency against a base, which is also used to pay the
 * fee. Times are UTC.
 */
export const qTrade = coinFormat({ id: 'qtrade', name: 'qTrade trades', source: 'qTrade' }, [
  {
    id: 'trades',
    header: 'Order ID | Type | Market Currency | Base Currency | Trade ID | Market Amount | Base Amount | Base Fee',
    read: trades({
      date: 'Creation Date',
      side: 'Type',
      pair: ['Market Currency', 'Base Currency'],
      quantity: 'Market Amount',
      total: 'Base Amount',
      fee: 'Base Fee',
      id: 'Trade ID',
    }),
  },
]);
