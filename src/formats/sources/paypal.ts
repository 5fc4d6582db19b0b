import { coinFormat } from '../reader.ts';
import { legs } from '../tables/tables.ts';

/** Reads PayPal crypto statements: units received, units sent, and the fee on top. Times have an offset or are UTC. */
export const payPal = coinFormat({ id: 'paypal', name: 'PayPal crypto transactions', source: 'PayPal' }, [
  {
    id: 'transactions',
    header: `DateTime | Transaction Type | Asset In (Quantity) | Asset In (Currency) | Asset Out (Quantity) |
      Asset Out (Currency) | Transaction Fee (Quantity) | Transaction Fee (Currency)`,
    read: legs({
      date: 'DateTime',
      received: ['Asset In (Currency)', 'Asset In (Quantity)'],
      sent: ['Asset Out (Currency)', 'Asset Out (Quantity)'],
      fee: ['Transaction Fee (Currency)', 'Transaction Fee (Quantity)'],
      label: 'Transaction Type',
    }),
  },
]);
