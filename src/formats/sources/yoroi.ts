import { coinFormat } from '../reader.ts';
import { legs } from '../tables/tables.ts';

/**
 * Reads the history of Yoroi, a Cardano wallet: units received, units sent, and the network fee. The comment marks
 * rewards. Times are UTC.
 */
export const yoroi = coinFormat({ id: 'yoroi', name: 'Yoroi wallet history', source: 'Yoroi' }, [
  {
    id: 'history',
    header: `Type (Trade, IN or OUT) | Buy Amount | Buy Cur. | Sell Amount | Sell Cur. | Fee Amount (optional) |
      Fee Cur. (optional) | Comment (optional) | Date`,
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
