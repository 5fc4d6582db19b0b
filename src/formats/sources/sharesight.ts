import { magnitude } from '../cells/amounts.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { brokerFormat, type Cells, type Outcome, readOnlyCell } from '../reader.ts';
import { computeWorth, readActivity } from '../tables/activity.ts';
import { type Kinds, readRowKind } from '../tables/kinds.ts';

/**
 * Reads Sharesight's all trades report: price and brokerage in the market's currency, dates day first. Coins are in the
 * market FX and priced in themselves, so the file does not contain their cost. (Sharesight's income report contains
 * only totals.)
 */
export const sharesight = brokerFormat(
  { id: 'sharesight', name: 'Sharesight all trades report', source: 'Sharesight', dates: 'day first' },
  [
    {
      id: 'all-trades',
      header: 'Market | Code | Name | Type | Date | Quantity | Price * | Brokerage * | Currency | Exchange Rate',
      read: readRow,
    },
  ],
);

const kinds: Kinds = [
  ['buy', 'buy'],
  ['opening balance', 'buy'],
  ['sell', 'sell'],
];

function readRow(cells: Cells): Outcome {
  if (readOnlyCell(cells.row) !== '') return cells.skip(skips.titleOrNote);
  const quantity = magnitude(cells.quantity('Quantity'));
  const fee = cells.money('Brokerage *');
  const gross = computeWorth(cells, 'Price *', quantity);
  const time = cells.time('Date');
  const kind = readRowKind(cells, 'Type', kinds);
  if (typeof kind !== 'string') return cells.text('Code') === '' ? cells.skip(skips.totalRow) : kind;
  if (cells.text('Market') === 'FX') return cells.rejected('Market', rejections.costMissing);
  const columns = { asset: 'Code', quantity: 'Quantity', amount: 'Price *' };
  const common = { currency: cells.text('Currency').toUpperCase(), note: cells.text('Name') };
  const asset = cells.text('Code').toUpperCase();
  return readActivity(cells, time, kind, columns, { asset, quantity, gross, fee }, common);
}
