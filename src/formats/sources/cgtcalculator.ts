import { sum, toFee } from '../cells/amounts.ts';
import { rejections } from '../cells/reasons.ts';
import { brokerFormat, type Cells, type Outcome } from '../reader.ts';
import { computeWorth } from '../tables/activity.ts';
import { type Kinds, readRowKind } from '../tables/kinds.ts';

/**
 * Reads the input table of CGTCalculator, a British gains calculator, with amounts in pounds. Charges and stamp duty
 * are added up as a fee.
 */
export const cgtCalculator = brokerFormat(
  {
    id: 'cgtcalculator',
    name: 'CGTCalculator trades',
    source: 'CGTCalculator',
    asksDateOrder: true,
    dates: 'day first',
  },
  [{ id: 'trades', header: 'B/S | Date | Company | Shares | Price | Charges | Tax', read: readRow }],
);

const kinds: Kinds = [
  ['b', 'buy'],
  ['s', 'sell'],
  ['t', { refuse: rejections.toSpouse }],
];

function readRow(cells: Cells): Outcome {
  const quantity = cells.need('Shares', cells.quantity('Shares'));
  const amount = cells.need('Price', computeWorth(cells, 'Price', quantity));
  const fee = toFee(sum(cells.money('Charges'), cells.money('Tax')));
  const time = cells.time('Date');
  const kind = readRowKind(cells, 'B/S', kinds);
  if (typeof kind !== 'string') return kind;
  const asset = cells.text('Company').toUpperCase();
  return cells.read(time, { type: kind, asset, quantity, amount, fee, currency: 'GBP' });
}
