import { readRatio } from '../cells/amounts.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { brokerFormat, type Cells, type Outcome, readOnlyCell } from '../reader.ts';
import { readActivity } from '../tables/activity.ts';
import { cash, cashFee, type Kinds, readRowKind } from '../tables/kinds.ts';

/** Reads the Wealthfolio broker table: net amounts that include the fee. A split's ratio is in the amount column. */
export const wealthfolio = brokerFormat({ id: 'wealthfolio', name: 'Wealthfolio activities', source: 'Wealthfolio' }, [
  {
    id: 'activities',
    header: `Trade Date | Settlement Date | Side | Symbol | Quantity | Per Share Cost | Settle Amount Net | Fee |
      Currency`,
    read: readRow,
  },
]);

const kinds: Kinds = [
  [/^(?:buy|bought|drip)$/, 'buy'],
  [/^(?:sell|sold)$/, 'sell'],
  [/^div/, 'dividend'],
  [/^interest/, 'interest'],
  [/^stock split|^split/, 'split'],
  [/^(?:forex|fx)/, { skip: skips.currencyExchanged }],
  [/^(?:cash )?(?:deposit|withdrawal)/, cash],
  [/^fee/, cashFee],
];

function readRow(cells: Cells): Outcome {
  if (readOnlyCell(cells.row) !== '' || /^total/i.test(cells.text('Date'))) return cells.skip(skips.titleOrNote);
  const quantity = cells.quantity('Quantity');
  const fee = cells.money('Fee');
  const time = cells.time('Trade Date');
  const kind = readRowKind(cells, 'Side', kinds);
  if (typeof kind !== 'string') return kind;
  const common = { currency: cells.text('Currency').toUpperCase() || 'USD', note: cells.text('Notes') };
  const asset = cells.text('Symbol').toUpperCase();
  if (kind === 'split') {
    const ratio = readRatio(cells.text('Settle Amount Net'));
    if (ratio === undefined) return cells.rejected('Settle Amount Net', rejections.unreadableRatio);
    return cells.read(time, { type: 'split', asset, ratio });
  }
  // The net amount is unsigned: a purchase's cost or a sale's proceeds, both after the fee.
  const stated = cells.money('Settle Amount Net');
  const bought = kind === 'buy';
  const net = stated === null ? null : bought && stated > 0n ? ((0n - stated) as typeof stated) : stated;
  const columns = { asset: 'Symbol', quantity: 'Quantity', amount: 'Settle Amount Net' };
  return readActivity(cells, time, kind, columns, { asset, quantity, net, fee }, common);
}
