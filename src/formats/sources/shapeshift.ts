import { skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { readSide } from '../tables/legs.ts';
import { readMovement } from '../tables/movements.ts';

/**
 * Reads ShapeShift exchanges of one coin for another. The amount received is net of the miner's fee (`minerFee`). Times
 * are UTC.
 */
export const shapeShift = coinFormat({ id: 'shapeshift', name: 'ShapeShift trades', source: 'ShapeShift' }, [
  {
    id: 'trades',
    header: 'id | status | timestamp | inputAmount | inputCurrency | outputAmount | outputCurrency',
    read: readRow,
  },
]);

function readRow(cells: Cells): Outcome {
  const given = readSide(cells, 'inputCurrency', 'inputAmount');
  const received = readSide(cells, 'outputCurrency', 'outputAmount');
  const time = cells.time('timestamp');
  if (cells.flawed) return cells.refused();
  if (!/^complete/i.test(cells.text('status'))) return cells.skip(skips.tradeNotCompleted);
  const common = { externalId: cells.text('id') };
  return readMovement(cells, time, { given, received, kind: 'trade' }, common);
}
