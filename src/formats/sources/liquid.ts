import { coinFormat } from '../reader.ts';
import { trades } from '../tables/tables.ts';

/** Reads files from Liquid, closed in 2022: executions of pairs, with the fee in its own coin. Times are UTC. */
export const liquid = coinFormat({ id: 'liquid', name: 'Liquid executions', source: 'Liquid' }, [
  {
    id: 'executions',
    price: 'Price',
    header: 'Quote Currency | Base Currency | Execution Id | Type | Date | Open Qty | Price | Fee | Amount',
    read: trades({
      date: 'Date',
      side: 'Type',
      pair: ['Base Currency', 'Quote Currency'],
      quantity: 'Open Qty',
      total: 'Amount',
      fee: 'Fee',
      feeAsset: 'Fee Currency',
      id: 'Execution Id',
    }),
  },
]);
