import { readRatio } from '../cells/amounts.ts';
import type { Cells } from '../cells/cells.ts';
import { unreadableRatio } from '../cells/reasons.ts';
import type { Outcome } from '../format.ts';
import { brokerFormat } from '../reader.ts';
import { computeWorth, readActivity } from '../tables/activity.ts';
import { type Kinds, readRowKind } from '../tables/kinds.ts';

/**
 * Reads files from ACB (Canada), which contain purchases and sales by price, and splits by ratio. Superficial losses
 * are specific to Canadian law and are not imported.
 */
export const acb = brokerFormat({ id: 'acb-ca', name: 'ACB transactions', source: 'ACB' }, [
  {
    id: 'transactions',
    header: 'security | trade date | settlement date | action | shares | amount/share | currency | commission',
    read: readRow,
  },
]);

const kinds: Kinds = [
  ['buy', 'buy'],
  ['sell', 'sell'],
  ['split', 'split'],
  ['sfla', { skip: 'Adjustment under Canadian law' }],
  [
    /^(?:roc|ricgdist|ridiv|cgdiv)$/,
    { refuse: { manual: 'The row has an amount per share but no number of shares. Enter it manually' } },
  ],
];

function readRow(cells: Cells): Outcome {
  const quantity = cells.quantity('shares');
  const fee = cells.money('commission');
  const gross = computeWorth(cells, 'amount/share', quantity);
  const time = cells.time('trade date');
  const kind = readRowKind(cells, 'action', kinds);
  if (typeof kind !== 'string') return kind;
  const asset = cells.text('security').toUpperCase();
  const common = { currency: cells.text('currency').toUpperCase() || 'CAD', note: cells.text('memo') };
  if (kind === 'split') {
    const ratio = readRatio(cells.text('split ratio'));
    if (ratio === undefined) return cells.rejected('split ratio', 'bad_number', unreadableRatio);
    return cells.read(time, { type: 'split', asset, ratio, note: common.note });
  }
  const columns = { asset: 'security', quantity: 'shares', amount: 'amount/share' };
  return readActivity(cells, time, kind, columns, { asset, quantity, gross, fee }, common);
}
