import type { AssetClass } from '../../engine/model.ts';
import { rejections } from '../cells/reasons.ts';
import { brokerFormat } from '../reader.ts';
import { brokerRows } from '../tables/broker-rows.ts';
import { cash, cashFee } from '../tables/kinds.ts';

const classes: ReadonlyMap<string, AssetClass> = new Map([
  ['stocks', 'stock'],
  ['etf', 'fund'],
  ['crypto', 'crypto'],
]);

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
      read: brokerRows({
        time: 'Date',
        kind: 'Type',
        kinds: [
          ['open position', 'buy'],
          [/^position closed/, 'sell'],
          ['dividend', 'dividend'],
          [/^interest/, 'interest'],
          [/^staking/, 'staking'],
          [/fee\b|refund|sdrt|adjustment/, cashFee],
          [/^(?:deposit|withdraw|transfer)/, cash],
          [/^corp/, { refuse: rejections.actionManual }],
        ],
        columns: { asset: 'Details', quantity: 'Units', amount: 'Amount' },
        numbers: (cells) => ({ total: cells.money('Amount'), quantity: cells.quantity('Units') }),
        asset: (cells, kind) => (kind === 'interest' ? '' : (cells.text('Details').split('/')[0] ?? '').toUpperCase()),
        common: (cells) => ({
          assetClass: classes.get(cells.text('Asset type').toLowerCase()) ?? null,
          externalId: cells.text('Position ID').replace(/^-$/, ''),
        }),
        special: (cells) =>
          cells.text('Asset type').toLowerCase() === 'cfd'
            ? cells.rejected('Asset type', rejections.contractsForDifference)
            : null,
      }),
    },
  ],
);
