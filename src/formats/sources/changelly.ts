import { skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { readSide } from '../tables/legs.ts';
import { readMovement } from '../tables/movements.ts';

/** Reads Changelly exchanges. Received amounts are net of the fee, so the fee is ignored. Times are local. */
export const changelly = coinFormat(
  { id: 'changelly', name: 'Changelly exchanges', source: 'Changelly', zone: 'local' },
  [
    {
      id: 'exchanges',
      header: 'Currency from | Currency to | Status | Date | Exchange amount | Total fee | Amount received',
      read: readRow,
    },
  ],
);

function readRow(cells: Cells): Outcome {
  const given = readSide(cells, 'Currency from', 'Exchange amount');
  const received = readSide(cells, 'Currency to', 'Amount received');
  const time = cells.time('Date');
  if (!/^finished$/i.test(cells.text('Status'))) return cells.skip(skips.tradeNotCompleted);
  return readMovement(cells, time, { given, received, kind: 'trade' }, {});
}
