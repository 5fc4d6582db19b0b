import { rejections, skips } from '../cells/reasons.ts';
import { brokerFormat } from '../reader.ts';
import { computeWorth } from '../tables/activity.ts';
import { brokerRows } from '../tables/broker-rows.ts';

/**
 * Reads files from ACB (Canada), which contain purchases and sales by price, and splits by ratio. Superficial losses
 * are specific to Canadian law and are not imported.
 */
export const acb = brokerFormat({ id: 'acb-ca', name: 'ACB transactions', source: 'ACB' }, [
  {
    id: 'transactions',
    header: 'security | trade date | settlement date | action | shares | amount/share | currency | commission',
    read: brokerRows({
      time: 'trade date',
      kind: 'action',
      kinds: [
        ['buy', 'buy'],
        ['sell', 'sell'],
        ['split', 'split'],
        ['sfla', { skip: skips.canadianAdjustment }],
        [/^(?:roc|ricgdist|ridiv|cgdiv)$/, { refuse: rejections.sharesMissing }],
      ],
      columns: { asset: 'security', quantity: 'shares', amount: 'amount/share' },
      ratio: 'split ratio',
      numbers: (cells) => {
        const [quantity, fee] = [cells.quantity('shares'), cells.money('commission')];
        return { quantity, fee, gross: computeWorth(cells, 'amount/share', quantity) };
      },
      common: (cells, kind) => {
        const note = cells.text('memo');
        return kind === 'split' ? { note } : { currency: cells.text('currency').toUpperCase() || 'CAD', note };
      },
    }),
  },
]);
