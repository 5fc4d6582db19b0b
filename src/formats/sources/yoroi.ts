import { formatOfTables, legs } from '../tables/tables.ts';

/** Yoroi, a Cardano wallet: what came, what went, the network's fee; rewards are named in the comment. Times are UTC. */
export const yoroi = formatOfTables({ id: 'yoroi', name: 'Yoroi wallet history', source: 'Yoroi' }, [
  {
    id: 'history',
    required: [
      'Type (Trade, IN or OUT)',
      'Buy Amount',
      'Buy Cur.',
      'Sell Amount',
      'Sell Cur.',
      'Fee Amount (optional)',
      'Fee Cur. (optional)',
      'Comment (optional)',
      'Date',
    ],
    read: legs({
      date: 'Date',
      received: ['Buy Cur.', 'Buy Amount'],
      sent: ['Sell Cur.', 'Sell Amount'],
      fee: ['Fee Cur. (optional)', 'Fee Amount (optional)'],
      label: 'Comment (optional)',
      id: 'ID',
      note: 'Comment (optional)',
    }),
  },
]);
