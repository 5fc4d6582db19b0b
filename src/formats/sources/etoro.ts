import type { AssetClass } from '../../engine/model.ts';
import type { Cells } from '../cells/cells.ts';
import { actionTermsMissing } from '../cells/reasons.ts';
import type { Outcome } from '../format.ts';
import { brokerFormat } from '../reader.ts';
import { readActivity } from '../tables/activity.ts';
import { cash, cashFee, type Kinds, readRowKind } from '../tables/kinds.ts';

/**
 * Reads eToro account activity. The account is in dollars, and `NKE/USD` is an asset with its own currency. Dates are
 * day first, and one file may use both decimal points and commas. A contract for difference is not a share, so its rows
 * are rejected. Times are UTC.
 */
export const etoro = brokerFormat(
  { id: 'etoro', name: 'eToro account activity', source: 'eToro', zone: 'UTC', dates: 'day first', numbers: 'either' },
  [
    {
      id: 'activity',
      header: 'Date | Type | Details | Amount | Units | Realized Equity | Balance | Position ID | Asset type',
      read: readRow,
    },
  ],
);

const kinds: Kinds = [
  ['open position', 'buy'],
  [/^position closed/, 'sell'],
  ['dividend', 'dividend'],
  [/^interest/, 'interest'],
  [/^staking/, 'staking'],
  [/fee\b|refund|sdrt|adjustment/, cashFee],
  [/^(?:deposit|withdraw|transfer)/, cash],
  [/^corp/, { refuse: { manual: `${actionTermsMissing}. Enter it manually` } }],
];
const classes: ReadonlyMap<string, AssetClass> = new Map([
  ['stocks', 'stock'],
  ['etf', 'fund'],
  ['crypto', 'crypto'],
]);

function readRow(cells: Cells): Outcome {
  const amount = cells.money('Amount');
  const quantity = cells.quantity('Units');
  const time = cells.time('Date');
  const kind = readRowKind(cells, 'Type', kinds);
  if (typeof kind !== 'string') return kind;
  const type = cells.text('Asset type').toLowerCase();
  if (type === 'cfd')
    return cells.rejected('Asset type', 'unknown_type', {
      manual: 'Contracts for difference are not imported. Enter the gain manually',
    });
  const id = cells.text('Position ID');
  const common = { assetClass: classes.get(type) ?? null, externalId: id === '-' ? '' : id };
  const asset = kind === 'interest' ? '' : (cells.text('Details').split('/')[0] ?? '').toUpperCase();
  const columns = { asset: 'Details', quantity: 'Units', amount: 'Amount' };
  const traded = kind === 'buy' || kind === 'sell';
  const value = traded ? { gross: amount } : { net: amount };
  return readActivity(cells, time, kind, columns, { asset, quantity, ...value }, common);
}
