import { readRatio } from '../cells/amounts.ts';
import type { Cells } from '../cells/cells.ts';
import type { Format, Outcome } from '../format.ts';
import { aloneIn, rowByRow } from '../reader.ts';
import { readActivity } from '../tables/activity.ts';
import { cash, cashFee, type Kinds, kindIn } from '../tables/kinds.ts';

/** A broker's table as Wealthfolio takes it: net amounts that hold the fee, a split's ratio where the amount would be. */
export const wealthfolio: Format = {
  id: 'wealthfolio',
  name: 'Wealthfolio activities',
  source: 'Wealthfolio',
  assetClass: 'stock',
  layouts: [
    {
      id: 'activities',
      required: [
        'Trade Date',
        'Settlement Date',
        'Side',
        'Symbol',
        'Quantity',
        'Per Share Cost',
        'Settle Amount Net',
        'Fee',
        'Currency',
      ],
    },
  ],
  open: rowByRow(readRow),
};

const kinds: Kinds = [
  [/^(?:buy|bought|drip)$/, 'buy'],
  [/^(?:sell|sold)$/, 'sell'],
  [/^div/, 'dividend'],
  [/^interest/, 'interest'],
  [/^stock split|^split/, 'split'],
  [/^(?:forex|fx)/, { skip: 'an exchange of currencies is not kept here' }],
  [/^(?:cash )?(?:deposit|withdrawal)/, cash],
  [/^fee/, cashFee],
];

function readRow(cells: Cells): Outcome {
  if (aloneIn(cells.row) !== '' || /^total/i.test(cells.text('Date'))) return cells.skip('a title or a note');
  const quantity = cells.quantity('Quantity');
  const fee = cells.money('Fee');
  const time = cells.time('Trade Date');
  const kind = kindIn(cells, 'Side', kinds);
  if (typeof kind !== 'string') return kind;
  const common = { currency: cells.text('Currency').toUpperCase() || 'USD', note: cells.text('Notes') };
  const asset = cells.text('Symbol').toUpperCase();
  if (kind === 'split') {
    const ratio = readRatio(cells.text('Settle Amount Net'));
    if (ratio === undefined)
      return cells.rejected('Settle Amount Net', 'bad_number', 'this is no ratio in a shape we know');
    return cells.read(time, { type: 'split', asset, ratio });
  }
  // The net is unsigned: a purchase's is what was paid, a sale's what was received, both with the fee within.
  const stated = cells.money('Settle Amount Net');
  const bought = kind === 'buy';
  const net = stated === null ? null : bought && stated > 0n ? ((0n - stated) as typeof stated) : stated;
  const columns = { asset: 'Symbol', quantity: 'Quantity', amount: 'Settle Amount Net' };
  return readActivity(cells, time, kind, columns, { asset, quantity, net, fee }, common);
}
