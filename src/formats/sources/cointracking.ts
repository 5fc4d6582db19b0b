import { rejections } from '../cells/reasons.ts';
import { type Cells, coinFormat, nameRepeatedColumns, type Outcome, rowByRow } from '../reader.ts';
import { findLabelType, incomeLabels, outgoingLabels } from '../tables/kinds.ts';
import { readSide, sideWith } from '../tables/legs.ts';
import { readMovement } from '../tables/movements.ts';

/**
 * Reads CoinTracking files. Three columns have the same name, and each contains the currency of the amount before it.
 * Users choose a date format: with points, with slashes or year first. If day and month are ambiguous, the other rows
 * or the request settle the order. Times are in the account's zone, which is the taxpayer's. Amounts include the fee if
 * it is in the same coin; a fee in a third coin has its own row (CoinTracking's help, "Entering fees").
 */
export const coinTracking = coinFormat(
  {
    id: 'cointracking',
    name: 'CoinTracking trades',
    source: 'CoinTracking',
    asksDateOrder: true,
    zone: 'local',
    dates: 'day first',
    numbers: 'either',
  },
  [{ id: 'trades', header: 'Type | Buy | Cur. | Sell | Exchange | Group | Date' }],
  (layout, header, ...rest) =>
    rowByRow(readRow)(layout, nameRepeatedColumns(header, 'Cur.', ['Buy', 'Sell', 'Fee']), ...rest),
);

function readRow(cells: Cells): Outcome {
  const [given, received, fee] = [
    readSide(cells, 'Sell Cur.', 'Sell'),
    readSide(cells, 'Buy Cur.', 'Buy'),
    readSide(cells, 'Fee Cur.', 'Fee'),
  ];
  const time = cells.time('Date');
  const type = cells.text('Type').toLowerCase();
  if (/margin|derivative|futures/.test(type)) return cells.rejected('Type', rejections.marginGains);
  const own = fee !== null && (fee.asset === given?.asset || fee.asset === received?.asset) ? fee : null;
  const before = own !== null && own.asset === given?.asset ? sideWith(given, -own.quantity) : given;
  const gross = own !== null && own.asset === received?.asset ? sideWith(received, own.quantity) : received;
  const kind = type === 'trade' ? 'trade' : findLabelType(type, received === null ? outgoingLabels : incomeLabels);
  const common = { account: cells.text('Exchange'), externalId: cells.text('Tx-ID'), note: cells.text('Comment') };
  return readMovement(cells, time, { given: before, received: gross, fee: own, kind }, common);
}
