import { formatOfTables, legs } from '../tables/tables.ts';

/** Reads PayPal crypto statements: units received, units sent, and the fee on top. Times have an offset or are UTC. */
export const payPal = formatOfTables({ id: 'paypal', name: 'PayPal crypto transactions', source: 'PayPal' }, [
  {
    id: 'transactions',
    required: [
      'DateTime',
      'Transaction Type',
      'Asset In (Quantity)',
      'Asset In (Currency)',
      'Asset Out (Quantity)',
      'Asset Out (Currency)',
      'Transaction Fee (Quantity)',
      'Transaction Fee (Currency)',
    ],
    read: legs({
      date: 'DateTime',
      received: ['Asset In (Currency)', 'Asset In (Quantity)'],
      sent: ['Asset Out (Currency)', 'Asset Out (Quantity)'],
      fee: ['Transaction Fee (Currency)', 'Transaction Fee (Quantity)'],
      label: 'Transaction Type',
    }),
  },
]);
