import { skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { legs } from '../tables/tables.ts';

/**
 * Reads files from Accointing (later owned by Glassnode, closed in 2023). Rows contain units sold, units bought, a fee,
 * and a word for the type.
 */
export const accointing = coinFormat({ id: 'accointing', name: 'Accointing transactions', source: 'Accointing' }, [
  {
    id: 'transactions',
    header: `timeExecuted | type | boughtQuantity | boughtCurrency | soldQuantity | soldCurrency | feeQuantity |
      feeCurrency | classification | walletName`,
    read: (cells) => (isIgnored(cells) ? cells.skip(skips.ignoredInTracker) : readLegs(cells)),
  },
]);

const readLegs: (cells: Cells) => Outcome = legs({
  date: 'timeExecuted',
  sent: ['soldCurrency', 'soldQuantity'],
  received: ['boughtCurrency', 'boughtQuantity'],
  fee: ['feeCurrency', 'feeQuantity'],
  label: 'classification',
  id: 'txId',
  note: 'comments',
  account: 'walletName',
});

function isIgnored(cells: Cells): boolean {
  return /^ignored?$/i.test(cells.text('classification'));
}
