import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { type Kinds, readRowKind } from '../tables/kinds.ts';
import { readSide } from '../tables/legs.ts';
import { readMovement } from '../tables/movements.ts';

/**
 * Reads the history of AdaLite, a Cardano wallet: amounts received and sent, with the fee on top, and staking rewards.
 * Times are UTC.
 */
export const adaLite = coinFormat({ id: 'adalite', name: 'AdaLite wallet history', source: 'AdaLite' }, [
  {
    id: 'transactions',
    header: `Date | Transaction ID | Type | Received amount | Received currency | Sent amount | Sent currency |
      Fee amount | Fee currency`,
    read: readRow,
  },
]);

const kinds: Kinds = [
  ['received', 'deposit'],
  ['sent', 'withdrawal'],
  ['reward awarded', 'staking'],
];

function readRow(cells: Cells): Outcome {
  const received = readSide(cells, 'Received currency', 'Received amount');
  const sent = readSide(cells, 'Sent currency', 'Sent amount');
  const fee = readSide(cells, 'Fee currency', 'Fee amount');
  const time = cells.time('Date');
  const kind = readRowKind(cells, 'Type', kinds);
  if (cells.flawed) return cells.refused();
  if (typeof kind !== 'string') return kind;
  const out = kind === 'withdrawal';
  cells.need(out ? 'Sent amount' : 'Received amount', out ? sent : received);
  const sides = out ? { given: sent, received: null, fee } : { given: null, received, fee: null };
  return readMovement(cells, time, { ...sides, kind }, { externalId: cells.text('Transaction ID') });
}
